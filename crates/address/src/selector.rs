//! A selector says which part of a target to show, and how.

use std::fmt;

use readstone_base::Span;

use crate::error::Problem;

mod parse;

use parse::{block_of, is_number, lines_of, list_of, number, number_in, symbol_of, window_of};

/// The part behind the path: `10-20:raw`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Selector {
    /// Which part.
    pub select: Select,
    /// Shown how.
    pub mode: Mode,
}

/// Which part of a target to show.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Select {
    /// Whatever fits, from the beginning.
    #[default]
    All,
    /// From this line on.
    From(u64),
    /// These lines, with context.
    Range(Span),
    /// Exactly these lines, sorted and merged; a last line of `u64::MAX` means the end.
    Many(Vec<Span>),
    /// The last lines.
    Last(u64),
    /// Around a place that a compiler or a stack trace named.
    Around {
        /// The line.
        line: u64,
        /// The column.
        column: u64,
    },
    /// A byte window, rounded to whole lines.
    Window {
        /// The offset it starts at.
        start: u64,
        /// Its size.
        bytes: Option<u64>,
    },
    /// The symbol or the heading called so.
    Symbol(String),
    /// A block around a line.
    Block {
        /// The line.
        line: u64,
        /// Which one: 1 is the innermost.
        level: u64,
    },
    /// What a page left out: exact bytes of cut lines, then lines.
    Rest {
        /// Exact bytes.
        slices: Vec<Slice>,
        /// Whole lines after them.
        lines: Vec<Span>,
    },
}

/// Exact bytes, from `start` on; no count means to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The offset of the first byte.
    pub start: u64,
    /// How many bytes.
    pub count: Option<u64>,
}

/// How to show a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// With header, numbers and context.
    #[default]
    Plain,
    /// Verbatim.
    Raw,
    /// Bytes in hex.
    Hex,
    /// Unresolved merge regions only.
    Conflicts,
    /// A listing with what ignore rules hide.
    Everything,
    /// The text of the file itself, where something is made of it otherwise.
    Source,
    /// What is declared, without what is in it.
    Outline,
}

pub(crate) type Parsed<T> = Result<T, (String, Problem)>;

impl Selector {
    /// Reads the text behind the path's colon; the error names the part that is wrong.
    pub fn parse(text: &str) -> Parsed<Self> {
        if let Some(name) = text.strip_prefix('@') {
            return symbol_of(name);
        }
        let mut selector = Self::default();
        let mut mode = None;
        // Compilers and grep leave a colon behind the place they name.
        let mut parts = text.strip_suffix(':').unwrap_or(text).split(':').filter(|_| !text.is_empty()).peekable();
        while let Some(part) = parts.next() {
            if let Some(found) = Mode::parse(part) {
                if mode.replace(found).is_some() {
                    return Err((text.to_owned(), Problem::Twice));
                }
                continue;
            }
            let select = Select::parse(part)?;
            if selector.select != Select::All {
                return Err((text.to_owned(), Problem::Twice));
            }
            let column = parts.next_if(|next| is_number(next));
            selector.select = match (select, column) {
                (select, None) => select,
                (Select::From(line), Some(column)) => Select::around(line, column)?,
                (_, Some(column)) => return Err((format!("{part}:{column}"), Problem::Twice)),
            };
        }
        selector.mode = mode.unwrap_or_default();
        selector.check(text)?;
        Ok(selector)
    }

    /// Whether what a text means is asked for: its outline, or something by its name or around a line.
    pub fn is_by_meaning(&self) -> bool {
        self.mode == Mode::Outline || self.select.is_structural()
    }

    /// Whether a text selects bytes as they are, in hex, verbatim or as text, whatever they mean.
    pub fn is_of_bytes(text: &str) -> bool {
        Self::parse(text).is_ok_and(|selector| matches!(selector.mode, Mode::Raw | Mode::Hex | Mode::Source))
    }

    fn check(&self, text: &str) -> Parsed<()> {
        let bytes = match self.select {
            Select::All | Select::Window { .. } => true,
            Select::From(_)
            | Select::Range(_)
            | Select::Many(_)
            | Select::Last(_)
            | Select::Around { .. }
            | Select::Symbol(_)
            | Select::Block { .. }
            | Select::Rest { .. } => false,
        };
        if self.mode == Mode::Hex && !bytes {
            return Err((text.to_owned(), Problem::NeedsBytes));
        }
        Ok(())
    }
}

