//! The list of a book's files: what there is, and in what order it is read.

use std::collections::HashMap;

use crate::Refusal;
use crate::hex::hex_pair;
use crate::open::xml::{Element, Step, Walker};

/// Files that are listed at most.
const MOST_FILES: usize = 100_000;

/// What the list of files says.
#[derive(Default)]
pub(crate) struct Outline {
    pub(crate) title: Option<String>,
    pub(crate) authors: Vec<String>,
    /// The paths of the chapters; none for one that is not among the files.
    pub(crate) spine: Vec<Option<String>>,
    /// Where the table of contents is, in its newer form.
    pub(crate) nav: Option<String>,
    /// Where the table of contents is, in its older form.
    pub(crate) ncx: Option<String>,
}

#[derive(Default)]
struct Lists {
    paths: HashMap<String, String>,
    order: Vec<String>,
    toc: Option<String>,
}

impl Outline {
    /// Reads the list, which is at a path from which the others start.
    pub(crate) fn read(text: &str, path: &str, depth: u64) -> Result<Self, Refusal> {
        let mut outline = Self::default();
        let mut lists = Lists::default();
        let mut walker = Walker::new(text, depth);
        loop {
            match walker.next()? {
                Step::Open(element) => outline.take(&element, path, &mut lists, &mut walker)?,
                Step::Close | Step::Text(_) => {}
                Step::End => break,
            }
        }
        outline.spine = lists.order.iter().map(|name| lists.paths.get(name).cloned()).collect();
        let named = lists.toc.as_ref().and_then(|name| lists.paths.get(name)).cloned();
        outline.ncx = named.or(outline.ncx);
        Ok(outline)
    }

    fn take(
        &mut self,
        element: &Element<'_>,
        path: &str,
        lists: &mut Lists,
        walker: &mut Walker<'_>,
    ) -> Result<(), Refusal> {
        match element.local() {
            "title" if self.title.is_none() => self.title = Some(walker.words()?).filter(|title| !title.is_empty()),
            "creator" if self.authors.len() < 20 => {
                let author = walker.words()?;
                self.authors.extend(Some(author).filter(|author| !author.is_empty()));
            }
            "item" if lists.paths.len() < MOST_FILES => {
                let target = element.get("href").and_then(|target| resolve(path, &target));
                let (Some(name), Some(target)) = (element.get("id"), target) else { return Ok(()) };
                if element.get("properties").is_some_and(|all| all.split_whitespace().any(|one| one == "nav")) {
                    self.nav = Some(target.clone());
                }
                if element.get("media-type").is_some_and(|kind| kind == "application/x-dtbncx+xml") {
                    self.ncx = Some(target.clone());
                }
                lists.paths.insert(name, target);
            }
            "spine" => lists.toc = element.get("toc"),
            "itemref" if lists.order.len() < MOST_FILES => lists.order.extend(element.get("idref")),
            _ => {}
        }
        Ok(())
    }
}

/// The path of a part that a file names; nothing for an address elsewhere or one that leads out of the package.
pub(crate) fn resolve(from: &str, target: &str) -> Option<String> {
    let target = target.split(['#', '?']).next().unwrap_or_default();
    if target.is_empty() || target.contains("://") {
        return None;
    }
    let target = unescaped(target);
    let mut parts: Vec<&str> = if target.starts_with('/') { Vec::new() } else { from.split('/').collect() };
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// An address with its `%20` as the signs they stand for.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| *first == b'%').and_then(hex_pair);
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}
