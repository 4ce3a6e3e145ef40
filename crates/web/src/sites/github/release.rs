//! Releases: the list, the latest, or one by its tag.

use serde_json::Value;

use super::{HOSTS, Place, is_number, login};
use crate::sites::parts::{Page, at, counted, encode, fact, link, list, number, raw, value, word};
use crate::sites::{Answer, Request, Site, Spot, enough};

/// Releases of a list that are asked for.
const MOST_RELEASES: usize = 20;
/// Files of a release that are shown.
const MOST_FILES: usize = 50;

pub(in crate::sites) const RELEASE: Site = Site { method: "github-release", hosts: HOSTS, ask, then: enough, make };

fn ask(spot: &Spot<'_>) -> Option<Vec<Request>> {
    let place = Place::of(&spot.parts())?;
    let what = match place.rest.as_slice() {
        ["releases"] => {
            let page = spot.parameter("page").filter(|page| is_number(page)).unwrap_or("1");
            format!("/releases?per_page={MOST_RELEASES}&page={page}")
        }
        ["releases", "latest"] => "/releases/latest".to_owned(),
        // A tag may have slashes in its name.
        ["releases", "tag", tag @ ..] if !tag.is_empty() => format!("/releases/tags/{}", encode(&tag.join("/"))),
        _ => return None,
    };
    Some(vec![place.ask(&what)])
}

fn make(spot: &Spot<'_>, answers: &[Answer<'_>]) -> Option<String> {
    let whole = value(answers.first())?;
    let parts = spot.parts();
    let place = Place::of(&parts)?;
    let Some(releases) = whole.as_array() else {
        let mut page = Page::new(&format!("{}: {}", place.name(), title(&whole)?));
        write(&mut page, &whole);
        return Some(page.done());
    };
    let mut page = Page::new(&format!("Releases of {}", place.name()));
    for release in releases.iter().take(MOST_RELEASES) {
        page.heading(2, &title(release)?);
        write(&mut page, release);
    }
    if releases.is_empty() {
        page.block("(none)");
    }
    if releases.len() >= MOST_RELEASES {
        let shown = spot.parameter("page").and_then(|page| page.parse::<u32>().ok()).unwrap_or(1);
        let next = shown.saturating_add(1);
        page.block(&format!("(older ones: https://github.com/{}/releases?page={next})", place.name()));
    }
    Some(page.done())
}

fn title(release: &Value) -> Option<String> {
    let tag = Some(word(release, "tag_name")).filter(|tag| !tag.is_empty())?;
    let name = word(release, "name");
    Some(if name.is_empty() || name == tag { tag } else { format!("{name} ({tag})") })
}

fn write(page: &mut Page, release: &Value) {
    let flag = |field: &'static str| if at(release, field).as_bool() == Some(true) { field } else { "" };
    page.facts(&[
        fact("Published", raw(release, "published_at")),
        fact("author", &login(release, "author")),
        flag("prerelease").to_owned(),
        flag("draft").to_owned(),
        link(release, "html_url").unwrap_or_default(),
    ]);
    page.block(raw(release, "body"));
    let files = list(release, "assets");
    if files.is_empty() {
        return;
    }
    page.block("Files:");
    page.line("");
    for file in files.iter().take(MOST_FILES) {
        let place = link(file, "browser_download_url").unwrap_or_default();
        let size = number(file, "size").map_or_else(String::new, |size| format!("{size} bytes"));
        let facts = [size, counted("downloads", number(file, "download_count"))].join(", ");
        page.line(&format!("- [{}]({place}) ({facts})", word(file, "name")));
    }
    page.more(files.len().saturating_sub(MOST_FILES), "files");
}
