//! Gathering: one walk over a tree finds what its rules name.

use std::collections::HashMap;

use readstone_base::Span;
use tree_sitter::{Node, Tree};

use crate::fold::{Starts, fold};
use crate::item::{Item, Outline, Sort};
use crate::parse::Unparsed;
use crate::rules::{Role, Rule, Rules};

/// Items that an outline has.
const MOST_ITEMS: usize = 100_000;
/// Items one inside the other.
const MOST_DEPTH: usize = 24;
/// Characters of a name.
const MOST_NAME: usize = 200;
/// Nodes between two looks whether to go on.
const STRIDE: usize = 4_096;

/// What is declared in a tree.
pub(crate) fn gather(
    tree: &Tree,
    text: &str,
    rules: &Rules,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Outline, Unparsed> {
    let mut walk = Walk {
        text,
        rules,
        starts: Starts::of(text),
        found: Vec::new(),
        open: Vec::new(),
        wraps: Vec::new(),
        above: HashMap::new(),
        blocks: Vec::new(),
        broken: None,
    };
    let mut cursor = tree.walk();
    let mut seen = 0_usize;
    loop {
        seen += 1;
        if seen.is_multiple_of(STRIDE) && stop() {
            return Err(Unparsed::Stopped);
        }
        walk.visit(cursor.node());
        if cursor.goto_first_child() {
            continue;
        }
        let mut done = false;
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                done = true;
                break;
            }
        }
        if done {
            return Ok(walk.finish());
        }
    }
}

struct Walk<'a> {
    text: &'a str,
    rules: &'a Rules,
    starts: Starts,
    found: Vec<Item>,
    /// Items around the node, with the byte at which each ends.
    open: Vec<(usize, usize)>,
    /// What stands around the next declaration and belongs to it: its first byte and the byte at which it ends.
    wraps: Vec<(usize, usize)>,
    /// By their last line, the first lines of what belongs to the declaration on the next one.
    above: HashMap<u64, (u64, Role)>,
    blocks: Vec<Span>,
    broken: Option<u64>,
}

