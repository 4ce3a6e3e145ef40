//! What a find or a search came to, in words.

use std::fmt::Write as _;

use readstone_base::{
    Block, Count, Found, FoundNote, Hidden, HitRow, Hits, Page, Part, Receipt, Reply, Role, Spot, Status, Visible,
};

use crate::receipt::{of_page, shown_matches};
use crate::{notes, size, web};

/// The reply of a call that looked through many things: paths, or a page for each thing that holds matches.
pub fn found(tool: &'static str, pages: &[&Page], mut found: Found) -> Reply {
    found.told = found.notes.iter().map(|note| words(note, found.cut_by)).collect();
    let mut text = String::new();
    let mut targets = Vec::with_capacity(pages.len());
    for page in pages {
        let section = section(page, &found);
        targets.push(of_page(page, &section));
        text.push_str(&section);
    }
    match found.paths.as_slice() {
        [path] if found.alone => text.extend([apart(path), &*Visible::of(path).text, "\n"]),
        paths => push_paths(&mut text, paths),
    }
    if text.is_empty() {
        push_nothing(&mut text, tool, &found);
    }
    if !found.missing.is_empty() {
        let missing: Vec<_> = found.missing.iter().map(|path| Visible::of(path).text).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "Skipped missing paths: {}", missing.join(", "));
    }
    if let Some(line) = line(tool, &found) {
        text.push_str(&line);
        text.push('\n');
    }
    let receipt = Receipt { tool, targets, found: Some(found), error: None };
    Reply { status: Status::Ok, parts: vec![Part::Text(text)], receipt }
}

/// What is said where nothing is shown.
fn push_nothing(text: &mut String, tool: &str, found: &Found) {
    let all = found.total.number();
    let least = if matches!(found.total, Count::AtLeast(_)) { "at least " } else { "" };
    if all > 0 {
        let _ = writeln!(text, "No more results; there are {least}{all} in all");
    } else {
        text.push_str(if tool == "find" { "No files found matching pattern\n" } else { "No matches found\n" });
    }
}

/// Paths below a line with their directory, which stands where the first of them does.
fn push_paths(text: &mut String, paths: &[String]) {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for path in paths {
        let bare = path.strip_suffix('/').unwrap_or(path);
        let start = bare.rfind('/').map_or(0, |at| at + 1);
        let (directory, name) = path.split_at(start);
        let at = *places.entry(directory).or_insert_with(|| {
            groups.push((directory, Vec::new()));
            groups.len() - 1
        });
        if let Some((_, names)) = groups.get_mut(at) {
            names.push(name);
        }
    }
    // What stands under no directory would be taken for part of the group above it.
    groups.sort_by_key(|(directory, _)| !directory.is_empty());
    for (directory, names) in groups {
        if !directory.is_empty() {
            let _ = writeln!(text, "# {}", Visible::of(directory).text);
        }
        for name in names {
            let _ = writeln!(text, "{}{}", apart(name), Visible::of(name).text);
        }
    }
}

/// What stands before a name that could be taken for a line of ours, and leaves it the same name.
fn apart(name: &str) -> &'static str {
    let like_ours =
        name.starts_with(['#', '[', '¶']) || ["next:", "No ", "Skipped "].iter().any(|own| name.starts_with(own));
    if like_ours { "./" } else { "" }
}

/// What was found in one thing, below a line that names it.
fn section(page: &Page, found: &Found) -> String {
    let path = Visible::of(page.path.as_deref().unwrap_or(&page.address)).text;
    let mark = if found.alone { "¶" } else { "# " };
    let tag = page.tag().filter(|_| page.editable).map(|tag| format!("#{tag}")).unwrap_or_default();
    let mut text = format!("{mark}{path}{tag}\n");
    if let Some(web) = &page.web {
        text.push_str(&web::opens(web));
    }
    let hits = page.blocks.iter().filter_map(Block::hits);
    for hits in hits.clone() {
        hits.rows.iter().for_each(|row| push_row(&mut text, row));
    }
    if let Some(web) = &page.web {
        text.push_str(&web::closes(web));
    }
    let mut parts: Vec<String> = hits.filter_map(left_out).collect();
    parts.extend(page.notes.iter().map(|note| notes::words(note, page).1));
    parts.extend(page.coverage.cut_by.map(|limit| format!("limit {limit}")));
    parts.extend(
        page.coverage.next.iter().map(|next| format!("next: {} {}", next.tool, Visible::of(&next.argument).text)),
    );
    if !parts.is_empty() {
        let _ = writeln!(text, "[{}]", parts.join("; "));
    }
    text
}

/// `*LINE:` before a line that matches, ` LINE:` before one beside it.
fn push_row(text: &mut String, row: &HitRow) {
    text.push(match row.role {
        Role::Match => '*',
        Role::Context => ' ',
    });
    let _ = match &row.spot {
        Spot::Line(number) => writeln!(text, "{number}:{}", row.text),
        Spot::Cell(cell) => writeln!(text, "{}: {}", Visible::of(cell).text, row.text),
    };
}

