//! An answer that refuses: its status, and what of its page says why.

use readstone_base::Fault;
use readstone_formats::{PageWish, pretty_json, untold};
use readstone_net::Fetched;

use super::{Walk, converted, raw};
use crate::asked::Mode;
use crate::made::Made;
use crate::sort::{Sort, Sorted, sorted};
use crate::text::{Text, markup, plain};

pub(super) const METHOD: &str = "failed";

pub(super) fn take(fetched: &mut Fetched, walk: &Walk<'_>) -> Result<Made, Fault> {
    let found = sorted(fetched);
    match walk.asked.mode {
        Mode::Raw | Mode::Source => {
            return Ok(raw::take(&found, fetched).by(METHOD).typed(fetched.content_type.as_deref()));
        }
        Mode::Read | Mode::Whole => {}
    }
    let Text { text, notes } = useful(&found, fetched, walk)?;
    let text = if text.trim().is_empty() { String::new() } else { format!("{}\n", text.trim()) };
    Ok(Made::text(METHOD, &text).typed(fetched.content_type.as_deref()).noting(notes))
}

/// The text of the refusal; empty where it is none.
fn useful(found: &Sorted, fetched: &Fetched, walk: &Walk<'_>) -> Result<Text, Fault> {
    let nothing = || Text { text: String::new(), notes: Vec::new() };
    let (Sort::Html | Sort::Json | Sort::Markdown | Sort::Text | Sort::Feed) = found.sort else {
        return Ok(nothing());
    };
    let decoded = if found.sort == Sort::Html { markup(fetched) } else { plain(fetched) };
    let Some(decoded) = decoded.filter(|_| !fetched.body.is_empty()) else {
        return Ok(nothing());
    };
    if found.sort != Sort::Html {
        let text = pretty_json(&decoded.text).filter(|_| found.sort == Sort::Json).unwrap_or(decoded.text);
        return Ok(Text { text, notes: decoded.notes });
    }
    Ok(match converted(&decoded.text, &fetched.url, PageWish::Article, walk)? {
        Ok(made) => Text { text: entitled(&made.text, &made.title), notes: decoded.notes },
        Err(why) => Text { notes: decoded.notes.into_iter().chain([why]).collect(), text: decoded.text },
    })
}

/// An error page under its name, which often says more than its text.
fn entitled(text: &str, title: &str) -> String {
    match untold(text, title) {
        Some(title) => format!("# {title}\n\n{text}"),
        None => text.to_owned(),
    }
}
