//! Every hit has an address that `read` opens and that holds what was found.

use readstone_base::{Reply, Status};
use serde_json::json;

use super::stand::Stand;

/// The places that the text of a search of a database shows: what stands behind the heading of its table.
fn cells(reply: &Reply) -> Vec<String> {
    let (mut table, mut cells) = (String::new(), Vec::new());
    for line in reply.text().lines() {
        if let Some(heading) = line.strip_prefix("# ").or_else(|| line.strip_prefix('¶')) {
            heading.clone_into(&mut table);
        } else if let Some(row) = line.strip_prefix('*') {
            let place = row.rsplit_once(": ").expect("a value").0;
            let joint = if place.starts_with('?') { "" } else { ":" };
            cells.push(format!("{table}{joint}{place}"));
        }
    }
    cells
}

#[test]
fn every_value_that_is_found_in_a_database_can_be_read() {
    let stand = Stand::new();
    let path = stand.path().join("app.db");
    let database = rusqlite::Connection::open(&path).unwrap();
    database
        .execute_batch(
            "CREATE TABLE plain (id INTEGER PRIMARY KEY, note TEXT);
             INSERT INTO plain VALUES (1, 'stone'), (2, 'sand'), (-7, 'stone');
             CREATE TABLE keyless (note TEXT, \"odd name\" TEXT); INSERT INTO keyless VALUES ('stone', 'stone');
             CREATE TABLE named (name TEXT PRIMARY KEY, note TEXT);
             INSERT INTO named VALUES ('a:b', 'stone'), ('c?d', 'stone'), ('', 'stone'), ('5', 'stone'), ('é/f', 'stone');
             CREATE TABLE pairs (a TEXT, b INTEGER, note TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
             INSERT INTO pairs VALUES ('x', 1, 'stone'), ('x,1', 2, 'stone'), ('', 3, 'stone');
             CREATE TABLE \"odd:table\" (note TEXT); INSERT INTO \"odd:table\" VALUES ('stone');
             CREATE TABLE \"what?\" (id INTEGER PRIMARY KEY, note TEXT); INSERT INTO \"what?\" VALUES (1, 'stone');
             CREATE VIEW seen AS SELECT note FROM plain;",
        )
        .unwrap();
    drop(database);
    let reply = stand.search(&json!({ "pattern": "stone", "paths": "app.db" }));
    let cells = cells(&reply);
    assert_eq!(cells.len(), 16, "{}", reply.text());
    for cell in cells {
        let text = stand.read(&cell).text();
        assert!(text.ends_with("\n1:stone\n"), "{cell}: {text}");
    }
    for table in ["app.db:plain", "app.db:pairs", "app.db:what?", "app.db:odd:table"] {
        let reply =
            stand.toolbox.call("search", &json!({ "pattern": "stone", "paths": table }), &stand.toolbox.budget());
        assert_eq!(reply.status, Status::Ok, "{table}: {}", reply.text());
    }
}

#[test]
fn a_table_is_searched_to_its_last_row() {
    let stand = Stand::new();
    let path = stand.path().join("app.db");
    let database = rusqlite::Connection::open(&path).unwrap();
    database
        .execute_batch(
            "CREATE TABLE log (id INTEGER PRIMARY KEY, line TEXT);
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
             INSERT INTO log SELECT i, 'stone ' || i FROM n;",
        )
        .unwrap();
    drop(database);
    let query = "app.db?q=SELECT line FROM log";
    for address in ["app.db:log", "app.db:log?where=id>2000", "app.db:log?order=id:desc", "app.db:log?offset=10", query]
    {
        let text = stand.told("stone 2999", address);
        assert!(text.contains(": stone 2999\n"), "{address}: {text}");
    }
    assert_eq!(stand.told("stone 2999", "app.db:log?limit=10"), "No matches found\n");
    // All pages together show every row once.
    let (mut address, mut seen) = ("app.db:log".to_owned(), Vec::new());
    loop {
        let reply = stand.search(&json!({ "pattern": "stone", "paths": address }));
        seen.extend(reply.text().lines().filter_map(|line| line.rsplit_once(": stone ")?.1.parse::<u64>().ok()));
        match reply.receipt.targets[0].next.clone() {
            Some(next) => assert_ne!(std::mem::replace(&mut address, next.clone()), next, "a page leads to itself"),
            None => break,
        }
    }
    assert_eq!(seen, (1..=3_000).collect::<Vec<u64>>());
}
