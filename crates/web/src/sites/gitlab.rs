//! GitLab: files of public projects.

use super::parts::{encode, request, text};
use super::{Answer, Request, Site, Spot, enough};

pub(super) const BLOB: Site =
    Site { method: "gitlab-blob", hosts: &["gitlab.com", "www.gitlab.com"], ask, then: enough, make };

/// `GROUP/…/PROJECT/-/blob/REF/PATH`, in old addresses without the dash.
fn ask(spot: &Spot<'_>) -> Option<Vec<Request>> {
    let parts = spot.parts();
    let word = parts.iter().skip(2).position(|part| matches!(*part, "blob" | "raw"))? + 2;
    let (before, file) = (parts.get(..word)?, parts.get(word + 1..)?);
    let project = before.strip_suffix(&["-"]).unwrap_or(before);
    if project.len() < 2 || file.len() < 2 || project.contains(&"-") {
        return None;
    }
    let joined = |parts: &[&str]| parts.iter().map(|part| encode(part)).collect::<Vec<_>>().join("/");
    Some(vec![request(format!("https://gitlab.com/{}/-/raw/{}", joined(project), joined(file)), "*/*")])
}

fn make(_: &Spot<'_>, answers: &[Answer<'_>]) -> Option<String> {
    // Files are always given as plain text there; a page is the one that asks who is reading.
    let answer = answers.first().filter(|answer| !answer.content_type.trim_start().starts_with("text/html"))?;
    text(Some(answer)).map(str::to_owned)
}
