//! Why something was not changed.

use std::fmt;

use readstone_base::{Class, Failure, LIMITS, Next, Quoted, Span, Tag, size_text};

/// Runs of lines that are named in one message.
const MOST_SPANS: usize = 8;

/// Why something was not changed. Nothing was.
#[derive(Debug)]
pub(crate) enum Error {
    /// Nothing has this path, and nothing is guessed where lines are changed.
    NotFound {
        /// The path.
        path: String,
        /// Paths like it.
        near: Vec<String>,
    },
    /// No database has this path, and rows need one.
    NoDatabase {
        /// The path.
        path: String,
        /// Paths like it.
        near: Vec<String>,
    },
    /// The file of a conflict is gone.
    Gone {
        /// The path.
        path: String,
    },
    /// A directory.
    Directory {
        /// The path.
        path: String,
    },
    /// Something that is not changed so.
    NotEditable {
        /// The path.
        path: String,
        /// Why.
        why: &'static str,
    },
    /// Bytes that are not text.
    NotText {
        /// The path.
        path: String,
        /// What they seem to be.
        what: &'static str,
    },
    /// A file beyond a limit.
    TooLarge {
        /// What is too large.
        what: String,
        /// Its size.
        size: u64,
        /// The limit and its name.
        limit: (u64, &'static str),
    },
    /// The file is not what the tag says.
    Stale {
        /// The path.
        path: String,
        /// The tag that was named.
        tag: Tag,
        /// What is known of it.
        why: Why,
    },
    /// Lines that were never shown.
    Unseen {
        /// The path.
        path: String,
        /// The lines, sorted.
        lines: Vec<Span>,
        /// Whether only a verbatim page shows them whole.
        verbatim: bool,
    },
    /// What would be written is what is there.
    NoChange {
        /// The path.
        path: String,
    },
    /// Text that stands for bytes which cannot be told from it.
    Replacement {
        /// The path.
        path: String,
        /// A line that has such bytes.
        line: u64,
    },
    /// Something is there where only something new was to be.
    Exists {
        /// The path.
        path: String,
        /// The tag there is.
        now: Tag,
    },
    /// A version that is asked for and not there.
    OtherVersion {
        /// The path.
        path: String,
        /// What was asked for.
        asked: String,
        /// The tag there is; none when nothing is there.
        now: Option<Tag>,
    },
    /// The text cannot be turned back into what the file is.
    Unfit {
        /// The path.
        path: String,
        /// Why.
        why: String,
    },
    /// None of the conflicts that were shown stands in a file.
    NoConflict {
        /// The path.
        path: String,
    },
    /// There is no change to take back.
    NothingToUndo {
        /// The file that was named.
        path: Option<String>,
    },
    /// What a change replaced was not kept.
    NotUndoable {
        /// The path.
        path: String,
    },
    /// A file is no longer as a change made it.
    ChangedSince {
        /// The path.
        path: String,
    },
    /// A file that a change made is no longer there.
    GoneSince {
        /// The path.
        path: String,
    },
    /// The same file under two names in one call.
    Twice {
        /// One name.
        path: String,
        /// The other.
        other: String,
    },
}

/// What is known of a tag that is not that of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// The file was changed, and where the lines that are meant are now is not certain.
    Changed,
    /// The file was changed, and the lines that are meant were never shown.
    Unshown,
    /// The tag was never given for this file, or so long ago that its text was forgotten.
    Unknown,
    /// Several versions of the file have this tag.
    Ambiguous,
    /// It changed again and again while it was to be changed.
    Restless,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { path, .. } => {
                write!(f, "{} does not exist, and edit guesses no path; to make it, use write", Quoted(path))
            }
            Self::NoDatabase { path, .. } => {
                write!(f, "{} does not exist; write does not make databases", Quoted(path))
            }
            Self::Gone { path } => {
                write!(f, "{} is gone, and the conflict with it; nothing was written", Quoted(path))
            }
            Self::Directory { path } => write!(f, "{} is a directory, not a file", Quoted(path)),
            Self::NotEditable { path, why } => write!(f, "{} cannot be edited: {why}", Quoted(path)),
            Self::NotText { path, what } => write!(f, "{} is not text: {what}", Quoted(path)),
            Self::TooLarge { what, size, limit: (limit, name) } => {
                write!(f, "{what} has {}, more than the {} of {name}", given(*size, name), size_text(*limit))
            }
            Self::Stale { path, tag, why } => stale(f, path, *tag, *why),
            Self::Unseen { path, lines, verbatim } => unseen(f, path, lines, if *verbatim { " whole" } else { "" }),
            Self::NoChange { path } => write!(
                f,
                "the edit of {} changes nothing: the lines it brings are the lines that are there. Check the numbers before \
                 trying again; a wider range or more lines will not help",
                Quoted(path)
            ),
            Self::Replacement { path, line } => write!(
                f,
                "line {line} of {} has bytes that are no text, shown as U+FFFD, and the new lines hold U+FFFD: which bytes \
                 these would be is not known. Leave the line out of the range, or write it without that character",
                Quoted(path)
            ),
            Self::Exists { path, now } => write!(
                f,
                "{} exists already, with the tag #{now}, and if_tag is new; nothing was written",
                Quoted(path)
            ),
            Self::OtherVersion { path, asked, now: Some(now) } => {
                write!(f, "{} has the tag #{now}, not {asked}; nothing was written", Quoted(path))
            }
            Self::OtherVersion { path, asked, now: None } => {
                write!(f, "{} does not exist, so it does not have the tag {asked}; nothing was written", Quoted(path))
            }
            Self::Unfit { path, why } => write!(f, "{}: {why}; nothing was written", Quoted(path)),
            Self::NoConflict { path } => {
                write!(f, "the conflict no longer stands in {} as it was shown; nothing was written", Quoted(path))
            }
            Self::NothingToUndo { path: Some(path) } => {
                write!(f, "this session made no change of {} that could be taken back", Quoted(path))
            }
            Self::NothingToUndo { path: None } => f.write_str("this session made no change that could be taken back"),
            Self::NotUndoable { path } => not_undoable(f, path),
            Self::GoneSince { path } => since(f, path, "is gone since the last change of this session"),
            Self::ChangedSince { path } => since(f, path, "is no longer as the last change of this session made it"),
            Self::Twice { path, other } => {
                write!(f, "{} and {} are the same file; name it once", Quoted(path), Quoted(other))
            }
        }
    }
}

