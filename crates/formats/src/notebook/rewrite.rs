//! Writing cells: unchanged ones as they stand, changed ones with a new source, others anew.

use std::borrow::Cow;
use std::collections::HashSet;

use super::back::{Made, Wanted, ids};
use super::book::{Book, Cell, CellKind, Ids, Version};
use super::error::Error;
use super::json::Json;
use super::style::Style;

/// Writes cells in the style of their file.
#[derive(Debug)]
pub(super) struct Writer<'b, 'a> {
    book: &'b Book<'a>,
    cells: &'b [Cell<'a>],
    style: Style,
    ids: HashSet<String>,
}

impl<'b, 'a> Writer<'b, 'a> {
    pub(super) fn new(book: &'b Book<'a>, cells: &'b [Cell<'a>]) -> Self {
        Self { book, cells, style: Style::of(book, cells.first()), ids: ids(cells) }
    }

    /// The JSON of a cell.
    pub(super) fn cell(&mut self, wanted: &Wanted) -> Result<Cow<'a, str>, Error> {
        let old = wanted.number.and_then(|number| Some((number, self.cells.get(number)?)));
        let Some((number, old)) = old else {
            return Ok(Cow::Owned(self.new_cell(wanted)));
        };
        let same = old.source_text(number)? == wanted.source;
        if old.kind != wanted.kind {
            let source =
                if same { old.source.text.to_owned() } else { self.style.source_like(&wanted.source, old.source) };
            return Ok(Cow::Owned(self.other_kind(old, wanted.kind, source)));
        }
        if same {
            return Ok(Cow::Borrowed(old.json.text));
        }
        let source = self.style.source_like(&wanted.source, old.source);
        let from = old.json.at;
        let before = self.book.text.get(from..old.source.at).unwrap_or_default();
        let behind = self.book.text.get(old.source.end()..old.json.end()).unwrap_or_default();
        Ok(Cow::Owned(format!("{before}{source}{behind}")))
    }

    /// Writes a list of cells with the blanks it had.
    pub(super) fn list(&self, out: &mut String, list: Json<'a>, cells: &[Made<'a>]) {
        let mut old = list.elements().into_iter().flatten();
        let gap = |from: usize, to: usize| self.book.text.get(from..to).unwrap_or_default();
        let (mut before, open, close) = match (old.next(), list.elements().into_iter().flatten().last()) {
            (Some(first), Some(end)) => {
                (Some(first), gap(list.at + 1, first.at).to_owned(), gap(end.end(), list.end() - 1).to_owned())
            }
            _ if cells.is_empty() => return out.push_str(list.text),
            _ => (None, self.style.line(0), self.style.line_before()),
        };
        if cells.is_empty() {
            return out.push_str("[]");
        }
        let usual = self.style.between(&open);
        for (index, (_, cell)) in cells.iter().enumerate() {
            if index == 0 {
                out.extend(["[", &open]);
            } else {
                let next = old.next();
                let between = before.zip(next).map(|(before, next)| gap(before.end(), next.at));
                out.push_str(between.unwrap_or(&usual));
                before = next;
            }
            out.push_str(cell);
        }
        out.extend([close.as_str(), "]"]);
    }

    fn new_cell(&mut self, wanted: &Wanted) -> String {
        let mut members = vec![("metadata".to_owned(), "{}".to_owned())];
        members.push((self.source_name(wanted.kind).to_owned(), self.style.new_source(&wanted.source)));
        if self.book.ids == Ids::Needed {
            let id = self.new_id(&wanted.source);
            members.push(("id".to_owned(), self.style.string(&id)));
        }
        self.needed(wanted.kind, &mut members);
        members.sort();
        self.style.object(&members)
    }

    /// A cell of another kind than it was: what the new kind cannot have goes, what it must have comes.
    fn other_kind(&self, old: &Cell<'_>, kind: CellKind, source: String) -> String {
        let unfit: &[&str] = match (self.book.version, kind) {
            (Version::Four, CellKind::Code) => &["attachments"],
            (Version::Four, CellKind::Markdown | CellKind::Raw | CellKind::Heading(_)) => {
                &["execution_count", "outputs"]
            }
            (Version::Three, CellKind::Code) => &["level"],
            (Version::Three, CellKind::Heading(_)) => &["collapsed", "language", "outputs", "prompt_number"],
            (Version::Three, CellKind::Markdown | CellKind::Raw) => {
                &["collapsed", "language", "level", "outputs", "prompt_number"]
            }
        };
        let mut members: Vec<(String, String)> = Vec::new();
        let mut source = Some(source);
        for member in old.json.members().into_iter().flatten() {
            let key = member.key.as_ref();
            if member.value.at == old.source.at {
                members.push((self.source_name(kind).to_owned(), source.take().unwrap_or_default()));
            } else if !unfit.contains(&key) && !matches!(key, "cell_type" | "level" | "source" | "input") {
                members.push((key.to_owned(), member.value.text.to_owned()));
            }
        }
        self.needed(kind, &mut members);
        self.style.object(&members)
    }

    /// Adds the members that a cell of this kind must have, where the alphabet puts them.
    fn needed(&self, kind: CellKind, members: &mut Vec<(String, String)>) {
        let mut add = |name: &str, value: String| {
            if members.iter().all(|(other, _)| other != name) {
                let at = members.iter().position(|(other, _)| other.as_str() > name).unwrap_or(members.len());
                members.insert(at, (name.to_owned(), value));
            }
        };
        add("cell_type", self.style.string(kind.word()));
        match (kind, self.book.version) {
            (CellKind::Code, Version::Four) => {
                add("execution_count", "null".to_owned());
                add("outputs", "[]".to_owned());
            }
            (CellKind::Code, Version::Three) => {
                add("collapsed", "false".to_owned());
                add("language", self.style.string("python"));
                add("outputs", "[]".to_owned());
            }
            (CellKind::Heading(level), _) => add("level", level.to_string()),
            (CellKind::Markdown | CellKind::Raw, _) => {}
        }
    }

    fn source_name(&self, kind: CellKind) -> &'static str {
        if self.book.version == Version::Three && kind == CellKind::Code { "input" } else { "source" }
    }

    /// A name that no other cell has, made from the source and from how many there are.
    fn new_id(&mut self, source: &str) -> String {
        let mut salt = self.ids.len();
        loop {
            let bytes = source.bytes().chain(salt.to_le_bytes());
            // FNV-1a: the names must differ, nothing more.
            let hash = bytes.fold(0x811C_9DC5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
            let id = format!("{hash:08x}");
            if self.ids.insert(id.clone()) {
                return id;
            }
            salt += 1;
        }
    }
}
