//! Likeness of names: what differs only in case, Unicode spelling or a slip of the finger.

use unicode_normalization::UnicodeNormalization;

/// The name with every Unicode spelling of the same characters made one: composed accents, plain spaces, straight
/// quotes and hyphens.
pub(crate) fn spelling(name: &str) -> String {
    if name.is_ascii() {
        return name.to_owned();
    }
    name.nfc().map(plain).collect()
}

/// The name's spelling without regard to case.
pub(crate) fn folded(name: &str) -> String {
    spelling(name).to_lowercase()
}

fn plain(character: char) -> char {
    match character {
        '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => ' ',
        '\u{2018}'..='\u{201B}' | '\u{2032}' => '\'',
        '\u{201C}'..='\u{201F}' | '\u{2033}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        other => other,
    }
}

/// Whether two names differ by one slip that hardly makes a name of its own: one letter missing, doubled or swapped
/// with its neighbour, in a name long enough, with no digit involved. Another letter in the same place is no slip:
/// `test_a` and `test_b` are two names.
pub(crate) fn is_slip(asked: &str, other: &str) -> bool {
    let (stem, other_stem) = (stem(asked), stem(other));
    let long = stem.chars().count() >= 5 && other_stem.chars().count() >= 5;
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    let letters = |name: &str| {
        let mut letters: Vec<char> = name.chars().collect();
        letters.sort_unstable();
        letters
    };
    let replaced = asked.chars().count() == other.chars().count() && letters(asked) != letters(other);
    let alike = extension(asked) == extension(other) && digits(asked) == digits(other);
    long && alike && !replaced && strsim::osa_distance(asked, other) == 1
}

/// How many letters must be changed, added, taken away or swapped to make one name the other.
pub(crate) fn letters_apart(asked: &str, other: &str) -> usize {
    strsim::osa_distance(asked, other)
}

/// How far apart two names are, for sorting; `None` when they have nothing in common.
pub(crate) fn distance(asked: &str, other: &str) -> Option<usize> {
    if asked == other {
        return Some(0);
    }
    // A walk compares hundreds of thousands of names; most are told apart by their length.
    let plain = asked.is_ascii() && other.is_ascii();
    let close = asked.len().abs_diff(other.len()) <= 3 || stem(other).eq_ignore_ascii_case(asked);
    if plain && !close {
        return None;
    }
    let (asked, other) = (folded(asked), folded(other));
    let length = stem(&asked).chars().count();
    if asked == other || (length >= 3 && stem(&other) == asked) {
        return Some(1);
    }
    // Of one or two letters, any other is one letter away.
    if length < 3 || other.chars().count().abs_diff(asked.chars().count()) > 3 {
        return None;
    }
    let distance = strsim::osa_distance(&asked, &other);
    (distance <= (asked.chars().count() / 3).clamp(1, 3)).then_some(distance + 1)
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn extension(name: &str) -> Option<&str> {
    name.rsplit_once('.').map(|(_, extension)| extension)
}
