//! Cells: every address that is handed out leads back to its cell, and every value can be read.

use std::sync::Arc;

use readstone_base::{Memory, Note};
use readstone_source::{Content, Entered};

use super::stand::{Seen, Stand, made};

/// Keys of every kind, each beside others that look like it, or like it with something behind it.
const KEYS: &str = "
    CREATE TABLE u (k PRIMARY KEY, v);
    CREATE TABLE tri (a, b, c, v, PRIMARY KEY (a, b, c));
    CREATE TABLE nc (k TEXT PRIMARY KEY COLLATE NOCASE, v);
    CREATE TABLE wr (k, v, PRIMARY KEY (k)) WITHOUT ROWID;
    CREATE TABLE rp (k REAL PRIMARY KEY, v);
    CREATE TABLE wp (k REAL PRIMARY KEY, v) WITHOUT ROWID;
    CREATE TABLE rid (rowid TEXT, _rowid_ TEXT, oid TEXT, v);
    CREATE TABLE rid2 (rowid TEXT, v);
    CREATE TABLE neg (id INTEGER PRIMARY KEY, v);
    CREATE TABLE num (id INT PRIMARY KEY, v);
    CREATE TABLE rk (k TEXT PRIMARY KEY, v);
    CREATE TABLE cd (a TEXT, b TEXT, v, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE TABLE ci (a INT, b TEXT, v, PRIMARY KEY (a, b));
    CREATE TABLE \"t?x=1\" (k TEXT PRIMARY KEY, v);
    CREATE TABLE tt (k TEXT PRIMARY KEY, v);
    CREATE TABLE \"tt:a:v\" (k TEXT PRIMARY KEY, v);
    CREATE VIEW vw AS SELECT k, v FROM rk;
    INSERT INTO u (k) VALUES (1), ('1'), (1.5), ('1.5'), (x'01ff'), (CAST('abc' AS BLOB)), ('abc'), (NULL), (NULL),
        ('NULL'), ('a:b'), ('a'), ('a:v'), ('v'), ('a?limit=1'), ('x#0A1B'), (char(10)), ('%41'), ('\\x41'), ('A'),
        (char(65, 27)), (''), ('raw'), ('1-5'), ('a b '), (' a'), ('é'), (char(101, 769)), ('-0'), (-0.0),
        (9223372036854775807), ('9223372036854775807'), (1e300), ('a;b'), ('?row=1'), ('a:v:raw'), ('x:hex'),
        ('b' || char(0) || 'c'), (char(8203)), ('it''s'), ('a&limit=2&row=3'), (char(10) || '&limit=2'),
        (CAST(x'ff' AS TEXT)), (9e999);
    INSERT INTO tri (a, b, c) VALUES ('x,y', 'z', 'w'), ('x', 'y,z', 'w'), (NULL, 'q', 'r'), (1, '1', 1), ('1', 1, '1'),
        (x'01', 'a', 'b'), ('', '', ''), (',', ',', ',');
    INSERT INTO nc (k) VALUES ('Abc'), ('abc:v'), ('x');
    INSERT INTO wr (k) VALUES (1), ('1'), (x'31'), (1.25), ('a,b');
    INSERT INTO rp (k) VALUES (1.0), (0.1), (-0.5), (9e999);
    INSERT INTO wp (k) VALUES (1.0), (0.1), (-0.5), (9e999), (1.7976931348623157e308), (5e-324), (0.1 + 0.2);
    INSERT INTO rid (rowid, _rowid_, oid) VALUES ('m', 'n', 'o');
    INSERT INTO rid2 (rowid) VALUES ('1'), ('2');
    INSERT INTO neg (id) VALUES (-5), (0), (-9223372036854775808);
    INSERT INTO num (id) VALUES (5), ('5:v'), (7), (2.5), ('x');
    INSERT INTO rk (k) VALUES ('k'), ('k:v'), ('k:v:raw'), ('raw'), ('1-5'), ('k:1-5'), ('plain');
    INSERT INTO cd (a, b) VALUES ('a,b', 'c'), ('a', 'b,c'), ('', ''), ('p', 'q'), ('p', 'q:v'), ('r', 's');
    INSERT INTO ci (a, b) VALUES (1, 'x'), (2, '1'), (1, 'x:v'), (3, 'y');
    INSERT INTO \"t?x=1\" (k) VALUES ('k');
    INSERT INTO tt (k) VALUES ('a'), ('b');
    INSERT INTO \"tt:a:v\" (k) VALUES ('c');";

const TABLES: [&str; 17] =
    ["u", "tri", "nc", "wr", "rp", "wp", "rid", "rid2", "neg", "num", "rk", "cd", "ci", "t?x=1", "tt", "tt:a:v", "vw"];

/// Gives every row of every table a value of its own.
fn marked() -> Stand {
    let marks = TABLES.iter().filter(|table| **table != "vw");
    let marks = marks.map(|table| format!("UPDATE \"{table}\" SET v = '{table} ' || hex(randomblob(8));"));
    Stand::new(&format!("{KEYS}{}", marks.collect::<String>()))
}

#[test]
fn every_cell_address_leads_to_its_own_row_whatever_the_key() {
    let stand = marked();
    for table in TABLES {
        for tail in [format!("{table}?limit=99"), format!("{table}?limit=99&order=v:desc"), table.to_owned()] {
            let page = stand.rows(&tail);
            assert!(!page.rows.is_empty(), "{tail}");
            for (row, address) in page.rows.iter().zip(&page.cells) {
                assert!(!address.chars().any(char::is_control), "{address:?}");
                let Seen::Cell { bytes, .. } = stand.follow(address) else { panic!("{address} is no cell") };
                let shown = row.last().unwrap().trim_matches('\'');
                assert_eq!(String::from_utf8(bytes).unwrap(), shown, "{row:?} {address}");
            }
        }
    }
}

#[test]
fn keys_that_are_sure_are_written_as_they_are() {
    let stand = marked();
    let cells = |tail: &str| stand.rows(tail).cells;
    assert_eq!(cells("neg")[0], "d.db:neg:-9223372036854775808:v");
    assert_eq!(cells("rk?where=k='plain'"), ["d.db:rk:plain:v"]);
    assert_eq!(cells("rk?where=k='k'"), ["d.db:rk?where=\"k\" = 'k'&row=1&column=v"]);
    assert_eq!(cells("cd?where=a='r'"), ["d.db:cd:r,s:v"]);
    assert_eq!(cells("ci?where=a=3"), ["d.db:ci:3,y:v"]);
    assert_eq!(cells("num?where=id=7"), ["d.db:num:7:v"]);
    assert_eq!(cells("num?where=id=5"), ["d.db:num?where=\"id\" = 5&row=1&column=v"]);
}

#[test]
fn the_cells_of_one_row_lead_to_that_row_too() {
    let stand = marked();
    let page = stand.rows("rk:k");
    assert_eq!(page.cells, ["d.db:rk?where=\"k\" = 'k'&row=1&column=v"]);
    let Seen::Cell { bytes, .. } = stand.follow(&page.cells[0]) else { panic!("no cell") };
    assert_eq!(format!("'{}'", String::from_utf8(bytes).unwrap()), page.rows[0][1]);
}

#[test]
fn a_key_of_several_columns_is_not_taken_for_the_number_of_a_row() {
    let stand = Stand::new("CREATE TABLE b2 (a, b, c, PRIMARY KEY (a, b)); INSERT INTO b2 VALUES (5, 6, 7);");
    let Seen::Failed { code, text, next } = stand.see(Some("b2:1")) else { panic!("a row") };
    assert_eq!((code, next), ("database.no_row", vec!["d.db:b2".to_owned()]));
    assert!(text.contains("the columns (a, b), written A,B"), "{text}");
    assert_eq!(stand.rows("b2:5,6").rows, [["5", "6", "7"]]);
}

fn reached(stand: &Stand, tail: &str) -> (Vec<u8>, Vec<Note>) {
    match stand.enter(Some(tail)).map_err(|fault| fault.to_string()).unwrap() {
        Entered::Content(reached) => match reached.content {
            Content::Converted(made) => (made.text.to_vec(), reached.notes),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn text_is_text_whatever_its_bytes_look_like_and_nothing_is_nothing() {
    let stand = Stand::new(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, x);
         INSERT INTO t (x)
         VALUES (NULL), ('NULL'), ('a' || char(0) || 'b' || char(0)), (''), (5), (CAST(x'ff' AS TEXT)),
             (x'41');",
    );
    assert_eq!(reached(&stand, "t:1:x"), (Vec::new(), vec![Note::IsNull]));
    assert_eq!(reached(&stand, "t:2:x"), (b"NULL".to_vec(), vec![]));
    assert_eq!(reached(&stand, "t:3:x"), (b"a\0b\0".to_vec(), vec![]));
    assert_eq!(reached(&stand, "t:4:x"), (Vec::new(), vec![]));
    assert_eq!(reached(&stand, "t?row=5&column=x"), (b"5".to_vec(), vec![]));
    for tail in ["t:6:x", "t:7:x"] {
        assert!(matches!(stand.enter(Some(tail)), Ok(Entered::Piece { .. })), "{tail}");
    }
}

#[test]
fn columns_that_share_a_name_go_by_their_number() {
    let stand = Stand::new("CREATE TABLE t (a);");
    let query = "q=SELECT 1 AS a, 2 AS a";
    assert_eq!(stand.cell(&format!("?row=1&column=a&{query}")), b"1");
    assert_eq!(stand.cell(&format!("?row=1&column=#2&{query}")), b"2");
    let (code, text) = stand.fails(&format!("?row=1&column=b&{query}"));
    assert_eq!(code, "database.no_column");
    assert!(text.contains("#2"), "{text}");
    assert_eq!(stand.fails(&format!("?row=1&column=#3&{query}")).0, "database.no_column");
}

#[test]
fn values_beyond_the_limit_are_read_in_pieces() {
    let mut stand = Stand::new(
        "CREATE TABLE l (id INTEGER PRIMARY KEY, t, b, s); CREATE INDEX i ON l (id, s);
         INSERT INTO l VALUES (1, 'a', x'01', 1), (2, printf('%.*c', 3000000, 'x') || 'end', zeroblob(300000), 'short'),
             (3, NULL, 5, 2);",
    );
    stand.limits.value_bytes = 100_000;
    let big = ["2", "text 4096 of 3000003", "blob 4096 of 300000", "'short'"];
    assert_eq!(stand.rows("l").rows, [["1", "'a'", "x'\\x01'", "1"], big, ["3", "NULL", "5", "2"]]);
    assert_eq!(stand.rows("l:2").rows, [big]);
    assert_eq!(stand.rows("l?row=2").rows, [big]);
    assert_eq!(stand.cell("l:3:b"), b"5");
    for tail in ["l:2:t", "l?row=2&column=t", "l?where=id = 2&row=1&column=t"] {
        let bytes = stand.cell(tail);
        assert_eq!((bytes.len(), &bytes[2_999_998..]), (3_000_003, b"xxend".as_slice()), "{tail}");
    }
    assert_eq!(stand.cell("l:2:b"), vec![0; 300_000]);
    assert_eq!(stand.cell("l?row=2&column=s"), b"short");
}

#[test]
fn values_beyond_the_limit_that_cannot_be_read_in_pieces_tell_their_size() {
    let mut stand = Stand::new(
        "CREATE TABLE w (k TEXT PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO w VALUES ('k', zeroblob(300000));
         CREATE VIEW v AS SELECT * FROM w;",
    );
    stand.limits.value_bytes = 100_000;
    assert_eq!(stand.rows("w").rows, [["'k'", "blob 0 of 300000"]]);
    for tail in ["w:k:b", "v?row=1&column=b", "?row=1&column=b&q=SELECT b FROM w"] {
        let Seen::Failed { code, text, next } = stand.see(Some(tail)) else { panic!("{tail} is a cell") };
        assert_eq!(code, "database.limit", "{tail}");
        assert!(text.contains("300000 bytes") && text.contains("value_bytes = 100000"), "{tail}: {text}");
        assert!(!matches!(stand.follow(&next[0]), Seen::Failed { .. }), "{tail}: {next:?}");
    }
}

#[test]
fn sql_that_cannot_be_shown_is_handed_out_encoded() {
    let stand = Stand::new(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);
         WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 1200)
         INSERT INTO t SELECT i, 'v' || i FROM c;",
    );
    let page = stand.rows("?q=SELECT id, -- 100%41\n v\tFROM t\nORDER BY id");
    let encoded = "q*=SELECT id, -- 100%2541%0A v\tFROM t%0AORDER BY id";
    assert_eq!(page.next, Some(format!("d.db?row=501-&{encoded}")));
    assert_eq!(page.cells[1], format!("d.db?row=2&column=v&{encoded}"));
    assert!(matches!(stand.follow(&page.cells[1]), Seen::Cell { bytes, .. } if bytes == b"v2"));
    let Seen::Rows(second) = stand.follow(&page.next.unwrap()) else { panic!("no rows") };
    assert_eq!(second.rows[0], ["501", "'v501'"]);
    let page = stand.rows("t?where=id > 3\n AND v <> '\u{200B}'&limit=2");
    let next = "d.db:t?limit=2&offset=2&where*=id > 3%0A AND v <> '%E2%80%8B'";
    assert_eq!(page.next.as_deref(), Some(next));
    let Seen::Rows(second) = stand.follow(next) else { panic!("no rows") };
    assert_eq!(second.rows[0], ["6", "'v6'"]);
    assert_eq!(stand.rows("?q*=SELECT '%2541', '100%25'").rows, [["'%41'", "'100%'"]]);
    assert_eq!(stand.rows("?row=1&q*=SELECT 1%0A+ 1").rows, [["2"]]);
    assert_eq!(stand.rows("t?where*=v = 'v7' OR v = 'a%26limit=1'&limit=3").rows, [["7", "'v7'"]]);
    for tail in ["?q*=SELECT 1 % 1", "?q*=SELECT '%ff'", "t?where*=id % 2", "t?where=1&where*=1"] {
        assert_eq!(stand.fails(tail).0, "database.bad_query", "{tail}");
    }
}

#[test]
fn text_in_another_encoding_that_is_too_large_is_read_as_it_is_stored() {
    let bytes = made(
        "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (id INTEGER PRIMARY KEY, v);
         INSERT INTO t VALUES (1, printf('%.*c', 100000, 'x'));",
    );
    let mut stand = Stand::of(Arc::new(Memory::new(bytes)));
    stand.limits.value_bytes = 100_000;
    assert_eq!(stand.rows("t").rows, [["1", "text 0 of 200000"]]);
    assert_eq!(stand.cell("t:1:v").len(), 200_000);
}
