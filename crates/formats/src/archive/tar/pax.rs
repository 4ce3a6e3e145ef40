//! What stands about an entry in a header of its own.

/// What is said of the next entry beyond its own header.
#[derive(Clone, Debug, Default)]
pub(super) struct Beyond {
    pub(super) name: Option<Vec<u8>>,
    pub(super) link: Option<Vec<u8>>,
    pub(super) size: Option<u64>,
    pub(super) time: Option<i64>,
    /// The real size of an entry with holes.
    pub(super) sparse: Option<u64>,
    /// How many headers were spent on it.
    pub(super) headers: u32,
}

impl Beyond {
    /// Takes over the records of a pax header; false when they are not what they should be.
    pub(super) fn read(&mut self, mut records: &[u8]) -> bool {
        while !records.is_empty() {
            // Blocks are filled up with zeros.
            if records.iter().all(|byte| *byte == 0) {
                return true;
            }
            let Some((key, value, rest)) = take_record(records) else { return false };
            if self.take(key, value).is_none() {
                return false;
            }
            records = rest;
        }
        true
    }

    fn take(&mut self, key: &[u8], value: &[u8]) -> Option<()> {
        match key {
            b"path" => self.name = Some(value.to_vec()),
            b"GNU.sparse.name" => {
                self.name = Some(value.to_vec());
                self.sparse.get_or_insert(0);
            }
            b"linkpath" => self.link = Some(value.to_vec()),
            b"size" => self.size = Some(whole(value)?),
            b"GNU.sparse.realsize" | b"GNU.sparse.size" => self.sparse = Some(whole(value)?),
            b"mtime" => self.time = seconds(value),
            _ if key.starts_with(b"GNU.sparse.") => {
                self.sparse.get_or_insert(0);
            }
            _ => {}
        }
        Some(())
    }
}

/// One record: its length in digits, a blank, a key, an equals sign, a value, a line feed.
pub(super) fn take_record(records: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let blank = memchr::memchr(b' ', records.get(..20.min(records.len()))?)?;
    let length = usize::try_from(whole(records.get(..blank)?)?).ok()?;
    let (record, rest) = records.split_at_checked(length)?;
    let body = record.get(blank + 1..)?.strip_suffix(b"\n")?;
    let equals = memchr::memchr(b'=', body)?;
    let (key, value) = (body.get(..equals)?, body.get(equals + 1..)?);
    (!key.is_empty()).then_some((key, value, rest))
}

fn whole(digits: &[u8]) -> Option<u64> {
    let plain = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(digits)
        .ok()
        .filter(|_| plain)?
        .parse()
        .ok()
        .filter(|number| *number <= i64::MAX.cast_unsigned())
}

fn seconds(value: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(value).ok()?;
    text.split('.').next()?.parse().ok()
}
