//! JSON laid out for reading. Only the blanks between tokens change: numbers, escapes and the order of keys stay.

mod limited;

use std::ops::Range;

pub(crate) use limited::{Limited, Members, limited};

/// Lists and objects inside one another that are still laid out.
const DEEPEST: usize = 256;
/// How many times its size a text may grow, because a long flat list deep inside would otherwise be mostly blanks.
const MOST_GROWTH: usize = 4;
/// What a small text may grow by in any case.
const ALWAYS_ROOM: usize = 64 * 1024;
/// Bytes that are laid out at most.
const MOST: usize = 16 * 1024 * 1024;
const BLANKS: &str = "                                ";

/// A JSON text with two blanks for every level, or lines of JSON as they are; nothing if it is not JSON, or if it is
/// better left alone because it would become too large.
pub(crate) fn pretty(text: &str) -> Option<String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    document(text).or_else(|| lines(text))
}

/// Lines that are each a JSON text of its own.
fn lines(text: &str) -> Option<String> {
    let each = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut size = 0_usize;
    let mut count = 0_usize;
    for line in each() {
        check(line)?;
        size += line.len() + 1;
        count += 1;
    }
    if count < 2 || size > MOST {
        return None;
    }
    let mut out = String::with_capacity(size);
    for line in each() {
        out.push_str(line);
        out.push('\n');
    }
    Some(out)
}

fn check(line: &str) -> Option<()> {
    let mut steps = Steps::new(line);
    while steps.next()?.is_some() {}
    Some(())
}

/// Goes through the text twice, because what is known to fit needs no memory to grow into.
fn document(text: &str) -> Option<String> {
    let most = text.len().saturating_mul(MOST_GROWTH).saturating_add(ALWAYS_ROOM).min(MOST);
    let mut size = 1_usize;
    lay(text, &mut |part| {
        size += part.len();
        size <= most
    })?;
    let mut out = String::with_capacity(size);
    lay(text, &mut |part| {
        out.push_str(part);
        true
    })?;
    out.push('\n');
    Some(out)
}

/// Hands on the parts of a text as it is laid out, until one is not taken.
fn lay(text: &str, take: &mut dyn FnMut(&str) -> bool) -> Option<()> {
    let mut steps = Steps::new(text);
    while let Some((token, range)) = steps.next()? {
        let closes = matches!(token, Token::EndList | Token::EndObject);
        // An empty list or object stays on its line.
        let breaks = steps.starts_line || (closes && !steps.empty);
        let fits = !breaks || line_break(steps.depth, take);
        let fits = fits && take(text.get(range)?);
        if !(fits && (token != Token::Colon || take(" "))) {
            return None;
        }
    }
    Some(())
}

fn line_break(depth: usize, take: &mut dyn FnMut(&str) -> bool) -> bool {
    let mut left = depth * 2;
    let mut fits = take("\n");
    while fits && left > 0 {
        let now = left.min(BLANKS.len());
        fits = BLANKS.get(..now).is_some_and(&mut *take);
        left -= now;
    }
    fits
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    List,
    EndList,
    Object,
    EndObject,
    Comma,
    Colon,
    Text,
    Plain,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    List,
    Object,
}

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
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
struct Steps<'a> {
    text: &'a [u8],
    at: usize,
    levels: Vec<Level>,
    wanted: Wanted,
    /// The level on which the token given last stands.
    depth: usize,
    /// The token given last begins an element of a list or object.
    starts_line: bool,
    /// The token given last ends a list or object that holds nothing.
    empty: bool,
}

impl<'a> Steps<'a> {
    fn new(text: &'a str) -> Self {
        let text = text.as_bytes();
        Self { text, at: 0, levels: Vec::new(), wanted: Wanted::Value, depth: 0, starts_line: false, empty: false }
    }

