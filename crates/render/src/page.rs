//! A page as text: notice, header, rows, coverage.

use std::fmt::Write as _;

use readstone_base::{Block, Kind, Note, Page, Part, Raw, Visible};

use crate::{coverage, rows, web};

/// The part of a reply that shows a page.
pub(crate) fn part(page: &Page) -> Part {
    let raw = page.blocks.iter().find_map(|block| match block {
        Block::Raw(raw) => Some(raw),
        Block::Rows(_)
        | Block::Dump(_)
        | Block::Tree(_)
        | Block::Head(_)
        | Block::Grid(_)
        | Block::Records(_)
        | Block::Files(_)
        | Block::Hits(_) => None,
    });
    match raw {
        Some(raw) => Part::Verbatim(Raw { text: raw.text.clone(), bytes: raw.bytes.clone() }),
        None => Part::Text(framed(page)),
    }
}

/// What stands where there is nothing to show.
const EMPTY: &[(Note, &str)] = &[
    (Note::EmptyDirectory, "(empty directory)\n"),
    (Note::EmptyArchive, "(empty archive directory)\n"),
    (Note::NoRows, "(no rows)\n"),
];

/// Whether a note stands in the place of rows and not in the line below them.
pub(crate) fn stands_for_rows(note: &Note) -> bool {
    EMPTY.iter().any(|(empty, _)| empty == note)
}

fn framed(page: &Page) -> String {
    let mut text = String::with_capacity(page.blocks.iter().map(rows::size_hint).sum::<usize>() + 256);
    if let Some(guess) = &page.guess {
        let (asked, found) = (Visible::of(&guess.asked).text, Visible::of(&guess.found).text);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "[Path '{asked}' not found; resolved to '{found}' via {}]", guess.how);
    }
    text.push_str(&header(page));
    if let Some(web) = &page.web {
        text.push_str(&web::head(web));
        text.push_str(&web::opens(web));
    }
    let next = page.coverage.next.as_ref().map(|next| next.argument.as_str());
    for block in &page.blocks {
        match block {
            Block::Rows(lines) => rows::push_rows(&mut text, lines, page.tool, next),
            Block::Dump(dump) => rows::push_dump(&mut text, dump),
            Block::Tree(tree) => rows::push_tree(&mut text, tree, page.tool),
            Block::Head(lines) => rows::push_head(&mut text, lines),
            Block::Grid(grid) => rows::push_grid(&mut text, grid),
            Block::Records(records) => rows::push_records(&mut text, records),
            Block::Files(files) => rows::push_files(&mut text, files, page.tool),
            Block::Raw(_) | Block::Hits(_) => {}
        }
    }
    for (note, words) in EMPTY {
        if page.notes.contains(note) {
            text.push_str(words);
        }
    }
    if let Some(web) = &page.web {
        text.push_str(&web::closes(web));
    }
    if let Some(line) = coverage::line(page) {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// `¶PATH#TAG` for what can be edited, `¶PATH` for what cannot.
fn header(page: &Page) -> String {
    let path = page.path.as_deref().unwrap_or(&page.address);
    let path = Visible::of(path).text;
    let slash = if page.kind == Kind::Directory && !path.ends_with('/') { "/" } else { "" };
    match page.tag().filter(|_| page.editable) {
        Some(tag) => format!("¶{path}#{tag}\n"),
        None => format!("¶{path}{slash}\n"),
    }
}
