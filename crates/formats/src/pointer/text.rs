//! The characters of a file, read in order.

use std::sync::Arc;

use readstone_base::{Budget, Fault};
use readstone_source::{Coding, Piece};

use super::error::Error;
use crate::stream::{Stream, is_plain};

/// A place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    /// The offset in the file, where the text is stored as it is shown.
    pub(super) offset: Option<u64>,
    /// The line, from 1.
    pub(super) line: u64,
    /// The byte in the line, from 1.
    pub(super) column: u64,
}

/// What ends the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The end of the file.
    File,
    /// The end of the line.
    Line,
}

/// The text of a file, from its beginning on.
#[derive(Debug)]
pub(super) struct Text<'a> {
    pub(super) path: &'a str,
    budget: &'a Budget,
    stream: Stream,
    mark: u64,
    plain: bool,
    /// What ends it.
    pub(super) end: End,
    at: usize,
    /// Bytes before the piece at hand.
    before: u64,
    /// Line feeds before the piece at hand.
    lines: u64,
    /// Where the line begins in which the piece at hand begins.
    line_start: u64,
}

impl<'a> Text<'a> {
    /// The text of a piece.
    pub(super) fn new(piece: &'a Piece, coding: Arc<dyn Coding>, budget: &'a Budget) -> Self {
        let (mark, plain) = (coding.mark(), is_plain(&*coding));
        let stream = Stream::new(Arc::clone(&piece.blob), coding, mark);
        let path = &piece.path;
        Self { path, budget, stream, mark, plain, end: End::File, at: 0, before: 0, lines: 0, line_start: 0 }
    }

    /// The next byte; `None` at the end.
    pub(super) fn peek(&mut self) -> Result<Option<u8>, Fault> {
        let mut byte = self.stream.piece().get(self.at).copied();
        if byte.is_none() && self.advance()? {
            byte = self.stream.piece().first().copied();
        }
        Ok(byte.filter(|byte| *byte != b'\n' || self.end == End::File))
    }

    /// What is at hand, from the next byte on; nothing only at the end of the file.
    pub(super) fn rest(&mut self) -> Result<&[u8], Fault> {
        if self.stream.piece().len() <= self.at {
            self.advance()?;
        }
        Ok(self.stream.piece().get(self.at..).unwrap_or_default())
    }

    /// Steps over so many bytes of what is at hand.
    pub(super) fn step(&mut self, count: usize) {
        self.at += count;
    }

    /// Steps over blanks.
    pub(super) fn skip_blanks(&mut self) -> Result<(), Fault> {
        loop {
            let feeds = self.end == End::File;
            let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r') || (**byte == b'\n' && feeds);
            let rest = self.rest()?;
            let (count, all) = (rest.iter().take_while(blank).count(), rest.len());
            self.step(count);
            if count < all || all == 0 {
                return Ok(());
            }
        }
    }

    /// Steps behind the next line feed; false when there is none.
    pub(super) fn skip_line(&mut self) -> Result<bool, Fault> {
        loop {
            let rest = self.rest()?;
            let (found, all) = (memchr::memchr(b'\n', rest), rest.len());
            self.step(found.map_or(all, |at| at + 1));
            if found.is_some() || all == 0 {
                return Ok(found.is_some());
            }
        }
    }

    /// Where the next byte stands.
    pub(super) fn spot(&self) -> Spot {
        let read = self.stream.piece().get(..self.at).unwrap_or_default();
        let feeds = memchr::memchr_iter(b'\n', read).count() as u64;
        let start = memchr::memrchr(b'\n', read).map_or(self.line_start, |at| self.before + at as u64 + 1);
        let position = self.before + self.at as u64;
        let offset = self.plain.then_some(self.mark + position);
        Spot { offset, line: self.lines + feeds + 1, column: position - start + 1 }
    }

    /// How many characters up to about here were replaced when the text was decoded.
    pub(super) fn replaced(&self) -> u64 {
        self.stream.replaced()
    }

    /// What is wrong here.
    pub(super) fn bad(&self, why: &'static str) -> Fault {
        Error::BadDocument { path: self.path.to_owned(), why, spot: self.spot() }.into()
    }

    fn advance(&mut self) -> Result<bool, Fault> {
        self.budget.check().map_err(|why| Error::stopped(why, self.path))?;
        let passed = self.stream.piece();
        self.lines += memchr::memchr_iter(b'\n', passed).count() as u64;
        if let Some(at) = memchr::memrchr(b'\n', passed) {
            self.line_start = self.before + at as u64 + 1;
        }
        self.before += passed.len() as u64;
        self.at = 0;
        self.stream.advance().map_err(|cause| crate::unreadable(self.path, cause))
    }
}