/// That lines were never shown.
/// A size in words. What is given to be written is read no further than to what may be written at most.
fn given(size: u64, limit: &str) -> String {
    let most = LIMITS.iter().find(|known| known.name == limit && limit == "write_bytes").map(|limit| limit.ceiling);
    match most {
        Some(most) if size > most => format!("more than {}", size_text(most)),
        Some(_) | None => size_text(size),
    }
}

fn unseen(f: &mut fmt::Formatter<'_>, path: &str, lines: &[Span], whole: &str) -> fmt::Result {
    let single = matches!(lines, [one] if one.first == one.last);
    let (line, were, them) = if single { ("line", "was", "it") } else { ("lines", "were", "them") };
    let more = if lines.len() > MOST_SPANS { ",…" } else { "" };
    let lines: Vec<String> = lines.iter().take(MOST_SPANS).map(spelled).collect();
    let (lines, path) = (lines.join(",") + more, Quoted(path));
    write!(f, "{line} {lines} of {path} {were} never shown to you{whole}; nothing was applied. Read {them} first")
}

/// That what a change replaced was not kept.
fn not_undoable(f: &mut fmt::Formatter<'_>, path: &str) -> fmt::Result {
    write!(
        f,
        "the last change was of {}, and what it replaced was not kept; nothing was taken back. {OTHERS}",
        Quoted(path)
    )
}

/// What can still be undone.
const OTHERS: &str = "With the path of another file, undo takes back the last change of that one";

/// What became of a file since it was changed.
fn since(f: &mut fmt::Formatter<'_>, path: &str, what: &str) -> fmt::Result {
    write!(f, "{} {what}; nothing was taken back. {OTHERS}", Quoted(path))
}

/// That a version is not there.
fn stale(f: &mut fmt::Formatter<'_>, path: &str, tag: Tag, why: Why) -> fmt::Result {
    match why {
        Why::Changed => write!(
            f,
            "{} changed since #{tag}, and where the lines you name are now is not certain; nothing was applied. What is there now \
             stands below",
            Quoted(path)
        ),
        Why::Unshown => write!(
            f,
            "{} changed since #{tag}, and the lines you name were never shown to you; nothing was applied. What is there now stands \
             below",
            Quoted(path)
        ),
        Why::Unknown => write!(
            f,
            "#{tag} is not the tag of {} as it is now, and its text is not held; nothing was applied. What is there now stands below",
            Quoted(path)
        ),
        Why::Ambiguous => write!(
            f,
            "several versions of {} have the tag #{tag}; nothing was applied. What is there now stands below",
            Quoted(path)
        ),
        Why::Restless => {
            write!(f, "{} kept changing while the edit of #{tag} was applied; nothing was. Try again", Quoted(path))
        }
    }
}

