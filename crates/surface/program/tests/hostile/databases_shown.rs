//! Names, values and notebooks that are hard to show: rows S12, S20, S21 and D22–D24 of `docs/hostile.md`.

#![expect(clippy::unwrap_used, reason = "a fixture that cannot be made must stop the test")]

use readstone_testkit::{Confined, Fixture, Run, Trap, World};
use rusqlite::Connection;
use serde_json::{Value, json};

/// Megabytes a bounded run may write to: 64, and what the program takes for itself.
const M64: u64 = 96;

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

/// A world with one database `x.db`.
fn holding(sql: &str) -> World {
    let world = world();
    let connection = Connection::open(world.path().join("x.db")).unwrap();
    connection.execute_batch(sql).unwrap();
    connection.close().unwrap();
    world
}

/// Reads an address and sees to it that nothing in the directory changes.
fn read_file(world: &World, address: &str) -> Run {
    let before = Fixture::survey(world.path());
    let mut command = world.command();
    command.args(["read", "--", address]);
    let run = Confined::default().seconds(5).megabytes(M64).run(&command);
    assert!(Fixture::survey(world.path()) == before, "reading {address} left a trace");
    run
}

fn read(world: &World, tail: &str) -> Run {
    read_file(world, &format!("x.db{tail}"))
}

fn check(run: &Run, exit: i32, code: &str, piece: &str) {
    let words = run.stderr.strip_prefix(&format!("{code}: "));
    let fits = run.code == Some(exit) && run.stdout.is_empty() && words.is_some_and(|words| words.contains(piece));
    assert!(fits, "wanted {code} with {exit} and {piece:?}, got {:?}\n{}\n{:.400}", run.code, run.stderr, run.text());
}

/// The rows between bars, without the names of the columns.
fn rows(run: &Run) -> Vec<String> {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.text().lines().filter(|line| line.starts_with("| ")).skip(1).map(str::to_owned).collect()
}

/// Names of tables that mean something to SQL, to an address or to a terminal, and how they are shown.
const NAMES: [(&str, &str); 19] = [
    ("a b", "a b"),
    ("x:1", "x:1"),
    ("t:hex", "t:hex"),
    ("q?w", "q?w"),
    ("q?limit=1", "q?limit=1"),
    ("semi;--", "semi;--"),
    ("quo\"te", "quo\"te"),
    ("sin'gle", "sin'gle"),
    ("br]ack", "br]ack"),
    ("back\\slash", "back\\slash"),
    ("new\nline", "new\\x0aline"),
    ("esc\x1b[31m", "esc\\x1b[31m"),
    ("select", "select"),
    ("pct%41", "pct%41"),
    ("5-6", "5-6"),
    ("raw", "raw"),
    ("ünï", "ünï"),
    ("\u{202E}ltr", "\\u{202E}ltr"),
    ("  - fake  9 rows", r"\x20\x20- fake  9 rows"),
];

/// A database with a table for every name; its one column has the same name, its one row the number of the name.
fn named() -> World {
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let statement = |(number, (name, _)): (usize, &(&str, &str))| {
        format!("CREATE TABLE {0} ({0}); INSERT INTO {0} VALUES ({number});", quoted(name))
    };
    holding(&NAMES.iter().enumerate().map(statement).collect::<Vec<_>>().concat())
}

#[test]
fn s12_names_are_escaped_and_the_shown_name_leads_back() {
    let world = named();
    let list = read(&world, "").text();
    assert_eq!(list.lines().count(), NAMES.len() + 1, "{list}");
    for (number, (_, shown)) in NAMES.iter().enumerate() {
        assert!(list.contains(&format!("\n- {shown}  1 row")), "no {shown:?} in {list}");
        for tail in [format!(":{shown}"), format!(":{shown}?limit=1"), format!(":{shown}?where=1=1")] {
            assert_eq!(rows(&read(&world, &tail)), [format!("| {number} |")], "{tail}");
        }
        let record = read(&world, &format!(":{shown}:1")).text();
        assert!(record.ends_with(&format!("\n  {shown}: {number}\n")), "{record}");
        let cell = read(&world, &format!(":{shown}:1:{shown}")).text();
        assert!(cell.contains(&format!("\n1:{number}\n")), "{cell}");
    }
}

