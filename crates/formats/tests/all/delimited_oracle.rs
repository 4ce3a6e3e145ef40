//! Rows against another reader of delimited text.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use proptest::{collection, sample, test_runner};
use readstone_source::Value;

use crate::delimited::stand::Stand;

fn config(cases: u32) -> test_runner::Config {
    test_runner::Config {
        cases,
        failure_persistence: None,
        rng_seed: test_runner::RngSeed::Fixed(0xF0E1_0005),
        max_shrink_iters: 2_000,
        ..test_runner::Config::default()
    }
}

/// Text in which everything that matters is frequent.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let sign = sample::select(b"\t\t\t\"\"\"\n\n\r1.0-,;a b=".to_vec());
    let part = prop_oneof![
        4 => sign.prop_map(|sign| vec![sign]),
        1 => Just(b"\r\n".to_vec()),
        1 => Just(b"\"\"".to_vec()),
        1 => Just("é".as_bytes().to_vec()),
        1 => Just(b"\"a\tb\nc\"".to_vec()),
    ];
    collection::vec(part, 0..60).prop_map(|parts| parts.concat())
}

/// The rows behind the header, as the other reader has them.
fn expected(bytes: &[u8]) -> Vec<Vec<Vec<u8>>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(b'\t').from_reader(bytes);
    let records = reader.byte_records().map(|record| record.unwrap().iter().map(<[u8]>::to_vec).collect());
    records.skip(1).collect()
}

fn found(stand: &Stand, offset: usize) -> (Vec<Vec<Vec<u8>>>, Option<u64>) {
    let (table, seen, more) = stand.table(&format!("?limit=500&offset={offset}"));
    assert!(!more);
    let cell = |value: &Value| match value {
        Value::Bare { head, length } => {
            assert_eq!(head.len() as u64, *length);
            Some(head.clone())
        }
        Value::Null => None,
        Value::Text { .. } | Value::Integer(_) | Value::Real(_) | Value::Blob { .. } => panic!("{value:?}"),
    };
    let rows = seen.rows.iter().map(|row| row.cells.iter().filter_map(cell).collect()).collect();
    (rows, table.total())
}

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn rows_are_those_of_another_reader(text in text()) {
        let rows = expected(&text);
        let stand = Stand::new("a.tsv", text);
        assert_eq!(found(&stand, 0), (rows.clone(), Some(rows.len() as u64)));
    }
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn rows_are_the_same_wherever_the_pieces_end(text in text(), short in 0_usize..60, from in any::<sample::Index>()) {
        // What is read at once ends somewhere in the text, or just before or behind it.
        let header = format!("{}\n", "h".repeat(256 * 1024 - short));
        let bytes = [header.as_bytes(), &text].concat();
        let rows = expected(&bytes);
        let from = from.index(rows.len() + 1);
        let stand = Stand::new("a.tsv", bytes);
        let later = rows.get(from..).unwrap_or_default().to_vec();
        assert_eq!(found(&stand, from), (later, Some(rows.len() as u64)));
        // What was found out the first time leads to the same rows.
        assert_eq!(found(&stand, 0).0, rows);
        for (row, number) in rows.iter().zip(1..) {
            for (cell, column) in row.iter().zip(1..) {
                assert_eq!(stand.text(&format!("?row={number}&column=#{column}")).0.as_bytes(), cell);
            }
        }
    }
}
