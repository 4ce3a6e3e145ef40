//! Projects of the Python index.

use serde_json::Value;

use super::parts::{Members, Page, at, encode, fact, joined, json, link, list, number, one_line, raw, wanted, word};
use super::{Answer, Request, Site, Spot, enough};

/// Names of what is needed, and files, that are shown.
const MOST_NAMES: usize = 100;
/// Files are told of in every version; most of that is of no use here.
const USED: Members = Members::But(&[
    "digests",
    "md5_digest",
    "packagetype",
    "python_version",
    "has_sig",
    "comment_text",
    "upload_time",
    "vulnerabilities",
]);

pub(super) const PROJECT: Site = Site { method: "pypi", hosts: &["pypi.org", "www.pypi.org"], ask, then: enough, make };

fn ask(spot: &Spot<'_>) -> Option<Vec<Request>> {
    let parts = spot.parts();
    let what = match parts.as_slice() {
        ["project", name] => encode(name),
        ["project", name, version] => format!("{}/{}", encode(name), encode(version)),
        _ => return None,
    };
    Some(vec![json(format!("https://pypi.org/pypi/{what}/json"))])
}

fn make(_: &Spot<'_>, answers: &[Answer<'_>]) -> Option<String> {
    let whole = wanted(answers.first(), USED)?;
    let about = at(&whole, "info");
    let name = Some(word(about, "name")).filter(|name| !name.is_empty())?;
    let mut page = Page::new(&format!("{name} {}", word(about, "version")));
    page.block(&word(about, "summary"));
    let licence = Some(word(about, "license_expression")).filter(|licence| !licence.is_empty());
    let licence = licence.unwrap_or_else(|| super::parts::shortened(&word(about, "license"), 80));
    let yanked = at(about, "yanked").as_bool() == Some(true);
    page.facts(&[
        fact("Licence", &licence),
        fact("Python", &word(about, "requires_python")),
        fact("author", [word(about, "author"), word(about, "author_email")].join(" ").trim()),
        fact("keywords", &word(about, "keywords")),
        fact("yanked", &if yanked { format!("yes {}", word(about, "yanked_reason")) } else { String::new() }),
    ]);
    let links = at(about, "project_urls").as_object().into_iter().flatten();
    let links = links.filter_map(|(what, _)| Some(format!("{}: {}", one_line(what), link_of(about, what)?)));
    page.some(&links.collect::<Vec<_>>(), "links");
    let needs: Vec<String> = list(about, "requires_dist").iter().filter_map(Value::as_str).map(one_line).collect();
    page.facts(&[fact("Requires", &joined(&needs, MOST_NAMES))]);
    write_files(&mut page, list(&whole, "urls"));
    write_versions(&mut page, &whole);
    let description = raw(about, "description");
    if !description.trim().is_empty() {
        page.heading(2, "Description");
        page.block(description);
    }
    Some(page.done())
}

fn link_of(about: &Value, what: &str) -> Option<String> {
    link(&serde_json::json!({ "link": at(about, "project_urls").get(what)? }), "link")
}

fn write_files(page: &mut Page, files: &[Value]) {
    if files.is_empty() {
        return;
    }
    page.heading(2, "Files");
    page.line("");
    for file in files.iter().take(MOST_NAMES) {
        let size = number(file, "size").map_or_else(String::new, |size| format!(" ({size} bytes)"));
        page.line(&format!("- {}{size} {}", word(file, "filename"), raw(file, "upload_time_iso_8601")));
    }
    page.more(files.len().saturating_sub(MOST_NAMES), "files");
}

fn write_versions(page: &mut Page, whole: &Value) {
    let releases = at(whole, "releases").as_object().into_iter().flatten();
    let first = |files: &Value| {
        let times = files.as_array().into_iter().flatten().map(|file| word(file, "upload_time_iso_8601"));
        times.min().unwrap_or_default()
    };
    page.versions(releases.map(|(name, files)| (first(files), name.as_str())).collect());
}
