//! Crates: what the registry says of one, what its newest or named version needs, and its README.

use serde_json::Value;

use super::parts::{
    Members, Page, at, counted, encode, fact, joined, json, limited, link, list, number, plain, raw, request, text,
    value, word,
};
use super::{Answer, Request, Site, Spot};

/// Versions that are shown.
const MOST_VERSIONS: usize = 50;
/// Names of features and of what is needed that are shown.
const MOST_NAMES: usize = 100;

pub(super) const CRATE: Site = Site { method: "crates.io", hosts: &["crates.io", "www.crates.io"], ask, then, make };

/// The name and the version of an address.
fn named(spot: &Spot<'_>) -> Option<(String, Option<String>)> {
    let parts = spot.parts();
    let (name, version) = match parts.as_slice() {
        ["crates", name] => (name, None),
        ["crates", name, version] if version.starts_with(|sign: char| sign.is_ascii_digit()) => (name, Some(version)),
        _ => return None,
    };
    let fits = name.len() <= 64 && name.chars().all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_'));
    fits.then(|| ((*name).to_owned(), version.map(|version| encode(version))))
}

fn ask(spot: &Spot<'_>) -> Option<Vec<Request>> {
    let (name, version) = named(spot)?;
    let base = format!("https://crates.io/api/v1/crates/{name}");
    let mut requests = vec![json(base.clone()), request(index(&name), "*/*")];
    requests.extend(version.map(|version| request(format!("{base}/{version}/readme"), "text/html")));
    Some(requests)
}

/// Which README to fetch is known once the newest version is.
fn then(spot: &Spot<'_>, answers: &[Answer<'_>]) -> Vec<Request> {
    let newest = || {
        let (name, version) = named(spot)?;
        let about = value(answers.first()).filter(|_| version.is_none() && answers.len() == 2)?;
        let version = encode(&newest(&about)?);
        Some(request(format!("https://crates.io/api/v1/crates/{name}/{version}/readme"), "text/html"))
    };
    newest().into_iter().collect()
}

/// The file of the index that tells what each version needs.
fn index(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let cut = |from: usize, to: usize| name.get(from..to).unwrap_or_default();
    let folder = match name.len() {
        1 => "1".to_owned(),
        2 => "2".to_owned(),
        3 => format!("3/{}", cut(0, 1)),
        _ => format!("{}/{}", cut(0, 2), cut(2, 4)),
    };
    format!("https://index.crates.io/{folder}/{name}")
}

fn newest(about: &Value) -> Option<String> {
    let fields = ["crate.default_version", "crate.max_stable_version", "crate.max_version"];
    fields.into_iter().map(|field| word(about, field)).find(|version| !version.is_empty())
}

fn make(spot: &Spot<'_>, answers: &[Answer<'_>]) -> Option<String> {
    let about = value(answers.first())?;
    let (_, asked) = named(spot)?;
    let shown = asked.clone().or_else(|| newest(&about))?;
    let versions = list(&about, "versions");
    let this = versions.iter().find(|version| raw(version, "num") == shown);
    if asked.is_some() && this.is_none() {
        return None;
    }
    let this = this.unwrap_or(&Value::Null);
    let mut page = Page::new(&format!("{} {shown}", word(&about, "crate.name")));
    page.block(&word(&about, "crate.description"));
    let yanked = if at(this, "yanked").as_bool() == Some(true) { "yanked" } else { "" };
    page.facts(&[
        fact("Licence", &word(this, "license")),
        fact("released", raw(this, "created_at")),
        fact("Rust", &word(this, "rust_version")),
        counted("downloads", number(&about, "crate.downloads")),
        counted("recent downloads", number(&about, "crate.recent_downloads")),
        fact("newest", &newest(&about).unwrap_or_default()),
        yanked.to_owned(),
    ]);
    let linked = |name: &str, field: &str| fact(name, &link(&about, field).unwrap_or_default());
    page.facts(&[
        linked("Repository", "crate.repository"),
        linked("documentation", "crate.documentation"),
        linked("homepage", "crate.homepage"),
    ]);
    let keywords: Vec<String> = list(&about, "keywords").iter().map(|keyword| word(keyword, "id")).collect();
    page.facts(&[fact("Keywords", &joined(&keywords, 20))]);
    if let Some(row) = text(answers.get(1)).and_then(|rows| row(rows, &shown)) {
        write_needs(&mut page, &row);
    }
    write_versions(&mut page, versions);
    if let Some(readme) = text(answers.get(2)) {
        page.heading(2, "README");
        page.block(&plain(readme, &link(&about, "crate.repository").unwrap_or_else(|| spot.url.to_owned())));
    }
    Some(page.done())
}

/// The row of the index for a version.
fn row(rows: &str, version: &str) -> Option<Value> {
    let wanted = format!("\"vers\":\"{version}\"");
    rows.lines().rev().find(|row| row.contains(&wanted)).and_then(|row| limited(row.as_bytes(), Members::All))
}

fn write_needs(page: &mut Page, row: &Value) {
    let (mut plain, mut other) = (Vec::new(), Vec::new());
    for need in list(row, "deps") {
        let optional = if at(need, "optional").as_bool() == Some(true) { " (optional)" } else { "" };
        let shown = format!("{} {}{optional}", word(need, "name"), word(need, "req"));
        match raw(need, "kind") {
            "dev" => {}
            "build" => other.push(shown),
            _ => plain.push(shown),
        }
    }
    let features = ["features", "features2"].into_iter().filter_map(|field| at(row, field).as_object());
    let features: Vec<String> = features.flat_map(|map| map.keys().cloned()).collect();
    page.facts(&[fact("Dependencies", &joined(&plain, MOST_NAMES))]);
    page.facts(&[fact("Build dependencies", &joined(&other, MOST_NAMES))]);
    page.facts(&[fact("Features", &joined(&features, MOST_NAMES))]);
}

fn write_versions(page: &mut Page, versions: &[Value]) {
    page.heading(2, "Versions");
    page.line("");
    for version in versions.iter().take(MOST_VERSIONS) {
        let yanked = if at(version, "yanked").as_bool() == Some(true) { " (yanked)" } else { "" };
        page.line(&format!("- {} {}{yanked}", word(version, "num"), raw(version, "created_at")));
    }
    page.more(versions.len().saturating_sub(MOST_VERSIONS), "versions");
}
