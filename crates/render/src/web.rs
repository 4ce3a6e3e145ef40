//! What stands around text of the web: where it came from, and marks that it cannot forge.

use std::fmt::Write as _;

use readstone_base::{Visible, Web, WebNote, size_text};

/// Characters of a value that a server chose.
const MOST_CHARS: usize = 500;

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

/// The line before text that others wrote.
pub(crate) fn opens(web: &Web) -> String {
    format!("<<<{} third-party content from {}\n", web.fence, value(&web.origin))
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
        WebNote::Titled(_) => "web.titled",
        WebNote::MainText { .. } => "web.main_text",
        WebNote::TakenFrom { .. } => "web.taken_from",
        WebNote::Fragment { .. } => "web.fragment",
        WebNote::LeftOut { .. } => "web.left_out",
        WebNote::Said(_) => "web.said",
    }
}

fn words(note: &WebNote) -> String {
    match note {
        WebNote::Status { code, reason } if reason.is_empty() => format!("HTTP {code}"),
        WebNote::Status { code, reason } => format!("HTTP {code} {}", value(reason)),
        WebNote::Redirected { hops: 1 } => "redirected here".to_owned(),
        WebNote::Redirected { hops } => format!("redirected here, {hops} times"),
        WebNote::Downgraded => "redirected from https to http".to_owned(),
        WebNote::Cut { limit, kept } => {
            format!("not whole: only the first {} were taken ({limit})", size_text(*kept))
        }
        WebNote::Short { why } => format!("not whole: {}", value(why)),
        WebNote::Late { kept } => format!("not whole: only {} came in time (fetch_ms)", size_text(*kept)),
        WebNote::Charset { name, replaced: 0 } => format!("decoded from {}", value(name)),
        WebNote::Charset { name, replaced } => {
            format!("decoded from {}, with {replaced} invalid bytes shown as U+FFFD", value(name))
        }
        WebNote::UnknownCharset { name } => format!("the encoding {} is not known; read as UTF-8", value(name)),
        WebNote::OtherType { what } => format!("it is {what}, whatever its type says"),
        WebNote::Titled(title) => format!("titled \"{}\"", value(title)),
        WebNote::MainText { percent, address } => {
            format!("main text, {percent}% of the page; all of it: read {}", value(address))
        }
        WebNote::TakenFrom { address } => format!("taken from {}", value(address)),
        WebNote::Fragment { address } => format!("the section: read {}", value(address)),
        WebNote::LeftOut { what } => format!("left out: {}", value(what)),
        WebNote::Said(what) => value(what),
    }
}

/// Something that others chose, on one line and harmless.
fn value(text: &str) -> String {
    let shown = Visible::of(text).text;
    match shown.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("{}…", shown.get(..end).unwrap_or_default()),
        None => shown.into_owned(),
    }
}
