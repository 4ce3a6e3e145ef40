//! The block that begins on a line.

use std::cell::OnceCell;

use readstone_base::Span;
use tree_sitter::{Node, Tree};

use crate::fold::Starts;
use crate::language::Language;
use crate::macros::torn;
use crate::parse::{Unparsed, parse};
use crate::reach::{Comments, Reach, end_of, is_first};
use crate::rules::{Role, Rules};

/// Why no block begins on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoBlock {
    /// The text has no such line.
    NoLine {
        /// How many it has.
        lines: u64,
    },
    /// The line is blank.
    Blank,
    /// The line only closes what began before.
    Closing {
        /// The lines of what it closes, where it is a block.
        block: Option<Span>,
    },
    /// Nothing that ends with a line begins there.
    Nothing {
        /// The lines of the smallest block around it.
        around: Option<Span>,
    },
    /// The block is not sound.
    Broken {
        /// Its lines, as far as they can be told.
        block: Span,
        /// The first line that the grammar could not make sense of.
        line: u64,
    },
    /// The text has no structure.
    Unparsed(Unparsed),
}

/// Levels below the root that are looked at.
const MOST_LEVELS: usize = 4_096;

/// The lines of the largest node that begins on a line and ends with one: exactly that node, without a comment or an
/// attribute before it, unless the grammar makes it a part of the node.
pub fn block_at(language: Language, text: &str, line: u64, stop: &mut dyn FnMut() -> bool) -> Result<Span, NoBlock> {
    let starts = Starts::of(text);
    if line == 0 || line > starts.count() {
        return Err(NoBlock::NoLine { lines: starts.count() });
    }
    let own = starts.line(text, line);
    if own.trim().is_empty() {
        return Err(NoBlock::Blank);
    }
    let first = starts.offset(line) + (own.len() - own.trim_start().len());
    if let Some(hand) = language.by_hand() {
        return (hand.block_at)(text, &starts, first);
    }
    let (tree, language) = parse(language, &language.code(text), stop).map_err(NoBlock::Unparsed)?;
    let rules = language.rules().ok_or(NoBlock::Unparsed(Unparsed::Failed))?;
    let look = Look { text, starts: &starts, rules, tree: &tree, comments: OnceCell::new() };
    let path = Look::path(tree.root_node(), first);
    let here = path.iter().copied().find(|node| node.start_byte() == first && look.is_block(*node));
    let declared = || path.iter().copied().find(|node| look.is_declared_at(*node, first));
    let is_end = here.is_some_and(closes_what_is_above);
    let Some(node) = here.or_else(declared).filter(|_| !is_end) else {
        let around = path.iter().rev().find(|node| node.start_byte() < first && look.is_block(**node));
        let around = around.map(|node| look.lines(*node));
        let closes = is_end || own.trim_start().starts_with(['}', ')', ']']) || is_closing_word(own);
        return Err(if closes { NoBlock::Closing { block: around } } else { NoBlock::Nothing { around } });
    };
    let block = Span::new(line, look.lines(node).last);
    if let Some(torn) = language.has_conditions().then(|| look.torn(block)).flatten() {
        return Err(NoBlock::Broken { block, line: torn });
    }
    if node.has_error() {
        return Err(NoBlock::Broken { block, line: look.broken_line(node) });
    }
    Ok(block)
}

fn is_closing_word(line: &str) -> bool {
    let word = line.trim().trim_end_matches([';', ',', ')']);
    matches!(word, "end" | "fi" | "done" | "esac" | "END" | "endif" | "endforeach" | "endfor" | "endwhile")
        || word.starts_with("</")
}

/// Whether a node is nothing but the end of what began on a line above. Most grammars have no name for such an end.
fn closes_what_is_above(node: Node<'_>) -> bool {
    const ENDS: [&str; 6] = [
        "end_marker",
        "fenced_code_block_delimiter",
        "heredoc_end",
        "heredoc_identifier",
        "raw_string_end",
        "string_end",
    ];
    let begins_above = || node.parent().is_some_and(|whole| whole.start_position().row < node.start_position().row);
    ENDS.contains(&node.kind()) && begins_above()
}

struct Look<'a> {
    text: &'a str,
    starts: &'a Starts,
    rules: &'a Rules,
    tree: &'a Tree,
    comments: OnceCell<Comments>,
}

impl Look<'_> {
    /// The nodes that hold a byte, the outermost first, without the root.
    fn path(root: Node<'_>, byte: usize) -> Vec<Node<'_>> {
        let mut path = Vec::new();
        let mut cursor = root.walk();
        while path.len() < MOST_LEVELS && cursor.goto_first_child_for_byte(byte).is_some() {
            if cursor.node().start_byte() > byte {
                break;
            }
            path.push(cursor.node());
        }
        path
    }

    /// Whether a node stands on lines of its own and is more than a run of others.
    fn is_block(&self, node: Node<'_>) -> bool {
        node.is_named() && !self.rules.is(Role::List, node, self.text) && self.stands_alone(node)
    }

    /// Whether a node on lines of its own is a declaration whose attributes end before a byte.
    fn is_declared_at(&self, node: Node<'_>, byte: usize) -> bool {
        node.start_byte() < byte && self.is_block(node) && self.rules.declared_from(node, self.text) == byte
    }

    /// The first line of a condition of a preprocessor that lies only partly in these lines.
    fn torn(&self, lines: Span) -> Option<u64> {
        let inside = self.text.get(self.starts.offset(lines.first)..self.starts.offset(lines.last + 1))?;
        torn(inside).map(|at| lines.first + at as u64)
    }

    /// Whether nothing but a comma or a semicolon stands beside a node on its first and its last line.
    fn stands_alone(&self, node: Node<'_>) -> bool {
        let first = node.start_byte();
        if !is_first(self.text, self.starts, first) {
            return false;
        }
        let end = self.end(node);
        let last = self.starts.line_of(end.saturating_sub(1).max(first));
        let behind = self.starts.line(self.text, last);
        let behind = behind.get(end.saturating_sub(self.starts.offset(last))..).unwrap_or_default();
        let behind = behind.trim_start_matches([';', ',', ' ', '\t']);
        let comment = ["//", "/*", "#", "--", "<!--"].iter().any(|sign| behind.starts_with(sign));
        behind.trim().is_empty() || comment
    }

    fn end(&self, node: Node<'_>) -> usize {
        let comments = || self.comments.get_or_init(|| Comments::of(self.tree, self.text, self.rules));
        end_of(node, Reach { text: self.text, starts: self.starts, comments: &comments })
    }

    fn lines(&self, node: Node<'_>) -> Span {
        let first = node.start_byte();
        Span::new(self.starts.line_of(first), self.starts.line_of(self.end(node).saturating_sub(1).max(first)))
    }

    /// The line of the first thing in a node that is no part of the language.
    fn broken_line(&self, node: Node<'_>) -> u64 {
        let mut cursor = node.walk();
        loop {
            let here = cursor.node();
            if here.is_error() || here.is_missing() {
                return self.starts.line_of(here.start_byte());
            }
            let deeper = here.has_error() && cursor.goto_first_child();
            if deeper {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return self.lines(node).first;
                }
            }
        }
    }
}