impl Mode {
    fn parse(part: &str) -> Option<Self> {
        match part {
            "raw" => Some(Self::Raw),
            "hex" => Some(Self::Hex),
            "conflicts" => Some(Self::Conflicts),
            "all" => Some(Self::Everything),
            "source" => Some(Self::Source),
            "outline" => Some(Self::Outline),
            _ => None,
        }
    }

    fn word(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Raw => Some("raw"),
            Self::Hex => Some("hex"),
            Self::Conflicts => Some("conflicts"),
            Self::Everything => Some("all"),
            Self::Source => Some("source"),
            Self::Outline => Some("outline"),
        }
    }
}

impl Select {
    /// The one run of lines or rows that is selected, for whatever is a list of its own; `None` for anything else.
    pub fn span(&self) -> Option<Span> {
        match self {
            Self::All => Some(Span::new(1, u64::MAX)),
            Self::From(first) => Some(Span::new(*first, u64::MAX)),
            Self::Range(span) => Some(*span),
            Self::Many(spans) if spans.len() == 1 => spans.first().copied(),
            Self::Many(_)
            | Self::Last(_)
            | Self::Around { .. }
            | Self::Window { .. }
            | Self::Symbol(_)
            | Self::Block { .. }
            | Self::Rest { .. } => None,
        }
    }

    fn around(line: u64, column: &str) -> Parsed<Self> {
        match number(column)? {
            0 => Err((column.to_owned(), Problem::ZeroColumn)),
            column => Ok(Self::Around { line, column }),
        }
    }

    /// Whether it names something by what the text means and not by where it stands.
    pub fn is_structural(&self) -> bool {
        matches!(self, Self::Symbol(_) | Self::Block { .. })
    }

    fn parse(part: &str) -> Parsed<Self> {
        if part.starts_with('^') {
            return block_of(part);
        }
        if let Some(window) = part.strip_prefix('b') {
            return window_of(part, window);
        }
        if let Some(count) = part.strip_prefix('-') {
            return match number_in(part, count)? {
                0 => Err((part.to_owned(), Problem::NoCount)),
                count => Ok(Self::Last(count)),
            };
        }
        if part.contains([',', '=']) {
            return list_of(part);
        }
        let span = lines_of(part)?;
        Ok(if span.last == u64::MAX { Self::From(span.first) } else { Self::Range(span) })
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.select, self.mode.word()) {
            (Select::All, Some(word)) => f.write_str(word),
            (select, Some(word)) => write!(f, "{select}:{word}"),
            (select, None) => write!(f, "{select}"),
        }
    }
}

impl fmt::Display for Select {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => Ok(()),
            Self::From(line) => write!(f, "{line}-"),
            Self::Range(span) => write_span(f, *span),
            Self::Many(spans) => {
                write_spans(f, spans)?;
                // A list of one range must not read as a range with context.
                if spans.len() == 1 { f.write_str(",") } else { Ok(()) }
            }
            Self::Last(count) => write!(f, "-{count}"),
            Self::Around { line, column } => write!(f, "{line}:{column}"),
            Self::Window { start, bytes: Some(bytes) } => write!(f, "b{start}+{bytes}"),
            Self::Window { start, bytes: None } => write!(f, "b{start}"),
            Self::Symbol(name) => write!(f, "@{name}"),
            Self::Block { line, level } => {
                (0..*level).try_for_each(|_| f.write_str("^"))?;
                write!(f, "{line}")
            }
            Self::Rest { slices, lines } => {
                for (index, slice) in slices.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    match slice.count {
                        Some(count) => write!(f, "{comma}={}+{count}", slice.start)?,
                        None => write!(f, "{comma}={}-", slice.start)?,
                    }
                }
                if !lines.is_empty() {
                    f.write_str(",")?;
                }
                write_spans(f, lines)
            }
        }
    }
}

fn write_spans(f: &mut fmt::Formatter<'_>, spans: &[Span]) -> fmt::Result {
    for (index, span) in spans.iter().enumerate() {
        if index > 0 {
            f.write_str(",")?;
        }
        write_span(f, *span)?;
    }
    Ok(())
}

fn write_span(f: &mut fmt::Formatter<'_>, span: Span) -> fmt::Result {
    if span.last == u64::MAX { write!(f, "{}-", span.first) } else { write!(f, "{}-{}", span.first, span.last) }
}
