//! Detecting: which encoding bytes are in, or that they are no text.
//!
//! A byte order mark decides first, then the shape of UTF-16 and UTF-32, then whether the bytes are valid UTF-8.
//! What is left is either UTF-8 with damage or a legacy encoding, told apart by counting.

use std::borrow::Cow;
use std::sync::Arc;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;
use readstone_source::{Coding, Head};

use crate::coding::{Legacy, Utf8, is_alone};
use crate::utf32::{Order, Utf32};

/// The detector of legacy encodings is fed at most this much.
const MOST_FED: usize = 256 * 1024;
/// A run of zeros of this length is a hole, not content.
const HOLE: usize = 512;
/// Characters of a word.
const WORD: usize = 8;
/// Below this many bytes, shares mean little.
const FEW: usize = 64;

/// The encoding of a text; `None` when the bytes are no text.
pub(crate) fn coding(head: &Head<'_>) -> Option<Arc<dyn Coding>> {
    if let Some(marked) = by_mark(head) {
        return Some(marked);
    }
    if let Some(shaped) = by_shape(head) {
        return Some(shaped);
    }
    let pieces: Vec<Cow<'_, [u8]>> = pieces(head).collect();
    if head.size > 0 && pieces.iter().all(|piece| piece.is_empty()) {
        return None;
    }
    let utf8 = || -> Arc<dyn Coding> { Arc::new(Utf8 { mark: 0 }) };
    let mut votes = Votes::default();
    for piece in &pieces {
        votes.count(piece);
    }
    if votes.too_many_controls() {
        return None;
    }
    if votes.other <= votes.utf8 {
        return Some(utf8());
    }
    let encoding = guess(&pieces);
    let plausible = pieces.iter().any(|piece| is_plausible(encoding, piece));
    Some(if plausible { Arc::new(Legacy { encoding, mark: 0 }) } else { utf8() })
}

/// The encoding that a byte order mark names.
pub(crate) fn by_mark(head: &Head<'_>) -> Option<Arc<dyn Coding>> {
    let whole_units = head.size.is_multiple_of(4);
    Some(match head.bytes {
        [0xFF, 0xFE, 0, 0, ..] if whole_units => Arc::new(Utf32 { order: Order::LowFirst, mark: 4 }),
        [0, 0, 0xFE, 0xFF, ..] if whole_units => Arc::new(Utf32 { order: Order::HighFirst, mark: 4 }),
        [0xFF, 0xFE, ..] => Arc::new(Legacy { encoding: encoding_rs::UTF_16LE, mark: 2 }),
        [0xFE, 0xFF, ..] => Arc::new(Legacy { encoding: encoding_rs::UTF_16BE, mark: 2 }),
        [0xEF, 0xBB, 0xBF, ..] => Arc::new(Utf8 { mark: 3 }),
        _ => return None,
    })
}

/// UTF-16 and UTF-32 without a mark, known by where their zeros stand.
fn by_shape(head: &Head<'_>) -> Option<Arc<dyn Coding>> {
    let bytes = head.bytes.get(..head.bytes.len().min(16 * 1024) / 4 * 4).unwrap_or_default();
    let mut zeros = [0_usize; 4];
    for unit in bytes.chunks_exact(4) {
        for (count, byte) in zeros.iter_mut().zip(unit) {
            *count += usize::from(*byte == 0);
        }
    }
    let units = bytes.len() / 4;
    if units < 2 || !head.size.is_multiple_of(2) {
        return None;
    }
    let (many, few) = (|count: usize| count * 4 >= units * 3, |count: usize| count * 20 <= units);
    let [first, second, third, fourth] = zeros;
    if head.size.is_multiple_of(4) {
        let order = if few(first) && many(third) && many(fourth) {
            Some(Order::LowFirst)
        } else {
            (many(first) && many(second) && few(fourth)).then_some(Order::HighFirst)
        };
        if let Some(order) = order {
            let coding = Utf32 { order, mark: 0 };
            return Reading::of(&coding, bytes).is_text().then(|| Arc::new(coding) as Arc<dyn Coding>);
        }
    }
    let (even, odd) = (first + third, second + fourth);
    let half = |zeros: usize| zeros * 5 >= units * 2;
    let (encoding, many) = match (even, odd) {
        _ if half(odd) && even * 8 <= odd => (encoding_rs::UTF_16LE, true),
        _ if half(even) && odd * 8 <= even => (encoding_rs::UTF_16BE, true),
        // Of scripts that have few zeros, what zeros there are stand on one side, as in line ends and blanks.
        (0, 1..) => (encoding_rs::UTF_16LE, false),
        (1.., 0) => (encoding_rs::UTF_16BE, false),
        _ => return None,
    };
    // Text with a zero here and there, as between names, is no such thing: it is valid UTF-8 with few controls, and its
    // zeros stand alone.
    let least = if many { 9 } else { 5 };
    let is_narrow = Encoding::utf8_valid_up_to(bytes) == bytes.len() && controls(bytes) * 20 < bytes.len() * least;
    if is_narrow && !(many && has_runs_of_zeros(bytes)) {
        return None;
    }
    let coding = Legacy { encoding, mark: 0 };
    let reading = Reading::of(&coding, bytes);
    let sure = reading.is_text() && (many || reading.odd == 0);
    sure.then(|| Arc::new(coding) as Arc<dyn Coding>)
}

