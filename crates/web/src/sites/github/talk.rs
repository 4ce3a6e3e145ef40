//! Issues and pull requests with what is said below them.

use serde_json::Value;

use super::commit::write_files;
use super::{HOSTS, Place, is_number, login};
use crate::sites::parts::{Page, at, counted, fact, fenced, joined, link, list, number, raw, value, word};
use crate::sites::{Answer, Request, Site, Spot, enough};

/// Comments that are asked for and shown.
const MOST_COMMENTS: usize = 100;

pub(in crate::sites) const ISSUE: Site =
    Site { method: "github-issue", hosts: HOSTS, ask: ask_issue, then: enough, make: make_issue };
pub(in crate::sites) const PULL: Site =
    Site { method: "github-pull", hosts: HOSTS, ask: ask_pull, then: enough, make: make_pull };

fn ask_issue(spot: &Spot<'_>) -> Option<Vec<Request>> {
    let place = Place::of(&spot.parts())?;
    match place.rest.as_slice() {
        ["issues", id] if is_number(id) => {
            Some(vec![place.ask(&format!("/issues/{id}")), place.ask(&format!("/issues/{id}/comments?per_page=100"))])
        }
        _ => None,
    }
}

fn ask_pull(spot: &Spot<'_>) -> Option<Vec<Request>> {
    let place = Place::of(&spot.parts())?;
    match place.rest.as_slice() {
        ["pull", id] if is_number(id) => Some(vec![
            place.ask(&format!("/pulls/{id}")),
            place.ask(&format!("/issues/{id}/comments?per_page=100")),
            place.ask(&format!("/pulls/{id}/comments?per_page=100")),
        ]),
        ["pull", id, "files" | "changes"] if is_number(id) => {
            Some(vec![place.ask(&format!("/pulls/{id}")), place.ask(&format!("/pulls/{id}/files?per_page=100"))])
        }
        _ => None,
    }
}

fn make_issue(_: &Spot<'_>, answers: &[Answer<'_>]) -> Option<String> {
    let issue = value(answers.first())?;
    let comments = value(answers.get(1))?;
    let mut page = begin(&issue)?;
    page.block(raw(&issue, "body"));
    write_comments(&mut page, comments.as_array()?, number(&issue, "comments"));
    Some(page.done())
}

fn make_pull(spot: &Spot<'_>, answers: &[Answer<'_>]) -> Option<String> {
    let pull = value(answers.first())?;
    let second = value(answers.get(1))?;
    let mut page = begin(&pull)?;
    page.facts(&[
        format!("{} → {}", word(&pull, "head.label"), word(&pull, "base.label")),
        counted("commits", number(&pull, "commits")),
        counted("changed files", number(&pull, "changed_files")),
        counted("additions", number(&pull, "additions")),
        counted("deletions", number(&pull, "deletions")),
    ]);
    page.block(raw(&pull, "body"));
    if spot.parts().last().is_some_and(|last| matches!(*last, "files" | "changes")) {
        write_files(&mut page, second.as_array()?, number(&pull, "changed_files"));
        return Some(page.done());
    }
    let remarks = value(answers.get(2))?;
    write_comments(&mut page, second.as_array()?, number(&pull, "comments"));
    write_remarks(&mut page, remarks.as_array()?, number(&pull, "review_comments"));
    Some(page.done())
}

/// The title and who opened it, which are alike for both.
fn begin(thread: &Value) -> Option<Page> {
    let id = number(thread, "number")?;
    let mut page = Page::new(&format!("{} (#{id})", word(thread, "title")));
    let labels: Vec<String> = list(thread, "labels").iter().map(|label| word(label, "name")).collect();
    let people: Vec<String> = list(thread, "assignees").iter().map(|person| word(person, "login")).collect();
    page.facts(&[
        fact("State", &state(thread)),
        fact("author", &login(thread, "user")),
        fact("opened", raw(thread, "created_at")),
        fact("updated", raw(thread, "updated_at")),
        fact("closed", raw(thread, "closed_at")),
        fact("labels", &joined(&labels, 20)),
        fact("assignees", &joined(&people, 20)),
        fact("milestone", &word(thread, "milestone.title")),
        counted("comments", number(thread, "comments")),
    ]);
    page.block(&link(thread, "html_url").unwrap_or_default());
    Some(page)
}

fn state(thread: &Value) -> String {
    let merged = !raw(thread, "merged_at").is_empty() || !raw(thread, "pull_request.merged_at").is_empty();
    let base = if merged { "merged".to_owned() } else { word(thread, "state") };
    let draft = if at(thread, "draft").as_bool() == Some(true) { " draft" } else { "" };
    let reason = Some(word(thread, "state_reason")).filter(|reason| !reason.is_empty() && base == "closed");
    let reason = reason.map_or_else(String::new, |reason| format!(" ({})", reason.replace('_', " ")));
    let kind = if thread.get("pull_request").is_some() { " (a pull request)" } else { "" };
    format!("{base}{draft}{reason}{kind}")
}

fn write_comments(page: &mut Page, comments: &[Value], all: Option<u64>) {
    for comment in comments.iter().take(MOST_COMMENTS) {
        page.heading(2, &format!("{}, {}", login(comment, "user"), raw(comment, "created_at")));
        page.block(raw(comment, "body"));
    }
    page.more(left(comments.len(), all), "comments");
}

/// What is said about lines of the change.
fn write_remarks(page: &mut Page, remarks: &[Value], all: Option<u64>) {
    for remark in remarks.iter().take(MOST_COMMENTS) {
        let line = number(remark, "line").or_else(|| number(remark, "original_line"));
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        let place = format!("{}{line}", word(remark, "path"));
        page.heading(2, &format!("{} on {place}, {}", login(remark, "user"), raw(remark, "created_at")));
        // An answer to a remark need not repeat what it is about.
        if number(remark, "in_reply_to_id").is_none() {
            page.block(&fenced(&last_lines(raw(remark, "diff_hunk")), "diff"));
        }
        page.block(raw(remark, "body"));
    }
    page.more(left(remarks.len(), all), "review comments");
}

fn last_lines(hunk: &str) -> String {
    let mut lines: Vec<&str> = hunk.lines().rev().take(6).collect();
    lines.reverse();
    lines.join("\n")
}

/// How many are not shown.
fn left(given: usize, all: Option<u64>) -> usize {
    let all = all.and_then(|all| usize::try_from(all).ok()).unwrap_or(given);
    all.max(given).saturating_sub(given.min(MOST_COMMENTS))
}
