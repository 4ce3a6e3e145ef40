//! Gems of Ruby.

use serde_json::Value;

use super::parts::{Page, counted, encode, fact, joined, json, link, list, number, raw, value, word};
use super::{Answer, Request, Site, Spot, enough};

/// Versions that are shown.
const MOST_VERSIONS: usize = 50;

pub(super) const GEM: Site =
    Site { method: "rubygems", hosts: &["rubygems.org", "www.rubygems.org"], ask, then: enough, make };

fn ask(spot: &Spot<'_>) -> Option<Vec<Request>> {
    let parts = spot.parts();
    let (name, about) = match parts.as_slice() {
        ["gems", name] => (encode(name), format!("v1/gems/{}.json", encode(name))),
        ["gems", name, "versions", version] => {
            (encode(name), format!("v2/rubygems/{}/versions/{}.json", encode(name), encode(version)))
        }
        _ => return None,
    };
    let base = "https://rubygems.org/api";
    Some(vec![json(format!("{base}/{about}")), json(format!("{base}/v1/versions/{name}.json"))])
}

fn make(_: &Spot<'_>, answers: &[Answer<'_>]) -> Option<String> {
    let gem = value(answers.first())?;
    let versions = value(answers.get(1)).unwrap_or_default();
    let version = [word(&gem, "version"), word(&gem, "number")].into_iter().find(|version| !version.is_empty())?;
    let mut page = Page::new(&format!("{} {version}", word(&gem, "name")));
    let said = if raw(&gem, "info").is_empty() { raw(&gem, "description") } else { raw(&gem, "info") };
    page.block(said);
    let licences: Vec<String> = list(&gem, "licenses").iter().filter_map(Value::as_str).map(str::to_owned).collect();
    page.facts(&[
        fact("Licence", &joined(&licences, 10)),
        fact("released", raw(&gem, "version_created_at")),
        fact("authors", &word(&gem, "authors")),
        counted("downloads", number(&gem, "downloads")),
    ]);
    let linked = |name: &str, field: &str| fact(name, &link(&gem, field).unwrap_or_default());
    page.facts(&[
        linked("Homepage", "homepage_uri"),
        linked("source", "source_code_uri"),
        linked("documentation", "documentation_uri"),
        linked("changes", "changelog_uri"),
    ]);
    for (field, title) in [("dependencies.runtime", "Dependencies"), ("dependencies.development", "For development")] {
        let all = list(&gem, field).iter();
        let all: Vec<String> =
            all.map(|need| format!("{} {}", word(need, "name"), word(need, "requirements"))).collect();
        page.facts(&[fact(title, &joined(&all, 50))]);
    }
    let versions = versions.as_array().map(Vec::as_slice).unwrap_or_default();
    if !versions.is_empty() {
        page.heading(2, "Versions");
        page.line("");
    }
    for version in versions.iter().take(MOST_VERSIONS) {
        let platform = Some(word(version, "platform")).filter(|platform| !platform.is_empty() && platform != "ruby");
        let platform = platform.map_or_else(String::new, |platform| format!(" ({platform})"));
        page.line(&format!("- {}{platform} {}", word(version, "number"), raw(version, "created_at")));
    }
    page.more(versions.len().saturating_sub(MOST_VERSIONS), "versions");
    Some(page.done())
}
