//! Packages of Hex, for Erlang and Elixir.

use serde_json::Value;

use super::parts::{Page, at, counted, encode, fact, joined, json, list, number, one_line, raw, value, word};
use super::{Answer, Request, Site, Spot, enough};

/// Versions that are shown.
const MOST_VERSIONS: usize = 50;

pub(super) const PACKAGE: Site = Site { method: "hex", hosts: &["hex.pm", "www.hex.pm"], ask, then: enough, make };

fn ask(spot: &Spot<'_>) -> Option<Vec<Request>> {
    let parts = spot.parts();
    let base = "https://hex.pm/api/packages";
    match parts.as_slice() {
        ["packages", name] => Some(vec![json(format!("{base}/{}", encode(name)))]),
        ["packages", name, version] if version.starts_with(|sign: char| sign.is_ascii_digit()) => Some(vec![
            json(format!("{base}/{}", encode(name))),
            json(format!("{base}/{}/releases/{}", encode(name), encode(version))),
        ]),
        _ => None,
    }
}

fn make(spot: &Spot<'_>, answers: &[Answer<'_>]) -> Option<String> {
    let package = value(answers.first())?;
    let release = if spot.parts().len() > 2 { Some(value(answers.get(1))?) } else { None };
    let newest = [word(&package, "latest_stable_version"), word(&package, "latest_version")];
    let version = release.as_ref().map(|release| word(release, "version"));
    let version = version.or_else(|| newest.into_iter().find(|version| !version.is_empty())).unwrap_or_default();
    let name = Some(word(&package, "name")).filter(|name| !name.is_empty())?;
    let mut page = Page::new(&format!("{name} {version}"));
    page.block(raw(&package, "meta.description"));
    let licences = list(&package, "meta.licenses").iter().filter_map(Value::as_str).map(one_line);
    page.facts(&[
        fact("Licence", &joined(&licences.collect::<Vec<_>>(), 10)),
        fact("updated", raw(&package, "updated_at")),
        counted("downloads", number(&package, "downloads.all")),
        fact("documentation", raw(&package, "docs_html_url")),
    ]);
    let links = at(&package, "meta.links").as_object().into_iter().flatten();
    let links = links.map(|(what, link)| one_line(&format!("{what}: {}", link.as_str().unwrap_or_default())));
    page.some(&links.collect::<Vec<_>>(), "links");
    let needs = release.as_ref().map_or(&Value::Null, |release| at(release, "requirements")).as_object();
    let needs =
        needs.into_iter().flatten().map(|(name, need)| format!("{} {}", one_line(name), word(need, "requirement")));
    page.facts(&[fact("Dependencies", &joined(&needs.collect::<Vec<_>>(), 100))]);
    let releases = list(&package, "releases");
    page.heading(2, "Versions");
    page.line("");
    for release in releases.iter().take(MOST_VERSIONS) {
        page.line(&format!("- {} {}", word(release, "version"), raw(release, "inserted_at")));
    }
    page.more(releases.len().saturating_sub(MOST_VERSIONS), "versions");
    Some(page.done())
}
