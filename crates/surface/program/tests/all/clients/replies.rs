//! Every kind of reply, as a table of calls. The reply of a new tool is one more entry.
//!
//! In the arguments `{own}` is the directory of the client that calls, `PATH#{tag}` the newest tag of that path that a
//! reply showed and `PATH#{first}` the first one. Calls are made in this order, in one session.

use serde_json::{Value, json};

/// A call, and what its reply must bring.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) name: &'static str,
    pub(crate) tool: &'static str,
    pub(crate) input: Value,
    /// A text that stands in the first reply.
    pub(crate) says: &'static str,
    pub(crate) wanted: Wanted,
    pub(crate) has_picture: bool,
}

/// What the reply and all that follow by `next:` bring together.
#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    /// Whatever the first reply has; nothing is followed.
    Reply,
    /// A failure.
    Failure,
    /// Each line of these files, once.
    Lines(&'static [&'static str]),
    /// The bytes of this file.
    Source(&'static str),
    /// So many different rows with this text in them, each once.
    Rows(usize, &'static str),
}

impl Reply {
    fn new(name: &'static str, tool: &'static str, input: Value) -> Self {
        Self { name, tool, input, says: "", wanted: Wanted::Reply, has_picture: false }
    }

    /// A read of one address.
    fn read(name: &'static str, address: &str) -> Self {
        Self::new(name, "read", json!({ "path": address }))
    }

    fn says(self, says: &'static str) -> Self {
        Self { says, ..self }
    }

    fn fails(self, says: &'static str) -> Self {
        Self { says, wanted: Wanted::Failure, ..self }
    }

    fn lines(self, paths: &'static [&'static str]) -> Self {
        Self { wanted: Wanted::Lines(paths), ..self }
    }

    fn source(self, path: &'static str) -> Self {
        Self { wanted: Wanted::Source(path), ..self }
    }

    fn rows(self, count: usize, text: &'static str) -> Self {
        Self { wanted: Wanted::Rows(count, text), ..self }
    }

    fn with_picture(self) -> Self {
        Self { has_picture: true, ..self }
    }
}

/// All calls of a client.
pub(crate) fn all() -> Vec<Reply> {
    [text(), structure(), containers(), searches(), changes(), failures()].concat()
}

fn text() -> Vec<Reply> {
    vec![
        Reply::read("a small file", "small.txt").says("1:one\n2:two\n3:three\n").lines(&["small.txt"]),
        Reply::read("a full page", "long.txt").says("; limit ").lines(&["long.txt"]),
        Reply::read("2,000 short rows", "short_rows.txt").lines(&["short_rows.txt"]),
        Reply::read("a raw page", "short_rows.txt:raw").source("short_rows.txt"),
        Reply::read("a raw page with quotes", "quotes.txt:raw").source("quotes.txt"),
        Reply::read("a raw range", "ranged.txt:5-9:raw").says("row 5 of"),
        Reply::read("a file full of quotes", "quotes.txt").lines(&["quotes.txt"]),
        Reply::read("a range of 3,000 lines", "ranged.txt:1-3000").lines(&["ranged.txt"]),
        Reply::read("several ranges", "ranged.txt:5-9,3000-3400").says("\n5:row 5 of").rows(406, " of a file that"),
        Reply::read("the last lines", "long.txt:-20").says("\n9000:line 9000 "),
        Reply::new("several paths", "read", json!({ "paths": ["quotes.txt", "ranged.txt", "short_rows.txt"] }))
            .lines(&["quotes.txt", "ranged.txt", "short_rows.txt"]),
        Reply::new("a path that is missing among others", "read", json!({ "paths": ["small.txt", "missing.txt"] }))
            .says("source.not_found"),
        Reply::new("a byte window", "read", json!({ "path": "ranged.txt", "start_byte": 0, "max_bytes": 60_000 }))
            .lines(&["ranged.txt"]),
        Reply::read("bytes in hex", "bytes.bin:hex").rows(625, ": "),
        Reply::read("merge conflicts", "merge.txt:conflicts").rows(200, "<<<<<<<"),
        Reply::read("a manual page", "readstone://addresses.md").says("# Addresses"),
    ]
}

fn structure() -> Vec<Reply> {
    vec![
        Reply::read("a summary", "source.rs").rows(900, " { … }"),
        Reply::read("an outline", "source.rs:outline").rows(900, " { … }"),
        Reply::read("a declaration", "source.rs:@function_3").says("pub fn function_3"),
        Reply::read("a directory", "directory").rows(800, "entry_"),
    ]
}

