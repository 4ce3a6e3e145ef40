//! The tables and views of a database, with how many rows they have.

use std::sync::Arc;

use readstone_base::{Budget, Fault, Hidden, Kind, Mark, Span, TreeRow, TreeSize, When};
use readstone_source::Listing;

use crate::database::remote::Remote;
use crate::database::schema::Object;
use crate::database::spelling::shown_table;

/// Characters of a name.
const NAME_CHARS: usize = 200;

/// The list of a database's tables and views.
#[derive(Debug)]
pub(super) struct Tables {
    /// The database.
    pub(super) remote: Arc<Remote>,
    /// What is listed.
    pub(super) objects: Vec<Object>,
}

impl Listing for Tables {
    fn kind(&self) -> Kind {
        Kind::Database
    }

    fn total(&self) -> Option<u64> {
        Some(self.objects.len() as u64)
    }

    fn rows(&self, window: Span, budget: &Budget) -> std::result::Result<Vec<TreeRow>, Fault> {
        let place = |number: u64| usize::try_from(number).unwrap_or(usize::MAX).min(self.objects.len());
        let shown = self.objects.get(place(window.first.saturating_sub(1))..place(window.last)).unwrap_or_default();
        if shown.is_empty() {
            return Ok(Vec::new());
        }
        let sizes = self.remote.count(shown, budget)?;
        Ok(shown.iter().zip(sizes).map(|(object, size)| row(object, size)).collect())
    }

    fn hidden(&self) -> Vec<Hidden> {
        Vec::new()
    }
}

fn row(object: &Object, size: TreeSize) -> TreeRow {
    let name = shown_table(&object.name);
    let cut = name.char_indices().nth(NAME_CHARS).map(|(at, _)| at);
    let (name, marks) = match cut.and_then(|at| name.get(..at)) {
        Some(start) => (format!("{start}…"), vec![Mark::LongName(None)]),
        None => (name, Vec::new()),
    };
    TreeRow { depth: 0, name, size, when: When::Unknown, marks }
}