    /// The next token and where it is; inside, nothing at the end of the text; outside, nothing if the text is wrong.
    #[expect(clippy::option_option, reason = "the outer one is only for `?`")]
    fn next(&mut self) -> Option<Option<(Token, Range<usize>)>> {
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
        self.at = match token {
            Token::Text => end_of_text(self.text, from)?,
            Token::Plain => end_of_plain(self.text, from)?,
            Token::List | Token::EndList | Token::Object | Token::EndObject | Token::Comma | Token::Colon => from + 1,
        };
        let before = self.levels.len();
        self.take(token)?;
        if self.levels.len() > DEEPEST {
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

#[cfg(test)]
mod tests {
    use super::{DEEPEST, pretty};

    #[test]
    fn every_level_gets_two_blanks_and_keys_keep_their_order() {
        let shown = pretty(r#"{"b":[1,{"x":null}],"a":{},"c":[], "d":"e"}"#).unwrap();
        let wanted = "{\n  \"b\": [\n    1,\n    {\n      \"x\": null\n    }\n  ],\n  \"a\": {},\n  \"c\": [],\n  \
                      \"d\": \"e\"\n}\n";
        assert_eq!(shown, wanted);
    }

    #[test]
    fn numbers_and_escapes_stay_as_they_are_written() {
        for value in ["12345678901234567890123", "1.0", "1e400", "-0", "1E+5", "\"\\u0041\\/\"", "0.10", "true"] {
            assert_eq!(pretty(value), Some(format!("{value}\n")));
            assert_eq!(pretty(&format!("[{value}]")), Some(format!("[\n  {value}\n]\n")));
        }
    }

    #[test]
    fn lines_of_json_stay_lines() {
        assert_eq!(pretty("{\"a\":1}\n\n{\"a\": 2}\r\n[3]").unwrap(), "{\"a\":1}\n{\"a\": 2}\n[3]\n");
        assert_eq!(pretty("{\"a\":1}\n{\"a\":"), None);
    }

    #[test]
    fn what_is_not_json_is_left_alone() {
        for text in [
            "",
            " ",
            "{",
            "[1,]",
            "{\"a\":1,}",
            "{a:1}",
            "[1 2]",
            "01",
            "1.",
            ".5",
            "+1",
            "1e",
            "nul",
            "NaN",
            "\"a",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"\n\"",
            "[1}",
            "]",
            "{\"a\"}",
            "{1:2}",
            "<html>",
            "1 2",
            ",",
            "[,1]",
            "{}{}",
        ] {
            assert_eq!(pretty(text), None, "{text}");
        }
    }

    #[test]
    fn depth_and_growth_are_bounded() {
        let long = "x".repeat(50_000);
        let nested = |depth: usize| format!("{}\"{long}\"{}", "[".repeat(depth), "]".repeat(depth));
        assert!(pretty(&nested(DEEPEST)).is_some());
        assert_eq!(pretty(&nested(DEEPEST + 1)), None);
        assert_eq!(pretty(&"[".repeat(1_000_000)), None);
        let flat = "1,".repeat(100_000);
        assert_eq!(pretty(&format!("{}{flat}1{}", "[".repeat(200), "]".repeat(200))), None);
        assert!(pretty(&format!("[{flat}1]")).is_some());
    }

    #[test]
    fn no_more_is_laid_out_than_is_of_use() {
        let flat = |count: usize| format!("[{}1]", "1,".repeat(count));
        let shown = pretty(&flat(3_000_000)).unwrap();
        assert_eq!((shown.len(), shown.capacity()), (15_000_008, 15_000_008));
        assert_eq!(pretty(&flat(3_400_000)), None);
        let line = format!("\"{}\"\n", "x".repeat(1_000_000));
        assert_eq!(pretty(&line.repeat(3)).map(|shown| shown.len()), Some(3 * 1_000_003));
        assert_eq!(pretty(&line.repeat(17)), None);
        let small = format!("{}{}", "[".repeat(150), "]".repeat(150));
        assert!(pretty(&small).unwrap().len() > 4 * small.len());
    }

    #[test]
    fn a_mark_of_byte_order_is_passed_over() {
        assert_eq!(pretty("\u{feff}[]").unwrap(), "[]\n");
    }
}
