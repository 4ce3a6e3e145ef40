//! A commit: what it says and what it changes.

use serde_json::Value;

use super::{HOSTS, Place};
use crate::sites::parts::{Page, at, counted, fact, fenced, joined, link, list, number, raw, value, word};
use crate::sites::{Answer, Request, Site, Spot, enough};

/// Files that are shown.
const MOST_FILES: usize = 100;
/// Once this much is written, files are named without what changed in them.
const MOST_TEXT: usize = 512 * 1024;

pub(in crate::sites) const COMMIT: Site = Site { method: "github-commit", hosts: HOSTS, ask, then: enough, make };

fn ask(spot: &Spot<'_>) -> Option<Vec<Request>> {
    let place = Place::of(&spot.parts())?;
    let ["commit", id] = place.rest.as_slice() else { return None };
    let fits = (7..=64).contains(&id.len()) && id.bytes().all(|sign| sign.is_ascii_hexdigit());
    fits.then(|| vec![place.ask(&format!("/commits/{id}"))])
}

fn make(_: &Spot<'_>, answers: &[Answer<'_>]) -> Option<String> {
    let commit = value(answers.first())?;
    let message = raw(&commit, "commit.message");
    let (title, body) = message.split_once('\n').unwrap_or((message, ""));
    let mut page = Page::new(title);
    let parents: Vec<String> = list(&commit, "parents").iter().map(|parent| word(parent, "sha")).collect();
    page.facts(&[
        fact("Commit", Some(raw(&commit, "sha")).filter(|id| !id.is_empty())?),
        fact("author", &format!("{} <{}>", word(&commit, "commit.author.name"), word(&commit, "commit.author.email"))),
        fact("date", raw(&commit, "commit.author.date")),
        fact("parents", &joined(&parents, 8)),
        counted("additions", number(&commit, "stats.additions")),
        counted("deletions", number(&commit, "stats.deletions")),
    ]);
    page.block(&link(&commit, "html_url").unwrap_or_default());
    page.block(body);
    write_files(&mut page, list(&commit, "files"), None);
    Some(page.done())
}

/// Files with what changed in them.
pub(super) fn write_files(page: &mut Page, files: &[Value], all: Option<u64>) {
    for file in files.iter().take(MOST_FILES) {
        let before = word(file, "previous_filename");
        let before = if before.is_empty() { before } else { format!(" (was {before})") };
        page.heading(2, &format!("{}{before}", word(file, "filename")));
        page.facts(&[
            word(file, "status"),
            counted("additions", number(file, "additions")),
            counted("deletions", number(file, "deletions")),
        ]);
        let patch = at(file, "patch").as_str();
        match patch {
            Some(patch) if page.len() + patch.len() <= MOST_TEXT => page.block(&fenced(patch, "diff")),
            Some(_) => page.block("(the change is left out: there are too many)"),
            None => page.block("(no text of the change)"),
        }
    }
    let all = all.and_then(|all| usize::try_from(all).ok()).unwrap_or(0).max(files.len());
    page.more(all.saturating_sub(files.len().min(MOST_FILES)), "files");
}
