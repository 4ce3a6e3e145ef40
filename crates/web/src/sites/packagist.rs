//! Packages of Packagist, for PHP.

use serde_json::Value;

use super::parts::{
    Members, Page, at, counted, encode, fact, joined, json, link, list, number, one_line, raw, wanted, word,
};
use super::{Answer, Request, Site, Spot, enough};

/// Versions that are shown.
const MOST_VERSIONS: usize = 50;
/// Every version repeats what it is made of; most of that is of no use here.
const USED: Members = Members::But(&[
    "require-dev",
    "autoload",
    "autoload-dev",
    "source",
    "dist",
    "support",
    "authors",
    "funding",
    "extra",
    "suggest",
    "conflict",
    "replace",
    "provide",
    "keywords",
]);

pub(super) const PACKAGE: Site =
    Site { method: "packagist", hosts: &["packagist.org", "www.packagist.org"], ask, then: enough, make };

fn ask(spot: &Spot<'_>) -> Option<Vec<Request>> {
    match spot.parts().as_slice() {
        // The document itself has the address of the page with an ending.
        ["packages", vendor, name] if name.rsplit('.').next() != Some("json") => {
            Some(vec![json(format!("https://packagist.org/packages/{}/{}.json", encode(vendor), encode(name)))])
        }
        _ => None,
    }
}

fn make(_: &Spot<'_>, answers: &[Answer<'_>]) -> Option<String> {
    let whole = wanted(answers.first(), USED)?;
    let package = at(&whole, "package");
    let name = Some(word(package, "name")).filter(|name| !name.is_empty())?;
    let mut versions: Vec<&Value> =
        at(package, "versions").as_object().into_iter().flat_map(|map| map.values()).collect();
    versions.sort_by(|one, other| raw(other, "time").cmp(raw(one, "time")));
    // Branches are versions there too; the newest release says what is needed.
    let newest = versions.iter().copied().find(|version| !raw(version, "version").contains("dev"));
    let newest = newest.or_else(|| versions.first().copied()).unwrap_or(&Value::Null);
    let mut page = Page::new(&format!("{name} {}", word(newest, "version")));
    page.block(&word(package, "description"));
    let licences = list(newest, "license").iter().filter_map(Value::as_str).map(one_line);
    page.facts(&[
        fact("Licence", &joined(&licences.collect::<Vec<_>>(), 10)),
        fact("released", raw(newest, "time")),
        counted("downloads", number(package, "downloads.total")),
        counted("stars", number(package, "github_stars")),
        fact("repository", &link(package, "repository").unwrap_or_default()),
        fact("homepage", &link(newest, "homepage").unwrap_or_default()),
    ]);
    let needs = at(newest, "require").as_object().into_iter().flatten();
    let needs = needs.map(|(name, range)| one_line(&format!("{name} {}", range.as_str().unwrap_or_default())));
    page.facts(&[fact("Requires", &joined(&needs.collect::<Vec<_>>(), 100))]);
    page.heading(2, "Versions");
    page.line("");
    for version in versions.iter().take(MOST_VERSIONS) {
        page.line(&format!("- {} {}", word(version, "version"), raw(version, "time")));
    }
    page.more(versions.len().saturating_sub(MOST_VERSIONS), "versions");
    Some(page.done())
}
