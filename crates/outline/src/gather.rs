//! Gathering: one walk over a tree finds what its rules name.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use readstone_base::Span;
use tree_sitter::{Node, Tree};

use crate::fold::{Body, Starts, fold};
use crate::item::{Item, MOST_DEPTH, MOST_ITEMS, MOST_NAME, Outline, Sort};
use crate::language::Language;
use crate::name::{Shape, split_owner, unquoted};
use crate::parse::Unparsed;
use crate::path::Path;
use crate::reach::{Comments, Reach, end_of, is_first, lines_of};
use crate::rules::{Role, Rule, Rules};

/// Nodes and lines between two looks whether to go on.
const STRIDE: usize = 4_096;

/// A text, and what of it the grammar sees, at the same places.
#[derive(Clone, Copy)]
pub(crate) struct Texts<'a> {
    pub(crate) text: &'a str,
    pub(crate) code: &'a str,
}

/// What is declared in a tree.
pub(crate) fn gather(
    tree: &Tree,
    language: Language,
    texts: Texts<'_>,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Outline, Unparsed> {
    let Texts { text, code } = texts;
    let mut walk = Walk {
        text,
        code,
        language,
        rules: language.rules().ok_or(Unparsed::Failed)?,
        starts: Starts::of(text),
        found: Vec::new(),
        open: Vec::new(),
        levels: Vec::new(),
        around: Vec::new(),
        wraps: Vec::new(),
        above: HashMap::new(),
        blocks: Vec::new(),
        broken: None,
        cut: None,
        mending: false,
        only: None,
        tree: tree.clone(),
        comments: OnceCell::new(),
        work: 0,
    };
    walk.go(tree, stop)?;
    Ok(walk.finish())
}

/// A walk over the trees of a text.
pub(crate) struct Walk<'a> {
    pub(crate) text: &'a str,
    pub(crate) code: &'a str,
    pub(crate) language: Language,
    pub(crate) rules: &'a Rules,
    pub(crate) starts: Starts,
    pub(crate) found: Vec<Item>,
    /// Items around the node, with the byte at which each ends.
    pub(crate) open: Vec<(usize, usize)>,
    /// The levels of the headings among them.
    levels: Vec<u8>,
    /// The kinds of all nodes around the node.
    pub(crate) around: Vec<u16>,
    /// What stands around the next declaration and belongs to it.
    pub(crate) wraps: Vec<Extent>,
    /// By their last line, what belongs to the declaration on the next one.
    above: HashMap<u64, Above>,
    blocks: Vec<Span>,
    broken: Option<u64>,
    cut: Option<u64>,
    /// Whether the tree is that of a piece of what is broken.
    pub(crate) mending: bool,
    /// The bytes that count in a tree with more.
    pub(crate) only: Option<Range<usize>>,
    /// The tree, and its comments once they were needed.
    tree: Tree,
    comments: OnceCell<Comments>,
    /// What was done since the last look whether to go on: nodes and lines.
    pub(crate) work: usize,
}

/// A comment or an attribute.
#[derive(Clone, Copy)]
struct Above {
    first: u64,
    column: usize,
    role: Role,
}

/// The bytes of a declaration.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    first: usize,
    /// Where it begins without the attributes that its grammar makes a part of it.
    own: usize,
    end: usize,
}

