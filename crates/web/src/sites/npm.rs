//! Packages of npm.

use serde_json::Value;

use super::parts::{Members, Page, at, encode, fact, joined, json, link, list, number, raw, value, wanted, word};
use super::{Answer, Request, Site, Spot, enough};

/// Names of what is needed that are shown.
const MOST_NAMES: usize = 100;
/// What is of use in the document about all versions, which is mostly about each of them.
const OF_ALL: Members = Members::Only(&["dist-tags", "time", "readme"]);

pub(super) const PACKAGE: Site =
    Site { method: "npm", hosts: &["npmjs.com", "www.npmjs.com"], ask, then: enough, make };

/// The name and the version of an address.
fn named(spot: &Spot<'_>) -> Option<(String, Option<String>)> {
    let parts = spot.parts();
    let (name, rest) = match parts.as_slice() {
        ["package", scope, name, rest @ ..] if scope.len() > 1 && scope.starts_with('@') => {
            (format!("{}%2f{}", encode(scope), encode(name)), rest)
        }
        ["package", name, rest @ ..] if !name.starts_with('@') => (encode(name), rest),
        _ => return None,
    };
    match rest {
        [] => Some((name, None)),
        ["v", version] => Some((name, Some((*version).to_owned()))),
        _ => None,
    }
}

/// The document of a popular package may be too large to fetch; that of one version never is.
fn ask(spot: &Spot<'_>) -> Option<Vec<Request>> {
    let (name, version) = named(spot)?;
    let base = format!("https://registry.npmjs.org/{name}");
    let version = version.map_or_else(|| "latest".to_owned(), |version| encode(&version));
    Some(vec![json(format!("{base}/{version}")), json(base)])
}

fn make(spot: &Spot<'_>, answers: &[Answer<'_>]) -> Option<String> {
    let this = value(answers.first())?;
    let whole = wanted(answers.get(1), OF_ALL).unwrap_or_default();
    let version = Some(word(&this, "version")).filter(|version| !version.is_empty())?;
    let mut page = Page::new(&format!("{} {version}", word(&this, "name")));
    page.block(&word(&this, "description"));
    let licence = at(&this, "license");
    let licence = licence.as_str().map_or_else(|| word(licence, "type"), str::to_owned);
    let keywords: Vec<String> = list(&this, "keywords").iter().filter_map(Value::as_str).map(str::to_owned).collect();
    page.facts(&[
        fact("Licence", &super::parts::one_line(&licence)),
        fact("released", at(&whole, "time").get(&version).and_then(Value::as_str).unwrap_or_default()),
        fact("unpacked bytes", &number(&this, "dist.unpackedSize").map_or_else(String::new, |size| size.to_string())),
        fact("deprecated", &word(&this, "deprecated")),
        fact("homepage", &link(&this, "homepage").unwrap_or_default()),
        fact("repository", &repository(&this)),
        fact("keywords", &joined(&keywords, 20)),
    ]);
    let tags = at(&whole, "dist-tags").as_object();
    let tags = tags.into_iter().flatten().map(|(tag, version)| format!("{tag} {}", version.as_str().unwrap_or("")));
    page.facts(&[fact("Tags", &joined(&tags.collect::<Vec<_>>(), 20))]);
    for (field, title) in [("dependencies", "Dependencies"), ("peerDependencies", "Peer dependencies")] {
        page.facts(&[fact(title, &needs(at(&this, field)))]);
    }
    write_versions(&mut page, &whole);
    let readme = [&whole, &this].into_iter().map(|place| raw(place, "readme")).find(|text| !text.trim().is_empty());
    match readme {
        Some(readme) if named(spot)?.1.is_none() => {
            page.heading(2, "README");
            page.block(readme);
        }
        Some(_) | None => {}
    }
    Some(page.done())
}

fn repository(this: &Value) -> String {
    let given = at(this, "repository");
    let given = given.as_str().unwrap_or_else(|| raw(given, "url"));
    super::parts::one_line(given.strip_prefix("git+").unwrap_or(given))
}

fn needs(map: &Value) -> String {
    let all = map.as_object().into_iter().flatten();
    let all: Vec<String> = all.map(|(name, range)| format!("{name} {}", range.as_str().unwrap_or(""))).collect();
    super::parts::one_line(&joined(&all, MOST_NAMES))
}

fn write_versions(page: &mut Page, whole: &Value) {
    let times = at(whole, "time").as_object().into_iter().flatten();
    let versions: Vec<(&str, &str)> = times
        .filter(|(name, _)| !matches!(name.as_str(), "created" | "modified" | "unpublished"))
        .filter_map(|(name, time)| Some((time.as_str()?, name.as_str())))
        .collect();
    page.versions(versions);
}
