//! Books: web pages in a package, with an order in which they are read.

mod contents;
mod outline;

use std::collections::HashMap;

use crate::html;
use crate::open::shelf::Shelf;
use crate::open::xml::{Step, Walker};
use crate::package::Package;
use crate::{Bounds, Made, Parts, Refusal, Remark, Section, State, Wish};

use contents::titles;
use outline::{Outline, resolve};

const CONTAINER: &str = "META-INF/container.xml";
/// How fonts are made useless outside of a book; the text of such a book is not encrypted.
const FONT_METHODS: [&str; 2] = ["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"];

/// Makes text of a book, a section for each file in its reading order.
pub(crate) fn book(bytes: &[u8], wish: &Wish, bounds: &Bounds) -> Result<Made, Refusal> {
    let mut package = Package::open(bytes, bounds)?;
    refuse_locked(&mut package, bounds.depth)?;
    let mut shelf = Shelf::new(Parts::Chapters, wish, bounds);
    let path = if let Some(path) = root(&mut package, bounds.depth)? {
        path
    } else {
        shelf.remark(Remark::Damaged(format!("{CONTAINER} is missing or names no book")));
        package.first_ending(".opf").ok_or_else(|| Refusal::Damaged("it has no list of its files".to_owned()))?
    };
    let Some(list) = package.text(&path)? else {
        return Err(Refusal::Damaged(format!("{path} is missing")));
    };
    let outline = Outline::read(&list.content, &path, bounds.depth)?;
    if outline.spine.is_empty() {
        return Err(Refusal::Damaged("it has no reading order".to_owned()));
    }
    let names = titles(&mut package, &outline, bounds.depth);
    for (index, item) in outline.spine.iter().enumerate() {
        if shelf.wants_next() {
            let mut section = chapter(&mut package, item.as_deref(), &names, &mut shelf)?;
            if index == 0 {
                add_title(&mut section, &outline);
            }
            shelf.take(section);
        }
    }
    let missing = |section: &Section| section.text.is_empty() && matches!(section.state, State::Lacking(_));
    let all = shelf.made.sections.len() == outline.spine.len();
    if all && shelf.made.sections.iter().all(missing) {
        return Err(Refusal::Damaged("its chapters are missing".to_owned()));
    }
    shelf.finish()
}

fn chapter(
    package: &mut Package<'_>,
    path: Option<&str>,
    names: &HashMap<String, String>,
    shelf: &mut Shelf,
) -> Result<Section, Refusal> {
    let name = path.and_then(|path| names.get(path)).cloned();
    let part = match path.map(|path| package.text(path)).transpose() {
        Ok(part) => part.flatten(),
        // One chapter that cannot be unpacked is not the whole book.
        Err(Refusal::Damaged(_)) => None,
        Err(
            other @ (Refusal::Encrypted
            | Refusal::Empty
            | Refusal::TooLarge { .. }
            | Refusal::Outside { .. }
            | Refusal::Unsupported { .. }),
        ) => return Err(other),
    };
    let Some(part) = part else {
        let what =
            path.map_or("a chapter that is not in the list of files".to_owned(), |path| format!("{path} is missing"));
        shelf.remark(Remark::Damaged(what));
        return Ok(Section { name, text: String::new(), state: State::Lacking("the file is missing".to_owned()) });
    };
    if !part.sound {
        shelf.remark(Remark::Damaged(format!("{} is damaged", path.unwrap_or_default())));
    }
    let html::Body { text, bare } = html::chapter(&part.content);
    if bare {
        shelf.remark(Remark::LeftOut(html::BARE.to_owned()));
    }
    let shows_picture = ["<img", "<svg", "<image", "<object"].iter().any(|tag| part.content.contains(tag));
    let words = text.lines().any(|line| !crate::open::is_picture(line));
    let state = match (words, shows_picture, part.sound) {
        (_, _, false) => State::Lacking("the file is damaged".to_owned()),
        (_, _, true) if html::breaks_off(&part.content) => State::Lacking("its markup is damaged".to_owned()),
        (true, _, true) => State::Whole,
        (false, true, true) => State::NoText,
        (false, false, true) => State::Blank,
    };
    Ok(Section { name, text: if words { text } else { String::new() }, state })
}

/// The title and the authors stand before the first chapter, unless it says them itself.
fn add_title(section: &mut Section, outline: &Outline) {
    let head: String = section.text.chars().take(400).collect::<String>().to_lowercase();
    if outline.title.iter().chain(&outline.authors).all(|words| head.contains(&words.to_lowercase())) {
        return;
    }
    let mut lines: Vec<String> = outline.title.iter().map(|title| format!("# {title}")).collect();
    lines.extend((!outline.authors.is_empty()).then(|| outline.authors.join(", ")));
    lines.extend((!section.text.is_empty()).then(|| std::mem::take(&mut section.text)));
    section.text = lines.join("\n\n");
    if matches!(section.state, State::Blank | State::NoText) {
        section.state = State::Whole;
    }
}

/// Where the list of files of the book is.
fn root(package: &mut Package<'_>, depth: u64) -> Result<Option<String>, Refusal> {
    let Some(part) = package.text(CONTAINER)? else { return Ok(None) };
    let mut walker = Walker::new(&part.content, depth);
    loop {
        match walker.next()? {
            Step::Open(element) if element.local() == "rootfile" => {
                return Ok(element.get("full-path").and_then(|path| resolve("", &path)));
            }
            Step::Open(_) | Step::Close | Step::Text(_) => {}
            Step::End => return Ok(None),
        }
    }
}

/// Refuses a book of which more than fonts is encrypted.
fn refuse_locked(package: &mut Package<'_>, depth: u64) -> Result<(), Refusal> {
    let Some(part) = package.text("META-INF/encryption.xml")? else { return Ok(()) };
    let mut walker = Walker::new(&part.content, depth);
    let mut key = 0_u64;
    loop {
        match walker.next()? {
            // How the key of a reader is encrypted says nothing of the book.
            Step::Open(element) if element.local() == "EncryptedKey" || key > 0 => key += 1,
            Step::Close if key > 0 => key -= 1,
            Step::Open(element) if element.local() == "EncryptionMethod" => {
                let method = element.get("Algorithm").unwrap_or_default();
                if !FONT_METHODS.contains(&method.as_str()) {
                    return Err(Refusal::Encrypted);
                }
            }
            Step::Open(_) | Step::Close | Step::Text(_) => {}
            Step::End => return Ok(()),
        }
    }
}