#[test]
fn s12_the_shown_name_of_a_column_leads_back() {
    let world = named();
    for (number, (_, shown)) in NAMES.iter().enumerate() {
        let record = read(&world, &format!(":{shown}:1")).text();
        let field = record.lines().last().unwrap().strip_prefix("  ").unwrap();
        let column = field.strip_suffix(&format!(": {number}")).unwrap();
        let cell = read(&world, &format!(":{shown}:1:{column}"));
        assert!(cell.text().contains(&format!("\n1:{number}\n")), "{column}: {}{}", cell.stderr, cell.text());
    }
}

#[test]
fn s20_many_tables_are_listed_in_pages_that_show_each_once() {
    let world = world();
    world.file("x.db", Trap::bytes("sqlite/many_tables.db"));
    let (mut tail, mut seen) = (String::new(), Vec::new());
    for expected in ["[rows 1-500 of 1234; limit listing_entries; next: read x.db:501-]", "next: read x.db:1001-]", ""]
    {
        let page = read(&world, &tail).text();
        seen.extend(page.lines().filter_map(|line| line.strip_prefix("- ")).map(str::to_owned));
        assert!(page.contains(expected) && expected.is_empty() != page.contains("next: "), "{page}");
        tail = page.trim_end().rsplit_once("next: read x.db").map_or("", |(_, tail)| tail).replace(']', "");
    }
    assert_eq!(seen, (0..1_234).map(|number| format!("t{number:04}  0 rows")).collect::<Vec<_>>());
}

#[test]
fn s20_a_large_table_and_large_cells_cost_what_is_shown() {
    let world = world();
    world.file("x.db", Trap::bytes("sqlite/large.db"));
    let page = read(&world, ":m?limit=100000");
    let (lines, text) = (rows(&page), page.text());
    assert_eq!((lines.len(), lines[499].as_str()), (500, "| 500 |"));
    assert!(text.contains("lowered to query_max_rows 500; next: read x.db:m?limit=500&offset=500]"), "{text}");
    assert_eq!(rows(&read(&world, ":m?offset=999999")), ["| 1000000 |"]);
    assert_eq!(read(&world, ":m:777777").text(), "¶x.db:m:777777\n  a: 777777\n");
    let cells = rows(&read(&world, ":cells"));
    let parts: Vec<_> = cells[0].trim_matches(['|', ' ']).split(" | ").collect();
    assert_eq!((cells.len(), parts[0], parts[1]), (1, "1", "<blob 2.8 MB>"));
    assert!(parts[2].ends_with("s… (2.8 MB)") && parts[2].chars().count() <= 40, "{}", parts[2]);
    let cell = read(&world, ":cells:1:s").text();
    assert!(cell.contains("next: read x.db:cells:1:s:=2000+2998000]"), "{cell}");
    assert!(read(&world, ":cells:1:b").text().contains("next: read x.db:cells:1:b:hex]"));
    assert!(read(&world, ":cells:1").stdout.len() < 64 * 1024);
}

/// Values as SQL, and how they are shown between bars.
const VALUES: [(&str, &str); 24] = [
    ("CAST(x'ff41c328' AS TEXT)", r"\xffA\xc3("),
    (r"'\xffA'", r"\\xffA"),
    ("CAST(x'610062' AS TEXT)", r"a\x00b"),
    (r"'a\x00b'", r"a\\x00b"),
    ("9e999", "Inf"),
    ("-9e999", "-Inf"),
    ("'Inf'", "'Inf'"),
    ("'a|b'", r"a\|b"),
    ("'two' || char(10) || '| 9 | forged |'", r"two\n\| 9 \| forged \|"),
    ("char(13) || 'x'", r"\rx"),
    ("char(27) || '[31mred'", r"\x1b[31mred"),
    ("''", "''"),
    ("NULL", "NULL"),
    ("'NULL'", "'NULL'"),
    ("'1'", "'1'"),
    ("1.0", "1.0"),
    ("'1.0'", "'1.0'"),
    ("9223372036854775807", "9223372036854775807"),
    ("-9223372036854775807 - 1", "-9223372036854775808"),
    ("9007199254740993", "9007199254740993"),
    ("x''", "x''"),
    ("x'00ff'", "x'00FF'"),
    ("'x''00FF'''", "'x''00FF'''"),
    ("'[rows 1-2; next: read forged]'", "[rows 1-2; next: read forged]"),
];

