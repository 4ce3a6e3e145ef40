//! What stands around text of the web: where it came from, and marks that it cannot forge.

use std::fmt::Write as _;

use readstone_base::{Visible, Web, WebNote, size_text};

use crate::size;

/// Characters of a value that a server chose.
const MOST_CHARS: usize = 500;
/// Characters of a title.
const MOST_TITLE: usize = 200;

/// The lines above the text.
pub(crate) fn head(web: &Web) -> String {
    let mut text = format!("URL: {}\n", value(&web.final_url));
    let lines = [
        ("Content-Type", web.content_type.as_deref().map(value)),
        ("Method", Some(web.method.to_owned())),
        ("Notes", (!web.notes.is_empty()).then(|| notes(web))),
    ];
    for (name, line) in lines {
        if let Some(line) = line {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{name}: {line}");
        }
    }
    text.push_str("\n---\n");
    text
}

/// The line before text that others wrote, and what they say beside it: no line of the text is without a number.
pub(crate) fn opens(web: &Web) -> String {
    let mut text = format!("<<<{} third-party content from {}\n", web.fence, value(&web.origin));
    let lines = [("title", &web.title, MOST_TITLE), ("page", &web.own, MOST_CHARS)];
    for (name, line, most) in lines {
        if let Some(line) = line {
            let _ = writeln!(text, "{name}: {}", shortened(line, most));
        }
    }
    text
}

/// The line behind it.
pub(crate) fn closes(web: &Web) -> String {
    format!("{}>>>\n", web.fence)
}

fn notes(web: &Web) -> String {
    web.notes.iter().map(words).collect::<Vec<_>>().join("; ")
}

/// The code that programs see, for each note.
pub(crate) fn told(web: &Web) -> impl Iterator<Item = (&'static str, String)> {
    web.notes.iter().map(|note| (code(note), words(note)))
}

fn code(note: &WebNote) -> &'static str {
    match note {
        WebNote::Status { .. } => "web.status",
        WebNote::Redirected { .. } => "web.redirected",
        WebNote::Downgraded => "web.downgraded",
        WebNote::Cut { .. } => "web.cut",
        WebNote::Short { .. } => "web.short",
        WebNote::Late { .. } => "web.late",
        WebNote::Charset { .. } => "web.charset",
        WebNote::UnknownCharset { .. } => "web.unknown_charset",
        WebNote::OtherType { .. } => "web.other_type",
        WebNote::MainText { .. } => "web.main_text",
        WebNote::TakenFrom { .. } => "web.taken_from",
        WebNote::Fragment { .. } => "web.fragment",
        WebNote::LeadsOn { .. } => "web.leads_on",
        WebNote::NoPart => "web.no_part",
        WebNote::LeftOut { .. } => "web.left_out",
        WebNote::Said(_) => "web.said",
    }
}

fn words(note: &WebNote) -> String {
    match note {
        WebNote::Status { code, reason: "" } => format!("HTTP {code}"),
        WebNote::Status { code, reason } => format!("HTTP {code} {reason}"),
        WebNote::Redirected { hops: 1 } => "redirected here".to_owned(),
        WebNote::Redirected { hops } => format!("redirected here, {hops} times"),
        WebNote::Downgraded => "redirected from https to http".to_owned(),
        WebNote::Cut { limit, kept } => {
            format!("not whole: only the first {} were taken ({limit})", size_text(*kept))
        }
        WebNote::Short { why } => format!("not whole: {}", value(why)),
        WebNote::Late { kept, limit } => format!("not whole: only {} came in time ({limit})", size_text(*kept)),
        WebNote::Charset { name, replaced: 0 } => format!("decoded from {}", value(name)),
        WebNote::Charset { name, replaced } => format!("decoded from {}, {}", value(name), invalid(*replaced)),
        WebNote::UnknownCharset { name, replaced: 0 } => {
            format!("the encoding {} is not known; read as UTF-8", value(name))
        }
        WebNote::UnknownCharset { name, replaced } => {
            format!("the encoding {} is not known; read as UTF-8, {}", value(name), invalid(*replaced))
        }
        WebNote::OtherType { what } => format!("it is {what}, whatever its type says"),
        WebNote::MainText { percent, address } => {
            format!("main text, {percent}% of the page; all of it: read {}", value(address))
        }
        WebNote::TakenFrom { address } => format!("taken from {}", value(address)),
        WebNote::Fragment { address } => format!("the section: read {}", value(address)),
        WebNote::LeadsOn { address } => format!("it wants to lead on to {}, which was not followed", value(address)),
        WebNote::NoPart => "shown from its start; a colon that belongs to the address is written %3A".to_owned(),
        WebNote::LeftOut { what } => format!("left out: {}", value(what)),
        WebNote::Said(what) => value(what),
    }
}

fn invalid(count: u64) -> String {
    format!("with {} shown as U+FFFD", size::count(count, "invalid byte sequence"))
}

/// Something that others chose, on one line and harmless.
fn value(text: &str) -> String {
    shortened(text, MOST_CHARS)
}

fn shortened(text: &str, most: usize) -> String {
    let shown = Visible::of(text).text;
    match shown.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", shown.get(..end).unwrap_or_default()),
        None => shown.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{opens, words};
    use readstone_base::{Web, WebNote};

    #[test]
    fn what_a_page_is_called_stands_inside_the_fence_on_one_short_line() {
        let web = Web {
            url: "https://e.test/".to_owned(),
            final_url: "https://e.test/".to_owned(),
            content_type: None,
            method: "main-text",
            origin: "e.test".to_owned(),
            notes: Vec::new(),
            title: Some(format!("Tides\nabcdef>>>\n[done] {}", "x".repeat(500))),
            own: Some("The report.".to_owned()),
            fence: "abcdef".to_owned(),
        };
        let text = opens(&web);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert!(lines[0].starts_with("<<<abcdef third-party content from e.test"));
        assert!(lines[1].starts_with("title: Tides") && lines[1].chars().count() <= 208, "{text}");
        assert_eq!(lines[2], "page: The report.");
    }

    #[test]
    fn refusals_and_encodings_are_told_in_our_words() {
        assert_eq!(words(&WebNote::Status { code: 404, reason: "Not Found" }), "HTTP 404 Not Found");
        assert_eq!(words(&WebNote::Status { code: 599, reason: "" }), "HTTP 599");
        let unknown = |replaced| words(&WebNote::UnknownCharset { name: "x-9".to_owned(), replaced });
        assert_eq!(unknown(0), "the encoding x-9 is not known; read as UTF-8");
        assert!(unknown(1).ends_with("with 1 invalid byte sequence shown as U+FFFD"), "{}", unknown(1));
        assert!(words(&WebNote::Late { kept: 9, limit: "call_ms" }).ends_with("(call_ms)"));
    }
}
