//! Measurements inside archives and databases, beside the tools at hand.

use std::error::Error;
use std::io::Write as _;

use readstone_bench::made::inside as data;
use readstone_bench::measure::{Bench, Contest, Row};
use readstone_bench::table;

fn main() -> Result<(), Box<dyn Error>> {
    let place = tempfile::tempdir()?;
    let files = data::make(place.path(), data::FULL)?;
    let bench = Bench::new(place.path())?;
    let mut rows = Vec::new();
    for contest in contests(&files) {
        rows.push(bench.contest(&contest)?);
    }
    rows.extend(in_process(&bench)?);
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", table::markdown(&rows))?;
    for (what, address) in [
        ("the zip entry", format!("{}:dir/wanted.txt", files.zip.display())),
        ("the tar.gz entry", format!("{}:wanted-90.txt", files.tar.display())),
        ("the query", format!("{}:users?where=age=30", files.database.display())),
    ] {
        writeln!(out, "Peak memory of {what}: {:.1} MB", bench.peak_memory(&address)?)?;
    }
    Ok(())
}

/// Whole processes against whole processes.
fn contests(files: &data::Files) -> Vec<Contest> {
    let (zip, tar, database) = (files.zip.display(), files.tar.display(), files.database.display());
    let contest = |name: &str, address: String, rival: String| Contest { name: name.to_owned(), address, rival };
    let near_end = "wanted-90.txt";
    let middle = "wanted-50.txt";
    let query = "SELECT * FROM users WHERE age = 30 ORDER BY id LIMIT 20";
    vec![
        contest("4 KB of a 500 MB zip", format!("{zip}:dir/wanted.txt"), format!("unzip -p {zip} dir/wanted.txt")),
        contest(
            "4 KB at 90 % of a 200 MB tar.gz",
            format!("{tar}:{near_end}"),
            format!("bsdtar -xOqf {tar} {near_end}"),
        ),
        contest("4 KB at 50 % of it", format!("{tar}:{middle}"), format!("bsdtar -xOqf {tar} {middle}")),
        contest(
            "row by key of a million",
            format!("{database}:users:777777"),
            format!("sqlite3 {database} 'SELECT * FROM users WHERE id = 777777'"),
        ),
        contest(
            "20 rows of a million",
            format!("{database}:users?where=age=30"),
            format!("sqlite3 {database} '{query}'"),
        ),
        contest("the same as a query", format!("{database}?q={query}"), format!("sqlite3 {database} '{query}'")),
    ]
}

/// Calls of the library in one session.
fn in_process(bench: &Bench) -> Result<Vec<Row>, Box<dyn Error>> {
    [
        ("4 KB of a 500 MB zip, again", vec!["large.zip:dir/wanted.txt"]),
        ("another 4 KB of a 200 MB tar.gz", vec!["large.tar.gz:wanted-90.txt", "large.tar.gz:wanted-30.txt"]),
        ("row by key of a million, again", vec!["large.db:users:777777"]),
        ("20 rows of a million, again", vec!["large.db:users?where=age=30"]),
    ]
    .into_iter()
    .map(|(name, addresses)| bench.after(name, &addresses))
    .collect()
}
