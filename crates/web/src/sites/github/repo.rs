//! The front of a repository: what it says of itself, and its README.

use super::{HOSTS, Place};
use crate::sites::parts::{
    Page, at, counted, fact, joined, link, list, number, one_line, raw, request, text, value, word,
};
use crate::sites::readme::absolute;
use crate::sites::{Answer, Request, Site, Spot, enough};

pub(in crate::sites) const REPO: Site = Site { method: "github-repo", hosts: HOSTS, ask, then: enough, make };

fn ask(spot: &Spot<'_>) -> Option<Vec<Request>> {
    let place = Place::of(&spot.parts())?;
    // Tabs of the page stand behind a question mark; they are not the front.
    if !place.rest.is_empty() || spot.parameter("tab").is_some_and(|tab| !tab.starts_with("readme")) {
        return None;
    }
    let readme = place.ask("/readme").url;
    Some(vec![place.ask(""), request(readme, "application/vnd.github.raw+json")])
}

fn make(spot: &Spot<'_>, answers: &[Answer<'_>]) -> Option<String> {
    let about = value(answers.first())?;
    let name = Some(word(&about, "full_name")).filter(|name| !name.is_empty())?;
    // A repository need not have one; any other failure is the interface's.
    let readme = match answers.get(1) {
        Some(answer) if answer.status == 404 => None,
        other => Some(text(other)?),
    };
    let branch = word(&about, "default_branch");
    let mut page = Page::new(&name);
    page.block(&word(&about, "description"));
    let topics: Vec<String> = list(&about, "topics").iter().filter_map(|topic| topic.as_str()).map(one_line).collect();
    let archived = if at(&about, "archived").as_bool() == Some(true) { "archived" } else { "" };
    let fork = word(&about, "parent.full_name");
    page.facts(&[
        counted("Stars", number(&about, "stargazers_count")),
        counted("forks", number(&about, "forks_count")),
        counted("open issues", number(&about, "open_issues_count")),
        fact("licence", Some(raw(&about, "license.spdx_id")).filter(|id| !id.is_empty()).unwrap_or("none stated")),
        fact("default branch", &branch),
        fact("language", &word(&about, "language")),
        fact("topics", &joined(&topics, 20)),
        fact("pushed", raw(&about, "pushed_at")),
        fact("homepage", &link(&about, "homepage").unwrap_or_default()),
        fact("fork of", &fork),
        archived.to_owned(),
    ]);
    let place = Place::of(&spot.parts())?;
    let pages = format!("https://github.com/{}/blob/{branch}/", place.name());
    let pictures = format!("https://raw.githubusercontent.com/{}/{branch}/", place.name());
    match readme {
        Some(readme) => {
            page.block("---");
            page.block(&absolute(readme, &pages, &pictures));
        }
        None => page.block("(no README)"),
    }
    Some(page.done())
}
