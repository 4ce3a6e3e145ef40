//! The bytes of a file cut into braces, control words, control symbols and text.

/// One piece of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `{`.
    Open,
    /// `}`.
    Close,
    /// A control word and its number.
    Word(&'a [u8], Option<i32>),
    /// A control symbol: the byte behind the backslash.
    Symbol(u8),
    /// `\'xx`.
    Hex(u8),
    /// Bytes without a meaning of their own; line ends are not among them.
    Text(&'a [u8]),
}

/// Cuts a file into tokens.
pub(super) struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// What is not read yet.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    pub(super) fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            match byte {
                b'{' => return Some(self.one(Token::Open)),
                b'}' => return Some(self.one(Token::Close)),
                b'\\' => {
                    if let Some(token) = self.control() {
                        return Some(token);
                    }
                }
                b'\r' | b'\n' | 0 => self.at += 1,
                _ => return Some(self.text()),
            }
        }
    }

    /// Passes over the rest of the group, up to the brace that closes it.
    pub(super) fn skip_rest(&mut self) {
        let mut depth = 0_u64;
        loop {
            let rest = self.rest();
            let Some(step) = rest.iter().position(|byte| matches!(byte, b'{' | b'}' | b'\\')) else {
                self.at = self.bytes.len();
                return;
            };
            self.at += step;
            match rest.get(step) {
                Some(b'{') => depth += 1,
                Some(b'}') if depth == 0 => return,
                Some(b'}') => depth -= 1,
                // A word's data, if it has some, is passed over with it.
                _ => {
                    let _ = self.control();
                    continue;
                }
            }
            self.at += 1;
        }
    }

    fn one(&mut self, token: Token<'a>) -> Token<'a> {
        self.at += 1;
        token
    }

    fn text(&mut self) -> Token<'a> {
        let rest = self.rest();
        let end = rest.iter().position(|byte| matches!(byte, b'{' | b'}' | b'\\' | b'\r' | b'\n' | 0));
        let text = end.and_then(|end| rest.get(..end)).unwrap_or(rest);
        self.at += text.len();
        Token::Text(text)
    }

    /// What begins with a backslash; `None` for data and for a backslash at the very end.
    fn control(&mut self) -> Option<Token<'a>> {
        self.at += 1;
        let first = *self.bytes.get(self.at)?;
        if first.is_ascii_alphabetic() {
            return self.word();
        }
        self.at += 1;
        if first == b'\'' { self.hex() } else { Some(Token::Symbol(first)) }
    }

    fn word(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        let length = rest.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(rest.len());
        let name = rest.get(..length).unwrap_or_default();
        self.at += length;
        let number = self.number();
        if self.bytes.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
        if name == b"bin" {
            let length = usize::try_from(number.unwrap_or(0)).unwrap_or(0);
            self.at = self.at.saturating_add(length).min(self.bytes.len());
            return None;
        }
        Some(Token::Word(name, number))
    }

    fn number(&mut self) -> Option<i32> {
        let rest = self.rest();
        let minus = rest.first() == Some(&b'-');
        let digits = rest.get(usize::from(minus)..).unwrap_or_default();
        let length = digits.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len());
        if length == 0 {
            return None;
        }
        self.at += length + usize::from(minus);
        let value = digits
            .get(..length)
            .unwrap_or_default()
            .iter()
            .fold(0_i32, |value, digit| value.saturating_mul(10).saturating_add(i32::from(digit - b'0')));
        Some(if minus { -value } else { value })
    }

    fn hex(&mut self) -> Option<Token<'a>> {
        let digit = |at: usize| self.bytes.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        let (high, low) = (digit(self.at)?, digit(self.at + 1)?);
        self.at += 2;
        u8::try_from(high * 16 + low).ok().map(Token::Hex)
    }
}
