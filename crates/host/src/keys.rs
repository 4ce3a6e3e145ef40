//! Files that are called like keys: whether what they hold is public.

/// Larger files that are called like keys are withheld unseen.
pub(crate) const MOST_BYTES: u64 = 4 * 1024 * 1024;
/// What a block may hold that is no secret.
const PUBLIC: [&str; 16] = [
    "CERTIFICATE",
    "X509 CERTIFICATE",
    "TRUSTED CERTIFICATE",
    "ATTRIBUTE CERTIFICATE",
    "CERTIFICATE REQUEST",
    "NEW CERTIFICATE REQUEST",
    "X509 CRL",
    "PKCS7",
    "CMS",
    "PUBLIC KEY",
    "RSA PUBLIC KEY",
    "DSA PUBLIC KEY",
    "EC PUBLIC KEY",
    "DH PARAMETERS",
    "X9.42 DH PARAMETERS",
    "EC PARAMETERS",
];
/// Bytes in a row that may be those of a key, outside a block.
const LONG: usize = 40;

/// Whether a file holds blocks of certificates and public keys, with text between them, and nothing like a private key.
pub(crate) fn is_public(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    if text.contains('\0') || text.contains("PRIVATE") {
        return false;
    }
    let (mut open, mut blocks) = (None, 0);
    for line in text.lines().map(str::trim) {
        let begin = line.strip_prefix("-----BEGIN ").and_then(|line| line.strip_suffix("-----"));
        let end = line.strip_prefix("-----END ").and_then(|line| line.strip_suffix("-----"));
        match (open, begin, end) {
            (None, Some(label), _) if PUBLIC.contains(&label) => open = Some(label),
            (Some(label), _, Some(other)) if label == other => {
                open = None;
                blocks += 1;
            }
            (Some(_), None, None) if line.bytes().all(is_base64) => {}
            (None, None, None) if !line.starts_with("-----") && !has_data(line) => {}
            (_, _, _) => return false,
        }
    }
    open.is_none() && blocks > 0
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Whether a line has a word that is long enough to be a part of a key whose block was taken away.
fn has_data(line: &str) -> bool {
    let is_data = |word: &[u8]| word.len() >= LONG && word.iter().any(|byte| *byte != b'=');
    line.as_bytes().split(|byte| !is_base64(*byte)).any(is_data)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CERTIFICATE: &str = "-----BEGIN CERTIFICATE-----\nMIIB+w==\n-----END CERTIFICATE-----\n";

    #[test]
    fn certificates_and_public_keys_are_public() {
        let key = "-----BEGIN PUBLIC KEY-----\r\nMIIB\r\n-----END PUBLIC KEY-----\r\n";
        for text in [CERTIFICATE.to_owned(), key.to_owned(), format!("# Some CA\n=====\n{CERTIFICATE}\n{key}")] {
            assert!(is_public(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn anything_else_may_be_secret() {
        let private = CERTIFICATE.replace("CERTIFICATE", "PRIVATE KEY");
        let data = "a".repeat(64);
        for text in [
            String::new(),
            "secret".to_owned(),
            format!("{CERTIFICATE}{private}"),
            format!("{CERTIFICATE}{data}\n"),
            format!("{CERTIFICATE}x\0"),
            CERTIFICATE.replace("CERTIFICATE", "ENCRYPTED PRIVATE KEY"),
            CERTIFICATE.replace("CERTIFICATE", "SOMETHING"),
            CERTIFICATE.replace("-----END", "----END"),
            CERTIFICATE.replace("MIIB", "password: MIIB"),
            format!("{CERTIFICATE}-----BEGIN CERTIFICATE-----\n"),
        ] {
            assert!(!is_public(text.as_bytes()), "{text}");
        }
        assert!(!is_public(b"-----BEGIN CERTIFICATE-----\n\xFF\n-----END CERTIFICATE-----\n"));
    }
}