impl Walk<'_> {
    fn visit(&mut self, node: Node<'_>) {
        let start = node.start_byte();
        while self.open.last().is_some_and(|(_, end)| start >= *end) {
            self.open.pop();
        }
        while self.wraps.last().is_some_and(|(_, end)| start >= *end) {
            self.wraps.pop();
        }
        if !node.is_named() {
            return;
        }
        if node.is_error() && self.broken.is_none() {
            self.broken = Some(self.starts.line_of(start));
        }
        let Some(rule) = self.rules.of(node) else {
            return;
        };
        match rule.role {
            Role::Scope => self.item(node, rule, Sort::Scope),
            Role::Leaf => self.item(node, rule, Sort::Leaf),
            Role::Wrap => self.wraps.push((start, node.end_byte())),
            Role::Doc | Role::Mark => self.note(node, rule.role),
            Role::Block => {
                let lines = self.lines_of(start, node.end_byte());
                if lines.first < lines.last && self.is_first(start) {
                    self.blocks.push(lines);
                }
            }
            Role::List => {}
        }
    }

    fn item(&mut self, node: Node<'_>, rule: &Rule, sort: Sort) {
        let depth = self.open.len();
        let Some(name) = rule.name.follow(node).and_then(|name| self.name_of(name)) else {
            return;
        };
        if self.found.len() == MOST_ITEMS || depth >= MOST_DEPTH {
            return;
        }
        let around =
            self.open.last().and_then(|(at, _)| self.found.get(*at)).map_or(0, |item| self.starts.offset(item.start));
        let wrap = self.wraps.iter().find(|(start, end)| *start >= around && *end >= node.end_byte()).copied();
        let (first, end) = wrap.unwrap_or((node.start_byte(), node.end_byte()));
        self.wraps.clear();
        let end = first + self.text.get(first..end).unwrap_or_default().trim_end().len();
        let body = rule.body.follow(node).filter(|body| body.end_byte() <= end && body.start_byte() > first);
        let (head, row) = fold(self.text, &self.starts, (first, end), body);
        let lines = self.lines_of(first, end);
        let inner_doc =
            rule.doc.as_ref().and_then(|path| path.follow(node)).map(|doc| self.starts.line_of(doc.start_byte()));
        let (owner, name) = split_owner(name);
        let owner =
            rule.owner.as_ref().and_then(|path| path.follow(node)).and_then(|owner| self.name_of(owner)).or(owner);
        let detail = rule.detail.as_ref().and_then(|path| path.follow(node)).and_then(|detail| self.name_of(detail));
        let (lines, doc) = self.with_above(lines, first);
        let item = Item {
            kind: rule.word,
            sort,
            name,
            owner,
            detail,
            parent: self.open.last().map(|(at, _)| *at),
            depth,
            start: self.starts.line_of(first),
            lines,
            doc,
            inner_doc: inner_doc.filter(|line| *line > head),
            head,
            fold: row,
        };
        self.open.push((self.found.len(), end));
        self.found.push(item);
    }

    /// The lines of a declaration with those that belong to it above, and its comment among them.
    fn with_above(&self, lines: Span, first: usize) -> (Span, Option<Span>) {
        let (mut top, mut doc) = (lines.first, None::<Span>);
        if !self.is_first(first) {
            return (lines, None);
        }
        // Nothing above reaches over the head of what lies around.
        let bound = self.open.last().and_then(|(at, _)| self.found.get(*at)).map_or(0, |item| item.head);
        while let Some((from, role)) =
            top.checked_sub(1).and_then(|line| self.above.get(&line)).copied().filter(|(from, _)| *from > bound)
        {
            if role == Role::Doc {
                doc = Some(Span::new(from, doc.filter(|doc| doc.first == top).map_or(top - 1, |doc| doc.last)));
            }
            top = from;
        }
        (Span::new(top, lines.last), doc)
    }

    /// Notes a comment or an attribute that stands alone on its lines.
    fn note(&mut self, node: Node<'_>, role: Role) {
        let end =
            node.start_byte() + self.text.get(node.start_byte()..node.end_byte()).unwrap_or_default().trim_end().len();
        let lines = self.lines_of(node.start_byte(), end);
        let behind = self.starts.line(self.text, lines.last);
        let column = end.saturating_sub(self.starts.offset(lines.last));
        let alone = behind.get(column..).is_some_and(|rest| rest.trim().is_empty());
        if alone && self.is_first(node.start_byte()) {
            self.above.insert(lines.last, (lines.first, role));
        }
    }

    /// Whether nothing stands before a byte on its line.
    fn is_first(&self, byte: usize) -> bool {
        let start = self.starts.offset(self.starts.line_of(byte));
        self.text.get(start..byte).is_some_and(|before| before.trim().is_empty())
    }

    fn lines_of(&self, first: usize, end: usize) -> Span {
        let first_line = self.starts.line_of(first);
        Span::new(first_line, self.starts.line_of(end.saturating_sub(1).max(first)))
    }

    fn name_of(&self, node: Node<'_>) -> Option<String> {
        let text = self.text.get(node.start_byte()..node.end_byte())?;
        let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let name = unquoted(&name);
        (!name.is_empty()).then(|| name.chars().take(MOST_NAME).collect())
    }

    fn finish(self) -> Outline {
        let mut blocks = self.blocks;
        blocks.sort_unstable();
        blocks.dedup();
        Outline { items: self.found, blocks, lines: self.starts.count(), broken: self.broken }
    }
}

/// A name without the signs around a text.
fn unquoted(name: &str) -> &str {
    let inside = |sign: char| name.strip_prefix(sign).and_then(|rest| rest.strip_suffix(sign));
    inside('"').or_else(|| inside('\'')).or_else(|| inside('`')).unwrap_or(name)
}

/// `Type::method` declared outside its type: the type, and the name.
fn split_owner(name: String) -> (Option<String>, String) {
    match name.rsplit_once("::") {
        Some((owner, own)) if !owner.is_empty() && !own.is_empty() && !name.contains(' ') => {
            (Some(owner.to_owned()), own.to_owned())
        }
        _ => (None, name),
    }
}
