//! Any bytes as delimited text: pages put together are the whole, and a cell is what its row says.

use readstone_source::{Content, TableRow, Take, Value};

use crate::{Got, World, text_and_bytes};

/// The kinds of delimited text.
const NAMES: [&str; 3] = ["a.csv", "a.tsv", "a.psv"];
/// Rows that are looked at.
const MOST: usize = 200;

pub(crate) fn run(input: &[u8]) {
    let Some((pick, rest)) = input.split_first() else { return };
    let Some((query, bytes)) = text_and_bytes(rest) else { return };
    let name = NAMES[usize::from(*pick) % NAMES.len()];
    let world = World::new(name, bytes);
    let first = world.seen(Some(&format!("?{query}")));
    assert_eq!(world.seen(Some(&format!("?{query}"))), first);
    let Some((whole, _)) = page(&world, "?limit=200&offset=0") else { return };
    let mut parts = Vec::new();
    while parts.len() < MOST {
        let (rows, more) = page(&world, &format!("?limit=3&offset={}", parts.len())).expect("a page of the same");
        assert!(rows.len() <= 3 && (!more || !rows.is_empty()), "a page of nothing");
        parts.extend(rows);
        if !more {
            break;
        }
    }
    parts.truncate(whole.len());
    assert_eq!(parts, whole, "pages are not the whole");
    for (row, number) in whole.iter().zip(1..).take(6) {
        for (cell, column) in row.iter().zip(1..).take(4) {
            // Beyond its last field, a row has no cell.
            let Some(cell) = cell else { continue };
            let address = format!("?row={number}&column=#{column}");
            let Ok(Got::Content(reached)) = world.enter(Some(&address)) else { panic!("{address}") };
            let Content::Converted(made) = reached.content else { panic!("{address}") };
            assert!(made.text.starts_with(cell), "{address}");
        }
    }
}

/// The rows of a page, and whether more follow.
fn page(world: &World, tail: &str) -> Option<(Vec<Vec<Option<Vec<u8>>>>, bool)> {
    let Ok(Got::Content(reached)) = world.enter(Some(tail)) else { return None };
    let Content::Table(table) = reached.content else { panic!("no table") };
    let mut rows = Rows::default();
    let more = table.pull(&mut rows, world.budget()).ok()?;
    Some((rows.0, more))
}

#[derive(Default)]
struct Rows(Vec<Vec<Option<Vec<u8>>>>);

impl Take for Rows {
    fn columns(&mut self, _: &[String]) {}

    fn row(&mut self, row: &TableRow) -> bool {
        let cell = |value: &Value| match value {
            Value::Bare { head, length } => {
                assert!(head.len() as u64 <= *length);
                Some(head.clone())
            }
            Value::Null => None,
            Value::Text { .. } | Value::Integer(_) | Value::Real(_) | Value::Blob { .. } => panic!("{value:?}"),
        };
        let mut cells: Vec<_> = row.cells.iter().map(cell).collect();
        // A page is as wide as its widest row.
        cells.truncate(cells.iter().rposition(Option::is_some).map_or(0, |last| last + 1));
        self.0.push(cells);
        true
    }
}