/// How many matches are shown where these are not all.
fn left_out(hits: &Hits) -> Option<String> {
    let shown = shown_matches(hits);
    match hits.matches {
        Count::Exactly(all) => (all > shown).then(|| format!("{shown} of {all} matches")),
        Count::AtLeast(least) => Some(format!("{shown} of at least {} matches", least.max(shown))),
    }
}

/// The line at the end; `None` when all is shown and nothing need be said.
fn line(tool: &str, found: &Found) -> Option<String> {
    let mut parts = Vec::new();
    let noun = if tool == "find" { "path" } else { "file" };
    if let Some(shown) = found.shown {
        let all = match found.total {
            Count::Exactly(all) if shown.first == 1 && shown.last == all => None,
            Count::Exactly(all) => Some(all.to_string()),
            Count::AtLeast(least) => Some(format!("at least {least}")),
        };
        let range = if shown.first == shown.last {
            format!("{noun} {}", shown.first)
        } else {
            format!("{noun}s {}-{}", shown.first, shown.last)
        };
        parts.extend(all.map(|all| format!("{range} of {all}")));
    }
    parts.extend(found.told.iter().map(|(_, words)| words.clone()));
    parts.extend(found.cut_by.map(|limit| format!("limit {limit}")));
    for (before, hidden) in [("not searched: ", &found.unsearched), ("left out: ", &found.hidden)] {
        if !hidden.is_empty() {
            parts.push(format!("{before}{}", hidden.iter().map(counted).collect::<Vec<_>>().join(", ")));
        }
    }
    parts.extend(found.next_skip.map(|skip| format!("next: {tool} skip={skip}")));
    (!parts.is_empty()).then(|| format!("[{}]", parts.join("; ")))
}

/// A reason and a number, with the address of one of them where that helps.
fn counted(hidden: &Hidden) -> String {
    let address = hidden.address.as_ref().map(|address| format!(" ({})", Visible::of(address).text));
    let reason = reason(hidden);
    let reason = if hidden.count == 1 { one(reason) } else { reason.to_owned() };
    format!("{} {reason}{}", hidden.count, address.unwrap_or_default())
}

/// Why something was left out, as the error says it that opening it gives.
pub(crate) fn reason(hidden: &Hidden) -> &'static str {
    match hidden.reason {
        "denied" => "withheld",
        reason => reason,
    }
}

/// A reason that is spelled for several, for one.
fn one(reason: &str) -> String {
    let bare = |word: &str| word.strip_suffix('s').unwrap_or(word).to_owned();
    let words = reason.split(' ').map(|words| words.split('/').map(bare).collect::<Vec<_>>().join("/"));
    words.collect::<Vec<_>>().join(" ")
}

/// The code and the words of a note; `limit` is what the reply is cut by.
fn words(note: &FoundNote, limit: Option<&'static str>) -> (&'static str, String) {
    match note {
        FoundNote::TimedOut { after, count } => {
            let count = size::counted(*count, "partial match", "partial matches");
            // Time that the whole call is short of no longer timeout brings back.
            let increase = if limit == Some("call_ms") { "" } else { "increase timeout or " };
            let words =
                format!("find timed out after {}; returning {count} — {increase}narrow pattern", seconds(*after));
            ("find.timed_out", words)
        }
        FoundNote::NotAllSearched { files: 0 } => {
            ("search.not_all", "time ran out before all was searched; narrow the paths".to_owned())
        }
        FoundNote::NotAllSearched { files } => {
            ("search.not_all", format!("time ran out after {}; narrow the paths", size::count(*files, "file")))
        }
        FoundNote::Repaired { pattern } => {
            ("search.repaired", format!("the pattern was taken as {}", Visible::of(pattern).text))
        }
        FoundNote::NotWalked { address } => {
            let place = address.as_ref().map(|address| format!(" in {}", Visible::of(address).text));
            let place = place.unwrap_or_default();
            let words = format!("not all was walked: a directory{place} lies too deep or has too many entries");
            ("source.not_walked", words)
        }
        FoundNote::BadRules { count, file } => {
            let file = Visible::of(file).text;
            ("source.bad_rules", format!("{} left out, as in {file}", size::count(*count, "ignore rule")))
        }
        FoundNote::InPieces { address, limit } => (
            "search.in_pieces",
            format!(
                "{} was searched in pieces ({limit}); a match across two of them may be missed",
                Visible::of(address).text
            ),
        ),
        FoundNote::Failed { address, why } => {
            // Most errors name what they are about.
            let named = why.contains(&format!("'{address}"));
            let address = if named { String::new() } else { format!("{address}: ") };
            ("search.failed", format!("not all was searched: {}{}", Visible::of(&address).text, Visible::of(why).text))
        }
    }
}

fn seconds(milliseconds: u64) -> String {
    if milliseconds.is_multiple_of(1_000) {
        format!("{}s", milliseconds / 1_000)
    } else {
        format!("{}.{}s", milliseconds / 1_000, milliseconds % 1_000 / 100)
    }
}
