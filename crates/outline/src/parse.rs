//! From text to structure, within bounds.

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Range, Tree};

use crate::bounds::is_deep;
use crate::gather::{Texts, gather};
use crate::item::Outline;
use crate::language::Language;

/// Why a text has no outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unparsed {
    /// Whoever asked wanted to wait no longer.
    Stopped,
    /// It is nested deeper than any program is.
    Deep,
    /// The grammar made nothing of it.
    Failed,
}

/// Places that make no sense which are counted.
const MOST_FAULTS: usize = 10_000;

/// The outline of a text. `stop` is asked now and then whether to give up.
pub fn outline(language: Language, text: &str, stop: &mut dyn FnMut() -> bool) -> Result<Outline, Unparsed> {
    if let Some(hand) = language.by_hand() {
        return (hand.outline)(text, stop);
    }
    let code = language.code(text);
    let (tree, language) = parse(language, &code, stop)?;
    gather(&tree, language, Texts { text, code: &code }, stop)
}

/// The tree of the code in a text and the language it is in: the one said to be, or another if it makes more sense in it.
pub(crate) fn parse(
    language: Language,
    text: &str,
    stop: &mut dyn FnMut() -> bool,
) -> Result<(Tree, Language), Unparsed> {
    if is_deep(language, text) {
        return Err(Unparsed::Deep);
    }
    let tree = parse_with(parser(language)?, text, stop)?;
    let other = if tree.root_node().has_error() { language.other() } else { None };
    let Some(other) = other else {
        return Ok((tree, language));
    };
    let second = parse_with(parser(other)?, text, stop)?;
    Ok(if faults(&second) < faults(&tree) { (second, other) } else { (tree, language) })
}

/// How little sense a text makes: whether all of it is in doubt, and the places that are.
fn faults(tree: &Tree) -> (bool, usize) {
    let mut cursor = tree.walk();
    let mut count = 0;
    loop {
        let here = cursor.node();
        count += usize::from(here.is_error() || here.is_missing());
        if here.has_error() && count < MOST_FAULTS && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return (tree.root_node().is_error(), count);
            }
        }
    }
}

/// The tree of parts of a text; its nodes have their places in the whole.
pub(crate) fn parse_part(
    language: Language,
    text: &str,
    parts: &[Range],
    stop: &mut dyn FnMut() -> bool,
) -> Result<Tree, Unparsed> {
    let mut parser = parser(language)?;
    parser.set_included_ranges(parts).map_err(|_| Unparsed::Failed)?;
    parse_with(parser, text, stop)
}

fn parser(language: Language) -> Result<Parser, Unparsed> {
    let mut parser = Parser::new();
    parser.set_language(&language.grammar().ok_or(Unparsed::Failed)?).map_err(|_| Unparsed::Failed)?;
    Ok(parser)
}

/// Bytes that a parser is given at a time.
const CHUNK: usize = 4_096;
/// Chunks between two looks whether to go on: a comment without an end is read to the end of the text again and again.
const CHUNKS: usize = 64;

fn parse_with(mut parser: Parser, text: &str, stop: &mut dyn FnMut() -> bool) -> Result<Tree, Unparsed> {
    let bytes = text.as_bytes();
    let stopped = Cell::new(false);
    let stop = RefCell::new(stop);
    let asks = || {
        stopped.set(stopped.get() || (stop.borrow_mut())());
        stopped.get()
    };
    let (mut chunks, mut last) = (0_usize, None);
    let mut read = |at: usize, _| {
        chunks += 1;
        let ends = if chunks.is_multiple_of(CHUNKS) { asks() } else { stopped.get() };
        if ends {
            // Whoever reads on finds that the text ends, with a line: not every scanner can do without.
            return if *last.get_or_insert(at) == at && at < bytes.len() { b"\n".as_slice() } else { &[] };
        }
        let rest = bytes.get(at..).unwrap_or_default();
        rest.get(..CHUNK).unwrap_or(rest)
    };
    let mut progress = |_: &ParseState| if asks() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    if stopped.get() { Err(Unparsed::Stopped) } else { tree.ok_or(Unparsed::Failed) }
}

/// The nodes of a text with their fields and lines, for whoever writes a query file.
#[doc(hidden)]
pub fn tree_text(language: Language, text: &str) -> String {
    let Ok((tree, _)) = parse(language, &language.code(text), &mut || false) else {
        return String::new();
    };
    let mut told = String::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_named() {
            let field = cursor.field_name().map(|field| format!("{field}: ")).unwrap_or_default();
            let first: String = text.get(node.byte_range()).unwrap_or_default().chars().take(40).collect();
            let indent = "  ".repeat(cursor.depth() as usize);
            let (start, end) = (node.start_position().row + 1, node.end_position().row + 1);
            let _ = writeln!(told, "{indent}{field}{} {start}-{end} {first:?}", node.kind());
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return told;
            }
        }
    }
}
