//! The lines of a text that is at hand whole, by their bytes.

use std::io;
use std::ops::Range;

use readstone_edit::{LineAt, Lines, Script};
use readstone_source::Coding;

/// A text and where its lines are.
#[derive(Debug)]
pub(crate) struct Lined<'a> {
    bytes: &'a [u8],
    coding: Written<'a>,
    /// Where each line begins; behind the last, where the text ends.
    starts: Vec<u64>,
}

impl<'a> Lined<'a> {
    /// Finds the lines of a text.
    pub(crate) fn of(bytes: &'a [u8], coding: &'a dyn Coding) -> Self {
        let (newline, mark) = (coding.newline(), coding.mark());
        let size = bytes.len() as u64;
        let mut starts = vec![mark.min(size)];
        starts.extend(newline.ends(bytes).map(|end| end as u64));
        if starts.last() != Some(&size) {
            starts.push(size);
        }
        Self { bytes, coding: Written(coding), starts }
    }

    /// The bytes of a line without its end; lines count from 1.
    pub(crate) fn text(&self, number: u64) -> &'a [u8] {
        self.at(number).map(|at| self.range(at.start, at.text_end)).unwrap_or_default()
    }

    /// The bytes of every line without its end.
    pub(crate) fn texts(&self) -> Vec<&'a [u8]> {
        (1..=self.count()).map(|number| self.text(number)).collect()
    }

    fn range(&self, start: u64, end: u64) -> &'a [u8] {
        let place = |offset| usize::try_from(offset).unwrap_or(usize::MAX);
        self.bytes.get(place(start)..place(end)).unwrap_or_default()
    }

    fn at(&self, number: u64) -> Option<LineAt> {
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        let (start, end) = (*self.starts.get(index)?, *self.starts.get(index + 1)?);
        Some(LineAt {
            start,
            text_end: start + self.coding.0.newline().text_length(self.range(start, end)) as u64,
            end,
        })
    }
}

impl Lines for Lined<'_> {
    fn count(&self) -> u64 {
        self.starts.len() as u64 - 1
    }

    fn line(&self, number: u64) -> io::Result<LineAt> {
        self.at(number).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    fn bytes(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
        Ok(self.range(range.start, range.end).to_vec())
    }

    fn script(&self) -> &dyn Script {
        &self.coding
    }
}

/// An encoding, as something to write in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written<'a>(pub(crate) &'a dyn Coding);

impl Script for Written<'_> {
    fn mark(&self) -> u64 {
        self.0.mark()
    }

    fn feed(&self) -> Vec<u8> {
        self.0.newline().feed().to_vec()
    }

    fn encode(&self, text: &str) -> Result<Vec<u8>, char> {
        self.0.encode(text)
    }

    fn encoding(&self) -> &str {
        self.0.name()
    }
}
