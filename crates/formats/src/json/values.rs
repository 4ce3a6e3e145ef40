//! Values in a JSON text, as they stand in it. Nothing is built: a value is a part of the text.

use std::fmt;
use std::ops::Range;

use super::tokens::{Steps, Token};

/// Deeper nesting than this is refused.
const MOST_DEPTH: usize = 1_000;

/// A sound value of JSON, as it stands in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonText<'a>(&'a str);

/// Why a text is not a value of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonFlaw {
    /// No value, or more than one, ends or goes on there.
    Unsound {
        /// The line, from 1.
        line: usize,
        /// The column in bytes, from 1.
        column: usize,
    },
    /// It is nested deeper than is followed.
    Deep {
        /// How deep is followed.
        most: usize,
    },
}

impl fmt::Display for JsonFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsound { line, column } => write!(f, "it is not sound at line {line} column {column}"),
            Self::Deep { most } => write!(f, "it is nested deeper than {most}"),
        }
    }
}

impl std::error::Error for JsonFlaw {}

impl<'a> JsonText<'a> {
    /// The one value that a text is.
    pub fn of(text: &'a str) -> Result<Self, JsonFlaw> {
        let mut steps = Steps::new(text, MOST_DEPTH);
        loop {
            match steps.next() {
                Some(Some(_)) => {}
                Some(None) => return Ok(Self(text.trim_matches([' ', '\t', '\n', '\r']))),
                None if steps.is_deep() => return Err(JsonFlaw::Deep { most: MOST_DEPTH }),
                None => {
                    let before = text.as_bytes().get(..steps.at).unwrap_or_default();
                    let line = memchr::memchr_iter(b'\n', before).count() + 1;
                    let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
                    return Err(JsonFlaw::Unsound { line, column });
                }
            }
        }
    }

    /// Its text.
    pub fn text(self) -> &'a str {
        self.0
    }

    /// Whether it is an object.
    pub fn is_object(self) -> bool {
        self.0.starts_with('{')
    }

    /// Whether it is a list.
    pub fn is_list(self) -> bool {
        self.0.starts_with('[')
    }

    /// The characters of a string; `None` when it is none, or spells what is no character.
    pub fn string(self) -> Option<String> {
        self.0.starts_with('"').then(|| serde_json::from_str(self.0).ok()).flatten()
    }

    /// The members or elements in their order, each member with its name in quotes.
    pub fn parts(self) -> impl Iterator<Item = (Option<JsonText<'a>>, JsonText<'a>)> {
        Parts { text: self.0, steps: Steps::new(self.0, MOST_DEPTH), name: None }
    }

    /// The value and all that is in it, outer ones first; no more than so many.
    pub fn all(self, most: usize) -> Vec<JsonText<'a>> {
        let mut steps = Steps::new(self.0, MOST_DEPTH);
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let mut open = Vec::new();
        while let Some(Some((token, range))) = steps.next() {
            match token {
                Token::List | Token::Object => {
                    open.push(ranges.len());
                    ranges.push(range);
                }
                Token::EndList | Token::EndObject => {
                    if let Some(begun) = open.pop().and_then(|at| ranges.get_mut(at)) {
                        begun.end = range.end;
                    }
                }
                Token::Text | Token::Plain if !steps.is_name() => ranges.push(range),
                Token::Text | Token::Plain | Token::Comma | Token::Colon => {}
            }
            if ranges.len() >= most {
                break;
            }
        }
        ranges.into_iter().filter_map(|range| self.0.get(range).map(JsonText)).collect()
    }
}

/// The members or elements of a value.
#[derive(Debug)]
struct Parts<'a> {
    text: &'a str,
    steps: Steps<'a>,
    name: Option<JsonText<'a>>,
}

impl<'a> Iterator for Parts<'a> {
    type Item = (Option<JsonText<'a>>, JsonText<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let mut begun = None;
        loop {
            let (token, range) = self.steps.next()??;
            // What opens and closes the value itself stands on level 0, and what is inside of its parts below level 1.
            if self.steps.depth != 1 {
                continue;
            }
            let value = match token {
                Token::List | Token::Object => {
                    begun = Some(range.start);
                    continue;
                }
                Token::EndList | Token::EndObject => begun.unwrap_or(range.start)..range.end,
                Token::Text if self.steps.is_name() => {
                    self.name = self.text.get(range).map(JsonText);
                    continue;
                }
                Token::Text | Token::Plain => range,
                Token::Comma | Token::Colon => continue,
            };
            return Some((self.name.take(), JsonText(self.text.get(value)?)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{JsonFlaw, JsonText, MOST_DEPTH};

    fn texts<'a>(values: impl IntoIterator<Item = JsonText<'a>>) -> Vec<&'a str> {
        values.into_iter().map(JsonText::text).collect()
    }

    #[test]
    fn parts_come_as_they_stand_and_in_their_order() {
        let value = JsonText::of(" {\"b\": [1, {\"x\": []}] , \"a\\u0041\":-0,\"b\":\"c\"}\n").unwrap();
        assert!(value.is_object() && !value.is_list());
        let names: Vec<_> = value.parts().map(|(name, _)| name.unwrap().string().unwrap()).collect();
        assert_eq!(names, ["b", "aA", "b"]);
        assert_eq!(texts(value.parts().map(|(_, value)| value)), ["[1, {\"x\": []}]", "-0", "\"c\""]);
        let list = JsonText::of("[[], {}, 1E5, [[2]]]").unwrap();
        assert!(list.parts().all(|(name, _)| name.is_none()));
        assert_eq!(texts(list.parts().map(|(_, value)| value)), ["[]", "{}", "1E5", "[[2]]"]);
        assert_eq!(JsonText::of("12").unwrap().parts().count(), 0);
        assert_eq!(JsonText::of("[]").unwrap().parts().count(), 0);
    }

    #[test]
    fn all_values_come_outer_ones_first() {
        let value = JsonText::of("{\"a\": [1, {\"b\": 2}], \"c\": null}").unwrap();
        let all = texts(value.all(100));
        assert_eq!(all, [value.text(), "[1, {\"b\": 2}]", "1", "{\"b\": 2}", "2", "null"]);
        assert_eq!(value.all(3).len(), 3);
    }

    #[test]
    fn a_string_is_given_in_its_characters() {
        assert_eq!(JsonText::of(r#""a\n\u00e9""#).unwrap().string().unwrap(), "a\n\u{e9}");
        assert_eq!(JsonText::of(r#""\ud800""#).unwrap().string(), None);
        assert_eq!(JsonText::of("1").unwrap().string(), None);
    }

    #[test]
    fn what_is_unsound_is_told_with_its_place_and_depth_is_bounded() {
        assert_eq!(JsonText::of("[1,\n 2 x]"), Err(JsonFlaw::Unsound { line: 2, column: 4 }));
        assert_eq!(JsonText::of(""), Err(JsonFlaw::Unsound { line: 1, column: 1 }));
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let deepest = nested(MOST_DEPTH);
        let value = JsonText::of(&deepest).unwrap();
        assert_eq!((value.all(5_000).len(), value.parts().count()), (MOST_DEPTH, 1));
        assert_eq!(JsonText::of(&nested(MOST_DEPTH + 1)), Err(JsonFlaw::Deep { most: MOST_DEPTH }));
        assert_eq!(JsonText::of(&"[".repeat(1_000_000)), Err(JsonFlaw::Deep { most: MOST_DEPTH }));
    }
}
