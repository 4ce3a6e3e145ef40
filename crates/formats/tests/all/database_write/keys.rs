//! Keys of every kind, spelled as reading shows and takes them.

use readstone_formats::RowDone;

use super::stand::{Stand, gist};

#[test]
fn keys_of_several_columns_and_tables_without_row_numbers_are_written() {
    for rest in ["", " WITHOUT ROWID"] {
        let stand = Stand::new(&format!(
            "CREATE TABLE t(a TEXT, b INTEGER, v, PRIMARY KEY (b, a)){rest}; INSERT INTO t VALUES ('x', 1, 'one');"
        ));
        let written = stand.write("t", "{a: 'y', b: 2, v: 'two'}");
        assert_eq!(gist(&written), (RowDone::Inserted, Some("2,y")));
        assert_eq!(gist(&stand.write("t:1,x", "{v: 'first'}")), (RowDone::Updated, Some("1,x")));
        assert_eq!(stand.text("SELECT b, a, v FROM t ORDER BY b"), ["1|x|first", "2|y|two"]);
        // The key itself changes.
        let written = stand.write("t:2,y", "{a: 'z'}");
        assert_eq!(gist(&written), (RowDone::Updated, Some("2,z")));
        assert_eq!(written.columns, ["a"]);
        assert_eq!(gist(&stand.write("t:2,y", "")), (RowDone::NoneDeleted, Some("2,y")));
        assert_eq!(
            stand.write("t:1", "").expected.as_deref(),
            Some("the columns (b, a), written A,B"),
            "a part of a key is none"
        );
        assert_eq!(gist(&stand.write("t:2,z", "")), (RowDone::Deleted, Some("2,z")));
        assert_eq!(stand.text("SELECT b, a, v FROM t"), ["1|x|first"]);
    }
}

#[test]
fn rows_without_a_primary_key_go_by_their_number() {
    let stand = Stand::new("CREATE TABLE t(v); INSERT INTO t VALUES ('a'), ('b');");
    assert_eq!(gist(&stand.write("t", "{v: 'c'}")), (RowDone::Inserted, Some("3")));
    assert_eq!(gist(&stand.write("t", "{rowid: 9, v: 'd'}")), (RowDone::Inserted, Some("9")));
    assert_eq!(gist(&stand.write("t:2", "{v: 'B'}")), (RowDone::Updated, Some("2")));
    assert_eq!(gist(&stand.write("t:1", "")), (RowDone::Deleted, Some("1")));
    assert_eq!(stand.text("SELECT rowid, v FROM t"), ["2|B", "3|c", "9|d"]);
    // Where a column has the name, it is the column.
    let stand = Stand::new("CREATE TABLE t(rowid TEXT, v); INSERT INTO t VALUES ('x', 1), ('y', 2);");
    assert_eq!(gist(&stand.write("t:2", "{rowid: 'z'}")), (RowDone::Updated, Some("2")));
    assert_eq!(stand.text("SELECT _rowid_, rowid FROM t"), ["1|x", "2|z"]);
}

#[test]
fn names_and_keys_are_taken_as_reading_takes_them() {
    let stand = Stand::new(
        "CREATE TABLE \"a\"(k TEXT PRIMARY KEY, v); CREATE TABLE \"a:b\"(k TEXT PRIMARY KEY, v);
         CREATE TABLE \"q?\"(k TEXT PRIMARY KEY, v);
         CREATE TABLE \"we\"\"ird [x]\"(\"c\"\"1\" TEXT PRIMARY KEY, \"d e\");
         INSERT INTO a VALUES ('b:c', 1), ('100%', 2), ('what?', 3), ('1', 4);",
    );
    // The longest name first, and then where the row is.
    assert_eq!(stand.write("a:b", "{k: 'c', v: 0}").table, "d.db:a:b");
    assert_eq!(stand.write("a:b:c", "{v: 10}").table, "d.db:a:b");
    stand.write("a:b:c", "");
    assert_eq!(stand.write("a:b:c", "{v: 11}").table, "d.db:a");
    assert_eq!(gist(&stand.write("a:100%", "{v: 12}")), (RowDone::Updated, Some("100%")));
    assert_eq!(gist(&stand.write("a:100%25", "{v: 13}")), (RowDone::Updated, Some("100%25")));
    assert_eq!(gist(&stand.write("a:what?", "{v: 14}")), (RowDone::Updated, Some("what?")));
    assert_eq!(stand.text("SELECT v FROM a ORDER BY k"), ["4", "13", "11", "14"]);
    assert_eq!(gist(&stand.write("q?", "{k: 1}")), (RowDone::Inserted, Some("1")));
    let written = stand.write("we\"ird [x]", "{'c\"1': 'k', 'd e': 5}");
    assert_eq!(gist(&written), (RowDone::Inserted, Some("k")));
    assert_eq!(written.columns, ["c\"1", "d e"]);
    assert_eq!(stand.write("WE\"IRD [X]:k", "{'D E': 6}").columns, ["d e"]);
}

