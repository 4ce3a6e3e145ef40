//! Which encoding a text of the web is in: a byte order mark decides, then its server, then the page, then its bytes.

use encoding_rs::Encoding;
use readstone_source::{Coding, Head};

use crate::coding::{Legacy, Utf8};
use crate::detect;

/// Where a page says which encoding it is in.
const DECLARED_BYTES: usize = 2_048;

/// A text, decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageText {
    /// The characters.
    pub text: String,
    /// The encoding it was in, in lower case.
    pub encoding: &'static str,
    /// How many characters could not be read.
    pub replaced: u64,
    /// What the server says it is in, when nobody knows such an encoding.
    pub unknown: Option<String>,
}

/// Decodes markup, which may say itself what it is in; `None` when the bytes are no text. `label` is what the server
/// says.
pub fn page_text(bytes: &[u8], label: Option<&str>) -> Option<PageText> {
    decoded(bytes, label, declared)
}

/// Decodes text that says nothing of itself; `None` when the bytes are no text. `label` is what the server says.
pub fn plain_text(bytes: &[u8], label: Option<&str>) -> Option<PageText> {
    decoded(bytes, label, |_| None)
}

fn decoded(bytes: &[u8], label: Option<&str>, declared: fn(&[u8]) -> Option<Legacy>) -> Option<PageText> {
    let head = Head { bytes, samples: &[], size: bytes.len() as u64 };
    if let Some(coding) = detect::by_mark(&head) {
        return Some(text(bytes, &*coding));
    }
    let known = label.map(|label| Encoding::for_label(label.trim().as_bytes()).ok_or(label));
    match known {
        // Characters of one byte below 128 are the same in nearly all of them.
        Some(Ok(encoding)) if encoding == encoding_rs::UTF_8 || encoding.is_ascii_compatible() && bytes.is_ascii() => {
            Some(text(bytes, &Utf8 { mark: 0 }))
        }
        Some(Ok(encoding)) => Some(text(bytes, &Legacy { encoding, mark: 0 })),
        Some(Err(label)) => Some(PageText { unknown: Some(label.to_owned()), ..text(bytes, &Utf8 { mark: 0 }) }),
        None => match declared(bytes) {
            Some(coding) => Some(text(bytes, &coding)),
            None => detect::coding(&head).map(|coding| text(bytes, &*coding)),
        },
    }
}

fn text(bytes: &[u8], coding: &dyn Coding) -> PageText {
    let marked = usize::try_from(coding.mark()).unwrap_or(0);
    let decoded = coding.decode(bytes.get(marked..).unwrap_or_default());
    let replaced = decoded.replaced.len() as u64;
    PageText { text: decoded.text.into_owned(), encoding: coding.name(), replaced, unknown: None }
}

/// The encoding that a page says it is in, where its bytes fit.
fn declared(bytes: &[u8]) -> Option<Legacy> {
    let head = bytes.get(..DECLARED_BYTES).unwrap_or(bytes).to_ascii_lowercase();
    let sign = [b"charset=".as_slice(), b"encoding="].into_iter();
    let at = sign.filter_map(|sign| Some(memchr::memmem::find(&head, sign)? + sign.len())).min()?;
    let label = head.get(at..)?.iter().copied().skip_while(|byte| matches!(byte, b'"' | b'\'' | b' '));
    let label: Vec<u8> = label.take_while(|byte| byte.is_ascii_alphanumeric() || b"-_:".contains(byte)).collect();
    let encoding = Encoding::for_label(&label)?;
    let single =
        encoding != encoding_rs::UTF_16LE && encoding != encoding_rs::UTF_16BE && encoding != encoding_rs::UTF_8;
    let fits = || std::str::from_utf8(bytes).is_err() && !encoding.decode_without_bom_handling(bytes).1;
    (single && fits()).then_some(Legacy { encoding, mark: 0 })
}
