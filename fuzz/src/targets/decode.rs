//! Any bytes as a file: an encoding is found or not, and its text is cut between characters only.

use readstone_formats::coding_of;
use readstone_source::{Coding, Head};

pub(crate) fn run(bytes: &[u8]) {
    let whole = Head { bytes, samples: &[], size: bytes.len() as u64 };
    if let Some(coding) = coding_of(&whole) {
        check(&*coding, bytes);
    }
    // The same bytes as the beginning and one piece of a larger file.
    let (head, rest) = bytes.split_at(bytes.len() / 2 / 4 * 4);
    let samples = [rest.to_vec()];
    let parted = Head { bytes: head, samples: &samples, size: 1 << 30 };
    if let Some(coding) = coding_of(&parted) {
        check(&*coding, bytes);
    }
}

fn check(coding: &dyn Coding, bytes: &[u8]) {
    let decoded = coding.decode(bytes);
    assert!(decoded.replaced.is_sorted() && decoded.replaced.iter().all(|offset| *offset < bytes.len() as u64));
    let marks = decoded.text.matches(char::REPLACEMENT_CHARACTER).count();
    assert!(decoded.replaced.len() <= marks, "{} replaced, {marks} shown", decoded.replaced.len());
    assert!(coding.resync(bytes) <= bytes.len());
    for most in (0..=bytes.len()).rev().take(64).chain(0..bytes.len().min(64)) {
        let length = coding.boundary(bytes, most);
        assert!(length <= most, "{length} of at most {most}");
        let valid = decoded.replaced.is_empty();
        let head = &bytes[..length];
        // A text without damage is not damaged by being cut.
        assert!(!valid || coding.decode(head).replaced.is_empty(), "{} is cut at {length}", coding.name());
        assert!(!valid || decoded.text.starts_with(&*coding.decode(head).text), "{} at {length}", coding.name());
    }
    let newline = coding.newline();
    assert_eq!(newline.count(bytes) == 0, newline.find(bytes).is_none());
    assert_eq!(newline.find(bytes).is_none(), newline.rfind(bytes).is_none());
}