#[test]
fn a_key_is_no_other_value_that_the_engine_could_take_for_it() {
    let stand = Stand::new(
        "CREATE TABLE t(k PRIMARY KEY, v); INSERT INTO t VALUES (1, 'number'), ('2', 'text'), (3.5, 'real');
         INSERT INTO t VALUES (NULL, 'nothing');
         CREATE TABLE n(k TEXT COLLATE NOCASE PRIMARY KEY, v); INSERT INTO n VALUES ('Ada', 1);",
    );
    for (key, value) in [("1", "number"), ("2", "text"), ("3.5", "real")] {
        assert!(stand.write(&format!("t:{key}"), "{v: 'seen'}").before.unwrap().json.contains(value));
    }
    for key in ["NULL", "null", "1.0", "+1"] {
        assert_eq!(stand.write(&format!("t:{key}"), "").done, RowDone::NoneDeleted, "{key}");
    }
    assert_eq!(stand.write("n:ada", "").done, RowDone::NoneDeleted);
    assert_eq!(stand.write("n:Ada", "").done, RowDone::Deleted);
}

#[test]
fn only_one_of_the_rows_that_look_alike_is_changed() {
    let stand = Stand::new("CREATE TABLE t(v); INSERT INTO t VALUES ('same'), ('same'), ('same');");
    stand.write("t:2", "{v: 'other'}");
    stand.write("t:3", "");
    assert_eq!(stand.text("SELECT rowid, v FROM t"), ["1|same", "2|other"]);
}

#[test]
fn a_key_that_cannot_be_spelled_is_not_told() {
    let stand = Stand::new("CREATE TABLE t(k BLOB PRIMARY KEY, v); CREATE TABLE u(k TEXT PRIMARY KEY);");
    assert_eq!(gist(&stand.write("t", "{k: {$hex: '00'}, v: 1}")), (RowDone::Inserted, None));
    assert_eq!(gist(&stand.write("u", "{k: 'a:b'}")), (RowDone::Inserted, None));
}

#[test]
fn a_key_that_means_two_rows_changes_neither() {
    let stand = Stand::new(
        "CREATE TABLE t(a TEXT, b TEXT, v, PRIMARY KEY (a, b)); INSERT INTO t VALUES ('a,b', 'c', 1), ('a', 'b,c', 2), ('x', 'y', 3);",
    );
    let refused = stand.refuse("t:a,b,c", "{v: 9}");
    assert_eq!(refused.code, "database.bad_row");
    assert_eq!(stand.text("SELECT v FROM t ORDER BY v"), ["1", "2", "3"]);
    assert_eq!(gist(&stand.write("t:x,y", "{v: 4}")), (RowDone::Updated, Some("x,y")));
}

#[test]
fn a_key_is_also_taken_as_its_value_is_shown() {
    let stand = Stand::new(
        "CREATE TABLE t(k PRIMARY KEY, v);
         INSERT INTO t VALUES ('12345', 1), (x'00FF', 2), ('it''s', 3), (7, 4), ('''q''', 5);
         CREATE TABLE c(a TEXT, b TEXT, v, PRIMARY KEY (a, b)); INSERT INTO c VALUES ('a,b', 'c', 1), ('a', 'b,c', 2);",
    );
    let keys =
        [("'12345'", 1), ("12345", 1), ("x'00ff'", 2), ("X'00FF'", 2), ("'it''s'", 3), ("'q'", 5), ("'''q'''", 5)];
    for (key, value) in keys {
        let written = stand.write(&format!("t:{key}"), "{v: 9}");
        assert_eq!(gist(&written).0, RowDone::Updated, "{key}");
        assert!(written.before.unwrap().json.contains(&format!("\"v\": {value}")), "{key}");
        stand.write(&format!("t:{key}"), &format!("{{v: {value}}}"));
    }
    for key in ["'7'", "'it's'", "x'00F'", "x''", "'", "''", "NULL"] {
        assert_eq!(stand.write(&format!("t:{key}"), "").done, RowDone::NoneDeleted, "{key}");
    }
    assert_eq!(gist(&stand.write("c:'a,b','c'", "{v: 3}")).0, RowDone::Updated);
    assert_eq!(gist(&stand.write("c:a,'b,c'", "{v: 4}")).0, RowDone::Updated);
    assert_eq!(stand.text("SELECT v FROM c ORDER BY v"), ["3", "4"]);
}

#[test]
fn a_key_that_is_that_of_a_number_and_of_a_text_changes_neither() {
    let stand = Stand::new("CREATE TABLE s(k PRIMARY KEY, v); INSERT INTO s VALUES (1, 'number'), ('1', 'text');");
    for content in ["{v: 9}", ""] {
        assert_eq!(stand.refuse("s:1", content).code, "database.bad_row");
    }
    assert_eq!(gist(&stand.write("s:'1'", "{v: 'changed'}")).0, RowDone::Updated);
    assert_eq!(stand.text("SELECT v FROM s ORDER BY v"), ["changed", "number"]);
}
