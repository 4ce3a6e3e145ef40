//! Walking over values: every token is proved sound, nothing is built, nothing recurses.

use readstone_base::Fault;

use super::error::Error;
use super::text::Text;

/// Deeper nesting than this is refused.
pub(super) const MOST_DEPTH: usize = 1_000;

/// Takes the tokens of a value.
pub(super) trait Sink {
    /// A part of a string, a number or a word, as it stands.
    fn token(&mut self, part: &[u8]);

    /// An object or a list begins.
    fn open(&mut self, sign: u8);

    /// Something stands in what was just opened.
    fn first(&mut self);

    /// An object or a list ends.
    fn close(&mut self, sign: u8);

    /// A comma.
    fn comma(&mut self);

    /// A colon.
    fn colon(&mut self);
}

/// Passes over a value.
#[derive(Debug)]
pub(super) struct Skip;

impl Sink for Skip {
    fn token(&mut self, _: &[u8]) {}

    fn open(&mut self, _: u8) {}

    fn first(&mut self) {}

    fn close(&mut self, _: u8) {}

    fn comma(&mut self) {}

    fn colon(&mut self) {}
}

/// What a value is, by its first byte.
pub(super) fn kind(first: Option<u8>) -> &'static str {
    match first {
        Some(b'{') => "object",
        Some(b'[') => "array",
        Some(b'"') => "string",
        Some(b't' | b'f') => "boolean",
        Some(b'n') => "null",
        Some(_) | None => "number",
    }
}

/// Whether a value ended, or goes on inside of what was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    Yes,
    No,
}

