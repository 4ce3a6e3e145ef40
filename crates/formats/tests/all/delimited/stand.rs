//! Enters pieces as the reader does, and shows what came of it.

use std::any::Any;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use readstone_base::{Blob, Budget, Fault, Fixed, Identity, Limits, Memory, Note, Stamp};
use readstone_formats::{JsonValue, Standard, json_value};
use readstone_source::{
    Alone, Content, Entered, Formats, Judge, Opening, Piece, Reached, Shelf, Table, TableRow, Take, Value,
};

type Kept = HashMap<(Stamp, &'static str), Arc<dyn Any + Send + Sync>>;

/// Keeps everything and forbids nothing.
#[derive(Default)]
pub(crate) struct Keeper(Mutex<Kept>);

impl Shelf for Keeper {
    fn take(&self, of: Stamp, what: &'static str) -> Option<Arc<dyn Any + Send + Sync>> {
        self.0.lock().unwrap().get(&(of, what)).cloned()
    }

    fn put(&self, of: Stamp, what: &'static str, thing: Arc<dyn Any + Send + Sync>, _: u64) {
        self.0.lock().unwrap().insert((of, what), thing);
    }
}

impl Judge for Keeper {
    fn denies(&self, _: &Path) -> Option<String> {
        None
    }
}

/// A file.
pub(crate) struct Stand {
    pub(crate) piece: Piece,
    pub(crate) limits: Limits,
    pub(crate) budget: Budget,
    pub(crate) shelf: Keeper,
}

/// A page of rows.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<TableRow>,
    pub(crate) most: Option<usize>,
}

impl Take for Seen {
    fn columns(&mut self, names: &[String]) {
        assert!(self.columns.is_empty() && self.rows.is_empty());
        self.columns = names.to_vec();
    }

    fn row(&mut self, row: &TableRow) -> bool {
        let fits = self.most.is_none_or(|most| self.rows.len() < most);
        if fits {
            self.rows.push(row.clone());
        }
        fits
    }
}

impl Seen {
    /// The rows as text, `-` for nothing.
    pub(crate) fn text(&self) -> Vec<Vec<String>> {
        let cell = |value: &Value| match value {
            Value::Bare { head, .. } => String::from_utf8_lossy(head).into_owned(),
            Value::Null => "-".to_owned(),
            Value::Text { .. } | Value::Integer(_) | Value::Real(_) | Value::Blob { .. } => panic!("{value:?}"),
        };
        self.rows.iter().map(|row| row.cells.iter().map(cell).collect()).collect()
    }
}

impl Stand {
    pub(crate) fn new(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self::of(name, Arc::new(Memory::new(bytes.into())))
    }

    pub(crate) fn of(name: &str, blob: Arc<dyn Blob>) -> Self {
        let identity = Identity { device: 1, inode: 1 };
        let stamp = Some(Stamp { identity, size: blob.len().unwrap_or(0), modified: 0, changed: 0 });
        let (path, name) = (format!("d/{name}"), name.to_owned());
        let piece = Piece { blob, path, name, stamp, beside: Arc::new(Alone) };
        let budget = Budget::new(Arc::new(Fixed(0)), None);
        Self { piece, limits: Limits::default(), budget, shelf: Keeper::default() }
    }

    /// What a tail leads to; `None` where the piece is no container for it.
    pub(crate) fn enter(&self, tail: Option<&str>) -> Option<Result<Entered, Fault>> {
        let Self { limits, budget, shelf, .. } = self;
        let works: Arc<dyn readstone_base::Workshop> = Arc::new(readstone_formats::InPlace);
        let pictures = readstone_source::Pictures::default();
        let beyond = readstone_source::Beyond::nothing();
        let opening =
            Opening { limits, budget, shelf, formats: &Standard, judge: shelf, works: &works, pictures, beyond };
        let container = Standard.container(&self.piece, tail, &opening).unwrap()?;
        Some(container.enter(tail, &opening))
    }

    pub(crate) fn reach(&self, tail: &str) -> Reached {
        match self.enter(Some(tail)).unwrap() {
            Ok(Entered::Content(reached)) => *reached,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn fails(&self, tail: &str) -> Fault {
        match self.enter(Some(tail)).unwrap() {
            Ok(Entered::Content(reached)) => match &reached.content {
                Content::Table(table) => table.pull(&mut Seen::default(), &self.budget).unwrap_err(),
                other => panic!("{other:?}"),
            },
            Ok(other) => panic!("{other:?}"),
            Err(fault) => fault,
        }
    }

    /// A value of a JSON file, with its place.
    pub(crate) fn json(&self, pointer: &str) -> Result<JsonValue, Fault> {
        let Self { limits, budget, shelf, .. } = self;
        let works: Arc<dyn readstone_base::Workshop> = Arc::new(readstone_formats::InPlace);
        let pictures = readstone_source::Pictures::default();
        let beyond = readstone_source::Beyond::nothing();
        let opening =
            Opening { limits, budget, shelf, formats: &Standard, judge: shelf, works: &works, pictures, beyond };
        json_value(&self.piece, pointer, &opening)
    }

    /// The table, its rows, and whether more follow.
    pub(crate) fn table(&self, tail: &str) -> (Box<dyn Table>, Seen, bool) {
        let Content::Table(table) = self.reach(tail).content else { panic!("no table") };
        let mut seen = Seen::default();
        let more = table.pull(&mut seen, &self.budget).unwrap();
        (table, seen, more)
    }

    pub(crate) fn rows(&self, tail: &str) -> Vec<Vec<String>> {
        self.table(tail).1.text()
    }

    /// Text that was made, and what is said of it.
    pub(crate) fn text(&self, tail: &str) -> (String, Vec<Note>) {
        let reached = self.reach(tail);
        let Content::Converted(made) = reached.content else { panic!("no text") };
        (String::from_utf8(made.text.to_vec()).unwrap(), reached.notes)
    }
}
