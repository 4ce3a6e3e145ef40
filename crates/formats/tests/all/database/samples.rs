//! The definition of a table is shown whatever its rows are like.

use std::sync::Arc;
use std::time::{Duration, Instant};

use readstone_base::{Memory, Note};
use readstone_source::{Content, Entered};

use super::stand::{Page, Seen, Stand, going, made};

fn why(page: &Page) -> &str {
    let why = page.notes.iter().find_map(|note| match note {
        Note::NoSample { why } => Some(why.as_str()),
        _ => None,
    });
    why.unwrap_or_else(|| panic!("{page:?}"))
}

#[test]
fn a_view_whose_rows_take_too_long_shows_its_definition() {
    let mut stand = Stand::new(
        "CREATE VIEW slow AS WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT count(*) FROM c;",
    );
    stand.budget = going();
    let started = Instant::now();
    let page = stand.rows("slow");
    assert!(page.head[0].starts_with("CREATE VIEW slow"));
    assert_eq!((page.rows.len(), page.total, why(&page)), (0, None, "reading them took longer than 2 seconds"));
    assert!(started.elapsed() < Duration::from_secs(4));
    stand.budget = going().within(Duration::from_millis(100));
    assert_eq!(stand.fails("slow").0, "database.timeout");
}

#[test]
fn a_table_or_view_that_cannot_be_read_shows_its_definition() {
    let stand = Stand::new(
        "CREATE TABLE gone (a); CREATE VIEW lost AS SELECT a FROM gone; CREATE VIEW wrong AS SELECT b FROM lost;
         CREATE VIEW unsafe AS SELECT load_extension('x') AS a;
         CREATE VIEW odd AS SELECT abs(-9223372036854775808) AS a;
         CREATE VIEW large AS SELECT zeroblob(99999999) AS a;
         PRAGMA writable_schema = 1; DELETE FROM sqlite_schema WHERE name = 'gone';",
    );
    for name in ["lost", "wrong", "unsafe", "odd", "large"] {
        let page = stand.rows(name);
        assert!(page.head[0].starts_with(&format!("CREATE VIEW {name}")), "{page:?}");
        assert!(!why(&page).is_empty() && page.rows.is_empty(), "{page:?}");
        let Seen::Failed { next, .. } = stand.see(Some(&format!("{name}?limit=1"))) else { panic!("{name} has rows") };
        assert!(matches!(stand.follow(&next[0]), Seen::Rows(_) | Seen::Tables(..)), "{name} {next:?}");
    }
}

#[test]
fn a_damaged_table_shows_its_definition() {
    let mut bytes = made(
        "PRAGMA page_size = 4096; CREATE TABLE good (a); CREATE TABLE bad (a);
         INSERT INTO good VALUES (1); INSERT INTO bad VALUES (2);",
    );
    bytes[2 * 4096..].fill(0xA5);
    let page = Stand::of(Arc::new(Memory::new(bytes))).rows("bad");
    assert_eq!(page.head, ["CREATE TABLE bad (a);"]);
    assert!(why(&page).contains("malformed"), "{page:?}");
}

#[test]
fn the_statements_of_a_table_can_be_read_whole() {
    let sql = "CREATE TABLE t (a, b);
         CREATE TABLE \"it's\n'odd'\" (a); CREATE INDEX z ON t (a); CREATE INDEX y ON t (b);
         CREATE TRIGGER g BEFORE DELETE ON t BEGIN
            SELECT 1;
         END;";
    let stand = Stand::new(sql);
    for name in ["t", "it's\n'odd'", "sqlite_schema"] {
        let Ok(Entered::Content(reached)) = stand.enter(Some(name)) else { panic!("no table") };
        let Content::Table(table) = reached.content else { panic!("no table") };
        let rest = table.head_rest().expect("a call").argument;
        assert!(!rest.contains('\n'), "{rest}");
        let Seen::Cell { bytes, .. } = stand.follow(&rest) else { panic!("{rest} is no cell") };
        assert_eq!(String::from_utf8(bytes).unwrap(), table.head().join("\n"), "{rest}");
    }
}

#[test]
fn long_names_are_cut_in_the_list() {
    let stand = Stand::new(&format!("CREATE TABLE {} (a); CREATE TABLE \"\" (a);", "n".repeat(3_000)));
    let Ok(Entered::Content(reached)) = stand.enter(None) else { panic!("no list") };
    let Content::Listing(list) = reached.content else { panic!("no list") };
    let rows = list.rows(readstone_base::Span::new(1, 2), &stand.budget).map_err(|fault| fault.to_string()).unwrap();
    assert_eq!(rows[1].name, format!("{}…", "n".repeat(200)));
    assert_eq!(rows[1].marks, [readstone_base::Mark::LongName(None)]);
    assert_eq!(rows[0].name, "''");
    assert_eq!(stand.rows("''").columns, ["a"]);
}
