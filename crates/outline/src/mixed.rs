//! Texts in several languages, part by part: the cells of a notebook.

use readstone_base::Span;

use crate::item::{Item, Outline, Sort};
use crate::language::Language;
use crate::parse::{Unparsed, outline};

/// A part of a text that has a language of its own.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// What it is called.
    pub name: String,
    /// What it is written in; nothing is declared in the others.
    pub language: Option<Language>,
    /// Its lines, the first of which says what it is.
    pub lines: Span,
}

/// The outline of a text in parts: each is an item in which lies what is declared in it.
pub fn mixed(chunks: &[Chunk], text: &str, stop: &mut dyn FnMut() -> bool) -> Result<Outline, Unparsed> {
    let mut languages: Vec<Language> = Vec::new();
    for language in chunks.iter().filter_map(|chunk| chunk.language) {
        if !languages.contains(&language) {
            languages.push(language);
        }
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut found = Vec::new();
    for language in languages {
        let masked = masked(&lines, chunks, language);
        found.push((language, outline(language, &masked, stop)?));
    }
    let mut all = Outline { lines: lines.len() as u64, ..Outline::default() };
    all.broken = found.iter().filter_map(|(_, inner)| inner.broken).min();
    for chunk in chunks {
        let first = lines.get(usize::try_from(chunk.lines.first - 1).unwrap_or(0)).copied().unwrap_or_default();
        all.push_chunk(chunk, first.trim_end());
        for (_, inner) in found.iter().filter(|(language, _)| Some(*language) == chunk.language) {
            all.push_inner(chunk, inner);
        }
    }
    Ok(all)
}

/// The text with every line blank that is not in a language.
fn masked(lines: &[&str], chunks: &[Chunk], language: Language) -> String {
    let mut masked = String::with_capacity(lines.iter().map(|line| line.len()).sum());
    let mut chunks = chunks.iter().filter(|chunk| chunk.language == Some(language)).peekable();
    for (number, line) in (1_u64..).zip(lines) {
        while chunks.peek().is_some_and(|chunk| chunk.lines.last < number) {
            chunks.next();
        }
        let own = chunks.peek().is_some_and(|chunk| number > chunk.lines.first);
        masked.push_str(if own { line } else { "\n" });
    }
    masked
}

impl Outline {
    fn push_chunk(&mut self, chunk: &Chunk, first: &str) {
        let several = chunk.lines.first < chunk.lines.last;
        self.items.push(Item {
            kind: "".into(),
            sort: Sort::Scope,
            name: chunk.name.clone(),
            owner: None,
            detail: None,
            parent: None,
            depth: 0,
            lines: chunk.lines,
            start: chunk.lines.first,
            doc: None,
            inner_doc: None,
            head: chunk.lines.first,
            fold: several.then(|| format!("{first} {}", crate::fold::GAP)),
        });
    }

    fn push_inner(&mut self, chunk: &Chunk, inner: &Self) {
        let holder = self.items.len() - 1;
        let mut places = std::collections::HashMap::new();
        let first = inner.items.partition_point(|item| item.lines.first < chunk.lines.first);
        let behind = inner.items.partition_point(|item| item.lines.first <= chunk.lines.last);
        let own = inner.items.get(first..behind).unwrap_or_default();
        for (at, item) in (first..).zip(own) {
            let last = item.lines.last.min(chunk.lines.last);
            let parent = item.parent.and_then(|parent| places.get(&parent)).copied().unwrap_or(holder);
            let depth = self.items.get(parent).map_or(1, |parent| parent.depth + 1);
            places.insert(at, self.items.len());
            let (lines, head) = (Span::new(item.lines.first, last), item.head.min(last));
            let fold = item.fold.clone().filter(|_| head < last);
            self.items.push(Item { lines, head, fold, parent: Some(parent), depth, ..item.clone() });
        }
        self.blocks.extend(
            inner.blocks.iter().filter(|block| chunk.lines.contains(block.first) && chunk.lines.contains(block.last)),
        );
    }
}
