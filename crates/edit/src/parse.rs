//! Reading a patch: rows become operations, operations belong to files.

use std::collections::BTreeMap;

use crate::error::{Error, Problem};
use crate::patch::{Hunk, Patch, Section};
use crate::row::{self, Header, Row};

/// Reads a patch.
///
/// A row without a `+` is taken for text and counted; a blank row is a blank line when text of the same operation
/// follows it. Several sections of one file are one, if they name one tag.
pub fn parse(input: &str) -> Result<Patch, Error> {
    let input = input.strip_prefix('\u{FEFF}').unwrap_or(input);
    let mut parser = Parser::default();
    if let Some((line, _)) = rows(input).find(|(_, text)| row::aborts(text)) {
        return Err(Error::new(line, Problem::Aborted));
    }
    for (line, text) in rows(input) {
        parser.row(line, text).map_err(|problem| Error::new(line, problem))??;
    }
    parser.close()?;
    parser.leave()?;
    if parser.sections.is_empty() {
        return Err(Error::new(1, Problem::NoHeader { got: String::new() }));
    }
    Ok(Patch { sections: parser.sections, bare_rows: parser.bare_rows })
}

/// The lines of a patch, numbered; LF and CRLF end them.
fn rows(input: &str) -> impl Iterator<Item = (u64, &str)> {
    (1..).zip(input.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)))
}

#[derive(Default)]
struct Parser {
    sections: Vec<Section>,
    /// Which section each path has.
    paths: BTreeMap<String, usize>,
    /// The section that is being read, and the line of its header.
    current: Option<Current>,
    /// The operation that is being read.
    open: Option<Hunk>,
    /// Blank rows that are lines only if text follows.
    blanks: u64,
    bare_rows: u64,
}

struct Current {
    section: usize,
    line: u64,
    hunks: u64,
}

impl Parser {
    /// Takes one row. The outer error is of this row, the inner one of what it ends.
    fn row(&mut self, line: u64, text: &str) -> Result<Result<(), Error>, Problem> {
        let row = row::read(text);
        let outside = self.current.is_none();
        match row {
            Row::Blank => self.blanks += u64::from(self.open.is_some()),
            Row::Envelope => return Ok(self.close()),
            Row::Header(header) => return self.header(line, text, &header),
            Row::Foreign(what) => return Err(Problem::Foreign { what, got: text.to_owned() }),
            Row::Body(_)
            | Row::Bare(_)
            | Row::Minus
            | Row::Operation(_)
            | Row::Colon(_)
            | Row::Reversed(_)
            | Row::Numbers(_)
            | Row::Malformed
                if outside =>
            {
                return Err(Problem::NoHeader { got: text.to_owned() });
            }
            Row::Body(body) => self.body(body, text)?,
            Row::Bare(body) => {
                self.body(body, text)?;
                self.bare_rows += 1;
            }
            Row::Operation(op) => {
                let closed = self.close();
                self.open = Some(Hunk { line, op, body: Vec::new() });
                return Ok(closed);
            }
            Row::Minus => return Err(Problem::MinusRow),
            Row::Colon(op) => return Err(Problem::DeleteWithBody { op }),
            Row::Reversed(span) => return Err(Problem::Reversed { first: span.first, last: span.last }),
            Row::Numbers(lines) => return Err(Problem::NoVerb { lines, got: text.trim().to_owned() }),
            Row::Malformed => return Err(Problem::BadOperation { got: text.trim().to_owned() }),
        }
        Ok(Ok(()))
    }

    /// A row of text, and the blank ones before it.
    fn body(&mut self, body: &str, text: &str) -> Result<(), Problem> {
        let Some(hunk) = &mut self.open else {
            return Err(Problem::StrayRow { got: text.to_owned() });
        };
        if !hunk.op.takes_rows() {
            return Err(Problem::DeleteWithBody { op: hunk.op });
        }
        for _ in 0..self.blanks {
            hunk.body.push(String::new());
        }
        self.bare_rows += self.blanks;
        self.blanks = 0;
        hunk.body.push(body.to_owned());
        Ok(())
    }

    fn header(&mut self, line: u64, text: &str, header: &Header<'_>) -> Result<Result<(), Error>, Problem> {
        let path = header.path.to_owned();
        if path.is_empty() {
            return Err(Problem::NoHeader { got: text.to_owned() });
        }
        let tag = match header.tag {
            Ok(tag) => tag,
            Err(got) => return Err(Problem::NoTag { path, got: got.map(str::to_owned) }),
        };
        if let Err(error) = self.close().and_then(|()| self.leave()) {
            return Ok(Err(error));
        }
        let section = *self.paths.entry(path.clone()).or_insert_with(|| {
            self.sections.push(Section { path, tag, hunks: Vec::new(), line });
            self.sections.len() - 1
        });
        self.current = Some(Current { section, line, hunks: 0 });
        match self.sections.get(section) {
            Some(there) if there.tag != tag => {
                Err(Problem::TagsDiffer { path: there.path.clone(), first: there.tag, second: tag })
            }
            Some(_) | None => Ok(Ok(())),
        }
    }

    /// Ends the operation that is being read.
    fn close(&mut self) -> Result<(), Error> {
        self.blanks = 0;
        let Some(hunk) = self.open.take() else {
            return Ok(());
        };
        if hunk.op.takes_rows() && hunk.body.is_empty() {
            return Err(Error::new(hunk.line, Problem::EmptyHunk { op: hunk.op }));
        }
        if let Some(current) = &mut self.current {
            current.hunks += 1;
            if let Some(section) = self.sections.get_mut(current.section) {
                section.hunks.push(hunk);
            }
        }
        Ok(())
    }

    /// Ends the section that is being read.
    fn leave(&mut self) -> Result<(), Error> {
        let Some(current) = self.current.take().filter(|current| current.hunks == 0) else {
            return Ok(());
        };
        let path = self.sections.get(current.section).map(|section| section.path.clone()).unwrap_or_default();
        Err(Error::new(current.line, Problem::NoOperation { path }))
    }
}