/// Where a file of the same name may be, unless the name would mean many.
fn elsewhere(path: &str) -> Option<Next> {
    let name = path.rsplit('/').next().filter(|name| !name.is_empty() && !name.contains(['*', '?', '[', '{', ':']))?;
    Some(Next { tool: "find", argument: format!("**/{name}") })
}

fn spelled(span: &Span) -> String {
    if span.first == span.last { span.first.to_string() } else { format!("{}-{}", span.first, span.last) }
}

impl std::error::Error for Error {}

impl Failure for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::NotFound { .. } | Self::NoDatabase { .. } | Self::Gone { .. } => "host.not_found",
            Self::Directory { .. } => "host.not_regular",
            Self::NotEditable { .. } => "edit.not_editable",
            Self::NotText { .. } => "edit.not_text",
            Self::TooLarge { .. } => "edit.too_large",
            Self::Stale { .. } => "edit.stale",
            Self::Unseen { .. } => "edit.unseen",
            Self::NoChange { .. } => "edit.no_change",
            Self::Replacement { .. } => "edit.replacement",
            Self::Exists { .. } | Self::OtherVersion { .. } => "write.other_version",
            Self::Unfit { .. } => "write.unfit",
            Self::NoConflict { .. } => "write.no_conflict",
            Self::NothingToUndo { .. } => "undo.nothing",
            Self::NotUndoable { .. } => "undo.not_kept",
            Self::ChangedSince { .. } | Self::GoneSince { .. } => "undo.changed",
            Self::Twice { .. } => "edit.twice",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::NotFound { .. } | Self::NoDatabase { .. } | Self::Gone { .. } | Self::NothingToUndo { .. } => {
                Class::Missing
            }
            Self::Directory { .. } => Class::Denied,
            Self::TooLarge { .. } => Class::TooBig,
            Self::Stale { .. }
            | Self::Unseen { .. }
            | Self::Exists { .. }
            | Self::OtherVersion { .. }
            | Self::NoConflict { .. }
            | Self::ChangedSince { .. }
            | Self::GoneSince { .. } => Class::Stale,
            Self::NotText { .. } | Self::Unfit { .. } => Class::Broken,
            Self::NotEditable { .. }
            | Self::NoChange { .. }
            | Self::Replacement { .. }
            | Self::NotUndoable { .. }
            | Self::Twice { .. } => Class::Request,
        }
    }

    fn next(&self) -> Vec<Next> {
        match self {
            Self::NotFound { path, near } | Self::NoDatabase { path, near } if near.is_empty() => {
                elsewhere(path).into_iter().collect()
            }
            Self::NotFound { near, .. } | Self::NoDatabase { near, .. } => near.iter().map(Next::read).collect(),
            Self::Gone { path } => elsewhere(path).into_iter().collect(),
            Self::Unseen { path, lines, verbatim } => {
                let raw = if *verbatim { ":raw" } else { "" };
                let lines: Vec<String> = lines.iter().take(MOST_SPANS).map(spelled).collect();
                let single = matches!(lines.as_slice(), [one] if !one.contains('-'));
                // A line alone is read as what follows it.
                let lines = if single { format!("{0}-{0}", lines.concat()) } else { lines.join(",") };
                vec![Next::read(format!("{path}:{lines}{raw}"))]
            }
            Self::Stale { path, tag, why: Why::Changed | Why::Unshown } => vec![Next::read(format!("{path}#{tag}"))],
            Self::Stale { path, .. }
            | Self::NotText { path, .. }
            | Self::Exists { path, .. }
            | Self::OtherVersion { path, now: Some(_), .. }
            | Self::Directory { path }
            | Self::ChangedSince { path } => vec![Next::read(path.clone())],
            Self::NoConflict { path } => vec![Next::read(format!("{path}:conflicts"))],
            Self::NothingToUndo { .. }
            | Self::NotUndoable { .. }
            | Self::GoneSince { .. }
            | Self::NotEditable { .. }
            | Self::TooLarge { .. }
            | Self::NoChange { .. }
            | Self::Replacement { .. }
            | Self::OtherVersion { now: None, .. }
            | Self::Unfit { .. }
            | Self::Twice { .. } => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_read_to_its_end_has_more_than_was_read() {
        let told = |size| {
            let limit = (16 * 1024 * 1024, "write_bytes");
            Error::TooLarge { what: "the content".to_owned(), size, limit }.to_string()
        };
        let most = LIMITS.iter().find(|limit| limit.name == "write_bytes").map_or(0, |limit| limit.ceiling);
        let most_told = format!("the content has more than {}, more than the 16.0 MB of write_bytes", size_text(most));
        assert_eq!(told(most + 1), most_told);
        assert_eq!(told(17 * 1024 * 1024), "the content has 17.0 MB, more than the 16.0 MB of write_bytes");
    }
}
