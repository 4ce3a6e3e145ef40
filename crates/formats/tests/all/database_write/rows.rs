//! Inserting, updating and deleting.

use readstone_formats::{RowDone, RowEffect, RowText};
use rusqlite::types::Value;

use super::stand::{Stand, gist};

const USERS: &str = "CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, age INTEGER DEFAULT 7, data BLOB);
    INSERT INTO users VALUES (1, 'Ada', 36, x'00ff'), (42, 'Bob', NULL, NULL);";

/// What is told of a row that is told whole.
fn whole(row: Option<&RowText>) -> Option<&str> {
    row.filter(|row| row.whole).map(|row| row.json.as_str())
}

#[test]
fn a_row_is_inserted_and_told_with_its_key_and_defaults() {
    let stand = Stand::new(USERS);
    let written = stand.write("users", "{name: 'Eve', // a remark\n data: {$hex: '0aff'},}");
    assert_eq!(gist(&written), (RowDone::Inserted, Some("43")));
    assert_eq!(written.table, "d.db:users");
    assert_eq!(written.columns, ["name", "data"]);
    assert_eq!(written.before, None);
    assert_eq!(whole(written.after.as_ref()), Some(r#"{"id": 43, "name": "Eve", "age": 7, "data": {"$hex": "0aff"}}"#));
    assert_eq!((written.triggered_rows, written.triggered.len()), (0, 0));
    assert_eq!(stand.text("SELECT * FROM users WHERE id = 43"), ["43|Eve|7|[10, 255]"]);
    assert_eq!(stand.names(), ["d.db"]);
}

#[test]
fn an_empty_object_inserts_a_row_of_defaults() {
    let stand = Stand::new(USERS);
    assert_eq!(gist(&stand.write("users", "{}")), (RowDone::Inserted, Some("43")));
    assert_eq!(stand.text("SELECT * FROM users WHERE id = 43"), ["43|NULL|7|NULL"]);
}

#[test]
fn a_row_is_updated_in_the_named_columns_alone() {
    let stand = Stand::new(USERS);
    let written = stand.write("users:1", "{name: 'Ada L.', AGE: 36}");
    assert_eq!(gist(&written), (RowDone::Updated, Some("1")));
    // The other column was given the value that it had.
    assert_eq!(written.columns, ["name"]);
    assert_eq!(
        whole(written.before.as_ref()),
        Some(r#"{"id": 1, "name": "Ada", "age": 36, "data": {"$hex": "00ff"}}"#)
    );
    assert_eq!(
        whole(written.after.as_ref()),
        Some(r#"{"id": 1, "name": "Ada L.", "age": 36, "data": {"$hex": "00ff"}}"#)
    );
    assert_eq!(stand.text("SELECT * FROM users"), ["1|Ada L.|36|[0, 255]", "42|Bob|NULL|NULL"]);
}

#[test]
fn what_a_row_was_can_be_written_back() {
    let stand = Stand::new(USERS);
    let before = stand.write("users:1", "{name: null, age: 1e400, data: 'x'}").before.unwrap();
    stand.write("users:1", &before.json);
    assert_eq!(stand.text("SELECT * FROM users WHERE id = 1"), ["1|Ada|36|[0, 255]"]);
    let gone = stand.write("users:1", "").before.unwrap();
    assert_eq!(gone, before);
    stand.write("users", &gone.json);
    assert_eq!(stand.text("SELECT * FROM users WHERE id = 1"), ["1|Ada|36|[0, 255]"]);
}

#[test]
fn a_row_is_deleted_by_nothing_but_its_key() {
    let stand = Stand::new(USERS);
    for (key, content) in [("42", ""), ("1", " \n\t ")] {
        let written = stand.write(&format!("users:{key}"), content);
        assert_eq!(gist(&written), (RowDone::Deleted, Some(key)));
        assert!(written.before.is_some() && written.after.is_none());
    }
    assert!(stand.text("SELECT * FROM users").is_empty());
    assert_eq!(stand.refuse("users", "").code, "database.bad_row");
}

#[test]
fn a_key_that_no_row_has_changes_nothing() {
    let stand = Stand::new(USERS);
    let before = stand.bytes();
    for (key, content, done) in [
        ("7", "{name: 'x'}", RowDone::NoneUpdated),
        ("7", "", RowDone::NoneDeleted),
        ("01", "", RowDone::NoneDeleted),
        ("1.0", "", RowDone::NoneDeleted),
        ("9223372036854775808", "", RowDone::NoneDeleted),
        ("Ada", "{name: 'x'}", RowDone::NoneUpdated),
    ] {
        let written = stand.write(&format!("users:{key}"), content);
        assert_eq!(gist(&written), (done, Some(key)));
        assert_eq!(written.expected.as_deref(), Some("id"));
    }
    assert_eq!(stand.bytes(), before);
}

#[test]
fn values_arrive_exactly() {
    let stand = Stand::new("CREATE TABLE t(k INTEGER PRIMARY KEY, v);");
    let cases = [
        ("9223372036854775807", Value::Integer(i64::MAX)),
        ("-9223372036854775808", Value::Integer(i64::MIN)),
        ("9007199254740993", Value::Integer(9_007_199_254_740_993)),
        ("0x7fffffffffffffff", Value::Integer(i64::MAX)),
        ("0.1", Value::Real(0.1)),
        ("5e-324", Value::Real(5e-324)),
        ("1.0", Value::Real(1.0)),
        ("-Infinity", Value::Real(f64::NEG_INFINITY)),
        ("true", Value::Integer(1)),
        ("false", Value::Integer(0)),
        ("null", Value::Null),
        ("'it''s'", Value::Null),
        ("\"it's\"", Value::Text("it's".to_owned())),
        ("'\\'); DROP TABLE t; --'", Value::Text("'); DROP TABLE t; --".to_owned())),
        ("'a\\u0000b'", Value::Text("a\0b".to_owned())),
        ("'\u{1F600}\\uD83D\\uDE00'", Value::Text("\u{1F600}\u{1F600}".to_owned())),
        ("''", Value::Text(String::new())),
        ("{$hex: ''}", Value::Blob(Vec::new())),
    ];
    for (spelled, expected) in cases {
        let content = format!("{{v: {spelled}}}");
        if spelled == "'it''s'" {
            assert_eq!(stand.refuse("t", &content).code, "database.bad_row");
            continue;
        }
        let key = stand.write("t", &content).key.unwrap();
        assert_eq!(stand.rows(&format!("SELECT v FROM t WHERE k = {key}")), [[expected]], "{spelled}");
    }
}

#[test]
fn a_dry_run_tells_the_same_and_changes_nothing() {
    for mode in ["DELETE", "WAL"] {
        let stand = Stand::new(&format!("PRAGMA journal_mode = {mode}; {USERS}"));
        let before = stand.text("SELECT * FROM users");
        for (tail, content) in [("users", "{name: 'Eve'}"), ("users:1", "{name: 'Eve'}"), ("users:1", "")] {
            let dry = stand.attempt(tail, content, RowEffect::Dry).unwrap();
            assert_eq!(stand.text("SELECT * FROM users"), before);
            assert_eq!(stand.write(tail, content), dry, "{mode} {tail}");
            stand.connect().execute_batch(&format!("DELETE FROM users; {}", USERS.split_once(';').unwrap().1)).unwrap();
        }
        stand.check();
    }
}

#[test]
fn a_dry_run_finds_what_only_the_end_of_the_transaction_would() {
    let stand = Stand::new(
        "CREATE TABLE p(id INTEGER PRIMARY KEY);
         CREATE TABLE c(p REFERENCES p(id) DEFERRABLE INITIALLY DEFERRED);",
    );
    for effect in [RowEffect::Dry, RowEffect::Real] {
        let fault = stand.attempt("c", "{p: 1}", effect).unwrap_err();
        assert_eq!(fault.code(), "database.constraint");
        assert!(fault.to_string().contains("FOREIGN KEY constraint failed"), "{fault}");
    }
    assert!(stand.text("SELECT * FROM c").is_empty());
}

#[test]
fn databases_with_a_log_are_written_beside_a_program_that_has_them_open() {
    let stand = Stand::new(&format!("PRAGMA journal_mode = WAL; {USERS}"));
    let other = stand.connect();
    other.execute("UPDATE users SET age = 1 WHERE id = 42", []).unwrap();
    stand.write("users:42", "{age: 2}");
    assert!(stand.names().contains(&"d.db-wal".to_owned()));
    assert_eq!(other.query_row("SELECT age FROM users WHERE id = 42", [], |row| row.get::<_, i64>(0)).unwrap(), 2);
    other.execute("UPDATE users SET age = 3 WHERE id = 42", []).unwrap();
    drop(other);
    assert_eq!(stand.text("SELECT age FROM users WHERE id = 42"), ["3"]);
}

#[test]
fn text_is_stored_as_the_database_stores_it() {
    let stand = Stand::new("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(k TEXT PRIMARY KEY, v TEXT);");
    assert_eq!(stand.write("t", "{k: 'ü', v: 'ä€😀'}").key.as_deref(), Some("ü"));
    stand.write("t:ü", "{v: 'ß'}");
    assert_eq!(stand.text("SELECT k, v, hex(v) FROM t"), ["ü|ß|DF00"]);
}

#[test]
fn rows_that_are_too_large_to_be_told_are_written_all_the_same() {
    let stand = Stand::new("CREATE TABLE t(k INTEGER PRIMARY KEY, v TEXT, w BLOB);");
    let long = "x".repeat(10_000);
    let written = stand.write("t", &format!("{{v: '{long}'}}"));
    let after = written.after.unwrap();
    assert_eq!((after.json.as_str(), after.whole), (r#"{"k": 1, "v": "<text 9.7 KB>", "w": null}"#, false));
    assert_eq!(stand.rows("SELECT v FROM t"), [[Value::Text(long)]]);
    let written = stand.write("t:1", "{w: 1}");
    assert_eq!(written.columns, ["w"]);
}

#[test]
fn the_version_of_a_row_is_that_of_all_its_values_also_of_those_that_are_not_told() {
    let stand = Stand::new("CREATE TABLE t(id INTEGER PRIMARY KEY, long TEXT);");
    let (one, other) = ("a".repeat(5_000), "b".repeat(5_000));
    let first = stand.write("t", &format!("{{long: '{one}'}}")).after.unwrap();
    let second = stand.write("t:1", &format!("{{long: '{other}'}}")).after.unwrap();
    assert_eq!((first.json == second.json, first.version == second.version), (true, false));
    assert!(stand.write("t:1", &format!("{{long: '{one}'}}")).after.unwrap().version == first.version);
}
