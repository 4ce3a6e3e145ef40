//! What is declared in a text.

use readstone_base::Span;

/// The structure of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// What is declared, in the order of the text; what lies in something stands behind it.
    pub items: Vec<Item>,
    /// Statements and the like with a body, wherever they stand.
    pub blocks: Vec<Span>,
    /// How many lines the text has.
    pub lines: u64,
    /// The first line that the grammar could not make sense of.
    pub broken: Option<u64>,
    /// The line from which on nothing more was gathered, because too much is declared.
    pub cut: Option<u64>,
}

/// Items that an outline has.
pub(crate) const MOST_ITEMS: usize = 100_000;
/// Items one inside the other.
pub(crate) const MOST_DEPTH: usize = 24;
/// Characters of a name.
pub(crate) const MOST_NAME: usize = 200;

/// A declaration, a heading, a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it is, in a word of its language: `fn`, `class`, `heading`.
    pub kind: Box<str>,
    /// Whether others lie in it.
    pub sort: Sort,
    /// Its name.
    pub name: String,
    /// The name of what it belongs to, where that does not lie around it: the receiver of a method.
    pub owner: Option<String>,
    /// What it is for, as the trait of an implementation.
    pub detail: Option<String>,
    /// The item it lies in.
    pub parent: Option<usize>,
    /// How many items it lies in.
    pub depth: usize,
    /// Its lines, with the comments, attributes and decorators that belong to it.
    pub lines: Span,
    /// The line at which the declaration itself begins.
    pub start: u64,
    /// The comment before it.
    pub doc: Option<Span>,
    /// The first line of a comment at the beginning of its body.
    pub inner_doc: Option<u64>,
    /// The last line of what stands before its body.
    pub head: u64,
    /// The row that stands for the lines from `head` to the last one; none when that is one line.
    pub fold: Option<String>,
}

/// Whether an item holds others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// It is there for what lies in it, as a class is.
    Scope,
    /// What lies in it is its own affair, as in a function.
    Leaf,
}

impl Item {
    /// What it is called where it must be told from others: `impl Display for Page`, `fn parse`.
    pub fn label(&self) -> String {
        let name = match (&self.owner, &self.detail) {
            (Some(owner), _) => format!("{owner}.{}", self.name),
            (None, Some(detail)) => format!("{detail} for {}", self.name),
            (None, None) => self.name.clone(),
        };
        if self.kind.is_empty() { name } else { format!("{} {name}", self.kind) }
    }

    /// The lines that its fold stands for.
    pub fn folded(&self) -> Span {
        Span::new(self.head, self.lines.last)
    }
}

impl Outline {
    /// The items around another one, the outermost first, and it.
    pub fn chain(&self, at: usize) -> Vec<&Item> {
        let mut chain = Vec::new();
        let mut next = Some(at);
        while let Some(item) = next.and_then(|at| self.items.get(at)) {
            chain.push(item);
            next = item.parent;
        }
        chain.reverse();
        chain
    }

    /// The innermost item around all of these lines that begins before them.
    pub fn around(&self, lines: Span) -> Option<usize> {
        let holds = |item: &Item| item.start < lines.first && item.lines.last >= lines.last;
        let behind = self.items.partition_point(|item| item.lines.first < lines.first);
        self.items.get(..behind)?.iter().rposition(holds)
    }

    /// The blocks around a line, the innermost first: statements with a body, functions, types, sections.
    pub fn blocks_around(&self, line: u64) -> Vec<Span> {
        let has_body = |item: &&Item| item.lines.first < item.lines.last || item.sort == Sort::Scope;
        let items = self.items.iter().filter(has_body).map(|item| item.lines);
        let mut around: Vec<Span> =
            items.chain(self.blocks.iter().copied()).filter(|span| span.contains(line)).collect();
        around.sort_unstable_by_key(|span| (span.count(), span.first));
        around.dedup();
        around
    }
}