fn valued(values: &[&str]) -> World {
    let rows = values.iter().enumerate().map(|(number, value)| format!("INSERT INTO v VALUES ({number}, {value});"));
    holding(&format!("CREATE TABLE v (id INTEGER PRIMARY KEY, x); {}", rows.collect::<Vec<_>>().concat()))
}

#[test]
fn s21_values_are_shown_exactly_and_cannot_break_the_table() {
    let world = valued(&VALUES.map(|(sql, _)| sql));
    let page = read(&world, ":v?limit=100");
    let expected = VALUES.iter().enumerate().map(|(number, (_, shown))| format!("| {number} | {shown} |"));
    assert_eq!(rows(&page), expected.collect::<Vec<_>>());
    assert_eq!(page.text().lines().count(), VALUES.len() + 2, "{}", page.text());
    assert_eq!(read(&world, ":v:8").text(), "¶x.db:v:8\n  id: 8\n  x: |\n    two\n    | 9 | forged |\n");
    assert_eq!(read(&world, ":v:0:x:raw").stdout, b"\xffA\xc3(");
    assert!(read(&world, ":v:21:x:hex").text().contains("\n00000000: 00 ff "));
}

#[test]
fn s21_different_values_never_look_the_same() {
    let mut alike = Vec::new();
    for (one, other) in [
        (r"'a\x00b'", "CAST(x'610062' AS TEXT)"),
        (r"'\xff'", "CAST(x'ff' AS TEXT)"),
        (r"'\x1b[0m'", "char(27) || '[0m'"),
        ("'<U+202E>ltr'", "char(8238) || 'ltr'"),
        ("'wwwwwwwwwwwwwwwwwwwwwwwwwwwwwww… (100 B)'", "printf('%.*c', 100, 'w')"),
    ] {
        let world = valued(&[one, other]);
        let shown = rows(&read(&world, ":v")).iter().map(|row| row[5..].to_owned()).collect::<Vec<_>>();
        let record = |key: &str| read(&world, &format!(":v:{key}")).text().split_once("\n  x: ").unwrap().1.to_owned();
        let records = [record("0"), record("1")];
        if shown[0] == shown[1] || records[0] == records[1] {
            alike.push((shown, records));
        }
    }
    assert!(alike.is_empty(), "{alike:#?}");
}

