//! The tokens of JSON, each where it may stand; nothing recurses.

use std::ops::Range;

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    List,
    EndList,
    Object,
    EndObject,
    Comma,
    Colon,
    Text,
    Plain,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    List,
    Object,
}

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Value,
    ValueOrEnd,
    KeyOrEnd,
    Key,
    Colon,
    CommaOrEnd,
    Nothing,
}

/// Goes from token to token and checks that each may stand where it does.
#[derive(Debug)]
pub(super) struct Steps<'a> {
    text: &'a [u8],
    pub(super) at: usize,
    levels: Vec<Level>,
    wanted: Wanted,
    /// Lists and objects inside one another that are still followed.
    deepest: usize,
    /// The level on which the token given last stands.
    pub(super) depth: usize,
    /// The token given last begins an element of a list or object.
    pub(super) starts_line: bool,
    /// The token given last ends a list or object that holds nothing.
    pub(super) empty: bool,
}

impl<'a> Steps<'a> {
    /// The tokens of a text in which no more levels than that are followed.
    pub(super) fn new(text: &'a str, deepest: usize) -> Self {
        let (text, levels, wanted) = (text.as_bytes(), Vec::new(), Wanted::Value);
        Self { text, at: 0, levels, wanted, deepest, depth: 0, starts_line: false, empty: false }
    }

    /// Whether the token given last is the name of a member.
    pub(super) fn is_name(&self) -> bool {
        self.wanted == Wanted::Colon
    }

    /// Whether there are more levels than are followed.
    pub(super) fn is_deep(&self) -> bool {
        self.levels.len() > self.deepest
    }

    /// The next token and where it is; inside, nothing at the end of the text; outside, nothing if the text is wrong.
    #[expect(clippy::option_option, reason = "the outer one is only for `?`")]
    pub(super) fn next(&mut self) -> Option<Option<(Token, Range<usize>)>> {
        while matches!(self.text.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        let from = self.at;
        let Some(first) = self.text.get(from) else {
            return (self.wanted == Wanted::Nothing).then_some(None);
        };
        let token = match first {
            b'[' => Token::List,
            b']' => Token::EndList,
            b'{' => Token::Object,
            b'}' => Token::EndObject,
            b',' => Token::Comma,
            b':' => Token::Colon,
            b'"' => Token::Text,
            _ => Token::Plain,
        };
        let end = match token {
            Token::Text => end_of_text(self.text, from)?,
            Token::Plain => end_of_plain(self.text, from)?,
            Token::List | Token::EndList | Token::Object | Token::EndObject | Token::Comma | Token::Colon => from + 1,
        };
        let before = self.levels.len();
        self.take(token)?;
        self.at = end;
        if self.is_deep() {
            return None;
        }
        // What opens or ends a level stands on the one around it.
        self.depth = before.min(self.levels.len());
        Some(Some((token, from..self.at)))
    }

    fn take(&mut self, token: Token) -> Option<()> {
        let was = self.wanted;
        let value = matches!(was, Wanted::Value | Wanted::ValueOrEnd);
        self.starts_line = false;
        self.empty = false;
        match token {
            Token::List | Token::Object if value => {
                self.starts_line = self.levels.last() == Some(&Level::List);
                let list = token == Token::List;
                self.levels.push(if list { Level::List } else { Level::Object });
                self.wanted = if list { Wanted::ValueOrEnd } else { Wanted::KeyOrEnd };
            }
            Token::EndList if matches!(was, Wanted::ValueOrEnd | Wanted::CommaOrEnd) => self.close(Level::List)?,
            Token::EndObject if matches!(was, Wanted::KeyOrEnd | Wanted::CommaOrEnd) => self.close(Level::Object)?,
            Token::Text if matches!(was, Wanted::Key | Wanted::KeyOrEnd) => {
                self.starts_line = true;
                self.wanted = Wanted::Colon;
            }
            Token::Text | Token::Plain if value => {
                self.starts_line = self.levels.last() == Some(&Level::List);
                self.wanted = self.after_value();
            }
            Token::Colon if was == Wanted::Colon => self.wanted = Wanted::Value,
            Token::Comma if was == Wanted::CommaOrEnd => {
                self.wanted = if self.levels.last()? == &Level::List { Wanted::Value } else { Wanted::Key };
            }
            Token::List
            | Token::EndList
            | Token::Object
            | Token::EndObject
            | Token::Comma
            | Token::Colon
            | Token::Text
            | Token::Plain => return None,
        }
        Some(())
    }

    fn close(&mut self, level: Level) -> Option<()> {
        self.empty = matches!(self.wanted, Wanted::ValueOrEnd | Wanted::KeyOrEnd);
        if self.levels.pop()? != level {
            return None;
        }
        self.wanted = self.after_value();
        Some(())
    }

    fn after_value(&self) -> Wanted {
        if self.levels.is_empty() { Wanted::Nothing } else { Wanted::CommaOrEnd }
    }
}

/// The end of a quoted text, behind its last quote.
fn end_of_text(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from + 1;
    loop {
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => match text.get(at + 1)? {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => at += 2,
                b'u' if text.get(at + 2..at + 6)?.iter().all(u8::is_ascii_hexdigit) => at += 6,
                _ => return None,
            },
            0..=0x1f => return None,
            _ => at += 1,
        }
    }
}

/// The end of a number or of one of the three words.
fn end_of_plain(text: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let length = rest
        .iter()
        .position(|sign| !(sign.is_ascii_alphanumeric() || matches!(sign, b'+' | b'-' | b'.')))
        .unwrap_or(rest.len());
    let word = rest.get(..length)?;
    (matches!(word, b"true" | b"false" | b"null") || is_number(word)).then_some(from + length)
}

fn is_number(word: &[u8]) -> bool {
    let word = word.strip_prefix(b"-").unwrap_or(word);
    let (whole, rest) = digits(word);
    if whole.is_empty() || (whole.len() > 1 && whole.starts_with(b"0")) {
        return false;
    }
    let mut rest = rest;
    if let Some(fraction) = rest.strip_prefix(b".") {
        let (shown, after) = digits(fraction);
        if shown.is_empty() {
            return false;
        }
        rest = after;
    }
    if let Some(power) = rest.strip_prefix(b"e").or_else(|| rest.strip_prefix(b"E")) {
        let power = power.strip_prefix(b"+").or_else(|| power.strip_prefix(b"-")).unwrap_or(power);
        let (shown, after) = digits(power);
        return !shown.is_empty() && after.is_empty();
    }
    rest.is_empty()
}

fn digits(word: &[u8]) -> (&[u8], &[u8]) {
    let length = word.iter().position(|sign| !sign.is_ascii_digit()).unwrap_or(word.len());
    word.split_at_checked(length).unwrap_or((word, &[]))
}
