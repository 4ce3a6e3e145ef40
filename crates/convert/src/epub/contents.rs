//! The table of contents of a book: what its files are called.

use std::collections::HashMap;

use super::outline::{Outline, resolve};
use crate::Refusal;
use crate::open::xml::{Step, Walker};
use crate::package::Package;

/// Names that are taken at most.
const MOST_NAMES: usize = 100_000;

/// What files are called, by their paths. A book without a sound table of contents has chapters without names.
pub(crate) fn titles(package: &mut Package<'_>, outline: &Outline, depth: u64) -> HashMap<String, String> {
    let mut names = HashMap::new();
    for path in [&outline.nav, &outline.ncx].into_iter().flatten() {
        let Ok(Some(part)) = package.text(path) else { continue };
        // What was read before a fault is right.
        let _stopped = read(&part.content, path, depth, &mut names);
        if !names.is_empty() {
            break;
        }
    }
    names
}

/// Takes links of a page, or points of the older form: a label, and then the file it is for.
fn read(text: &str, path: &str, depth: u64, names: &mut HashMap<String, String>) -> Result<(), Refusal> {
    let mut walker = Walker::new(text, depth);
    let mut label = String::new();
    loop {
        match walker.next()? {
            Step::Open(element) => match element.local() {
                // Landmarks and lists of pages say what something is for, not what it is called.
                "nav" if element.get("type").is_some_and(|kind| kind != "toc") => walker.skip()?,
                "pageList" | "navList" | "head" => walker.skip()?,
                "a" => {
                    let target = element.get("href").and_then(|target| resolve(path, &target));
                    let words = walker.words()?;
                    keep(names, target, words);
                }
                "text" => label = walker.words()?,
                "content" => {
                    let target = element.get("src").and_then(|target| resolve(path, &target));
                    keep(names, target, std::mem::take(&mut label));
                }
                _ => {}
            },
            Step::Close | Step::Text(_) => {}
            Step::End => return Ok(()),
        }
    }
}

fn keep(names: &mut HashMap<String, String>, target: Option<String>, words: String) {
    let Some(target) = target.filter(|_| !words.is_empty() && names.len() < MOST_NAMES) else { return };
    names.entry(target).or_insert(words);
}
