//! Values come out exactly as they went in.

use super::stand::Stand;

#[test]
fn every_kind_of_value_is_exact() {
    let stand = Stand::new(
        "CREATE TABLE v (id INTEGER PRIMARY KEY, x);
         INSERT INTO v (x)
         VALUES (9223372036854775807), (-9223372036854775808), (9007199254740993), (0.1), (1.0), (-0.0),
             (9e999), (-9e999), (NULL), (''), ('NULL'), ('two' || char(10) || 'lines'), (CAST(x'ff00fe' AS TEXT)),
             ('nul' || char(0) || 'in it'), (x''), (x'00ff'), (5e-324);",
    );
    let page = stand.rows("v?limit=50");
    let values = page.rows.iter().map(|row| row[1].as_str()).collect::<Vec<_>>();
    assert_eq!(
        values,
        [
            "9223372036854775807",
            "-9223372036854775808",
            "9007199254740993",
            "real 0.1",
            "real 1.0",
            "real -0.0",
            "real inf",
            "real -inf",
            "NULL",
            "''",
            "'NULL'",
            "'two\\nlines'",
            "'\\xff\\x00\\xfe'",
            "'nul\\x00in it'",
            "x''",
            "x'\\x00\\xff'",
            "real 5e-324"
        ]
    );
    assert_eq!(stand.cell("v:1:x"), b"9223372036854775807");
    assert_eq!(stand.cell("v:4:x"), b"0.1");
    assert_eq!(stand.cell("v:7:x"), b"Inf");
    assert_eq!(stand.cell("v:8:x"), b"-Inf");
    assert_eq!(stand.cell("v:9:x"), b"");
    assert_eq!(stand.cell("v:10:x"), b"");
    assert_eq!(stand.cell("v:13:x"), b"\xff\x00\xfe");
    assert_eq!(stand.cell("v:14:x"), b"nul\0in it");
}

#[test]
fn a_row_goes_by_a_whole_number_up_to_the_last() {
    let stand = Stand::new(
        "CREATE TABLE k (id INTEGER PRIMARY KEY);
        INSERT INTO k VALUES (9223372036854775807), (-9223372036854775808), (0);",
    );
    assert_eq!(stand.rows("k:9223372036854775807").rows, [["9223372036854775807"]]);
    assert_eq!(stand.rows("k:-9223372036854775808").rows, [["-9223372036854775808"]]);
    assert_eq!(stand.rows("k:0").rows, [["0"]]);
    assert_eq!(stand.fails("k:-0").0, "database.no_row");
}

#[test]
fn keys_that_no_text_can_name_go_by_a_condition() {
    let stand =
        Stand::new("CREATE TABLE b (k BLOB PRIMARY KEY, v); INSERT INTO b VALUES (x'00', 1), (NULL, 2), (1.5, 3);");
    let cells = [
        "d.db:b?where=\"k\" = x'00'&row=1&column=v",
        "d.db:b?where=rowid = 2&row=1&column=v",
        "d.db:b?where=rowid = 3&row=1&column=v",
    ];
    assert_eq!(stand.rows("b").cells, cells);
    assert_eq!(stand.cell("b?row=2&column=v"), b"2");
    assert_eq!(stand.cell("b:1.5:v"), b"3");
}

#[test]
fn long_values_come_with_their_beginning_and_true_length() {
    let stand = Stand::new(
        "CREATE TABLE l (id INTEGER PRIMARY KEY, t, b);
         INSERT INTO l VALUES (1, printf('%.*c', 3000000, 'x'), zeroblob(3000000));",
    );
    assert_eq!(stand.rows("l").rows, [["1", "text 4096 of 3000000", "blob 4096 of 3000000"]]);
    assert_eq!(stand.rows("l:1").rows, [["1", "text 65536 of 3000000", "blob 65536 of 3000000"]]);
    assert_eq!(stand.cell("l:1:t").len(), 3_000_000);
}

#[test]
fn text_in_utf_16_is_text() {
    let stand = Stand::new(
        "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (a TEXT PRIMARY KEY); INSERT INTO t VALUES ('Grüße 😀');",
    );
    assert_eq!(stand.cell("t:Grüße 😀:a"), "Grüße 😀".as_bytes());
}

#[test]
fn generated_and_hidden_columns_are_read_as_the_engine_shows_them() {
    let stand =
        Stand::new("CREATE TABLE g (a INT, b AS (a * 2), rowid TEXT); INSERT INTO g (a, rowid) VALUES (4, 'own');");
    let page = stand.rows("g");
    assert_eq!(
        (page.columns.join(" "), page.rows),
        ("a b rowid".to_owned(), vec![vec!["4".into(), "8".into(), "'own'".into()]])
    );
    assert_eq!(stand.cell("g:1:b"), b"8");
    let stand = Stand::new("CREATE VIRTUAL TABLE f USING fts5(body); INSERT INTO f VALUES ('some words here');");
    assert_eq!(stand.rows("f").rows, [["'some words here'"]]);
    assert_eq!(
        stand.rows("?q=SELECT snippet(f, 0, '[', ']', '', 5) FROM f WHERE f MATCH 'words'").rows,
        [["'some [words] here'"]]
    );
    let stand = Stand::new("CREATE VIRTUAL TABLE r USING rtree(id, a, b); INSERT INTO r VALUES (1, 2, 3);");
    assert_eq!(stand.rows("r").rows, [["1", "real 2.0", "real 3.0"]]);
    assert!(stand.fails("?q=DELETE FROM r_node").1.contains("may not be modified"));
}