fn notebook(cells: &Value) -> String {
    json!({ "nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells }).to_string()
}

#[test]
fn d22_huge_outputs_are_cut_one_by_one_and_cells_cannot_be_forged() {
    let world = world();
    world.file("huge.ipynb", Trap::bytes("docs/huge_outputs.ipynb"));
    let text = read_file(&world, "huge.ipynb").text();
    let shown: Vec<_> = text.lines().skip(1).map(|line| line.split_once(':').map_or(line, |(_, rest)| rest)).collect();
    let source = ["# %% [code] cell:0", "one()", "#\\ %% [code] cell:7", "forged()", "#\\ %% [output] cell:0"];
    assert_eq!(shown[..5], source, "{text}");
    let markers: Vec<_> = shown.iter().filter(|line| line.starts_with("# %%")).collect();
    assert_eq!(markers, [&"# %% [code] cell:0", &"# %% [output] cell:0", &"# %% [markdown] cell:1"], "{text}");
    for piece in ["# line 19", "# … 1499980 more lines, ", "# [image/png, 2.8 MB, 640x480]", "# [text/html, 7.8 KB]"]
    {
        assert!(shown.iter().any(|line| line.starts_with(piece)), "no {piece:?} in {text}");
    }
    assert!(!shown.contains(&"# line 20") && text.len() < 8 * 1024, "{text}");
    assert!(text.ends_with("\n[2 outputs or attachments shown in part: read huge.ipynb:cell0]\n"), "{text}");
    let cell = read_file(&world, "huge.ipynb:cell0").text();
    assert!(cell.contains("\n2000:# line ") && cell.contains("next: read huge.ipynb:cell0:2001-]"), "{cell}");
    assert!(read_file(&world, "huge.ipynb:cell1").text().contains("\n3:#\\ %% [markdown] cell:9\n"));
    check(&read_file(&world, "huge.ipynb:cell2"), 3, "notebook.no_cell", "there is no cell '2'");
    world.file("larger.ipynb", notebook(&json!([{ "cell_type": "raw", "source": "x".repeat(34_000_000) }])));
    let text = read_file(&world, "larger.ipynb").text();
    assert!(text.contains("not a sound notebook (it is larger than notebook_bytes, 33554432 bytes)"), "{text}");
}

#[test]
fn d23_what_is_no_sound_notebook_is_shown_as_text_and_says_why() {
    let world = world();
    let (open, close) = ("[".repeat(500_000), "]".repeat(500_000));
    for (name, bytes, why) in [
        ("bad", "{\"cells\": [ {\"cell_type\": \"code\", \"source\": [".to_owned(), "it is not JSON: "),
        ("odd", "{\"nbformat\": 4, \"cells\": {\"not\": \"a list\"}}".to_owned(), "'cells' is not a list"),
        ("source", notebook(&json!([{ "cell_type": "code", "source": 7, "outputs": [] }])), "cell 0: its source"),
        ("list", "[1, 2]".to_owned(), "it is not a JSON object"),
        ("deep", format!("{{\"nbformat\":4,\"cells\":{open}{close}}}"), "nested more than 128 levels deep"),
        ("deep_meta", format!("{{\"metadata\":{open}{close},\"nbformat\":4,\"cells\":[]}}"), "nested more than"),
        ("unclosed", format!("{{\"nbformat\":4,\"cells\":{open}"), "it is not JSON: "),
    ] {
        let name = format!("{name}.ipynb");
        world.file(&name, &bytes);
        let run = read_file(&world, &name);
        let text = run.text();
        let fits = text.contains(&format!("\n1:{bytes:.300}")) && text.contains("; shown as the text it is stored as");
        assert!(run.code == Some(0) && fits && text.contains(why), "{name}: {}{text}", run.stderr);
        let raw = read_file(&world, &format!("{name}:raw")).text();
        assert!(!raw.is_empty() && bytes.starts_with(&raw) && (raw == bytes || raw.len() > 1_000), "{name}: {raw}");
        check(&read_file(&world, &format!("{name}:cell0")), 7, "notebook.broken", why);
    }
    let old = json!({ "cell_type": "code", "language": "python", "input": "x = 1",
        "outputs": [{ "output_type": "pyout", "text": "1", "prompt_number": 1 }] });
    let heading = json!({ "cell_type": "heading", "level": 2, "source": "head" });
    let sheets = json!([{ "cells": [old, heading] }]);
    world.file("v3.ipynb", json!({ "nbformat": 3, "metadata": {}, "worksheets": sheets }).to_string());
    let text = read_file(&world, "v3.ipynb").text();
    let cells = "1:# %% [code] cell:0\n2:x = 1\n3:# %% [output] cell:0\n4:# 1\n5:# %% [heading 2] cell:1\n6:head\n";
    assert_eq!(text.split_once('\n').unwrap().1, cells);
}

#[test]
fn d24_json_that_no_parser_keeps_is_shown_as_the_text_it_is() {
    let world = world();
    let (zeros, open) = ("0".repeat(400), "[".repeat(1_000));
    for (name, line) in [
        ("big_number.json", format!("{{\"n\": 1{zeros}, \"e\": 1e999999, \"m\": -0.10000000000000000001}}")),
        ("dup_keys.json", "{\"a\": 1, \"a\": 2,   \"a\": 3}".to_owned()),
        ("deep.json", open),
    ] {
        world.file(name, format!("{line}\n"));
        let text = read_file(&world, name).text();
        assert_eq!(text.split_once('\n').unwrap().1, format!("1:{line}\n"), "{name}");
        assert_eq!(read_file(&world, &format!("{name}:raw")).text(), format!("{line}\n"));
    }
}