fn containers() -> Vec<Reply> {
    vec![
        Reply::read("an archive", "bundle.zip:inner").rows(700, "entry_"),
        Reply::read("an entry of an archive", "bundle.zip:inner/entry_007.txt").says("2:of an archive"),
        Reply::read("the tables of a database", "shop.db").rows(600, "further_"),
        Reply::read("a table of a database", "shop.db:items").says("some text 5"),
        Reply::read("rows of a database", "shop.db:items?limit=500").rows(2_000, "| some text "),
        Reply::read("a query", "shop.db?q=SELECT * FROM items").rows(2_000, "| some text "),
        Reply::read("a notebook", "book.ipynb").rows(500, "print("),
        Reply::read("the text of a CSV file", "table.csv").lines(&["table.csv"]),
        Reply::read("the rows of a CSV file", "table.csv?limit=500").rows(2_000, "| text, number "),
        Reply::read("a line of JSON", "data.json").says("[cut: "),
        Reply::read("a value of JSON", "data.json:/items").rows(800, "\"id\": "),
        Reply::read("a Word document", "letter.docx").rows(1_000, "Paragraph number "),
        Reply::read("a PDF document", "report.pdf").says("It says one thing."),
        Reply::read("a picture", "picture.png").says("320x200").with_picture(),
        Reply::read("facts about a picture", "picture.png:info").says("320x200"),
    ]
}

fn searches() -> Vec<Reply> {
    let search =
        |name, pattern: &str, path: &str| Reply::new(name, "search", json!({ "pattern": pattern, "paths": [path] }));
    vec![
        search("a search of many files", "needle", "hits").rows(1_800, "*"),
        search("a search of one file", "needle", "hits/hit_00.txt").rows(30, "*"),
        search("a search with a hit on every line", "row [0-9]+ of", "ranged.txt").rows(3_400, "*"),
        search("a search without a hit", "no such words", "hits").says("No matches found"),
        Reply::new("paths of a find", "find", json!({ "paths": ["many/*.txt"] })).rows(300, "a_file_"),
        Reply::new("a find of nothing", "find", json!({ "paths": ["*.nothing"] })).says("No files found"),
    ]
}

/// A patch that replaces the lines 1 to `old` of files by `new` rows of this length.
fn patch(paths: &[String], old: usize, new: usize, length: usize) -> String {
    let rows =
        (0..new).map(|number| format!("+new line {number} {}\n", "x".repeat(length))).collect::<Vec<_>>().concat();
    let section = |path: &String| format!("¶{path}#{{tag}}\nreplace 1..{old}:\n{rows}");
    paths.iter().map(section).collect()
}

fn changes() -> Vec<Reply> {
    let parts: Vec<String> = (0..30).map(|number| format!("{{own}}/part_{number:02}.txt")).collect();
    let edit = |name, patch: String| Reply::new(name, "edit", json!({ "input": patch }));
    let write =
        |name, path: &str, content: String| Reply::new(name, "write", json!({ "path": path, "content": content }));
    let wide = |word: &str| format!("{word} line {}\n", "of words ".repeat(15)).repeat(200);
    let moved =
        |number| if number % 2 == 0 { format!("old line {number}\n") } else { format!("changed line {number}\n") };
    vec![
        Reply::read("a file to be edited", "{own}/one.txt").says("3:gamma"),
        edit("an edit of one file", patch(&["{own}/one.txt".to_owned()], 2, 3, 10)).says("+3:new line 2 xxx"),
        Reply::new("files to be edited", "read", json!({ "paths": parts })).rows(60, "a"),
        edit("an edit of many files", patch(&parts, 2, 20, 40)).says("-1:alpha"),
        Reply::read("a file to be rewritten", "{own}/wide.txt").rows(80, "old line "),
        edit("an edit with a large diff", patch(&["{own}/wide.txt".to_owned()], 80, 80, 180))
            .says("-1:old line 1 words"),
        write("a new file", "{own}/new.txt", wide("first")).says("Created "),
        write("a file replaced", "{own}/new.txt", wide("other")).says("Wrote "),
        Reply::new("an undo", "undo", json!({ "path": "{own}/new.txt" })).says("Took back"),
        Reply::read("a file that will change", "{own}/moved.txt").rows(400, "old line "),
        write("a change of it", "{own}/moved.txt", (1..=400).map(moved).collect()).says("Wrote "),
        Reply::read("changes since a tag", "{own}/moved.txt#{first}").rows(400, "line ").says("changed since #"),
        edit("an edit of lines that changed", "¶{own}/moved.txt#{first}\nreplace 101..180:\n+x\n".to_owned())
            .fails("edit.stale"),
    ]
}

fn failures() -> Vec<Reply> {
    vec![
        Reply::read("a missing path", "smal.text").fails("source.not_found"),
        Reply::read("a wrong range", "small.txt:9-4").fails("address.bad_selector"),
        Reply::read("a missing entry", "bundle.zip:inner/absent.txt").fails("not_found"),
        Reply::read("a missing table", "shop.db:absent").fails("database."),
        Reply::new("an unknown argument", "read", json!({ "path": "small.txt", "lines": "1-2" }))
            .fails("tool.bad_input"),
        Reply::new("a wrong pattern", "search", json!({ "pattern": "[a", "paths": ["hits"] })).fails("search."),
        Reply::new("an edit of a missing file", "edit", json!({ "input": "¶absent.txt#0000\nreplace 1:\n+x\n" }))
            .fails("host.not_found"),
    ]
}