/// Whether most zeros have another one two bytes before or behind them, as in a word of Latin letters.
fn has_runs_of_zeros(bytes: &[u8]) -> bool {
    let is_zero = |at: Option<usize>| at.and_then(|at| bytes.get(at)) == Some(&0);
    let zeros = || (0..bytes.len()).filter(|at| is_zero(Some(*at)));
    let paired = zeros().filter(|at| is_zero(at.checked_sub(2)) || is_zero(at.checked_add(2))).count();
    paired * 2 >= zeros().count()
}

/// What a guess makes of some bytes.
struct Reading {
    /// All characters.
    all: usize,
    /// Those of living scripts.
    living: usize,
    /// Blanks and line ends.
    blanks: usize,
    /// Controls, and characters that are none.
    odd: usize,
}

impl Reading {
    fn of(coding: &dyn Coding, bytes: &[u8]) -> Self {
        let mut reading = Self { all: 0, living: 0, blanks: 0, odd: 0 };
        for character in coding.decode(bytes).text.chars() {
            reading.all += 1;
            reading.living += usize::from(is_living(character));
            reading.blanks += usize::from(character.is_ascii_whitespace());
            reading.odd += usize::from(is_odd(character));
        }
        reading
    }

    /// Whether that is text and not numbers: nearly all of it is of living scripts, with hardly a control, and what is more
    /// than a word or two has blanks.
    fn is_text(&self) -> bool {
        let few_odd = self.odd * 20 <= self.all;
        few_odd && self.living * 20 >= self.all * 19 && (self.blanks > 0 || self.all <= 2 * WORD)
    }
}

fn is_living(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='~' | '\u{A0}'..='\u{6FF}' | '\u{900}'..='\u{E7F}'
        | '\u{10A0}'..='\u{10FF}' | '\u{1E00}'..='\u{1FFF}' | '\u{2010}'..='\u{27BF}' | '\u{3000}'..='\u{30FF}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{FF00}'..='\u{FFEF}' | '\u{1F300}'..='\u{1FAFF}')
}

fn is_odd(character: char) -> bool {
    character == char::REPLACEMENT_CHARACTER || (character.is_control() && !character.is_whitespace())
}

/// The beginning and the samples, without holes and without characters cut at their ends.
fn pieces<'a>(head: &'a Head<'_>) -> impl Iterator<Item = Cow<'a, [u8]>> {
    let open_end = !head.is_whole();
    let first = without_holes(if open_end { trim_end(head.bytes) } else { head.bytes });
    let rest = head.samples.iter().map(|sample| without_holes(trim_end(trim_start(sample))));
    std::iter::once(first).chain(rest)
}

/// The piece from where a character is sure to begin: behind a byte that is a character of its own in every encoding,
/// or else behind the rest of a character of UTF-8.
fn trim_start(bytes: &[u8]) -> &[u8] {
    let rest = || bytes.iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count();
    let skip = bytes.iter().position(|byte| is_alone(*byte)).map_or_else(rest, |at| at + 1);
    bytes.get(skip..).unwrap_or_default()
}

/// The piece up to where a character is sure to end.
fn trim_end(bytes: &[u8]) -> &[u8] {
    if let Some(at) = bytes.iter().rposition(|byte| is_alone(*byte)) {
        return bytes.get(..=at).unwrap_or_default();
    }
    let end = Utf8 { mark: 0 }.boundary(bytes, bytes.len());
    let lead =
        (1..=3).find(|back| end.checked_sub(*back).and_then(|at| bytes.get(at)).is_some_and(|byte| *byte >= 0xC0));
    bytes.get(..lead.map_or(end, |back| end - back)).unwrap_or_default()
}

fn without_holes(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !bytes.windows(HOLE).step_by(HOLE).any(|window| window.iter().all(|byte| *byte == 0)) {
        return Cow::Borrowed(bytes);
    }
    let mut kept = Vec::new();
    for run in bytes.chunk_by(|one, other| (*one == 0) == (*other == 0)) {
        if run.first() != Some(&0) || run.len() < HOLE {
            kept.extend_from_slice(run);
        }
    }
    Cow::Owned(kept)
}

