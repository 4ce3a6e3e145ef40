//! What lies inside something else: archives, databases and documents.

use super::{Operation, START, read, read_wide};
use crate::data::{Data, grouped};
use readstone_bench::made::{pdf, word};

const ENTRY: &str = "a line of text that is read";

/// What our pages have and those of `pdftotext` have not.
const PDF: &str = "headings, lists and tables are worked out from where the words stand, in a process that can open no files; `pdftotext` prints the words";

/// What our queries have and those of `sqlite3` have not.
const QUERY: &str =
    "what the caller writes in SQL runs in a second process, which can open no files and is started for it";

pub(super) fn all(data: &Data) -> Vec<Operation> {
    [inside(data), documents()].into_iter().flatten().collect()
}

fn inside(data: &Data) -> Vec<Operation> {
    let rows = grouped(1_000_000 / data.scale);
    let key = 777_777 / data.scale;
    let user = format!("User {key}");
    let query = "SELECT * FROM users WHERE age = 30 ORDER BY id LIMIT 20";
    vec![
        Operation::new(format!("4 KB entry of a {} zip", data.megabytes(500)), read("large.zip:dir/wanted.txt"))
            .shows(ENTRY)
            .tool("unzip -p large.zip dir/wanted.txt")
            .tool("bsdtar -xOqf large.zip dir/wanted.txt")
            .behind_tools(START),
        Operation::new(
            format!("4 KB entry at 90 % of a {} tar.gz", data.megabytes(200)),
            read("large.tar.gz:wanted-90.txt"),
        )
        .shows(ENTRY)
        .tool("bsdtar -xOqf large.tar.gz wanted-90.txt")
        .tool("tar -xOzf large.tar.gz --occurrence=1 wanted-90.txt")
        .behind_tools(START),
        Operation::new(format!("row by key of {rows}"), read(format!("large.db:users:{key}")))
            .shows(&user)
            .tool_with("sqlite3 large.db", &format!("SELECT * FROM users WHERE id = {key}"))
            .behind_tools(START),
        Operation::new(format!("query for 20 rows of {rows}"), read(format!("large.db?q={query}")))
            .shows("User 1740")
            .tool_with("sqlite3 large.db", query)
            .behind_tools(QUERY),
    ]
}

fn documents() -> Vec<Operation> {
    vec![
        Operation::new("docx, 60 KB of text, whole", read_wide("report.docx"))
            .shows(word::LAST_WORDS)
            .tool("markitdown report.docx"),
        Operation::new("xlsx, 10,000 rows, whole", read_wide("book.xlsx:1-10010"))
            .shows("| 1001 |")
            .shows("| 11000 |")
            .tool("markitdown book.xlsx"),
        Operation::new("pdf, 50 pages, whole", read_wide("report.pdf"))
            .shows(pdf::LAST_WORDS)
            .tool("pdftotext report.pdf -")
            .tool("pdftotext -layout report.pdf -")
            .tool("markitdown report.pdf")
            .behind_tools(PDF),
    ]
}
