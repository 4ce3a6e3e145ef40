//! Articles of Wikipedia.
//!
//! The plain text of the interface is asked for, because it is the article and nothing else: no boxes for navigation,
//! no marks for editing, no footnotes between words, and a fraction of the size. It has no tables, so an article that
//! is mostly tables is left to the steps that read the page.

use std::fmt::Write as _;

use super::parts::{Page, at, encode, fact, json, link, list, number, raw, value, word};
use super::{Answer, Request, Site, Spot, enough};

/// An article whose source is more than this many times its text is mostly tables.
const MOST_SOURCE: usize = 8;
/// Sources shorter than this say nothing about that.
const SHORT_SOURCE: usize = 4000;
/// What stands before the colon of pages that are not articles.
const OTHER_PAGES: [&str; 14] = [
    "special",
    "file",
    "category",
    "talk",
    "user",
    "wikipedia",
    "template",
    "help",
    "portal",
    "draft",
    "module",
    "mediawiki",
    "user_talk",
    "image",
];

pub(super) const ARTICLE: Site = Site { method: "wikipedia", hosts: &["*.wikipedia.org"], ask, then: enough, make };

fn ask(spot: &Spot<'_>) -> Option<Vec<Request>> {
    let language = spot.host.split('.').next().filter(|label| !matches!(*label, "www" | "m" | "api"))?.to_lowercase();
    // Old versions and other views of an article are told by what stands behind the question mark.
    if !spot.query.is_empty() {
        return None;
    }
    let parts = spot.parts();
    let ["wiki", title @ ..] = parts.as_slice() else { return None };
    let title = title.join("/");
    let space = title.split_once(':').map(|(space, _)| space.to_ascii_lowercase());
    let other = space.is_some_and(|space| OTHER_PAGES.contains(&space.as_str()) || space.ends_with("_talk"));
    if title.is_empty() || title.len() > 512 || title.contains(['|', '\u{1f}']) || other {
        return None;
    }
    let wanted = "action=query&format=json&formatversion=2&redirects=1&prop=extracts%7cinfo%7cdescription%7crevisions\
                  &inprop=url&rvprop=timestamp&exlimit=1&explaintext=1&exsectionformat=wiki";
    let title = encode(&title).replace('+', "%2b");
    Some(vec![json(format!("https://{language}.wikipedia.org/w/api.php?{wanted}&titles={title}"))])
}

fn make(_: &Spot<'_>, answers: &[Answer<'_>]) -> Option<String> {
    let whole = value(answers.first())?;
    let article = list(&whole, "query.pages").first()?;
    let text = raw(article, "extract");
    let source = number(article, "length").and_then(|length| usize::try_from(length).ok()).unwrap_or(0);
    let tables = source > SHORT_SOURCE && text.len().saturating_mul(MOST_SOURCE) < source;
    if text.trim().is_empty() || tables || at(article, "ns").as_u64() != Some(0) {
        return None;
    }
    let mut page = Page::new(&word(article, "title"));
    page.facts(&[
        word(article, "description"),
        fact("last change", list(article, "revisions").first().map_or("", |last| raw(last, "timestamp"))),
        link(article, "canonicalurl").or_else(|| link(article, "fullurl")).unwrap_or_default(),
    ]);
    page.block(&sections(&formulas(text)));
    Some(page.done())
}

/// The text with headings of Markdown, without sections of which nothing is left.
fn sections(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut open: Vec<(usize, usize)> = Vec::new();
    for line in text.lines() {
        match heading(line) {
            None => {
                if !line.trim().is_empty() {
                    open.clear();
                }
                push(&mut out, line.trim_end());
            }
            Some((level, title)) => {
                close(&mut out, &mut open, level);
                open.push((level, out.len()));
                push(&mut out, "");
                let _ = writeln!(out, "{} {title}", "#".repeat(level));
                push(&mut out, "");
            }
        }
    }
    close(&mut out, &mut open, 0);
    out
}

/// Writes a line, unless it is the second empty one.
fn push(out: &mut String, line: &str) {
    if !(line.is_empty() && (out.is_empty() || out.ends_with("\n\n"))) {
        out.push_str(line);
        out.push('\n');
    }
}

/// Takes away the headings from this level on below which nothing was said.
fn close(out: &mut String, open: &mut Vec<(usize, usize)>, level: usize) {
    while let Some((_, start)) = open.pop_if(|(above, _)| *above >= level) {
        out.truncate(start);
    }
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let line = line.trim();
    let level = line.bytes().take_while(|sign| *sign == b'=').count();
    let marks = line.get(..level)?;
    let title = line.get(level..)?.strip_suffix(marks)?.trim();
    ((2..=6).contains(&level) && !title.is_empty()).then_some((level, title))
}

/// The text with each formula once, as its source, instead of also letter by letter on lines of their own.
fn formulas(text: &str) -> String {
    const MARK: &str = "{\\displaystyle";
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(MARK) {
        let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(without_letters(before));
        let Some(end) = end_of_braces(after) else {
            rest = after;
            break;
        };
        let source = after.get(MARK.len()..end).unwrap_or_default().trim();
        let blank = if out.is_empty() || out.ends_with([' ', '\n', '(']) { "" } else { " " };
        let _ = write!(out, "{blank}${source}$");
        rest = after.get(end + 1..).unwrap_or_default();
        // The break behind belongs to the formula, unless a paragraph ends there.
        let next = rest.trim_start_matches(' ');
        if let Some(next) = next.strip_prefix('\n').map(|next| next.trim_start_matches(' ')) {
            let next = next.strip_prefix('\n').filter(|next| !next.starts_with(['\n', '='])).unwrap_or(next);
            if !next.starts_with('\n') {
                let blank = if next.starts_with([',', '.', ';', ':', ')', ' ']) { "" } else { " " };
                out.push_str(blank);
                rest = next;
            }
        }
    }
    out.push_str(rest);
    out
}

/// What stands before the lines that only hold single letters of a formula.
fn without_letters(before: &str) -> &str {
    let mut kept = before.trim_end_matches(' ');
    while let Some(start) = kept.trim_end_matches('\n').rfind('\n') {
        let line = kept.get(start + 1..).unwrap_or_default().trim_end_matches('\n');
        if !line.starts_with("  ") {
            break;
        }
        kept = kept.get(..=start).unwrap_or_default().trim_end_matches(' ');
    }
    kept.trim_end_matches('\n')
}

fn end_of_braces(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, sign) in text.bytes().enumerate().take(10_000) {
        match sign {
            b'{' => depth += 1,
            b'}' if depth <= 1 => return Some(at),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}