/// What the bytes speak for.
#[derive(Debug, Default)]
struct Votes {
    bytes: usize,
    controls: usize,
    /// Characters of several bytes, and bytes that were meant to be one.
    utf8: usize,
    /// Bytes above ASCII that cannot be UTF-8.
    other: usize,
}

impl Votes {
    fn count(&mut self, piece: &[u8]) {
        let looked_at = piece.get(..piece.len().min(MOST_FED)).unwrap_or_default();
        self.bytes += looked_at.len();
        self.controls += controls(looked_at);
        if Encoding::utf8_valid_up_to(piece) == piece.len() {
            self.utf8 += usize::from(!piece.is_ascii());
            return;
        }
        let mut rest = piece;
        while let Some(at) = rest.iter().position(|byte| *byte >= 0x80) {
            let (_, high) = rest.split_at(at);
            let length = meant_length(high);
            match length {
                Some(_) => self.utf8 += 1,
                None => self.other += 1,
            }
            rest = high.get(length.unwrap_or(1)..).unwrap_or_default();
        }
    }

    fn too_many_controls(&self) -> bool {
        let share = match (self.bytes < FEW, self.other > self.utf8) {
            (true, false) => 30,
            (true, true) => 15,
            (false, false) => 5,
            (false, true) => 1,
        };
        self.controls * 100 > self.bytes * share
    }
}

/// How many controls there are that no text has: all but those of blanks and lines, backspace and escape. They are told
/// apart by sums, in runs short enough for one byte, which compilers turn into wide instructions.
fn controls(bytes: &[u8]) -> usize {
    let one = |byte: &u8| {
        let (low, blank) = (u8::from(*byte < 0x20), u8::from(byte.wrapping_sub(8) < 6));
        low - blank - u8::from(*byte == 0x1B) + u8::from(*byte == 0x7F)
    };
    bytes.chunks(224).map(|run| usize::from(run.iter().map(one).sum::<u8>())).sum()
}

/// How many bytes were meant as one character of UTF-8: a lead byte with all its followers, even where the
/// standard forbids the combination.
fn meant_length(bytes: &[u8]) -> Option<usize> {
    let length = match bytes.first()? {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        _ => return None,
    };
    let followers = bytes.get(1..length)?;
    followers.iter().all(|byte| byte & 0xC0 == 0x80).then_some(length)
}

fn guess(pieces: &[Cow<'_, [u8]>]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let mut fed = 0;
    for piece in pieces {
        // Lines without a byte above ASCII say nothing.
        for line in piece.split_inclusive(|byte| *byte == b'\n').filter(|line| !line.is_ascii()) {
            if fed >= MOST_FED {
                break;
            }
            let line = line.get(..line.len().min(MOST_FED)).unwrap_or_default();
            detector.feed(line, false);
            fed += line.len();
        }
    }
    detector.feed(b"", true);
    let encoding = detector.guess(None, Utf8Detection::Deny);
    // Characters of four bytes are those that the smaller encoding of two lacks; who reads one may mean to write it.
    let large = encoding == encoding_rs::GBK && pieces.iter().any(|piece| piece.windows(4).any(is_of_four_bytes));
    if large { encoding_rs::GB18030 } else { encoding }
}

/// Whether these are the four bytes of a character of GB18030, which no two characters of two bytes are.
fn is_of_four_bytes(bytes: &[u8]) -> bool {
    matches!(bytes, [0x81..=0xFE, b'0'..=b'9', 0x81..=0xFE, b'0'..=b'9'])
}

/// Whether a legacy encoding makes sense of the bytes, rather than merely being able to show them.
fn is_plausible(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    let high = bytes.iter().filter(|byte| **byte >= 0x80).count();
    if high == 0 {
        return false;
    }
    if !encoding.is_single_byte() {
        let bytes = bytes.get(..bytes.len().min(MOST_FED)).unwrap_or_default();
        let replaced = Legacy { encoding, mark: 0 }.decode(bytes).replaced.len();
        return replaced * 100 <= high;
    }
    if high >= 24 {
        return true;
    }
    let runs = bytes.chunk_by(|one, other| (*one >= 0x80) == (*other >= 0x80));
    let (mut before, mut touching, mut all) = (None, 0, 0);
    let mut runs = runs.peekable();
    while let Some(run) = runs.next() {
        if run.first().is_some_and(|byte| *byte >= 0x80) {
            let after = runs.peek().and_then(|next| next.first().copied());
            let touches = [before, after].into_iter().flatten().any(|byte: u8| byte.is_ascii_alphabetic());
            all += 1;
            touching += usize::from(touches || run.len() >= 3);
        }
        before = run.last().copied();
    }
    touching * 2 >= all && touching > 0
}
