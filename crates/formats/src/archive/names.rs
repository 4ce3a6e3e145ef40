//! Names of entries: where they stand in the tree of an archive, and which lead out of it.

use std::cmp::Ordering;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use readstone_address::MOST_CUTS;
use readstone_base::{escape_name, unescape_name};

/// A name cut in a listing has this many characters, and a longer one is addressed by its number.
pub(super) const SHOWN: usize = 200;

/// The name as it stands in the tree: no `.`, no doubled or final slashes. `None` when it leads out of the tree.
pub(super) fn tidy(raw: &[u8]) -> Option<Vec<u8>> {
    if leads_out(raw) {
        return None;
    }
    let mut tidy = Vec::with_capacity(raw.len());
    for part in parts(raw) {
        if !tidy.is_empty() {
            tidy.push(b'/');
        }
        tidy.extend_from_slice(part);
    }
    Some(tidy)
}

/// True when the name is its own tidy form, which most are; a final slash apart.
pub(super) fn is_tidy(name: &[u8]) -> bool {
    !leads_out(name)
        && !name.is_empty()
        && name.split(|byte| *byte == b'/').all(|part| !part.is_empty() && part != b".")
}

fn parts(raw: &[u8]) -> impl Iterator<Item = &[u8]> {
    raw.split(|byte| *byte == b'/').filter(|part| !part.is_empty() && *part != b".")
}

fn leads_out(raw: &[u8]) -> bool {
    let drive = matches!(raw, [b'A'..=b'Z' | b'a'..=b'z', b':', b'/' | b'\\', ..]);
    let absolute = matches!(raw.first(), Some(b'/' | b'\\'));
    let up = raw.contains(&b'.') && raw.split(|byte| matches!(byte, b'/' | b'\\')).any(|part| part == b"..");
    drive || absolute || up || raw.contains(&0)
}

/// Compares paths so that what lies below a directory follows it directly.
pub(super) fn compare(one: &[u8], other: &[u8]) -> Ordering {
    let same = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let rank = |byte: &u8| if *byte == b'/' { 0 } else { u16::from(*byte) + 1 };
    let next = |name: &[u8]| name.get(same).map(rank);
    next(one).cmp(&next(other))
}

/// A name as it is shown whole. One that looks like the number of an entry is spelled so that it does not.
pub(super) fn show(name: &[u8]) -> String {
    let shown = escape_name(OsStr::from_bytes(name));
    match shown.strip_prefix('#').filter(|digits| is_number(digits)) {
        Some(digits) => format!("\\x23{digits}"),
        None => shown,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A name as a listing shows it; false when it is cut.
pub(super) fn show_short(name: &[u8]) -> (String, bool) {
    let shown = show(name);
    match shown.char_indices().nth(SHOWN) {
        Some((at, _)) => (format!("{}…", shown.get(..at).unwrap_or_default()), false),
        None => (shown, true),
    }
}

/// One way to read what stands behind an archive in an address.
#[derive(Debug)]
pub(super) struct Candidate {
    /// The text taken as a name.
    pub(super) text: String,
    /// What stands behind it.
    pub(super) rest: Option<String>,
    /// The names it may spell, the literal one first.
    pub(super) names: Vec<Vec<u8>>,
    /// The number it may be, from 0.
    pub(super) number: Option<usize>,
    /// Whether it ends with a slash, which only a directory has.
    pub(super) slash: bool,
}

/// Every way to read a tail: the whole of it, then ever shorter beginnings that end at a colon or a question mark.
pub(super) fn candidates(tail: &str) -> Vec<Candidate> {
    let cuts = tail.char_indices().rev().filter(|(_, character)| matches!(character, ':' | '?'));
    let shorter = cuts.take(MOST_CUTS).filter_map(|(at, character)| {
        let rest = if character == ':' { tail.get(at + 1..)? } else { tail.get(at..)? };
        Some(Candidate::new(tail.get(..at)?, Some(rest)))
    });
    std::iter::once(Candidate::new(tail, None)).chain(shorter).filter(|candidate| !candidate.text.is_empty()).collect()
}

impl Candidate {
    fn new(text: &str, rest: Option<&str>) -> Self {
        let literal = tidy(text.as_bytes());
        let unescaped = unescape_name(text).and_then(|name| tidy(name.as_bytes()));
        let number = text.strip_prefix('#').filter(|digits| is_number(digits));
        Self {
            text: text.to_owned(),
            rest: rest.filter(|rest| !rest.is_empty()).map(str::to_owned),
            names: literal.into_iter().chain(unescaped).collect(),
            number: number.and_then(|digits| digits.parse::<usize>().ok()?.checked_sub(1)),
            slash: text.ends_with('/'),
        }
    }

    /// Whether the text would lead out of the archive.
    pub(super) fn leads_out(&self) -> bool {
        self.text.split('/').any(|part| part == "..")
    }

    /// Whether it spells this name.
    pub(super) fn spells(&self, name: &[u8]) -> bool {
        self.names.iter().any(|own| own == name)
    }
}
