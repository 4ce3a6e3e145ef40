//! Parameters of tables, and queries.

use readstone_base::Note;

use super::stand::{Seen, Stand};

fn numbers(count: usize) -> Stand {
    Stand::new(&format!(
        "CREATE TABLE n (id INTEGER PRIMARY KEY, half INT, name TEXT);
         WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < {count})
         INSERT INTO n SELECT i, i / 2, 'name ' || i FROM c;
         CREATE TABLE secret (s); INSERT INTO secret VALUES ('CANARY');
         CREATE VIEW even AS SELECT id, name FROM n WHERE id % 2 = 0;"
    ))
}

fn ids(stand: &Stand, tail: &str) -> Vec<String> {
    stand.rows(tail).rows.iter().map(|row| row[0].clone()).collect()
}

#[test]
fn limit_offset_order_and_where_do_what_they_say() {
    let stand = numbers(100);
    assert_eq!(ids(&stand, "n?").len(), 20);
    assert_eq!(ids(&stand, "n?limit=3&offset=10"), ["11", "12", "13"]);
    assert_eq!(ids(&stand, "n?order=id:desc&limit=2"), ["100", "99"]);
    assert_eq!(ids(&stand, "n?order=half desc&limit=3"), ["100", "99", "98"]);
    assert_eq!(ids(&stand, "n?where=id > 97"), ["98", "99", "100"]);
    assert_eq!(ids(&stand, "n?where=id & 1 = 1 AND id<6&limit=9"), ["1", "3", "5"]);
    assert_eq!(ids(&stand, "n?where=name LIKE '%20%'"), ["20"]);
    assert_eq!(ids(&stand, "n?where=id = 1+1 -- two"), ["2"]);
    assert_eq!(ids(&stand, "even?limit=2&order=id:desc"), ["100", "98"]);
    assert_eq!(ids(&stand, "even?where=id<5"), ["2", "4"]);
}

#[test]
fn a_limit_above_the_most_is_lowered_and_said() {
    let page = numbers(600).rows("n?limit=1000");
    assert_eq!(page.rows.len(), 500);
    assert_eq!(page.notes, [Note::Clamped { limit: "query_max_rows", value: 500 }]);
    assert_eq!(page.next.as_deref(), Some("d.db:n?limit=500&offset=500"));
}

#[test]
fn what_follows_keeps_limit_order_and_where() {
    let stand = numbers(100);
    let page = stand.rows("n?where=name LIKE '%1%'&order=name:desc&limit=7");
    let next = page.next.unwrap();
    assert_eq!(next, "d.db:n?limit=7&offset=7&order=name:desc&where=name LIKE '%1%'");
    let Seen::Rows(second) = stand.follow(&next) else { panic!("no rows") };
    assert!(second.rows[0][2] < page.rows[6][2]);
}

#[test]
fn following_what_follows_shows_every_row_once() {
    for (count, start) in [(100_000, "d.db:n?limit=500"), (5_000, "d.db:n?limit=70&order=half:desc")] {
        let stand = numbers(count);
        let mut seen = vec![false; count + 1];
        let mut next = Some(start.to_owned());
        while let Some(address) = next {
            let Seen::Rows(page) = stand.follow(&address) else { panic!("{address} has no rows") };
            for row in &page.rows {
                let slot = &mut seen[row[0].parse::<usize>().unwrap()];
                assert!(!*slot, "{row:?} twice");
                *slot = true;
            }
            next = page.next;
        }
        assert_eq!(seen.iter().filter(|seen| **seen).count(), count);
    }
}

#[test]
fn the_pages_of_a_query_show_every_row_once() {
    let stand = numbers(1_200);
    let mut next = Some("d.db?q=SELECT id FROM n ORDER BY id".to_owned());
    let mut seen = Vec::new();
    while let Some(address) = next {
        let Seen::Rows(page) = stand.follow(&address) else { panic!("{address} has no rows") };
        seen.extend(page.rows.into_iter().map(|row| row[0].parse::<u32>().unwrap()));
        next = page.next;
    }
    assert_eq!(seen, (1..=1_200).collect::<Vec<_>>());
}

#[test]
fn unknown_parameters_and_bad_numbers_are_errors_that_name_the_right_ones() {
    let stand = numbers(3);
    for tail in [
        "n?limt=3",
        "n?limit=x",
        "n?limit=-1",
        "n?limit=0",
        "n?offset=1.5",
        "n?limit=1&limit=2",
        "n?limit",
        "n?q=SELECT 1",
        "n?row=1&limit=2",
        "n?column=id",
        "n?where=",
        "n?limit=9223372036854775808",
    ] {
        assert_eq!(stand.fails(tail).0, "database.bad_query", "{tail}");
    }
    assert!(stand.fails("n?limt=3").1.contains("limit, offset, order, where"));
    assert_eq!(stand.fails("n?order=nope").0, "database.no_column");
    assert_eq!(stand.fails("n?order=id desc, (SELECT 1)").0, "database.no_column");
}

#[test]
fn rows_past_the_end_are_none() {
    let page = numbers(3).rows("n?offset=10");
    assert_eq!((page.rows.len(), page.notes, page.total), (0, vec![], None));
    let page = numbers(3).rows("n?where=id > 5");
    assert_eq!((page.notes, page.total), (vec![], Some(0)));
}

