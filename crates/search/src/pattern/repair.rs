//! Repair: a text that is no regular expression because of braces or parentheses is taken as one in which they stand for
//! themselves.

use readstone_base::Quoted;
use regex_syntax::ast::{self, Ast, ErrorKind, parse::Parser};

use super::tokens::{Token, Tokens};
use crate::error::Error;

/// What a text was taken as.
#[derive(Debug)]
pub(super) struct Taken {
    pub(super) text: String,
    pub(super) ast: Ast,
}

/// The expression that a text stands for.
pub(super) fn parse(text: &str) -> Result<Taken, Error> {
    let escaped = Escaped::braces(text);
    let first = match Parser::new().parse(text) {
        // An end of line cannot come twice: whoever writes `${1}` means it as it stands.
        Ok(ast) if !escaped.ends => return Ok(Taken { text: text.to_owned(), ast }),
        Ok(_) => None,
        Err(error) => Some(error),
    };
    let error = match (first, escaped.inserted.is_empty()) {
        (Some(error), true) => error,
        (Some(_) | None, _) => match Parser::new().parse(&escaped.text) {
            Ok(ast) => return Ok(Taken { text: escaped.text, ast }),
            Err(error) => error,
        },
    };
    if matches!(error.kind(), ErrorKind::GroupUnclosed | ErrorKind::GroupUnopened)
        && let Some(plain) = parentheses(&escaped.text)
        && let Ok(ast) = Parser::new().parse(&plain)
    {
        return Ok(Taken { text: plain, ast });
    }
    Err(wrong(text, &error, &escaped.inserted))
}

/// What is wrong with an expression, and where, in the text before something was inserted into it.
fn wrong(text: &str, error: &ast::Error, inserted: &[usize]) -> Error {
    let offset = error.span().start.offset;
    let before = inserted.iter().enumerate().take_while(|(count, at)| **at + count < offset).count();
    let kind = error.kind();
    if *kind == ErrorKind::UnsupportedLookAround {
        return bad(text, offset - before, "look-ahead and look-behind are not offered");
    }
    bad(text, offset - before, &kind.to_string())
}

/// What is wrong with an expression at an offset.
pub(super) fn bad(text: &str, offset: usize, what: &str) -> Error {
    let place = text.get(..offset).map_or(0, |head| head.chars().count()) + 1;
    Error::BadPattern { why: format!("{what}, at character {place} of {}", Quoted(text)) }
}

/// A text with backslashes put into it.
#[derive(Debug)]
struct Escaped {
    text: String,
    /// Where they were put, by the offsets of the text before.
    inserted: Vec<usize>,
    /// Whether a `$` was taken as itself because a number in braces follows it.
    ends: bool,
}

/// What stands before a brace.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing that can be repeated.
    Nothing,
    /// Something that can.
    Something,
    /// A `$`, at this offset of the new text.
    Dollar(usize),
    /// A brace that stands for itself.
    Brace,
}

impl Escaped {
    /// The text with every brace escaped that cannot belong to a quantifier.
    fn braces(text: &str) -> Self {
        let mut made = Self { text: String::with_capacity(text.len() + 8), inserted: Vec::new(), ends: false };
        let mut before = Before::Nothing;
        for (at, token) in Tokens::of(text) {
            before = match token {
                Token::Brace(_) => made.brace(at, before),
                Token::Count(count) => match before {
                    Before::Something => {
                        made.text.push_str(count);
                        Before::Something
                    }
                    Before::Nothing | Before::Dollar(_) | Before::Brace => {
                        made.ends |= matches!(before, Before::Dollar(_));
                        made.brace(at, before);
                        made.text.push_str(count.get(1..count.len() - 1).unwrap_or_default());
                        made.close(at + count.len() - 1)
                    }
                },
                Token::CloseBrace(_) => made.close(at),
                Token::Open(piece) | Token::Special(piece) | Token::Or(piece) | Token::Flags(piece) => {
                    made.text.push_str(piece);
                    Before::Nothing
                }
                Token::Dollar(piece) => {
                    made.text.push_str(piece);
                    Before::Dollar(made.text.len() - 1)
                }
                Token::Close(piece) | Token::Piece(piece) => {
                    made.text.push_str(piece);
                    Before::Something
                }
            };
        }
        made
    }

    fn brace(&mut self, at: usize, before: Before) -> Before {
        if let Before::Dollar(dollar) = before {
            self.text.insert(dollar, '\\');
            self.inserted.push(at - 1);
        }
        self.text.push_str(r"\{");
        self.inserted.push(at);
        Before::Brace
    }

    fn close(&mut self, at: usize) -> Before {
        self.text.push_str(r"\}");
        self.inserted.push(at);
        Before::Brace
    }
}

/// The text with every parenthesis escaped; none when some of them can only be meant as groups.
fn parentheses(text: &str) -> Option<String> {
    let mut made = String::with_capacity(text.len() + 8);
    for (_, token) in Tokens::of(text) {
        match token {
            Token::Special(_) => return None,
            Token::Open(piece) | Token::Close(piece) => {
                made.push('\\');
                made.push_str(piece);
            }
            Token::Brace(piece)
            | Token::CloseBrace(piece)
            | Token::Count(piece)
            | Token::Or(piece)
            | Token::Flags(piece)
            | Token::Dollar(piece)
            | Token::Piece(piece) => made.push_str(piece),
        }
    }
    Some(made)
}
