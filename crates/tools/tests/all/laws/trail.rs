//! A trail: the pages one gets by following `next` from an address to the end.

use std::collections::{BTreeMap, HashSet};

use readstone_base::Cut;

use super::stand::{Seen, Stand};
use super::twin::Twin;

/// Every page from `address` on; fails when the trail repeats itself or grows beyond all reason.
pub(crate) fn follow(stand: &Stand, address: &str, size: usize) -> Vec<Seen> {
    let mut pages = Vec::new();
    let mut met = HashSet::new();
    let mut next = Some(address.to_owned());
    while let Some(address) = next.take() {
        assert!(met.insert(address.clone()), "the trail comes back to {address}");
        // Every page shows at least one byte, apart from a few at the ends of slices.
        assert!(pages.len() <= 2 * size + 16, "the trail has more pages than the file has bytes, at {address}");
        let page = stand.read(&address);
        next.clone_from(&page.target.next);
        pages.push(page);
    }
    pages
}

/// What stands before a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    Line(u64),
    Byte(u64),
    Gone(u64),
}

/// A row as it stands in a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) label: Label,
    pub(crate) text: String,
    /// Which part of its line it is, when it is not the whole.
    pub(crate) cut: Option<Cut>,
}

/// The rows of a page, read from its text like a model reads them.
pub(crate) fn rows(page: &Seen) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut cuts = page.target.cuts.iter();
    let mut lines = page.text.split_terminator('\n');
    let header = lines.next().unwrap_or_default();
    assert!(header.starts_with('¶'), "no header: {header:?}");
    for line in lines {
        if line.starts_with("[cut: ") {
            let row = rows.last_mut().expect("a mark follows a row");
            assert!(row.cut.is_none(), "two marks on one row: {}", page.text);
            row.cut = Some(cuts.next().expect("a cut in the receipt for each mark").clone());
        } else if line.starts_with('[') {
            break;
        } else {
            rows.push(row(line));
        }
    }
    assert_eq!(cuts.next(), None, "a cut in the receipt that no row shows: {}", page.text);
    rows
}

fn row(line: &str) -> Row {
    let (label, text) = line.split_once(':').unwrap_or_else(|| panic!("no row: {line:?}"));
    let number = |digits: &str| digits.parse::<u64>().unwrap_or_else(|_| panic!("no label: {line:?}"));
    let label = match label.split_at(1) {
        ("b", offset) => Label::Byte(number(offset)),
        ("-", gone) => Label::Gone(number(gone)),
        _ => Label::Line(number(label)),
    };
    Row { label, text: text.to_owned(), cut: None }
}

/// The lines that pages show, put together from their slices in the order in which these came.
pub(crate) fn gather(pages: &[Seen], twin: &Twin) -> BTreeMap<u64, String> {
    let mut lines: BTreeMap<u64, String> = BTreeMap::new();
    for row in pages.iter().flat_map(rows) {
        let number = match row.label {
            Label::Line(number) => number,
            Label::Byte(offset) => twin.line_at(offset),
            Label::Gone(_) => panic!("a line that is gone on a page of the file"),
        };
        lines.entry(number).or_default().push_str(&row.text);
    }
    lines
}

/// Compares what was gathered with the lines of the twin, and names the first difference.
pub(crate) fn check_lines(found: &BTreeMap<u64, String>, twin: &Twin) {
    for (line, number) in twin.lines.iter().zip(1_u64..) {
        assert_eq!(found.get(&number), Some(line), "line {number}");
    }
    assert_eq!(found.len(), twin.lines.len(), "lines that do not exist: {:?}", found.keys());
}
