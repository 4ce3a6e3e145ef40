//! What a database does when a row is written: told, bounded, and refused where it reaches out.

use std::time::Duration;

use readstone_base::Class;
use readstone_formats::RowDone;

use super::stand::{Stand, gist, within};

#[test]
fn rows_that_triggers_change_are_counted_by_table() {
    let stand = Stand::new(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, v, n DEFAULT 0); CREATE TABLE log(what);
         CREATE TABLE keys(k PRIMARY KEY) WITHOUT ROWID;
         INSERT INTO t(v) VALUES ('a'), ('b'), ('c');
         CREATE TRIGGER after_update AFTER UPDATE OF v ON t BEGIN
             INSERT INTO log VALUES (old.v), (new.v);
             UPDATE t SET n = n + 1;
             INSERT INTO keys VALUES (new.v);
         END;",
    );
    let written = stand.write("t:2", "{v: 'B'}");
    assert_eq!(gist(&written), (RowDone::Updated, Some("2")));
    // The row itself was changed once more by the trigger.
    assert_eq!(written.columns, ["v", "n"]);
    assert_eq!(written.triggered_rows, 6);
    assert_eq!(written.triggered, [("log".to_owned(), 2), ("t".to_owned(), 3)]);
    assert_eq!(stand.text("SELECT * FROM t"), ["1|a|1", "2|B|1", "3|c|1"]);
    assert_eq!(stand.write("t:3", "").triggered_rows, 0);
}

#[test]
fn rows_that_go_with_their_parent_are_counted() {
    let stand = Stand::new(
        "CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE c(p REFERENCES p(id) ON DELETE CASCADE);
         INSERT INTO p VALUES (1), (2); INSERT INTO c VALUES (1), (1), (2);",
    );
    let written = stand.write("p:1", "");
    assert_eq!((written.triggered_rows, written.triggered), (2, vec![("c".to_owned(), 2)]));
    assert_eq!(stand.text("SELECT p FROM c"), ["2"]);
}

#[test]
fn full_text_tables_are_kept_in_step_by_their_triggers() {
    let stand = Stand::new(
        "CREATE TABLE docs(id INTEGER PRIMARY KEY, body);
         CREATE VIRTUAL TABLE fts USING fts5(body, content='docs', content_rowid='id');
         CREATE TRIGGER di AFTER INSERT ON docs BEGIN INSERT INTO fts(rowid, body) VALUES (new.id, new.body); END;
         CREATE TRIGGER dd AFTER DELETE ON docs BEGIN
             INSERT INTO fts(fts, rowid, body) VALUES ('delete', old.id, old.body);
         END;
         CREATE TRIGGER du AFTER UPDATE ON docs BEGIN
             INSERT INTO fts(fts, rowid, body) VALUES ('delete', old.id, old.body);
             INSERT INTO fts(rowid, body) VALUES (new.id, new.body);
         END;",
    );
    let written = stand.write("docs", "{body: 'hello world'}");
    assert_eq!((written.triggered_rows, written.triggered.len()), (1, 0));
    stand.write("docs:1", "{body: 'good bye'}");
    assert_eq!(stand.text("SELECT rowid FROM fts WHERE fts MATCH 'bye'"), ["1"]);
    assert!(stand.text("SELECT rowid FROM fts WHERE fts MATCH 'hello'").is_empty());
    stand.connect().execute_batch("INSERT INTO fts(fts) VALUES ('integrity-check')").unwrap();
}

#[test]
fn a_trigger_may_refuse_and_may_let_nothing_happen() {
    let stand = Stand::new(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a');
         CREATE TRIGGER no_delete BEFORE DELETE ON t BEGIN SELECT RAISE(ABORT, 'rows are kept for ever'); END;
         CREATE TRIGGER no_update BEFORE UPDATE ON t BEGIN SELECT RAISE(IGNORE); END;
         CREATE TRIGGER no_insert BEFORE INSERT ON t BEGIN SELECT RAISE(IGNORE); END;",
    );
    let refused = stand.refuse("t:1", "");
    assert_eq!(refused.code, "database.constraint");
    assert!(refused.text.contains("rows are kept for ever"), "{}", refused.text);
    assert_eq!(gist(&stand.write("t:1", "{v: 'b'}")), (RowDone::Ignored, Some("1")));
    assert_eq!(gist(&stand.write("t", "{v: 'b'}")), (RowDone::Ignored, None));
    assert_eq!(stand.text("SELECT * FROM t"), ["1|a"]);
}

#[test]
fn a_trigger_reaches_nothing_but_rows() {
    for (function, words) in [
        ("load_extension('x.so')", "load_extension"),
        ("readfile('/etc/passwd')", "no such function: readfile"),
        ("fts3_tokenizer('simple')", "fts3_tokenizer"),
    ] {
        let stand = Stand::new("CREATE TABLE t(v); CREATE TABLE log(v);");
        let trigger = format!("CREATE TRIGGER x AFTER INSERT ON t BEGIN INSERT INTO log SELECT {function}; END;");
        stand.connect().execute_batch(&trigger).unwrap();
        let refused = stand.refuse("t", "{v: 1}");
        assert!(["database.unwritable", "database.bad_row"].contains(&refused.code), "{}", refused.code);
        assert!(refused.text.contains(words), "{}", refused.text);
    }
}

#[test]
fn a_trigger_that_never_ends_ends_with_the_call() {
    let mut stand = Stand::new(
        "CREATE TABLE t(v); CREATE TRIGGER x AFTER INSERT ON t BEGIN
             DELETE FROM t WHERE v IN (
                 WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT -n FROM c
             );
         END;",
    );
    stand.budget = within(Duration::from_millis(200));
    let refused = stand.refuse("t", "{v: 1}");
    assert_eq!((refused.code, refused.class), ("database.timeout", Class::Stopped), "{}", refused.text);
    assert!(stand.text("SELECT * FROM t").is_empty());
}

#[test]
fn a_trigger_that_fills_the_memory_is_stopped() {
    let stand = Stand::new(
        "CREATE TABLE t(v); CREATE TRIGGER x AFTER INSERT ON t BEGIN INSERT INTO t VALUES (zeroblob(900000000)); END;",
    );
    let refused = stand.refuse("t", "{v: 1}");
    assert_eq!((refused.code, refused.class), ("database.limit", Class::TooBig), "{}", refused.text);
}