impl Walk<'_> {
    /// Goes over another tree, perhaps in the middle of one.
    pub(crate) fn go(&mut self, tree: &Tree, stop: &mut dyn FnMut() -> bool) -> Result<(), Unparsed> {
        let around = (std::mem::replace(&mut self.tree, tree.clone()), self.comments.take());
        let gone = self.go_over(tree, stop);
        self.tree = around.0;
        self.comments = around.1.map(OnceCell::from).unwrap_or_default();
        gone
    }

    fn go_over(&mut self, tree: &Tree, stop: &mut dyn FnMut() -> bool) -> Result<(), Unparsed> {
        let mut cursor = tree.walk();
        // Most of a sound text is of no interest, and of most nodes no more than the kind need be known.
        let sound = !tree.root_node().has_error();
        loop {
            self.work += 1;
            if self.work >= STRIDE {
                self.work = 0;
                if stop() {
                    return Err(Unparsed::Stopped);
                }
            }
            let node = cursor.node();
            let mended = !sound && self.mend(node, stop)?;
            if !mended && (!sound || self.rules.has(node.kind_id())) {
                self.enter(node);
            }
            if !mended && cursor.goto_first_child() {
                self.around.push(node.kind_id());
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return Ok(());
                }
                self.around.pop();
            }
        }
    }

    /// Visits a node, when it counts.
    fn enter(&mut self, node: Node<'_>) {
        let counts = |only: &Range<usize>| only.start <= node.start_byte() && node.end_byte() <= only.end;
        if self.only.as_ref().is_none_or(counts) {
            self.visit(node);
        }
    }

    fn visit(&mut self, node: Node<'_>) {
        let start = node.start_byte();
        while self.open.last().is_some_and(|(_, end)| start >= *end) {
            self.open.pop();
        }
        while self.wraps.last().is_some_and(|wrap| start >= wrap.end) {
            self.wraps.pop();
        }
        if self.broken.is_none() && (node.is_error() || node.is_missing()) {
            self.broken = Some(self.starts.line_of(start));
        }
        if !node.is_named() {
            return;
        }
        let Some(rule) = self.rules.of(node, self.text, &self.around) else {
            return;
        };
        match rule.role {
            Role::Scope => self.item(node, rule, Sort::Scope),
            Role::Leaf => self.item(node, rule, Sort::Leaf),
            Role::Heading(level) => self.heading(node, rule, level),
            Role::Wrap => self.wraps.push(self.extent(node, node.end_byte())),
            Role::Doc | Role::Mark => self.note(node, rule.role),
            Role::Block => {
                let lines = lines_of(&self.starts, start, self.end_of(node));
                if lines.first < lines.last && is_first(self.text, &self.starts, start) {
                    self.blocks.push(lines);
                }
            }
            Role::List => {}
        }
    }

    fn item(&mut self, node: Node<'_>, rule: &Rule, sort: Sort) {
        let depth = self.open.len();
        let follow = |path: &Path| path.follow(node, self.text);
        let name_at = follow(&rule.name);
        let Some((split, name)) = name_at.and_then(|name| self.named(name, rule)) else {
            return;
        };
        if self.found.len() == MOST_ITEMS {
            self.cut = self.cut.or_else(|| Some(self.starts.line_of(node.start_byte())));
            return;
        }
        if depth >= MOST_DEPTH || rule.first && !self.opens_line(node) {
            return;
        }
        let around =
            self.open.last().and_then(|(at, _)| self.found.get(*at)).map_or(0, |item| self.starts.offset(item.start));
        let wrap = self.wraps.iter().find(|wrap| wrap.first >= around && wrap.end >= node.end_byte()).copied();
        let Extent { first, own, mut end } = wrap.unwrap_or_else(|| self.extent(node, self.end_of(node)));
        // What is wrapped together with others reaches to its own end.
        if self.text.get(node.end_byte()..end).is_some_and(|rest| rest.contains(char::is_alphanumeric)) {
            end = node.end_byte();
        }
        let end = first + self.text.get(first..end).unwrap_or_default().trim_end().len();
        let body = self.body_of(node, rule, end).filter(|body| body.end <= end && body.behind > own);
        // What is named by something in it, beside what it belongs to, begins with that.
        let name_at = name_at.filter(|_| rule.owner.is_none()).map_or(own, |name| name.start_byte());
        let (head, row) = fold(self.text, &self.starts, (own, name_at, end), body);
        let lines = lines_of(&self.starts, first, end);
        let inner_doc = rule.doc.as_ref().and_then(follow).map(|doc| self.starts.line_of(doc.start_byte()));
        let owner = rule.owner.as_ref().and_then(follow).and_then(|owner| self.name_of(owner)).or(split);
        let owner = owner.map(|owner| owner.strip_suffix(".prototype").map(str::to_owned).unwrap_or(owner));
        let detail = rule.detail.as_ref().and_then(follow).and_then(|detail| self.name_of(detail));
        let (lines, doc) = self.with_above(lines, first);
        let item = Item {
            kind: rule.word(node, self.text).into(),
            sort,
            name,
            owner,
            detail,
            parent: self.open.last().map(|(at, _)| *at),
            depth,
            start: self.starts.line_of(own),
            lines,
            doc,
            inner_doc: inner_doc.filter(|line| *line > head),
            head,
            fold: row,
        };
        self.wraps.clear();
        self.open.push((self.found.len(), end.min(node.end_byte())));
        self.found.push(item);
    }

    /// A heading ends the sections of its level and of lower ones, and begins one that is open until another ends it.
    fn heading(&mut self, node: Node<'_>, rule: &Rule, level: u8) {
        self.close(level, node.start_byte());
        let count = self.found.len();
        self.item(node, rule, Sort::Scope);
        if self.found.len() > count {
            self.levels.push(level);
            if let Some((_, end)) = self.open.last_mut() {
                *end = usize::MAX;
            }
        }
    }

    /// Ends the sections of a level and of lower ones before a byte.
    fn close(&mut self, level: u8, before: usize) {
        let end = self.text.get(..before).unwrap_or_default().trim_end().len();
        while self.levels.last().is_some_and(|open| *open >= level) {
            self.levels.pop();
            let Some(item) = self.open.pop().and_then(|(at, _)| self.found.get_mut(at)) else {
                return;
            };
            let first = self.starts.offset(item.start);
            item.lines.last = self.starts.line_of(end.saturating_sub(1).max(first));
            (item.head, item.fold) = fold(self.text, &self.starts, (first, first, end), None);
        }
    }

    /// The bytes of the body of a declaration that ends at a byte.
    fn body_of(&self, node: Node<'_>, rule: &Rule, end: usize) -> Option<Body> {
        let (Some(from), to) = &rule.between else {
            return rule.body.follow(node, self.text).map(|body| self.body(body));
        };
        let from = from.follow(node, self.text)?.end_byte();
        let to = to.as_ref().and_then(|to| to.follow(node, self.text)).map_or(end, |to| to.start_byte());
        let inside = self.text.get(from..to)?;
        let start = to - inside.trim_start().len();
        Some(Body { behind: start, start, end: to })
    }

    fn body(&self, body: Node<'_>) -> Body {
        let around = if body.is_named() { None } else { body.parent() };
        let (start, mut behind) = (body.start_byte(), body.start_byte());
        let mut before = body.prev_sibling();
        while let Some(comment) = before.filter(|node| self.rules.is(Role::Doc, *node, self.text)) {
            behind = comment.start_byte();
            before = comment.prev_sibling();
        }
        Body { behind, start, end: around.unwrap_or(body).end_byte() }
    }

    fn extent(&self, node: Node<'_>, end: usize) -> Extent {
        Extent { first: node.start_byte(), own: self.rules.declared_from(node, self.text), end }
    }

    /// Whether nothing stands before a node on its line, but for signs that open what lies around it.
    fn opens_line(&self, node: Node<'_>) -> bool {
        let start = self.starts.offset(self.starts.line_of(node.start_byte()));
        let before = self.text.get(start..node.start_byte()).unwrap_or_default();
        before.chars().all(|sign| sign.is_whitespace() || matches!(sign, '{' | '['))
    }

    fn end_of(&self, node: Node<'_>) -> usize {
        let comments = || self.comments.get_or_init(|| Comments::of(&self.tree, self.text, self.rules));
        end_of(node, Reach { text: self.text, starts: &self.starts, comments: &comments })
    }

    /// The lines of a declaration with those that belong to it above, and its comment among them.
    fn with_above(&self, lines: Span, first: usize) -> (Span, Option<Span>) {
        let (mut top, mut doc) = (lines.first, None::<Span>);
        if !is_first(self.text, &self.starts, first) {
            return (lines, None);
        }
        let column = first - self.starts.offset(lines.first);
        // Nothing above reaches over the head of what lies around.
        let bound = self.open.last().and_then(|(at, _)| self.found.get(*at)).map_or(0, |item| item.head);
        // A comment that stands further in ends what came before.
        let fits = |above: &Above| above.first > bound && (above.role != Role::Doc || above.column <= column);
        while let Some(above) = top.checked_sub(1).and_then(|line| self.above.get(&line)).copied().filter(fits) {
            if above.role == Role::Doc {
                doc = Some(Span::new(above.first, doc.filter(|doc| doc.first == top).map_or(top - 1, |doc| doc.last)));
            }
            top = above.first;
        }
        (Span::new(top, lines.last), doc)
    }

    /// Notes a comment or an attribute that stands alone on its lines.
    fn note(&mut self, node: Node<'_>, role: Role) {
        let end =
            node.start_byte() + self.text.get(node.start_byte()..node.end_byte()).unwrap_or_default().trim_end().len();
        let lines = lines_of(&self.starts, node.start_byte(), end);
        let behind = self.starts.line(self.text, lines.last);
        let column = end.saturating_sub(self.starts.offset(lines.last));
        let alone = behind.get(column..).is_some_and(|rest| rest.trim().is_empty());
        if alone && is_first(self.text, &self.starts, node.start_byte()) {
            let column = node.start_byte() - self.starts.offset(lines.first);
            self.above.insert(lines.last, Above { first: lines.first, column, role });
        }
    }

    /// What a declaration is called, and what it belongs to if its name says that.
    fn named(&self, node: Node<'_>, rule: &Rule) -> Option<(Option<String>, String)> {
        let own = match rule.shape {
            Shape::Name => return self.name_of(node).map(|name| split_owner(&name)),
            Shape::Whole => return self.name_of(node).map(|name| (None, name)),
            Shape::Symbol => {
                let name = self.name_of(node)?;
                return Some((None, unquoted(name.strip_prefix(':').unwrap_or(&name)).to_owned()));
            }
            Shape::Head => {
                let end = rule.body.follow(node, self.text).map_or(node.end_byte(), |body| body.start_byte());
                let text = self.text.get(node.start_byte()..end)?;
                crate::name::head(text.get(..text.floor_char_boundary(MOST_NAME * 4))?)
            }
            Shape::Heading => readstone_base::heading_words(&self.beginning(node)?),
            Shape::Last => self.name_of(node)?.rsplit([':', '$']).next()?.to_owned(),
            Shape::Tags => readstone_base::without_tags(&self.beginning(node)?),
        };
        let name = own.split_whitespace().collect::<Vec<_>>().join(" ");
        (!name.is_empty()).then(|| (None, name.chars().take(MOST_NAME).collect()))
    }

    /// As much of the text of a node as a name can come of.
    fn beginning(&self, node: Node<'_>) -> Option<String> {
        Some(self.text.get(node.byte_range())?.chars().take(MOST_NAME * 4).collect())
    }

    fn name_of(&self, node: Node<'_>) -> Option<String> {
        let text = unquoted(self.text.get(node.start_byte()..node.end_byte())?.trim());
        let text = text.get(..text.floor_char_boundary(MOST_NAME * 4))?;
        let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
        (!name.is_empty()).then(|| name.chars().take(MOST_NAME).collect())
    }

    fn finish(mut self) -> Outline {
        self.close(0, self.text.len());
        let mut blocks = self.blocks;
        blocks.sort_unstable();
        blocks.dedup();
        Outline { items: self.found, blocks, lines: self.starts.count(), broken: self.broken, cut: self.cut }
    }
}
