//! Values as they are shown: every token as it stands in the file, indented by two blanks a level.

use super::scan::Sink;

/// Writes a value.
#[derive(Debug)]
pub(super) struct Print {
    /// What was written; nothing when it is too much.
    pub(super) out: Vec<u8>,
    /// Whether it is too much.
    pub(super) is_over: bool,
    most: usize,
    depth: usize,
    fresh: bool,
}

impl Print {
    /// Writes at most so many bytes.
    pub(super) fn new(most: u64) -> Self {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        Self { out: Vec::new(), is_over: false, most, depth: 0, fresh: false }
    }

    fn push(&mut self, part: &[u8]) {
        if self.is_over {
            return;
        }
        if self.out.len() + part.len() > self.most {
            self.is_over = true;
            self.out = Vec::new();
            return;
        }
        self.out.extend_from_slice(part);
    }

    fn line(&mut self) {
        const BLANKS: &[u8] = &[b' '; 64];
        self.push(b"\n");
        let mut left = 2 * self.depth;
        while left > 0 && !self.is_over {
            let blanks = BLANKS.get(..left).unwrap_or(BLANKS);
            self.push(blanks);
            left -= blanks.len();
        }
    }
}

impl Sink for Print {
    fn token(&mut self, part: &[u8]) {
        self.push(part);
    }

    fn open(&mut self, sign: u8) {
        self.push(&[sign]);
        self.depth += 1;
        self.fresh = true;
    }

    fn first(&mut self) {
        self.fresh = false;
        self.line();
    }

    fn close(&mut self, sign: u8) {
        self.depth = self.depth.saturating_sub(1);
        if !std::mem::take(&mut self.fresh) {
            self.line();
        }
        self.push(&[sign]);
    }

    fn comma(&mut self) {
        self.push(b",");
        self.line();
    }

    fn colon(&mut self) {
        self.push(b": ");
    }
}

/// Keeps the beginning of a name.
#[derive(Debug)]
pub(super) struct Name {
    /// The string with its quotes, or its beginning.
    raw: Vec<u8>,
    most: usize,
    cut: bool,
}

impl Name {
    /// Keeps at most so many bytes.
    pub(super) fn new(most: usize) -> Self {
        Self { raw: Vec::new(), most, cut: false }
    }

    /// The name; `None` when it is longer than what was kept.
    pub(super) fn decoded(&self) -> Option<String> {
        (!self.cut).then(|| decode(&self.raw).0)
    }
}

impl Sink for Name {
    fn token(&mut self, part: &[u8]) {
        if self.raw.len() + part.len() > self.most {
            self.cut = true;
        } else if !self.cut {
            self.raw.extend_from_slice(part);
        }
    }

    fn open(&mut self, _: u8) {}

    fn first(&mut self) {}

    fn close(&mut self, _: u8) {}

    fn comma(&mut self) {}

    fn colon(&mut self) {}
}

/// The characters of a sound string, and how many of them stand as U+FFFD for what is none.
pub(super) fn decode(raw: &[u8]) -> (String, u64) {
    let (text, mut replaced) = shown(raw);
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(&text);
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some((plain, escape)) = rest.split_once('\\') {
        out.push_str(plain);
        let (character, behind) = unescape(escape);
        replaced += u64::from(character.is_none());
        out.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
        rest = behind;
    }
    out.push_str(rest);
    (out, replaced)
}

/// Bytes as characters, and how many invalid sequences among them are shown as U+FFFD.
pub(super) fn shown(raw: &[u8]) -> (String, u64) {
    let replaced = raw.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count() as u64;
    (String::from_utf8_lossy(raw).into_owned(), replaced)
}

/// The character that an escape stands for, if there is one, and what follows it.
fn unescape(escape: &str) -> (Option<char>, &str) {
    let mut letters = escape.chars();
    let character = match letters.next() {
        Some('n') => Some('\n'),
        Some('r') => Some('\r'),
        Some('t') => Some('\t'),
        Some('b') => Some('\u{8}'),
        Some('f') => Some('\u{C}'),
        Some('u') => return code_point(letters.as_str()),
        other => other,
    };
    (character, letters.as_str())
}

/// The character with this number, perhaps written as two.
fn code_point(digits: &str) -> (Option<char>, &str) {
    let unit = |text: &str| text.get(..4).and_then(|digits| u16::from_str_radix(digits, 16).ok());
    let rest = digits.get(4..).unwrap_or_default();
    let Some(first) = unit(digits) else { return (None, rest) };
    let second = rest.strip_prefix("\\u").and_then(unit);
    let pair = [Some(first), second];
    let mut both = char::decode_utf16(pair.into_iter().flatten());
    match (both.next(), second) {
        (Some(Ok(character)), Some(_)) if character.len_utf16() == 2 => {
            (Some(character), rest.get(6..).unwrap_or_default())
        }
        (Some(Ok(character)), _) => (Some(character), rest),
        (Some(Err(_)) | None, _) => (None, rest),
    }
}
