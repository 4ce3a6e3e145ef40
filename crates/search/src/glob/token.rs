//! The parts of a glob.

use super::problem::Problem;

/// A part of a glob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// This character; a slash parts names.
    Literal(char),
    /// `?`: one character of a name.
    One,
    /// `*`: any characters of a name.
    Many,
    /// `**/`: any number of directories.
    Deep,
    /// `**` at the end: anything below.
    Rest,
    /// `[a-z]`: one character of these.
    Class(Class),
    /// `{a,b}`: one of these.
    Either(Vec<Vec<Token>>),
}

/// Characters of which one fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Class {
    /// Whether those fit that are not listed.
    pub(super) negated: bool,
    /// From and to.
    pub(super) ranges: Vec<(char, char)>,
    /// Named ones, such as `[:digit:]`.
    pub(super) named: Vec<&'static str>,
}

/// What can stand between `[:` and `:]`.
const NAMED: [&str; 8] = ["alnum", "alpha", "digit", "lower", "punct", "space", "upper", "xdigit"];
/// Braces one inside the other.
const MOST_BRACES: usize = 32;

/// Takes a glob apart. What `{1..9}` stands for may have so many bytes.
pub(super) fn tokens(glob: &str, most: u64) -> Result<Vec<Token>, Problem> {
    let mut parser = Parser { text: glob.chars().collect(), at: 0, room: most };
    let tokens = parser.sequence(0)?;
    match parser.peek() {
        None => Ok(tokens),
        // Only a brace that nothing opened ends a sequence early.
        Some(_) => Err(Problem::Unopened),
    }
}

struct Parser {
    text: Vec<char>,
    at: usize,
    room: u64,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += 1;
        Some(next)
    }

    fn take(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        self.at += usize::from(there);
        there
    }

    /// The tokens up to the end, or inside braces up to the comma or brace that ends an alternative.
    fn sequence(&mut self, braces: usize) -> Result<Vec<Token>, Problem> {
        let mut tokens = Vec::new();
        while let Some(sign) = self.peek() {
            match sign {
                '}' => break,
                ',' if braces > 0 => break,
                '*' => self.stars(braces, &mut tokens),
                '?' => {
                    self.at += 1;
                    push_one(&mut tokens);
                }
                '[' => {
                    self.at += 1;
                    tokens.push(Token::Class(self.class()?));
                }
                '{' => {
                    self.at += 1;
                    tokens.push(Token::Either(self.either(braces + 1)?));
                }
                other => {
                    self.at += 1;
                    tokens.push(Token::Literal(other));
                }
            }
        }
        Ok(tokens)
    }

    /// Stars: two that are a whole name stand for directories, any others for characters of a name.
    fn stars(&mut self, braces: usize, tokens: &mut Vec<Token>) {
        let start = matches!(tokens.last(), None | Some(Token::Literal('/') | Token::Deep));
        let from = self.at;
        while self.take('*') {}
        let whole = start && self.at - from == 2;
        match self.peek() {
            Some('/') if whole => {
                self.at += 1;
                if tokens.last() != Some(&Token::Deep) {
                    tokens.push(Token::Deep);
                }
            }
            None if whole => tokens.push(Token::Rest),
            Some(',' | '}') if whole && braces > 0 => tokens.push(Token::Rest),
            None | Some(_) => {
                if tokens.last() != Some(&Token::Many) {
                    tokens.push(Token::Many);
                }
            }
        }
    }

    fn either(&mut self, braces: usize) -> Result<Vec<Vec<Token>>, Problem> {
        if braces > MOST_BRACES {
            return Err(Problem::Nested);
        }
        if let Some(counted) = self.range()? {
            return Ok(counted);
        }
        let mut all = Vec::new();
        loop {
            all.push(self.sequence(braces)?);
            match self.next() {
                Some(',') => {}
                Some(_) => return Ok(all),
                None => return Err(Problem::UnclosedBrace),
            }
        }
    }

    /// What `1..9}` or `a..f}` stands for.
    fn range(&mut self) -> Result<Option<Vec<Vec<Token>>>, Problem> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let Some(end) = rest.iter().position(|sign| *sign == '}') else {
            return Ok(None);
        };
        let inside: String = rest.get(..end).unwrap_or_default().iter().collect();
        let Some((first, last)) = inside.split_once("..") else {
            return Ok(None);
        };
        let Some(words) = counted(first, last, &mut self.room)? else {
            return Ok(None);
        };
        self.at += end + 1;
        Ok(Some(words.iter().map(|word| word.chars().map(Token::Literal).collect()).collect()))
    }

    fn class(&mut self) -> Result<Class, Problem> {
        let negated = self.take('!') || self.take('^');
        let mut class = Class { negated, ranges: Vec::new(), named: Vec::new() };
        let mut first = true;
        loop {
            match self.next() {
                None => return Err(Problem::UnclosedClass),
                Some(']') if !first => return Ok(class),
                Some('[') if self.peek() == Some(':') => class.named.push(self.named()?),
                Some(from) => {
                    let to = self.range_end().unwrap_or(from);
                    if to < from {
                        return Err(Problem::Backwards);
                    }
                    class.ranges.push((from, to));
                }
            }
            first = false;
        }
    }

    /// The character behind a dash, unless the dash is the last of the class.
    fn range_end(&mut self) -> Option<char> {
        let end = self.text.get(self.at + 1).copied().filter(|end| *end != ']')?;
        if self.peek() != Some('-') {
            return None;
        }
        self.at += 2;
        Some(end)
    }

    fn named(&mut self) -> Result<&'static str, Problem> {
        let rest = self.text.get(self.at + 1..).unwrap_or_default();
        let end = rest.windows(2).position(|pair| pair == [':', ']']).ok_or(Problem::UnclosedClass)?;
        let name: String = rest.get(..end).unwrap_or_default().iter().collect();
        self.at += end + 3;
        NAMED.into_iter().find(|known| *known == name).ok_or(Problem::UnknownClass)
    }
}

