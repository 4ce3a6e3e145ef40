//! The words, names, texts and signs of SQL, as its dialects write them.

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) sort: Sort,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// A word without quotes.
    Word,
    /// A name in quotes.
    Name,
    /// A text in quotes.
    Text,
    /// A text between `$$`.
    Dollar,
    Sign,
    Comment,
}

/// Reads tokens one after the other.
pub(crate) struct Tokens<'t> {
    text: &'t str,
    pub(crate) at: usize,
    /// Whether a backslash in a text hides the next sign and `#` begins a comment, as in dumps of `MySQL`.
    is_mysql: bool,
    /// Bytes that may still be gone over for ends that are not there.
    patience: usize,
}

impl<'t> Tokens<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        let signs = ["TABLE `", "INTO `", "ENGINE=", "DELIMITER ", "delimiter "];
        Self { text, at: 0, is_mysql: signs.iter().any(|sign| text.contains(sign)), patience: 8 * text.len() }
    }

    pub(crate) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Goes over blanks, and over the signs around what only `MySQL` reads.
    pub(crate) fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start().len();
            let hint = rest.get(blanks..).unwrap_or_default();
            let signs = match hint.strip_prefix("/*!").or_else(|| hint.strip_prefix("/*M!")) {
                Some(behind) => hint.len() - behind.trim_start_matches(|sign: char| sign.is_ascii_digit()).len(),
                None if hint.starts_with("*/") => 2,
                None => 0,
            };
            self.at += blanks + signs;
            if blanks + signs == 0 {
                return;
            }
        }
    }

    /// Goes behind the end of the line.
    pub(crate) fn skip_line(&mut self) {
        let rest = self.rest();
        self.at += rest.find('\n').map_or(rest.len(), |at| at + 1);
    }

    fn token(&mut self, sort: Sort, length: usize) -> Token {
        let from = self.at;
        self.at += length;
        Token { sort, from, to: self.at }
    }

    /// How long a text in quotes is; `None` when nothing ends it.
    fn quoted(&self, rest: &str, quote: u8) -> Option<usize> {
        let before = self.text.get(..self.at).and_then(|before| before.bytes().next_back());
        let hides = quote == b'\'' && (self.is_mysql || matches!(before, Some(b'E' | b'e')));
        let bytes = rest.as_bytes();
        let mut at = 1;
        while let Some(sign) = bytes.get(at) {
            match *sign {
                b'\\' if hides => at += 2,
                sign if sign == quote && bytes.get(at + 1) == Some(&quote) => at += 2,
                sign if sign == quote => return Some(at + 1),
                _ => at += 1,
            }
        }
        None
    }

    fn comment(&self, rest: &str) -> Option<usize> {
        if rest.starts_with("--") || rest.starts_with('#') && self.is_mysql {
            return Some(rest.find('\n').map_or(rest.len(), |at| rest.get(..at).unwrap_or_default().trim_end().len()));
        }
        rest.strip_prefix("/*").map(|inside| inside.find("*/").map_or(rest.len(), |at| at + 4))
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_blanks();
        let rest = self.rest();
        let first = rest.chars().next()?;
        if let Some(length) = self.comment(rest) {
            return Some(self.token(Sort::Comment, length));
        }
        let found = match first {
            '\'' | '"' | '`' | '$' if self.patience == 0 => None,
            '\'' => self.quoted(rest, b'\'').map(|length| (Sort::Text, length)),
            '"' => self.quoted(rest, b'"').map(|length| (Sort::Name, length)),
            '`' => self.quoted(rest, b'`').map(|length| (Sort::Name, length)),
            '[' => bracketed(rest).map(|length| (Sort::Name, length)),
            '$' => dollar(rest).map(|length| (Sort::Dollar, length)),
            sign if is_word(sign) => {
                Some((Sort::Word, rest.find(|sign| !is_word(sign) && sign != '$').unwrap_or(rest.len())))
            }
            _ => None,
        };
        let tagged = || first == '$' && dollar_sign(rest).is_some();
        if found.is_none() && (matches!(first, '\'' | '"' | '`') || tagged()) {
            self.patience = self.patience.saturating_sub(rest.len());
        }
        let (sort, length) = found.unwrap_or((Sort::Sign, first.len_utf8()));
        Some(self.token(sort, length))
    }
}

fn is_word(sign: char) -> bool {
    sign.is_alphanumeric() || matches!(sign, '_' | '@')
}

/// Bytes of a name in brackets.
const MOST_NAME: usize = 400;

/// How long a name in brackets is: `[dbo]`, but not `[1]` and `[]`.
fn bracketed(rest: &str) -> Option<usize> {
    let end = rest.get(..rest.floor_char_boundary(MOST_NAME))?.find(']')?;
    let inside = rest.get(1..end)?;
    let name =
        inside.starts_with(|sign: char| sign.is_alphabetic() || sign == '_') && !inside.contains(['\n', '[', '\'']);
    name.then_some(end + 1)
}

/// How long a text between `$tag$` is.
fn dollar(rest: &str) -> Option<usize> {
    let sign = dollar_sign(rest)?;
    Some(rest.get(sign.len()..)?.find(sign)? + 2 * sign.len())
}

/// The sign that begins such a text.
fn dollar_sign(rest: &str) -> Option<&str> {
    let inside = rest.get(1..)?;
    let tag = inside.find(|sign: char| !sign.is_alphanumeric() && sign != '_')?;
    rest.get(..tag + 2).filter(|sign| sign.ends_with('$'))
}
