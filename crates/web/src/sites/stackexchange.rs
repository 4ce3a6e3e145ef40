//! Questions of Stack Overflow and its sister sites, with their answers.

use serde_json::Value;

use super::parts::{
    Page, at, counted, date, fact, joined, json, line, link, list, number, one_line, plain, raw, value,
};
use super::{Answer, Request, Site, Spot, enough};

/// Answers that are asked for and shown.
const MOST_ANSWERS: usize = 100;
const INTERFACE: &str = "https://api.stackexchange.com/2.3";

pub(super) const QUESTION: Site = Site {
    method: "stackexchange",
    hosts: &[
        "stackoverflow.com",
        "*.stackoverflow.com",
        "*.stackexchange.com",
        "serverfault.com",
        "*.serverfault.com",
        "superuser.com",
        "*.superuser.com",
        "askubuntu.com",
        "*.askubuntu.com",
        "mathoverflow.net",
        "*.mathoverflow.net",
        "stackapps.com",
    ],
    ask,
    then: enough,
    make,
};

fn ask(spot: &Spot<'_>) -> Option<Vec<Request>> {
    let parts = spot.parts();
    let host = spot.host.to_ascii_lowercase();
    let site = host.strip_prefix("www.").unwrap_or(&host);
    if matches!(site, "api.stackexchange.com" | "chat.stackexchange.com" | "chat.stackoverflow.com") {
        return None;
    }
    let is_id = |id: &str| !id.is_empty() && id.len() <= 12 && id.bytes().all(|sign| sign.is_ascii_digit());
    let tail = format!("site={site}&filter=withbody");
    match parts.as_slice() {
        ["questions" | "q", id, ..] if is_id(id) => Some(vec![
            json(format!("{INTERFACE}/questions/{id}?{tail}")),
            json(format!("{INTERFACE}/questions/{id}/answers?order=desc&sort=votes&pagesize=100&{tail}")),
        ]),
        ["a", id, ..] if is_id(id) => Some(vec![
            json(format!("{INTERFACE}/answers/{id}/questions?{tail}")),
            json(format!("{INTERFACE}/answers/{id}?{tail}")),
        ]),
        _ => None,
    }
}

fn make(spot: &Spot<'_>, answers: &[Answer<'_>]) -> Option<String> {
    let (asked, answered) = (value(answers.first())?, value(answers.get(1))?);
    let question = list(&asked, "items").first()?;
    // Without the body there is nothing to read, whatever the interface says.
    let body = Some(raw(question, "body")).filter(|body| !body.is_empty())?;
    let address = link(question, "link").unwrap_or_else(|| spot.url.to_owned());
    let mut page = Page::new(&line(raw(question, "title")));
    let tags: Vec<String> = list(question, "tags").iter().filter_map(Value::as_str).map(one_line).collect();
    page.facts(&[
        score(question),
        fact("asked by", &who(question)),
        fact("date", &when(question, "creation_date")),
        fact("changed", &when(question, "last_edit_date")),
        fact("tags", &joined(&tags, 10)),
        counted("views", number(question, "view_count")),
        counted("answers", number(question, "answer_count")),
        fact("closed", &line(raw(question, "closed_reason"))),
    ]);
    page.block(&address);
    page.block(&plain(body, &address));
    let given = list(&answered, "items");
    let (first, rest): (Vec<&Value>, Vec<&Value>) = given.iter().partition(|answer| is_accepted(answer));
    for answer in first.into_iter().chain(rest).take(MOST_ANSWERS) {
        let accepted = if is_accepted(answer) { "Accepted answer" } else { "Answer" };
        page.heading(2, &format!("{accepted} by {}", who(answer)));
        page.facts(&[score(answer), when(answer, "creation_date"), fact("changed", &when(answer, "last_edit_date"))]);
        page.block(&plain(raw(answer, "body"), &address));
    }
    let all = number(question, "answer_count").and_then(|all| usize::try_from(all).ok()).unwrap_or(given.len());
    page.more(all.max(given.len()).saturating_sub(given.len().min(MOST_ANSWERS)), "answers");
    // The licence of these texts asks that it be named.
    page.facts(&[fact("Licence", &line(raw(question, "content_license")))]);
    Some(page.done())
}

fn is_accepted(answer: &Value) -> bool {
    at(answer, "is_accepted").as_bool() == Some(true)
}

fn who(post: &Value) -> String {
    let name = line(raw(post, "owner.display_name"));
    if name.is_empty() { "someone".to_owned() } else { name }
}

fn when(post: &Value, field: &str) -> String {
    at(post, field).as_i64().map_or_else(String::new, date::of_seconds)
}

/// A score may be below zero.
fn score(post: &Value) -> String {
    at(post, "score").as_i64().map_or_else(String::new, |score| format!("Score: {score}"))
}
