//! Every form of address behind a database.

use super::stand::{Seen, Stand};

const PEOPLE: &str = "
    CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, bio TEXT);
    CREATE INDEX by_name ON people (name);
    CREATE TRIGGER keep BEFORE DELETE ON people BEGIN SELECT RAISE(ABORT, 'no'); END;
    CREATE VIEW names AS SELECT name FROM people ORDER BY name DESC;
    CREATE TABLE tags (tag TEXT PRIMARY KEY, n INT) WITHOUT ROWID;
    CREATE TABLE pairs (a TEXT, b INT, c TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE TABLE loose (x);
    INSERT INTO people SELECT value, 'name ' || value, 'bio ' || value FROM json_each('[1,2,3,4,5,6,7]');
    INSERT INTO tags VALUES ('red', 1), ('a:b', 2), ('7', 3), ('', 4), ('50%25', 5), ('with blank', 6);
    INSERT INTO pairs VALUES ('x', 1, 'one'), ('x,y', 2, 'two'), ('x', 2, 'three');
    INSERT INTO loose VALUES ('first'), ('second');";

fn names(pairs: &[(String, String)]) -> Vec<String> {
    pairs.iter().map(|(name, size)| format!("{name} {size}")).collect()
}

#[test]
fn the_database_itself_lists_its_tables_and_views_with_their_rows() {
    let Seen::Tables(rows, None) = Stand::new(PEOPLE).see(None) else { panic!("no list") };
    assert_eq!(names(&rows), ["loose 2", "names view", "pairs 3", "people 7", "tags 6"]);
}

#[test]
fn a_selector_that_is_no_table_belongs_to_the_list() {
    for tail in ["501-", "1-50", "-3", "1-2,4"] {
        let Seen::Tables(_, rest) = Stand::new(PEOPLE).see(Some(tail)) else { panic!("no list") };
        assert_eq!(rest.as_deref(), Some(tail));
    }
}

#[test]
fn a_table_shows_its_statements_and_its_first_rows() {
    let page = Stand::new(PEOPLE).rows("people");
    assert_eq!(page.head[0], "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, bio TEXT);");
    assert_eq!(page.head[1], "CREATE INDEX by_name ON people (name);");
    assert!(page.head[2].starts_with("CREATE TRIGGER keep"));
    assert_eq!(page.columns, ["id", "name", "bio"]);
    assert_eq!(page.rows.len(), 5);
    assert_eq!(page.rows[0], ["1", "'name 1'", "'bio 1'"]);
    assert_eq!(page.next.as_deref(), Some("d.db:people?limit=20&offset=5"));
    assert_eq!(page.cells[1], "d.db:people:2:bio");
}

#[test]
fn a_view_is_read_in_its_own_order_and_its_cells_go_by_number() {
    let stand = Stand::new(PEOPLE);
    let page = stand.rows("names");
    assert_eq!(page.rows[0], ["'name 7'"]);
    assert_eq!(page.cells[1], "d.db:names?row=2&column=name");
    assert_eq!(stand.cell("names?row=2&column=name"), b"name 6");
    let (code, text) = stand.fails("names:1");
    assert_eq!(code, "database.no_row");
    assert!(text.contains("?row=1"), "{text}");
}

#[test]
fn a_key_shows_one_row_whole() {
    let page = Stand::new(PEOPLE).rows("people:3");
    assert!(page.record);
    assert_eq!(page.rows, [["3", "'name 3'", "'bio 3'"]]);
    assert_eq!(page.cells, ["d.db:people:3:bio"]);
}

#[test]
fn rows_without_a_key_go_by_their_number_in_the_table() {
    let stand = Stand::new(PEOPLE);
    assert_eq!(stand.rows("loose:2").rows, [["'second'"]]);
    assert_eq!(stand.cell("loose:2:x"), b"second");
}

#[test]
fn keys_are_text_or_numbers_exactly_as_they_are_stored() {
    let stand = Stand::new(PEOPLE);
    assert_eq!(stand.rows("tags:red").rows, [["'red'", "1"]]);
    assert_eq!(stand.rows("tags:a:b").rows, [["'a:b'", "2"]]);
    assert_eq!(stand.rows("tags:7").rows, [["'7'", "3"]]);
    assert_eq!(stand.rows("tags:").rows, [["''", "4"]]);
    assert_eq!(stand.rows("tags:50%25").rows, [["'50%25'", "5"]]);
    assert_eq!(stand.rows("tags:with%20blank").rows, [["'with blank'", "6"]]);
    for tail in ["people:abc", "people:007", "people:3.0", "people: 3", "people:9223372036854775808", "tags:07"] {
        assert_eq!(stand.fails(tail).0, "database.no_row", "{tail}");
    }
}

#[test]
fn every_cell_address_of_a_page_leads_to_its_cell() {
    let stand = Stand::new(PEOPLE);
    for tail in ["people", "tags?limit=9", "pairs", "loose", "names", "?q=SELECT bio FROM people"] {
        let page = stand.rows(tail);
        for (row, address) in page.rows.iter().zip(&page.cells) {
            let Seen::Cell { bytes, .. } = stand.follow(address) else { panic!("{address} is no cell") };
            let shown = row.last().unwrap().trim_matches('\'').to_owned();
            assert_eq!(String::from_utf8(bytes).unwrap(), shown, "{address}");
        }
    }
}

#[test]
fn keys_of_several_columns_are_split_at_any_comma() {
    let stand = Stand::new(PEOPLE);
    assert_eq!(stand.rows("pairs:x,1").rows, [["'x'", "1", "'one'"]]);
    assert_eq!(stand.rows("pairs:x,y,2").rows, [["'x,y'", "2", "'two'"]]);
    assert_eq!(stand.cell("pairs:x,2:c"), b"three");
    assert_eq!(stand.fails("pairs:1").0, "database.no_row");
    assert_eq!(stand.fails("pairs:x").0, "database.no_row");
}

#[test]
fn a_missing_row_names_the_key_and_the_table_to_look_at() {
    let Seen::Failed { code, text, next } = Stand::new(PEOPLE).see(Some("people:99")) else { panic!("a row") };
    assert_eq!((code, next.as_slice()), ("database.no_row", ["d.db:people".to_owned()].as_slice()));
    assert_eq!(text, "'d.db:people' has no row '99' (key: id)");
}

#[test]
fn a_cell_is_a_piece_with_whatever_stands_behind_it() {
    let stand = Stand::new(PEOPLE);
    let Seen::Cell { bytes, path, rest } = stand.see(Some("people:3:bio:5-10")) else { panic!("no cell") };
    assert_eq!(
        (bytes.as_slice(), path.as_str(), rest.as_deref()),
        (b"bio 3".as_slice(), "d.db:people:3:bio", Some("5-10"))
    );
    assert_eq!(stand.cell("people:3:id"), b"3");
    assert_eq!(stand.cell("tags:a:b:n"), b"2");
    let (code, text) = stand.fails("people:3:mail");
    assert_eq!(code, "database.no_column");
    assert!(text.contains("id, name, bio"), "{text}");
}

#[test]
fn a_missing_table_answers_with_near_names() {
    let stand = Stand::new(PEOPLE);
    let Seen::Failed { code, next, .. } = stand.see(Some("poeple")) else { panic!("a table") };
    assert_eq!((code, next.first().map(String::as_str)), ("database.no_table", Some("d.db:people")));
    let Seen::Failed { next, .. } = stand.see(Some("zzz:1")) else { panic!("a table") };
    assert_eq!(next, ["d.db"]);
    assert_eq!(stand.rows("PEOPLE:3").rows.len(), 1);
}

#[test]
fn the_bytes_of_the_database_are_asked_for_by_hex_and_raw() {
    let stand = Stand::new(PEOPLE);
    for tail in ["hex", "raw", "hex:b0+64", "1-2:raw"] {
        assert_eq!(stand.see(Some(tail)), Seen::Itself, "{tail}");
    }
    assert_eq!(Stand::new("CREATE TABLE hex (a); INSERT INTO hex VALUES (1)").rows("hex").rows, [["1"]]);
}

#[test]
fn odd_names_open_by_the_name_that_is_shown() {
    let odd =
        ["a:b", "a?limit=1", "per%20cent", "new\nline", " blank ", "quo\"te", "501-", "tab\\x09", "select", "Ünï"];
    let sql = odd.iter().map(|name| {
        let quoted = name.replace('"', "\"\"");
        format!("CREATE TABLE \"{quoted}\" (\"{quoted}\"); INSERT INTO \"{quoted}\" VALUES ('in it');")
    });
    let stand = Stand::new(&sql.collect::<String>());
    let Seen::Tables(rows, None) = stand.see(None) else { panic!("no list") };
    assert_eq!(rows.len(), odd.len());
    for (name, _) in rows {
        let page = stand.rows(&name);
        assert_eq!(page.rows, [["'in it'"]], "{name}");
        assert_eq!(stand.rows(&format!("{name}:1")).rows, [["'in it'"]], "{name}");
        assert_eq!(stand.rows(&format!("{name}?limit=2")).rows, [["'in it'"]], "{name}");
        let Seen::Cell { bytes, .. } = stand.follow(&page.cells[0]) else { panic!("{name} has no cell") };
        assert_eq!(bytes, b"in it");
    }
}

#[test]
fn an_empty_database_says_so() {
    let stand = Stand::new("CREATE TABLE t (a); DROP TABLE t;");
    assert_eq!(stand.see(None), Seen::Tables(Vec::new(), None));
    let page = Stand::new("CREATE TABLE t (a)").rows("t");
    assert_eq!((page.total, page.notes), (Some(0), vec![]));
}
