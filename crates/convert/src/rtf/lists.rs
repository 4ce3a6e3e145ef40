//! The tables of lists: bullets or numbers, and what stands before an item.

use std::collections::HashMap;

use crate::markdown;

/// The lists of a document.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// The levels of each list.
    levels: HashMap<i32, Vec<Level>>,
    /// Which list a number in the text means.
    chosen: HashMap<i32, i32>,
    reading: Vec<Level>,
    reading_choice: i32,
    /// How far each list that has no written numbers is counted.
    counts: HashMap<i32, Vec<i32>>,
}

/// How one level of a list is numbered.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    kind: i32,
    start: i32,
}

/// Levels that a list can have.
const LEVELS: usize = 9;
/// The kind of a level with bullets.
const BULLET: i32 = 23;
/// The kind of a level without numbers.
const NONE: i32 = 255;

impl Lists {
    /// A control word inside the table of lists.
    pub(super) fn word(&mut self, name: &[u8], number: Option<i32>) {
        let number = number.unwrap_or(0);
        match name {
            b"list" => self.reading.clear(),
            b"listlevel" if self.reading.len() < LEVELS => self.reading.push(Level { kind: 0, start: 1 }),
            b"levelnfc" | b"levelnfcn" => self.change(|level| level.kind = number),
            b"levelstartat" => self.change(|level| level.start = number),
            b"listid" => {
                self.levels.insert(number, std::mem::take(&mut self.reading));
            }
            _ => {}
        }
    }

    /// A control word inside the table of choices.
    pub(super) fn choice(&mut self, name: &[u8], number: Option<i32>) {
        let number = number.unwrap_or(0);
        match name {
            b"listid" => self.reading_choice = number,
            b"ls" => {
                self.chosen.insert(number, self.reading_choice);
            }
            _ => {}
        }
    }

    fn change(&mut self, how: impl FnOnce(&mut Level)) {
        if let Some(level) = self.reading.last_mut() {
            how(level);
        }
    }

    fn level(&self, list: i32, level: i32) -> Option<Level> {
        let levels = self.levels.get(self.chosen.get(&list)?)?;
        levels.get(usize::try_from(level).ok()?).copied()
    }

    /// What stands before an item; `label` is what the file has written there. `None` if the paragraph is no item.
    pub(super) fn marker(&mut self, list: i32, level: i32, label: Option<&str>) -> Option<Marker> {
        let known = self.level(list, level);
        let kind = known.map(|level| level.kind);
        match label.map(str::trim) {
            Some("") => None,
            Some(label) if kind == Some(BULLET) => Some(Marker::bullet(label)),
            Some(label) => Some(Marker::of_label(label)),
            None if kind == Some(BULLET) => Some(Marker::bullet("")),
            None => known.filter(|level| level.kind != NONE).map(|known| self.count(list, level, known)),
        }
    }

    /// The next number of a list whose numbers are not written in the file.
    fn count(&mut self, list: i32, level: i32, known: Level) -> Marker {
        let place = usize::try_from(level).unwrap_or(0).min(LEVELS - 1);
        let counts = self.counts.entry(list).or_default();
        counts.truncate(place + 1);
        while counts.len() < place {
            counts.push(1);
        }
        match counts.get_mut(place) {
            Some(count) => *count = count.saturating_add(1),
            None => counts.push(known.start),
        }
        let number = counts.get(place).copied().unwrap_or(1);
        Marker::of_label(&format!("{}.", numeral(known.kind, number)))
    }
}

/// A number in the way of a level.
fn numeral(kind: i32, number: i32) -> String {
    let letter =
        u32::try_from(number - 1).ok().filter(|place| *place < 26).and_then(|place| char::from_u32(97 + place));
    match (kind, letter) {
        (1, _) => roman(number).to_uppercase(),
        (2, _) => roman(number),
        (3, Some(letter)) => letter.to_ascii_uppercase().to_string(),
        (4, Some(letter)) => letter.to_string(),
        _ => number.to_string(),
    }
}

fn roman(number: i32) -> String {
    u64::try_from(number).map_or_else(|_| number.to_string(), markdown::roman)
}

/// What stands before an item of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Marker {
    /// In Markdown: a dash or a number.
    pub(super) sign: String,
    /// What Markdown cannot number and the text keeps, such as `b)`.
    pub(super) kept: String,
}

impl Marker {
    /// A bullet; ticks and boxes are kept, since they say something.
    pub(super) fn bullet(label: &str) -> Self {
        let telling = label.chars().all(|sign| matches!(sign, '☐' | '☑' | '☒' | '✓' | '✗' | '✔' | '✘'));
        Self { sign: "-".to_owned(), kept: if telling { label.to_owned() } else { String::new() } }
    }

    /// The marker for a label as it is written.
    pub(super) fn of_label(label: &str) -> Self {
        let digits = label.strip_suffix(['.', ')']).unwrap_or(label);
        if !digits.is_empty() && digits.len() <= 9 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            let end = if label.ends_with(')') { ')' } else { '.' };
            return Self { sign: format!("{digits}{end}"), kept: String::new() };
        }
        if label == "o" || !label.chars().any(char::is_alphanumeric) {
            return Self::bullet(label);
        }
        Self { sign: "-".to_owned(), kept: label.to_owned() }
    }

    /// The marker and the text of a paragraph that is an item by its looks: a bullet or a number, a tab, and text.
    pub(super) fn by_looks(text: &str) -> Option<(Self, &str)> {
        let (label, rest) = text.split_once('\t')?;
        let label = label.trim();
        let rest = rest.trim_start();
        if rest.is_empty() || label.is_empty() {
            return None;
        }
        let bullet =
            matches!(label, "o" | "-" | "–" | "—" | "•" | "·" | "◦" | "▪" | "‣" | "●" | "○" | "■" | "□" | "➢" | "➔")
                || matches!(label, "❖" | "✓" | "✗" | "☐" | "☑" | "☒" | "*");
        (bullet || is_numbering(label)).then(|| (Self::of_label(label), rest))
    }
}

/// Whether a text is a number as lists have them: `1.`, `(a)`, `iv)`, `2.1`.
fn is_numbering(label: &str) -> bool {
    let inner = label.trim_start_matches('(').trim_end_matches([')', '.']);
    let closed = label.ends_with([')', '.']);
    let parts = inner.split('.').count();
    let short = inner.split('.').all(|part| {
        (1..=4).contains(&part.len()) && (part.bytes().all(|byte| byte.is_ascii_digit()) || is_letters(part))
    });
    short && label.len() <= 12 && (closed || parts > 1)
}

fn is_letters(part: &str) -> bool {
    let one = part.len() == 1 && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    one || part.bytes().all(|byte| matches!(byte.to_ascii_lowercase(), b'i' | b'v' | b'x'))
}
