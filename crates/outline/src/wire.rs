//! An outline on its way between two processes.

use readstone_base::Span;
use serde::{Deserialize, Serialize};

use crate::item::{Item, Outline, Sort};

/// An outline as it is written down.
#[derive(Serialize, Deserialize)]
struct Written {
    items: Vec<Entry>,
    blocks: Vec<(u64, u64)>,
    lines: u64,
    broken: Option<u64>,
    cut: Option<u64>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    kind: Box<str>,
    scope: bool,
    name: String,
    owner: Option<String>,
    detail: Option<String>,
    parent: Option<usize>,
    depth: usize,
    lines: (u64, u64),
    start: u64,
    doc: Option<(u64, u64)>,
    inner_doc: Option<u64>,
    head: u64,
    fold: Option<String>,
}

impl Outline {
    /// Writes it down.
    pub fn to_bytes(&self) -> Vec<u8> {
        let pair = |span: Span| (span.first, span.last);
        let entry = |item: &Item| Entry {
            kind: item.kind.clone(),
            scope: item.sort == Sort::Scope,
            name: item.name.clone(),
            owner: item.owner.clone(),
            detail: item.detail.clone(),
            parent: item.parent,
            depth: item.depth,
            lines: pair(item.lines),
            start: item.start,
            doc: item.doc.map(pair),
            inner_doc: item.inner_doc,
            head: item.head,
            fold: item.fold.clone(),
        };
        let blocks = self.blocks.iter().copied().map(pair).collect();
        let items = self.items.iter().map(entry).collect();
        let written = Written { items, blocks, lines: self.lines, broken: self.broken, cut: self.cut };
        // Numbers and texts can always be written.
        serde_json::to_vec(&written).unwrap_or_default()
    }

    /// What was written down, when it makes sense.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let Written { items, blocks, lines, broken, cut } = serde_json::from_slice(bytes).ok()?;
        let span = |(first, last): (u64, u64)| Span::new(first, last);
        let item = |entry: Entry| Item {
            kind: entry.kind,
            sort: if entry.scope { Sort::Scope } else { Sort::Leaf },
            name: entry.name,
            owner: entry.owner,
            detail: entry.detail,
            parent: entry.parent,
            depth: entry.depth,
            lines: span(entry.lines),
            start: entry.start,
            doc: entry.doc.map(span),
            inner_doc: entry.inner_doc,
            head: entry.head,
            fold: entry.fold,
        };
        let (items, blocks) = (items.into_iter().map(item).collect(), blocks.into_iter().map(span).collect());
        Some(Self { items, blocks, lines, broken, cut })
    }
}
