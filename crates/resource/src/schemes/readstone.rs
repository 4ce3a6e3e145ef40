//! `readstone://`: this program's own manual.

use std::sync::Arc;

use readstone_address::Reading;
use readstone_base::{Fault, Memory, Stamp};
use readstone_source::{Alone, Finding, Nature, Opening, Piece, Scheme, Sourced, version_of};

use crate::asked::{Asked, decode};
use crate::list::{List, one_line};
use crate::near::missing;

/// The pages of the manual.
const PAGES: [(&str, &str); 15] = [
    ("README.md", include_str!("../../../../README.md")),
    ("addresses.md", include_str!("../../../../docs/addresses.md")),
    ("web.md", include_str!("../../../../docs/web.md")),
    ("tools.md", include_str!("../../../../docs/tools.md")),
    ("editing.md", include_str!("../../../../docs/editing.md")),
    ("errors.md", include_str!("../../../../docs/errors.md")),
    ("limits.md", include_str!("../../../../docs/limits.md")),
    ("config.md", include_str!("../../../../docs/config.md")),
    ("install.md", include_str!("../../../../docs/install.md")),
    ("servers.md", include_str!("../../../../docs/servers.md")),
    ("clients.md", include_str!("../../../../docs/clients.md")),
    ("security.md", include_str!("../../../../docs/security.md")),
    ("embedding.md", include_str!("../../../../docs/embedding.md")),
    ("hostile.md", include_str!("../../../../docs/hostile.md")),
    ("dependencies.md", include_str!("../../../../docs/dependencies.md")),
];
/// Sections that a search names.
const MOST_HITS: usize = 40;
/// Words that are searched for.
const MOST_WORDS: usize = 16;

/// The manual.
#[derive(Debug)]
pub(super) struct Manual;

impl Scheme for Manual {
    fn name(&self) -> &'static str {
        "readstone"
    }

    fn form(&self) -> &'static str {
        "readstone://[PAGE | ?q=WORDS]"
    }

    fn open(&self, rest: &str, reading: &Reading, _: &Opening<'_>) -> Result<Sourced, Fault> {
        let asked = Asked::of(self, rest, reading);
        if asked.path.is_empty() {
            return Ok(contents(&asked));
        }
        if let Some(query) = asked.path.strip_prefix('?') {
            let words = query.strip_prefix("q=").ok_or_else(|| asked.bad("the only question it takes is ?q="))?;
            return search(&asked, words);
        }
        let name = asked.path.strip_prefix("docs/").unwrap_or(asked.path).trim_end_matches('/');
        let called = |page: &str| page.eq_ignore_ascii_case(name) || stem(page).eq_ignore_ascii_case(name);
        if let Some((page, text)) = PAGES.iter().find(|(page, _)| called(page)) {
            return Ok(opened(&asked, page, text));
        }
        let known = || PAGES.iter().map(|(page, _)| (*page).to_owned()).collect();
        Err(missing(&asked, name, known))
    }
}

fn stem(page: &str) -> &str {
    page.strip_suffix(".md").unwrap_or(page)
}

fn opened(asked: &Asked<'_>, page: &str, text: &str) -> Sourced {
    let bytes = text.as_bytes().to_vec();
    let stamp = Some(Stamp::of_content(&version_of(&bytes), bytes.len() as u64));
    let blob = Arc::new(Memory::new(bytes));
    let piece = Piece { blob, path: asked.at(page), name: page.to_owned(), stamp, beside: Arc::new(Alone) };
    asked.found(page, Finding::Piece(piece), Nature::Fixed)
}

/// The pages with their titles, and below each the addresses of its sections.
fn contents(asked: &Asked<'_>) -> Sourced {
    let mut list = List::or("no section has all these words");
    for (page, text) in PAGES {
        let sections = sections(text);
        let title = sections.iter().find(|section| section.level == 1).map_or("", |section| section.words.as_str());
        list.push(&asked.at(page), title);
        for section in sections.iter().filter(|section| section.level > 1) {
            list.push(&format!("  {}:@{}", asked.at(page), section.words), "");
        }
    }
    list.push(&asked.at("?q=WORDS"), "the sections in which all the words stand");
    list.sourced(asked, "")
}

/// A section of a page.
struct Section<'a> {
    /// Its heading without signs.
    words: String,
    level: usize,
    /// Its lines up to the next heading.
    lines: Vec<&'a str>,
}

/// The sections of a page, in order. What stands in fences is no heading.
fn sections(text: &str) -> Vec<Section<'_>> {
    let mut all: Vec<Section<'_>> = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        fenced ^= line.trim_start().starts_with("```");
        let level = line.len() - line.trim_start_matches('#').len();
        let heading = line.get(level..).and_then(|rest| rest.strip_prefix(' ')).filter(|_| !fenced && level > 0);
        if let Some(heading) = heading {
            let words = heading.replace(['`', '*'], "").trim().to_owned();
            all.push(Section { words, level, lines: Vec::new() });
        } else if let Some(section) = all.last_mut() {
            section.lines.push(line);
        }
    }
    all
}

/// The sections in which all the words stand, each with the line that has the most of them.
fn search(asked: &Asked<'_>, query: &str) -> Result<Sourced, Fault> {
    let text = decode(query).unwrap_or_else(|| query.to_owned()).replace('+', " ").to_lowercase();
    let words: Vec<&str> = text.split_whitespace().take(MOST_WORDS + 1).collect();
    if words.is_empty() {
        return Err(asked.bad("the question has no words"));
    }
    if words.len() > MOST_WORDS {
        return Err(asked.bad("the question has more than 16 words"));
    }
    let mut hits: Vec<(String, String)> = Vec::new();
    for (page, text) in PAGES {
        for section in sections(text) {
            let (count, line) = section.matches(&words);
            let address =
                if section.level > 1 { format!("{}:@{}", asked.at(page), section.words) } else { asked.at(page) };
            if count == words.len() {
                hits.push((address, line));
            }
        }
    }
    if hits.is_empty() && !asked.is_last() {
        return Err(missing(asked, asked.path, Vec::new));
    }
    let mut list = List::or("no section has all these words");
    for (address, line) in hits.iter().take(MOST_HITS) {
        list.push(address, line);
    }
    list.ended_by(MOST_HITS);
    Ok(list.sourced(asked, asked.path))
}

impl Section<'_> {
    /// How many of the words stand in it, and the line with the most of them.
    fn matches(&self, words: &[&str]) -> (usize, String) {
        let heading = self.words.to_lowercase();
        let lines: Vec<String> = self.lines.iter().map(|line| line.to_lowercase()).collect();
        let count =
            words.iter().filter(|word| heading.contains(**word) || lines.iter().any(|line| line.contains(**word)));
        let score = |line: &String| words.iter().filter(|word| line.contains(**word)).count();
        let best = lines.iter().enumerate().rev().max_by_key(|(_, line)| score(line)).map(|(at, _)| at);
        let line = best.and_then(|at| self.lines.get(at)).copied().unwrap_or_default();
        (count.count(), one_line(line, 200))
    }
}
