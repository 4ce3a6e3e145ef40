//! Files, folders and gists.

use serde_json::Value;

use super::{HOSTS, INTERFACE, JSON, Place, RAW, login, path};
use crate::sites::parts::{Page, at, encode, fact, fenced, link, number, raw, request, text, value, word};
use crate::sites::{Answer, Request, Site, Spot, enough};

/// Entries of a folder that are shown; the interface gives no more than a thousand.
const MOST_ENTRIES: usize = 1000;
/// Files of a gist that are shown.
const MOST_FILES: usize = 50;

pub(in crate::sites) const BLOB: Site =
    Site { method: "github-blob", hosts: HOSTS, ask: ask_blob, then: enough, make: make_blob };
pub(in crate::sites) const TREE: Site =
    Site { method: "github-tree", hosts: HOSTS, ask: ask_tree, then: enough, make: make_tree };
pub(in crate::sites) const GIST: Site =
    Site { method: "github-gist", hosts: &["gist.github.com"], ask: ask_gist, then: enough, make: make_gist };

fn ask_blob(spot: &Spot<'_>) -> Option<Vec<Request>> {
    let place = Place::of(&spot.parts())?;
    match place.rest.as_slice() {
        // A branch with a slash in its name stands here in two parts, and is found that way there too.
        ["blob" | "raw", file @ ..] if file.len() > 1 => {
            Some(vec![request(format!("{RAW}/{}/{}", place.name(), path(file)), "*/*")])
        }
        _ => None,
    }
}

fn make_blob(_: &Spot<'_>, answers: &[Answer<'_>]) -> Option<String> {
    text(answers.first()).map(str::to_owned)
}

fn ask_tree(spot: &Spot<'_>) -> Option<Vec<Request>> {
    let place = Place::of(&spot.parts())?;
    match place.rest.as_slice() {
        ["tree", branch, folder @ ..] => {
            Some(vec![place.ask(&format!("/contents/{}?ref={}", path(folder), encode(branch).replace('+', "%2b")))])
        }
        _ => None,
    }
}

fn make_tree(spot: &Spot<'_>, answers: &[Answer<'_>]) -> Option<String> {
    let whole = value(answers.first())?;
    let entries = whole.as_array()?;
    let parts = spot.parts();
    let place = Place::of(&parts)?;
    let ["tree", branch, folder @ ..] = place.rest.as_slice() else { return None };
    let mut page = Page::new(&format!("{}/{} at {branch}", place.name(), folder.join("/")));
    page.block(&format!("{} entries", entries.len()));
    page.line("");
    let is_folder = |entry: &&Value| raw(entry, "type") == "dir";
    let folders = entries.iter().filter(is_folder);
    for entry in folders.chain(entries.iter().filter(|entry| !is_folder(entry))).take(MOST_ENTRIES) {
        page.line(&shown_entry(entry));
    }
    page.more(entries.len().saturating_sub(MOST_ENTRIES), "entries");
    Some(page.done())
}

fn shown_entry(entry: &Value) -> String {
    let (kind, name) = (raw(entry, "type"), word(entry, "name"));
    let slash = if kind == "dir" { "/" } else { "" };
    let note = match (kind, number(entry, "size")) {
        ("file", Some(size)) => format!(" ({size} bytes)"),
        ("dir" | "file", _) => String::new(),
        (other, _) => format!(" ({other})"),
    };
    match link(entry, "html_url") {
        Some(link) => format!("- [{name}{slash}]({link}){note}"),
        None => format!("- {name}{slash}{note}"),
    }
}

fn ask_gist(spot: &Spot<'_>) -> Option<Vec<Request>> {
    let parts = spot.parts();
    let is_id = |part: &str, least: usize| {
        (least..=64).contains(&part.len()) && part.bytes().all(|sign| sign.is_ascii_hexdigit())
    };
    let (id, version) = match parts.as_slice() {
        [id] if is_id(id, 20) => (id, None),
        [_, id] if is_id(id, 5) => (id, None),
        [_, id, version] if is_id(id, 5) && is_id(version, 40) => (id, Some(version)),
        _ => return None,
    };
    let version = version.map_or_else(String::new, |version| format!("/{version}"));
    Some(vec![request(format!("{INTERFACE}/gists/{id}{version}"), JSON)])
}

fn make_gist(_: &Spot<'_>, answers: &[Answer<'_>]) -> Option<String> {
    let gist = value(answers.first())?;
    let files = at(&gist, "files").as_object()?;
    let title = word(&gist, "description");
    let mut page = Page::new(if title.is_empty() { "Gist" } else { &title });
    page.facts(&[
        login(&gist, "owner"),
        fact("created", raw(&gist, "created_at")),
        fact("updated", raw(&gist, "updated_at")),
        format!("{} files", files.len()),
    ]);
    for (name, file) in files.iter().take(MOST_FILES) {
        page.heading(2, name);
        let content = raw(file, "content");
        if raw(file, "language") == "Markdown" {
            page.block(content);
        } else {
            page.block(&fenced(content, &language(file)));
        }
        if at(file, "truncated").as_bool() == Some(true) {
            page.block(&format!("(cut off; all of it: {})", link(file, "raw_url").unwrap_or_default()));
        }
    }
    page.more(files.len().saturating_sub(MOST_FILES), "files");
    page.facts(&[comments(&gist)]);
    Some(page.done())
}

fn comments(gist: &Value) -> String {
    number(gist, "comments").filter(|count| *count > 0).map_or_else(String::new, |count| format!("{count} comments"))
}

/// The word behind a fence.
fn language(file: &Value) -> String {
    raw(file, "language").to_ascii_lowercase().chars().filter(|sign| sign.is_alphanumeric() || *sign == '+').collect()
}
