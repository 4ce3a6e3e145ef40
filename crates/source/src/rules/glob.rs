//! A glob as git reads it: byte for byte, without braces, in time that grows with pattern times name and not faster.

use super::bytes::Bytes;

/// What a glob asks of a name, from left to right.
#[derive(Debug)]
pub(super) struct Glob {
    tokens: Vec<Token>,
}

#[derive(Debug)]
enum Token {
    /// This byte.
    Byte(u8),
    /// Any byte but a slash.
    Any,
    /// One of these bytes, and no slash.
    Set(Box<Bytes>),
    /// Any bytes but slashes.
    Star,
    /// Anything at all; stands only at the end.
    Rest,
    /// Directories, each with its slash: any number of them, or one at least.
    Deep { least: usize },
}

/// Where slashes stand in what a glob is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// Nowhere: it is one name.
    Name,
    /// Between the names of a path.
    Path,
}

impl Glob {
    /// Reads a glob; none when it can match nothing because a bracket or an escape has no end.
    pub(super) fn new(pattern: &[u8], field: Field) -> Option<Self> {
        let mut tokens = Vec::new();
        let mut rest = pattern;
        let mut before = b'/';
        while let Some((&byte, behind)) = rest.split_first() {
            let token;
            (token, rest) = match byte {
                b'\\' => behind.split_first().map(|(byte, behind)| (Token::Byte(*byte), behind))?,
                b'?' => (Token::Any, behind),
                b'[' => Bytes::read(behind).map(|(set, behind)| (Token::Set(Box::new(set)), behind))?,
                b'*' => stars(rest, field, before),
                byte => (Token::Byte(byte), behind),
            };
            before = pattern.get(..pattern.len() - rest.len()).and_then(<[u8]>::last).copied().unwrap_or(before);
            tokens.push(token);
        }
        Some(Self { tokens })
    }

    /// How much it can cost to hold it against a name.
    pub(super) fn weight(&self) -> u64 {
        let stars = self.tokens.iter().filter(|token| matches!(token, Token::Star | Token::Deep { .. })).count();
        self.tokens.len() as u64 * if stars > 1 { 32 } else { 1 }
    }

    /// Whether it takes all of a text.
    pub(super) fn matches(&self, text: &[u8]) -> bool {
        let (mut token, mut at) = (0, 0);
        // Behind the last of each kind, and where what it takes ends so far. An earlier one need never take more: whatever
        // that could reach, the later one can reach as well, up to the next slash.
        let mut star: Option<(usize, usize)> = None;
        let mut deep: Option<(usize, usize)> = None;
        loop {
            match (self.tokens.get(token), text.get(at)) {
                (None, None) | (Some(Token::Rest), _) => return true,
                (Some(Token::Star), _) => {
                    token += 1;
                    star = Some((token, at));
                    continue;
                }
                (Some(Token::Deep { least }), _) => {
                    token += 1;
                    (star, deep) = (None, Some((token, at)));
                    if *least == 0 {
                        continue;
                    }
                }
                (Some(one), Some(byte)) if one.takes(*byte) => {
                    token += 1;
                    at += 1;
                    continue;
                }
                (Some(Token::Byte(_) | Token::Any | Token::Set(_)) | None, _) => {}
            }
            if let Some((behind, end)) = star
                && text.get(end).is_some_and(|byte| *byte != b'/')
            {
                (token, at) = (behind, end + 1);
                star = Some((token, at));
            } else if let Some((behind, end)) = deep
                && let Some(slash) = text.get(end..).and_then(|text| memchr::memchr(b'/', text))
            {
                (token, at) = (behind, end + slash + 1);
                (star, deep) = (None, Some((token, at)));
            } else {
                return false;
            }
        }
    }
}

impl Token {
    fn takes(&self, byte: u8) -> bool {
        match self {
            Self::Byte(own) => *own == byte,
            Self::Any => byte != b'/',
            Self::Set(set) => byte != b'/' && set.holds(byte),
            Self::Star | Self::Rest | Self::Deep { .. } => false,
        }
    }
}

/// Reads a run of stars: two between slashes stand for directories.
fn stars(text: &[u8], field: Field, before: u8) -> (Token, &[u8]) {
    let count = text.iter().take_while(|byte| **byte == b'*').count();
    let behind = text.get(count..).unwrap_or_default();
    if count == 1 || field == Field::Name || before != b'/' {
        return (Token::Star, behind);
    }
    match behind {
        [] => (Token::Rest, behind),
        [b'/', rest @ ..] => (Token::Deep { least: 0 }, rest),
        [b'\\', b'/', rest @ ..] => (Token::Deep { least: 1 }, rest),
        _ => (Token::Star, behind),
    }
}
