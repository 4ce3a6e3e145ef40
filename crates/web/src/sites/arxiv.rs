//! Papers of arXiv: what the interface says of one. The paper itself is a document of its own.

use super::parts::{Page, fact, one_line, request, text};
use super::{Answer, Request, Site, Spot, enough};
use crate::feed;

pub(super) const PAPER: Site =
    Site { method: "arxiv", hosts: &["arxiv.org", "www.arxiv.org", "export.arxiv.org"], ask, then: enough, make };

/// The number of a paper, new or old, with its version.
fn paper(spot: &Spot<'_>) -> Option<String> {
    let parts = spot.parts();
    let ["abs" | "pdf", id @ ..] = parts.as_slice() else { return None };
    let joined = id.join("/");
    let id = joined.strip_suffix(".pdf").unwrap_or(&joined);
    let is_version = |text: &str| text.is_empty() || text.strip_prefix('v').is_some_and(|rest| is_digits(rest, 1..=3));
    let (bare, version) = id.rfind('v').and_then(|at| id.split_at_checked(at)).unwrap_or((id, ""));
    let (bare, version) = if is_version(version) { (bare, version) } else { (id, "") };
    let new = bare.split_once('.').is_some_and(|(month, number)| is_digits(month, 4..=4) && is_digits(number, 4..=5));
    let old = bare.split_once('/').is_some_and(|(archive, number)| {
        let fits = archive.chars().all(|sign| sign.is_ascii_alphabetic() || matches!(sign, '-' | '.'));
        fits && !archive.is_empty() && archive.len() <= 20 && is_digits(number, 7..=7)
    });
    (new || old).then(|| format!("{bare}{version}"))
}

fn is_digits(text: &str, length: std::ops::RangeInclusive<usize>) -> bool {
    length.contains(&text.len()) && text.bytes().all(|sign| sign.is_ascii_digit())
}

fn ask(spot: &Spot<'_>) -> Option<Vec<Request>> {
    let id = paper(spot)?;
    Some(vec![request(format!("https://export.arxiv.org/api/query?id_list={id}"), "application/atom+xml")])
}

fn make(spot: &Spot<'_>, answers: &[Answer<'_>]) -> Option<String> {
    let id = paper(spot)?;
    let feed = feed::channel(text(answers.first())?, "https://export.arxiv.org/")?;
    // What went wrong is told as an entry too.
    let entry = feed.entries.first().filter(|entry| entry.id.contains("arxiv.org/abs/"))?;
    let mut page = Page::new(&entry.title);
    let extra = |name: &str| entry.extra.iter().find(|(key, _)| key == name).map_or("", |(_, said)| said.as_str());
    page.facts(&[fact("Authors", &entry.authors.joined(100))]);
    page.facts(&[
        fact("arXiv", entry.id.rsplit_once("/abs/").map_or("", |(_, id)| id)),
        fact("published", &entry.published),
        fact("updated", &entry.updated),
        fact("primary category", extra("primary_category")),
        fact("categories", &entry.categories.joined(20)),
    ]);
    page.facts(&[fact("Comment", extra("comment")), fact("journal", extra("journal_ref")), fact("DOI", extra("doi"))]);
    page.facts(&[
        format!("Page: https://arxiv.org/abs/{id}"),
        format!("PDF: https://arxiv.org/pdf/{id}"),
        format!("HTML: https://arxiv.org/html/{id}"),
    ]);
    page.heading(2, "Abstract");
    page.block(&paragraphs(&entry.text));
    Some(page.done())
}

/// The abstract is broken into lines of eighty signs there.
fn paragraphs(text: &str) -> String {
    text.split("\n\n").map(one_line).collect::<Vec<_>>().join("\n\n")
}