/// A question mark behind a star goes before it, so that `*?*?` is no harder than `??*`.
fn push_one(tokens: &mut Vec<Token>) {
    match tokens.last() {
        Some(Token::Many) => tokens.insert(tokens.len() - 1, Token::One),
        Some(_) | None => tokens.push(Token::One),
    }
}

/// The numbers or letters from one to another, as long as there is room for them.
fn counted(first: &str, last: &str, room: &mut u64) -> Result<Option<Vec<String>>, Problem> {
    let letter = |text: &str| {
        let first = text.chars().find(char::is_ascii_alphabetic);
        first.filter(|letter| text.len() == letter.len_utf8())
    };
    let number = |text: &str| text.parse::<i64>().ok().filter(|_| !text.starts_with('+'));
    let (from, to, alphabetic) = match (number(first).zip(number(last)), letter(first).zip(letter(last))) {
        (Some((from, to)), _) => (from, to, false),
        (None, Some((from, to))) => (i64::from(u32::from(from)), i64::from(u32::from(to)), true),
        (None, None) => return Ok(None),
    };
    let (low, high) = (from.min(to), from.max(to));
    let bytes = high.abs_diff(low).saturating_add(1).saturating_mul(first.len().max(last.len()) as u64 + 1);
    *room = room.checked_sub(bytes).ok_or(Problem::TooLarge)?;
    let padded = |text: &str| text.trim_start_matches('-').starts_with('0') && text.trim_start_matches('-').len() > 1;
    let width = if padded(first) || padded(last) { first.len().max(last.len()) } else { 0 };
    let word = |at: i64| match u32::try_from(at).ok().and_then(char::from_u32).filter(|_| alphabetic) {
        Some(letter) => letter.to_string(),
        None => format!("{at:0width$}"),
    };
    Ok(Some((low..=high).map(word).collect()))
}