#[test]
fn one_row_and_one_cell_of_a_result_go_by_number() {
    let stand = numbers(9);
    let page = stand.rows("n?row=2&order=id:desc");
    assert!(page.record);
    assert_eq!(page.rows, [["8", "4", "'name 8'"]]);
    assert_eq!(stand.cell("n?row=2&column=name&where=id>3"), b"name 5");
    assert_eq!(stand.rows("?row=2&q=SELECT 1 AS a UNION SELECT 5").rows, [["5"]]);
    assert_eq!(stand.cell("?row=1&column=x&q=SELECT 'a&b+c%20' AS x"), b"a&b+c%20");
    assert_eq!(stand.fails("n?row=10").0, "database.no_row");
    assert_eq!(stand.fails("?row=1&column=y&q=SELECT 1 AS x").0, "database.no_column");
}

#[test]
fn sql_arrives_as_it_was_written() {
    let stand = numbers(30);
    assert_eq!(stand.rows("?q=SELECT 1+1").rows, [["2"]]);
    assert_eq!(stand.rows("?q=SELECT 'a' || '+' || 'b'").rows, [["'a+b'"]]);
    assert_eq!(stand.rows("?q=SELECT name FROM n WHERE name LIKE '%20%'").rows, [["'name 20'"]]);
    assert_eq!(stand.rows("?q=SELECT 6&3, '#x&limit=1'").rows, [["2", "'#x&limit=1'"]]);
    assert_eq!(stand.rows("?q=SELECT 7 % 4").rows, [["3"]]);
}

#[test]
fn percent_signs_are_decoded_only_where_nothing_else_compiles() {
    let stand = numbers(30);
    let page = stand.rows("?q=SELECT%20count(*)%20FROM%20n");
    assert_eq!((page.rows, page.notes), (vec![vec!["30".to_owned()]], vec![Note::Decoded]));
    assert_eq!(stand.rows("?q=SELECT+1%2B1").rows, [["2"]]);
    let page = stand.rows("n?where=id%20%3E%2028");
    assert_eq!((page.rows.len(), page.notes), (2, vec![Note::Decoded]));
}

#[test]
fn columns_of_the_same_name_stay_two() {
    let page = numbers(1).rows("?q=SELECT 1 AS a, 2 AS a");
    assert_eq!(
        (page.columns, page.rows),
        (vec!["a".to_owned(), "a".to_owned()], vec![vec!["1".to_owned(), "2".to_owned()]])
    );
}

#[test]
fn a_query_is_one_statement_of_its_own() {
    let stand = numbers(3);
    for tail in [
        "?q=",
        "?q=  ",
        "?q=SELECT 1; SELECT 2",
        "?q=SELECT 1; DROP TABLE n",
        "?q=SELECT ?1",
        "?q=SELECT :a",
        "?q=SELEC 1",
        "?q=-- nothing",
        "?limit=3&q=SELECT 1",
        "?x",
        "?limit=3",
        "?row=0&q=SELECT 1",
        "?row=1-&column=a&q=SELECT 1 AS a",
    ] {
        assert_eq!(stand.fails(tail).0, "database.bad_query", "{tail}");
    }
    assert!(stand.fails("?q=SELECT nope FROM n").1.contains("no such column: nope"));
    for tail in ["?q=SELECT 1;", "?q=SELECT 1;; -- done", "?q=SELECT 1 /* done */ ; ", "?q=VALUES (1)"] {
        assert_eq!(stand.rows(tail).rows, [["1"]], "{tail}");
    }
    assert_eq!(stand.rows("?q=PRAGMA table_info(n)").rows.len(), 3);
    assert_eq!(stand.rows("?q=SELECT name FROM pragma_table_info('n')").rows.len(), 3);
    assert_eq!(stand.rows("?q=EXPLAIN QUERY PLAN SELECT * FROM n").rows.len(), 1);
}

#[test]
fn many_statements_do_not_exhaust_the_stack() {
    let many = "SELECT 1;".repeat(11_000);
    assert_eq!(numbers(1).fails(&format!("?q={many}")).0, "database.bad_query");
}

#[test]
fn the_time_of_a_query_is_the_time_of_the_call() {
    let stand = numbers(1);
    let row =
        stand.rows("?q=SELECT unixepoch('now'), datetime(), CURRENT_TIMESTAMP, date('now', '+1 day'), strftime('%Y')");
    let time = "'2023-11-14 22:13:20'";
    assert_eq!(row.rows, [["1700000000", time, time, "'2023-11-15'", "'2023'"]]);
    assert_eq!(stand.rows("?q=SELECT date('2001-02-03', '+1 month')").rows, [["'2001-03-03'"]]);
}

#[test]
fn a_condition_reads_its_own_table_only() {
    let stand = numbers(3);
    for condition in [
        "(SELECT count(*) FROM secret) > 0",
        "id IN (SELECT s FROM secret)",
        "EXISTS (SELECT 1 FROM sqlite_master)",
        "id = 1 OR (SELECT s FROM secret) IS NOT NULL",
    ] {
        assert_eq!(stand.fails(&format!("n?where={condition}")).0, "database.read_only", "{condition}");
        assert_eq!(stand.fails(&format!("even?where={condition}")).0, "database.read_only", "{condition}");
    }
    for condition in [
        "1) UNION SELECT s, s, s FROM secret WHERE (1",
        "1) UNION SELECT 1,2,3,4 WHERE (1",
        "1) LIMIT 1 --",
        "1); DROP TABLE n; --",
        "1) GROUP BY (id",
        "1) /*",
        "id = ?1",
    ] {
        let (code, text) = stand.fails(&format!("n?where={condition}"));
        assert_ne!(code, "database.no_row", "{condition}");
        assert!(!text.contains("CANARY"), "{text}");
    }
    assert_eq!(ids(&stand, "n?where=id = (SELECT max(id) FROM n)"), ["3"]);
    assert_eq!(ids(&stand, "n?where=1) AND (id=2"), ["2"]);
}