impl Text<'_> {
    /// Walks over the value that follows, `above` levels below the root.
    pub(super) fn value(&mut self, above: usize, sink: &mut impl Sink) -> Result<(), Fault> {
        let mut closers = Vec::new();
        loop {
            if self.begin(above, &mut closers, sink)? == Ended::Yes && self.end(&mut closers, sink)? == Ended::Yes {
                return Ok(());
            }
        }
    }

    /// Walks over a value up to the first that stands in it.
    fn begin(&mut self, above: usize, closers: &mut Vec<u8>, sink: &mut impl Sink) -> Result<Ended, Fault> {
        self.skip_blanks()?;
        match self.peek()? {
            Some(b'{' | b'[') if closers.len() + above >= MOST_DEPTH => {
                let (path, line) = (self.path.to_owned(), self.spot().line);
                return Err(Error::TooDeep { path, line, most: MOST_DEPTH }.into());
            }
            Some(open @ (b'{' | b'[')) => {
                // Behind the signs that open stand, two further on, those that close.
                let close = open + 2;
                self.step(1);
                sink.open(open);
                self.skip_blanks()?;
                if self.peek()? == Some(close) {
                    self.step(1);
                    sink.close(close);
                    return Ok(Ended::Yes);
                }
                closers.push(close);
                sink.first();
                self.name(close, sink)?;
                return Ok(Ended::No);
            }
            Some(b'"') => self.string(sink)?,
            Some(b'-' | b'0'..=b'9') => self.number(sink)?,
            Some(b't') => self.word(b"true", sink)?,
            Some(b'f') => self.word(b"false", sink)?,
            Some(b'n') => self.word(b"null", sink)?,
            Some(_) => return Err(self.bad("a value must stand here")),
            None => return Err(self.bad("it ends where a value must stand")),
        }
        Ok(Ended::Yes)
    }

    /// Walks from behind a value to the next, or out of everything that ends with it.
    fn end(&mut self, closers: &mut Vec<u8>, sink: &mut impl Sink) -> Result<Ended, Fault> {
        while let Some(close) = closers.last().copied() {
            self.skip_blanks()?;
            match self.peek()? {
                Some(b',') => {
                    self.step(1);
                    sink.comma();
                    self.name(close, sink)?;
                    return Ok(Ended::No);
                }
                Some(sign) if sign == close => {
                    self.step(1);
                    closers.pop();
                    sink.close(close);
                }
                found => return Err(self.no_comma(close, found)),
            }
        }
        Ok(Ended::Yes)
    }

    /// What is wrong where neither a comma nor the end of an object or a list stands.
    pub(super) fn no_comma(&self, close: u8, found: Option<u8>) -> Fault {
        match (close, found) {
            (b'}', None) => self.bad("it ends inside an object"),
            (b'}', Some(_)) => self.bad("a comma or } must stand here"),
            (_, None) => self.bad("it ends inside an array"),
            (_, Some(_)) => self.bad("a comma or ] must stand here"),
        }
    }

    /// Walks over the name of a member and its colon, where an object is walked over.
    fn name(&mut self, close: u8, sink: &mut impl Sink) -> Result<(), Fault> {
        if close == b'}' { self.key(sink) } else { Ok(()) }
    }

    /// Walks over the name of a member and its colon.
    pub(super) fn key(&mut self, sink: &mut impl Sink) -> Result<(), Fault> {
        self.skip_blanks()?;
        if self.peek()? != Some(b'"') {
            return Err(self.bad("a name in quotes must stand here"));
        }
        self.string(sink)?;
        self.skip_blanks()?;
        if self.peek()? != Some(b':') {
            return Err(self.bad("a colon must stand here"));
        }
        self.step(1);
        sink.colon();
        Ok(())
    }

    fn string(&mut self, sink: &mut impl Sink) -> Result<(), Fault> {
        sink.token(b"\"");
        self.step(1);
        loop {
            let rest = self.rest()?;
            let found = memchr::memchr2(b'"', b'\\', rest);
            let part = found.and_then(|at| rest.get(..at)).unwrap_or(rest);
            if part.iter().any(|byte| *byte < b' ') {
                let at = part.iter().position(|byte| *byte < b' ').unwrap_or(0);
                self.step(at);
                return Err(self.bad("a string holds a control character that is not escaped"));
            }
            let (sign, count, all) = (found.and_then(|at| rest.get(at)).copied(), part.len(), rest.len());
            sink.token(part);
            self.step(count);
            match sign {
                Some(b'"') => {
                    self.step(1);
                    sink.token(b"\"");
                    return Ok(());
                }
                Some(_) => self.escape(sink)?,
                None if all == 0 => return Err(self.bad("it ends inside a string")),
                None => {}
            }
        }
    }

    fn escape(&mut self, sink: &mut impl Sink) -> Result<(), Fault> {
        self.step(1);
        let sign = self.peek()?;
        let Some(sign) = sign.filter(|sign| br#""\/bfnrtu"#.contains(sign)) else {
            return Err(self.bad("a backslash must stand before one of \" \\ / b f n r t u"));
        };
        sink.token(&[b'\\', sign]);
        self.step(1);
        for _ in 0..if sign == b'u' { 4 } else { 0 } {
            let Some(digit) = self.peek()?.filter(u8::is_ascii_hexdigit) else {
                return Err(self.bad("four hex digits must stand behind \\u"));
            };
            sink.token(&[digit]);
            self.step(1);
        }
        Ok(())
    }

    fn number(&mut self, sink: &mut impl Sink) -> Result<(), Fault> {
        self.sign(b"-", sink)?;
        match self.peek()? {
            Some(b'0') => {
                self.sign(b"0", sink)?;
            }
            Some(_) | None => self.digits(sink)?,
        }
        if self.sign(b".", sink)? {
            self.digits(sink)?;
        }
        if self.sign(b"eE", sink)? {
            self.sign(b"+-", sink)?;
            self.digits(sink)?;
        }
        match self.peek()? {
            Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'.' | b'+' | b'-' | b'_') => {
                Err(self.bad("this is no number"))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Takes one of some signs, when it follows.
    fn sign(&mut self, signs: &[u8], sink: &mut impl Sink) -> Result<bool, Fault> {
        let Some(sign) = self.peek()?.filter(|sign| signs.contains(sign)) else { return Ok(false) };
        sink.token(&[sign]);
        self.step(1);
        Ok(true)
    }

    fn digits(&mut self, sink: &mut impl Sink) -> Result<(), Fault> {
        if !self.peek()?.is_some_and(|digit| digit.is_ascii_digit()) {
            return Err(self.bad("a digit must stand here"));
        }
        loop {
            let rest = self.rest()?;
            let count = rest.iter().take_while(|digit| digit.is_ascii_digit()).count();
            let ends = count < rest.len() || rest.is_empty();
            sink.token(rest.get(..count).unwrap_or_default());
            self.step(count);
            if ends {
                return Ok(());
            }
        }
    }

    fn word(&mut self, word: &'static [u8], sink: &mut impl Sink) -> Result<(), Fault> {
        for letter in word {
            if self.peek()? != Some(*letter) {
                return Err(self.bad("a value must stand here"));
            }
            self.step(1);
        }
        sink.token(word);
        Ok(())
    }
}
