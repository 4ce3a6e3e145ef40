//! Stories of Hacker News with what is said below them.

use serde_json::Value;

use super::parts::{Page, at, counted, fact, json, line, link, list, number, plain, raw, value, word};
use super::{Answer, Request, Site, Spot, enough};

/// Comments that are shown.
const MOST_COMMENTS: usize = 300;
/// Comments below one another that are still indented.
const DEEPEST: usize = 10;

pub(super) const ITEM: Site = Site { method: "hackernews", hosts: &["news.ycombinator.com"], ask, then: enough, make };

fn ask(spot: &Spot<'_>) -> Option<Vec<Request>> {
    let id = spot.parameter("id").filter(|id| !id.is_empty() && id.len() <= 12)?;
    let fits = spot.parts().as_slice() == ["item"] && id.bytes().all(|sign| sign.is_ascii_digit());
    fits.then(|| vec![json(format!("https://hn.algolia.com/api/v1/items/{id}"))])
}

fn make(_: &Spot<'_>, answers: &[Answer<'_>]) -> Option<String> {
    let item = value(answers.first())?;
    let id = number(&item, "id")?;
    let address = format!("https://news.ycombinator.com/item?id={id}");
    let title = line(raw(&item, "title"));
    let mut page = Page::new(if title.is_empty() { "Comment" } else { &title });
    page.facts(&[
        link(&item, "url").unwrap_or_default(),
        counted("points", number(&item, "points")),
        fact("by", &word(&item, "author")),
        fact("date", raw(&item, "created_at")),
        address.clone(),
    ]);
    let story = number(&item, "story_id").filter(|story| *story != id);
    page.facts(&[
        story.map_or_else(String::new, |story| format!("Story: https://news.ycombinator.com/item?id={story}"))
    ]);
    page.block(&plain(raw(&item, "text"), &address));
    let left = write_comments(&mut page, &item, &address);
    page.more(left, "comments");
    Some(page.done())
}

/// Writes the comments as lists inside lists and tells how many are left out.
fn write_comments(page: &mut Page, item: &Value, address: &str) -> usize {
    let mut waiting: Vec<(usize, &Value)> = list(item, "children").iter().rev().map(|child| (0, child)).collect();
    if !waiting.is_empty() {
        page.heading(2, "Comments");
        page.line("");
    }
    let (mut shown, mut left) = (0_usize, 0_usize);
    while let Some((depth, comment)) = waiting.pop() {
        waiting.extend(list(comment, "children").iter().rev().map(|child| (depth + 1, child)));
        let text = plain(raw(comment, "text"), address);
        // Deleted ones are there without text, because others answer them.
        if text.is_empty() && at(comment, "author").is_null() && list(comment, "children").is_empty() {
            continue;
        }
        if shown >= MOST_COMMENTS {
            left += 1;
            continue;
        }
        shown += 1;
        let indent = "  ".repeat(depth.min(DEEPEST));
        let author = Some(word(comment, "author")).filter(|author| !author.is_empty());
        let author = author.unwrap_or_else(|| "(deleted)".to_owned());
        page.line(&format!("{indent}- **{author}**, {}", raw(comment, "created_at")));
        for line in text.lines() {
            page.line(format!("{indent}  {line}").trim_end());
        }
    }
    left
}
