//! A text in memory, in one of three encodings, and a patch applied to it.

use std::io;
use std::ops::Range;

use readstone_base::Splice;
use readstone_edit::{Error, LineAt, Lines, Script, Unresolved, apply, arrange, parse, resolve, splices};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Utf8,
    Latin1,
    Utf16,
}

#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) bytes: Vec<u8>,
    form: Form,
    mark: u64,
    lines: Vec<LineAt>,
}

impl Memory {
    pub(crate) fn new(bytes: &[u8], form: Form) -> Self {
        let sign: &[u8] = match form {
            Form::Utf8 => b"\xEF\xBB\xBF",
            Form::Latin1 => b"\xFF\xFF\xFF\xFF",
            Form::Utf16 => b"\xFF\xFE",
        };
        let mark = if bytes.starts_with(sign) { sign.len() } else { 0 };
        let lines = lines_of(bytes, mark, form);
        Self { bytes: bytes.to_vec(), form, mark: mark as u64, lines }
    }
}

fn lines_of(bytes: &[u8], mark: usize, form: Form) -> Vec<LineAt> {
    let unit = if form == Form::Utf16 { 2 } else { 1 };
    let is = |at: usize, letter: u8| bytes[at] == letter && (unit == 1 || bytes[at + 1] == 0);
    let mut lines = Vec::new();
    let (mut start, mut at) = (mark, mark);
    while at + unit <= bytes.len() {
        if is(at, b'\n') {
            let text_end = if at > start && is(at - unit, b'\r') { at - unit } else { at };
            lines.push(LineAt { start: start as u64, text_end: text_end as u64, end: (at + unit) as u64 });
            start = at + unit;
        }
        at += unit;
    }
    if start < bytes.len() {
        lines.push(LineAt { start: start as u64, text_end: bytes.len() as u64, end: bytes.len() as u64 });
    }
    lines
}

impl Lines for Memory {
    fn count(&self) -> u64 {
        self.lines.len() as u64
    }

    fn line(&self, number: u64) -> io::Result<LineAt> {
        Ok(self.lines[usize::try_from(number).unwrap() - 1])
    }

    fn bytes(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
        Ok(self.bytes[usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()].to_vec())
    }

    fn script(&self) -> &dyn Script {
        self
    }
}

impl Script for Memory {
    fn mark(&self) -> u64 {
        self.mark
    }

    fn feed(&self) -> Vec<u8> {
        self.encode("\n").unwrap()
    }

    fn encode(&self, text: &str) -> Result<Vec<u8>, char> {
        match self.form {
            Form::Utf8 => Ok(text.as_bytes().to_vec()),
            Form::Latin1 => text.chars().map(|letter| u8::try_from(u32::from(letter)).map_err(|_| letter)).collect(),
            Form::Utf16 => Ok(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        }
    }

    fn encoding(&self) -> &str {
        match self.form {
            Form::Utf8 => "utf-8",
            Form::Latin1 => "iso-8859-1",
            Form::Utf16 => "utf-16le",
        }
    }
}

/// What the rows of a patch do to a text.
pub(crate) fn spliced(bytes: &[u8], form: Form, rows: &str) -> Result<Vec<Splice>, Error> {
    let text = Memory::new(bytes, form);
    let patch = parse(&format!("¶a#0A3B\n{rows}"))?;
    let hunks = patch.sections[0].hunks.clone();
    let (placed, _) = resolve("a", hunks, text.count(), &mut |_| Err(Unresolved::default()))?;
    splices(&arrange("a", placed, text.count())?, &text)
}

/// The text that the rows of a patch make of another.
pub(crate) fn edited(bytes: &[u8], form: Form, rows: &str) -> Vec<u8> {
    apply(bytes, &spliced(bytes, form, rows).unwrap())
}
