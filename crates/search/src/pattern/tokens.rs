//! Tokens: an expression, or what was meant to be one, taken apart as far as braces and parentheses go.

/// A part of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// `(`.
    Open(&'t str),
    /// The beginning of a group that says more, such as `(?:`.
    Special(&'t str),
    /// Flags that are groups by themselves, such as `(?i)`.
    Flags(&'t str),
    /// `)`.
    Close(&'t str),
    /// `|`.
    Or(&'t str),
    /// `$`.
    Dollar(&'t str),
    /// `{` that begins no quantifier.
    Brace(&'t str),
    /// `}` that ends none.
    CloseBrace(&'t str),
    /// A quantifier in braces.
    Count(&'t str),
    /// An escape, a class or a character.
    Piece(&'t str),
}

/// The tokens of a text, with their offsets.
#[derive(Debug)]
pub(super) struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Tokens<'t> {
    /// The tokens of this text.
    pub(super) fn of(text: &'t str) -> Self {
        Self { text, at: 0 }
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = (usize, Token<'t>);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.text.get(self.at..)?;
        let first = rest.chars().next()?;
        let (length, kind): (usize, fn(&'t str) -> Token<'t>) = match first {
            '\\' => (escape(rest), Token::Piece),
            '[' => (class(rest), Token::Piece),
            '(' => group(rest),
            ')' => (1, Token::Close),
            '|' => (1, Token::Or),
            '$' => (1, Token::Dollar),
            '{' => count(rest).map_or((1, Token::Brace), |length| (length, Token::Count)),
            '}' => (1, Token::CloseBrace),
            other => (other.len_utf8(), Token::Piece),
        };
        let (start, end) = (self.at, self.at + length);
        self.at = end;
        Some((start, kind(self.text.get(start..end)?)))
    }
}

/// The length of an escape with what belongs to it.
fn escape(text: &str) -> usize {
    let mut rest = text.chars();
    rest.next();
    let Some(letter) = rest.next() else {
        return text.len();
    };
    let plain = 1 + letter.len_utf8();
    let fits = |character: char| match letter {
        'x' | 'u' | 'U' => character.is_ascii_hexdigit(),
        'p' | 'P' => character != '{',
        'b' => character.is_ascii_lowercase() || character == '-',
        _ => false,
    };
    match text.get(plain..).and_then(braced) {
        Some(name) if !name.is_empty() && name.chars().all(fits) => plain + name.len() + 2,
        Some(_) | None => plain,
    }
}

/// The length of a class in brackets, or of all that follows when it does not end.
fn class(text: &str) -> usize {
    let (mut depth, mut at, mut fresh) = (0_usize, 0, false);
    while let Some(first) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let opened = fresh;
        fresh = false;
        match first {
            '\\' => at += escape(text.get(at..).unwrap_or_default()),
            '[' => {
                depth += 1;
                fresh = true;
                at += if text.get(at + 1..).is_some_and(|rest| rest.starts_with('^')) { 2 } else { 1 };
            }
            // Right behind the opening bracket it stands for itself.
            ']' if !opened => {
                depth -= 1;
                at += 1;
                if depth == 0 {
                    return at;
                }
            }
            other => at += other.len_utf8(),
        }
    }
    text.len()
}

/// The beginning of a group.
fn group<'t>(text: &str) -> (usize, fn(&'t str) -> Token<'t>) {
    let Some(head) = text.strip_prefix("(?") else {
        return (1, Token::Open);
    };
    let flags = head.bytes().take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'-').count();
    match head.as_bytes().get(flags) {
        Some(b')') if flags > 0 => (2 + flags + 1, Token::Flags),
        Some(b':') => (2 + flags + 1, Token::Special),
        Some(b'<') => {
            let name = head.bytes().take(FAR).position(|byte| byte == b'>').map_or(flags, |at| at + 1);
            (2 + name, Token::Special)
        }
        Some(_) | None => (2, Token::Special),
    }
}

/// The length of a quantifier in braces, when it is one: `{2}`, `{2,}`, `{2,4}`.
fn count(text: &str) -> Option<usize> {
    let inside = braced(text)?;
    let (least, most) = inside.split_once(',').unwrap_or((inside, ""));
    let digits = |number: &str| number.trim().bytes().all(|byte| byte.is_ascii_digit());
    (!least.trim().is_empty() && digits(least) && digits(most)).then_some(inside.len() + 2)
}

/// Names and numbers in braces are not longer than this, and so a text full of braces is not looked through for each.
const FAR: usize = 128;

/// What stands in braces at the beginning of a text.
fn braced(text: &str) -> Option<&str> {
    let tail = text.strip_prefix('{')?;
    let end = tail.bytes().take(FAR).position(|byte| byte == b'}')?;
    tail.get(..end)
}
