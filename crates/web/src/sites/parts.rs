//! What the sites have in common: asking for JSON, looking into it, and writing what it says.

use std::fmt::{self, Write as _};

use serde_json::Value;

use super::{Answer, Request, Spot};
use crate::feed::link::clean;
pub(super) use crate::feed::link::encode;
pub(super) use crate::feed::plain::{fenced, line, one_line, plain};
pub(super) use crate::feed::{date, shortened};
pub(super) use crate::json::{Members, limited};

/// Signs of a title that are shown.
const MOST_TITLE: usize = 500;
/// Signs of a short text that are shown.
const MOST_WORDS: usize = 2000;
/// Facts that are shown of a list of any length.
const MOST_FACTS: usize = 20;
/// Versions that are shown.
const MOST_VERSIONS: usize = 50;
/// What cannot be missing in JSON is looked up as this.
const NOTHING: &Value = &Value::Null;

impl Spot<'_> {
    /// The parts of the path that say something.
    pub(super) fn parts(&self) -> Vec<&str> {
        self.segments.iter().map(String::as_str).filter(|part| !part.is_empty()).collect()
    }

    /// The value of a parameter, as it stands in the address.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        let query = self.query.strip_prefix('?').unwrap_or(self.query);
        query.split('&').filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name).map(|(_, value)| value)
    }
}

/// Asks for something in a form.
pub(super) fn request(url: String, accept: &'static str) -> Request {
    Request { url, accept }
}

/// Asks for JSON.
pub(super) fn json(url: String) -> Request {
    request(url, "application/json")
}

/// The JSON of an answer that went well; nothing if it would take too much memory.
pub(super) fn value(answer: Option<&Answer<'_>>) -> Option<Value> {
    wanted(answer, Members::All)
}

/// Some of the JSON of an answer that went well; the rest takes no memory.
pub(super) fn wanted(answer: Option<&Answer<'_>>, wanted: Members) -> Option<Value> {
    limited(answer.filter(|answer| answer.status == 200)?.body, wanted)
}

/// The text of an answer that went well; nothing if it is not text.
pub(super) fn text<'a>(answer: Option<&Answer<'a>>) -> Option<&'a str> {
    let body = answer.filter(|answer| answer.status == 200)?.body;
    std::str::from_utf8(body).ok().filter(|text| !text.contains('\0'))
}

/// Something inside JSON, by a path of keys.
pub(super) fn at<'a>(value: &'a Value, path: &str) -> &'a Value {
    path.split('.').try_fold(value, |inner, key| inner.get(key)).unwrap_or(NOTHING)
}

/// A text inside JSON as it is; empty if there is none.
pub(super) fn raw<'a>(value: &'a Value, path: &str) -> &'a str {
    at(value, path).as_str().unwrap_or_default()
}

/// A text inside JSON on one line and not too long.
pub(super) fn word(value: &Value, path: &str) -> String {
    shortened(&one_line(raw(value, path)), MOST_WORDS)
}

/// A whole number inside JSON.
pub(super) fn number(value: &Value, path: &str) -> Option<u64> {
    at(value, path).as_u64()
}

/// A list inside JSON; empty if there is none.
pub(super) fn list<'a>(value: &'a Value, path: &str) -> &'a [Value] {
    at(value, path).as_array().map(Vec::as_slice).unwrap_or_default()
}

/// An absolute address inside JSON.
pub(super) fn link(value: &Value, path: &str) -> Option<String> {
    let given = raw(value, path).trim();
    (given.starts_with("https://") || given.starts_with("http://")).then(|| clean(given))
}

/// A Markdown text that is being written.
#[derive(Default)]
pub(super) struct Page {
    out: String,
}

impl Page {
    /// Begins with a title.
    pub(super) fn new(title: &str) -> Self {
        let mut page = Self::default();
        page.heading(1, title);
        page
    }

    /// Writes a heading on one line.
    pub(super) fn heading(&mut self, level: usize, title: &str) {
        let title = shortened(&one_line(title), MOST_TITLE);
        self.block(&format!("{} {title}", "#".repeat(level)));
    }

    /// Writes a paragraph, or something longer, with an empty line before it.
    pub(super) fn block(&mut self, text: &str) {
        let text = text.trim_matches(['\n', '\r']);
        if text.trim().is_empty() {
            return;
        }
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Writes one line directly below the last.
    pub(super) fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Writes facts on one line, without those that are empty.
    pub(super) fn facts(&mut self, facts: &[String]) {
        let said: Vec<&str> = facts.iter().map(String::as_str).filter(|fact| !fact.is_empty()).collect();
        self.block(&said.join(" · "));
    }

    /// Writes as many facts as belong on one line, and how many more there are.
    pub(super) fn some(&mut self, facts: &[String], what: &str) {
        self.facts(facts.get(..MOST_FACTS).unwrap_or(facts));
        self.more(facts.len().saturating_sub(MOST_FACTS), what);
    }

    /// Writes versions, each behind the time it is of, the newest first.
    pub(super) fn versions<T: Ord + fmt::Display>(&mut self, mut versions: Vec<(T, &str)>) {
        if versions.is_empty() {
            return;
        }
        versions.sort_unstable_by(|one, other| other.cmp(one));
        self.heading(2, "Versions");
        self.line("");
        for (time, name) in versions.iter().take(MOST_VERSIONS) {
            self.line(one_line(&format!("- {name} {time}")).trim_end());
        }
        self.more(versions.len().saturating_sub(MOST_VERSIONS), "versions");
    }

    /// Writes how many more of something there are, if any.
    pub(super) fn more(&mut self, left: usize, what: &str) {
        if left > 0 {
            let _ = write!(self.out, "\n({left} more {what})\n");
        }
    }

    /// How much is written so far.
    pub(super) fn len(&self) -> usize {
        self.out.len()
    }

    /// The text.
    pub(super) fn done(self) -> String {
        self.out
    }
}

/// A fact with its name; empty if there is nothing to say.
pub(super) fn fact(name: &str, said: &str) -> String {
    if said.is_empty() { String::new() } else { format!("{name}: {said}") }
}

/// A number as a fact; empty if it is not known.
pub(super) fn counted(name: &str, value: Option<u64>) -> String {
    value.map_or_else(String::new, |value| format!("{name}: {value}"))
}

/// Some of a list in one line, and how many more there are.
pub(super) fn joined(all: &[String], most: usize) -> String {
    let shown: Vec<&str> = all.iter().take(most).map(String::as_str).collect();
    let left = all.len().saturating_sub(most);
    if left > 0 { format!("{} and {left} more", shown.join(", ")) } else { shown.join(", ") }
}
