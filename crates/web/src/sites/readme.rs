//! Links of a README that stands somewhere else than where it was written.

use crate::feed::link::Links;

/// What comes before an address in a line, and the signs that end the address.
const MARKS: [(&str, &[char]); 5] = [
    ("](", &[')', ' ', '\n']),
    ("href=\"", &['"', '\n']),
    ("href='", &['\'', '\n']),
    ("src=\"", &['"', '\n']),
    ("src='", &['\'', '\n']),
];

/// Markdown in which links and pictures that were relative are absolute; code stays as it is.
pub(super) fn absolute(markdown: &str, pages: &str, pictures: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut links = Links::of(markdown);
    let mut fence: Option<&str> = None;
    for line in markdown.split_inclusive('\n') {
        let bare = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (Some(_) | None, _) => {}
        }
        if fence.is_some() || mark.is_some() || line.starts_with("    ") {
            out.push_str(line);
        } else if let Some((label, target)) = definition(line) {
            out.push_str(label);
            write_target(&mut out, target.trim_end(), pages, &mut links);
            out.push('\n');
        } else {
            write_line(&mut out, line, [pages, pictures], &mut links);
        }
    }
    out
}

/// A line that only says what a label stands for: up to its address, and from there.
fn definition(line: &str) -> Option<(&str, &str)> {
    let colon = line.strip_prefix('[')?.find("]:")? + 1;
    let blanks = line.get(colon + 2..)?;
    let target = blanks.trim_start_matches(' ');
    // A footnote is no address, and one with a title is rare enough to stay as it is.
    let plain = !line.starts_with("[^") && !target.trim_end().is_empty() && !target.trim_end().contains(' ');
    plain.then(|| line.split_at_checked(line.len() - target.len())).flatten()
}

/// Every mark ends in one of three signs, so that one way through the line finds them all.
fn write_line(out: &mut String, line: &str, [pages, pictures]: [&str; 2], links: &mut Links) {
    let mut rest = line;
    let mut from = 0;
    while let Some(found) = rest.get(from..).and_then(|text| text.find(['(', '"', '\''])) {
        from += found + 1;
        let (before, after) = rest.split_at_checked(from).unwrap_or((rest, ""));
        let Some((mark, ends)) = MARKS.iter().find(|(mark, _)| before.ends_with(mark)) else { continue };
        out.push_str(before);
        let (target, behind) = after.split_at_checked(after.find(*ends).unwrap_or(after.len())).unwrap_or((after, ""));
        let picture = mark.starts_with("src") || (*mark == "](" && is_picture(before));
        write_target(out, target, if picture { pictures } else { pages }, links);
        rest = behind;
        from = 0;
    }
    out.push_str(rest);
}

/// The bracket that belongs to the end of a text says whether it is a picture.
fn is_picture(before: &str) -> bool {
    before.rfind('[').is_some_and(|open| before.get(..open).is_some_and(|text| text.ends_with('!')))
}

/// Writes an address as it is meant; places in the text itself stay.
fn write_target(out: &mut String, target: &str, base: &str, links: &mut Links) {
    let stays = target.is_empty() || target.starts_with(['#', '<']);
    // What starts at the root there starts at the root of the repository.
    let joined = links.join(base, target.strip_prefix('/').filter(|rest| !rest.starts_with('/')).unwrap_or(target));
    match joined.filter(|_| !stays) {
        Some(joined) => out.push_str(&joined),
        None => out.push_str(target),
    }
}
