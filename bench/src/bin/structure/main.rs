//! What outlines, symbols and summaries cost in process: the first time, and again. Further files can be named.

mod data;

use std::error::Error;
use std::io::Write as _;
use std::path::Path;

use readstone_bench::measure::{Bench, Keep};
use readstone_bench::table;

#[expect(clippy::disallowed_methods, reason = "the files that are measured lie anywhere")]
fn main() -> Result<(), Box<dyn Error>> {
    let place = tempfile::tempdir()?;
    for sample in data::samples() {
        std::fs::write(place.path().join(sample.name), sample.text)?;
    }
    let mut names: Vec<String> = data::samples().iter().map(|sample| sample.name.to_owned()).collect();
    for file in std::env::args().skip(1) {
        let name = Path::new(&file).file_name().ok_or("a file has no name")?.to_string_lossy().into_owned();
        let name = format!("{}-{name}", names.len());
        std::fs::copy(&file, place.path().join(&name))?;
        names.push(name);
    }
    let bench = Bench::new(place.path())?;
    let mut rows = Vec::new();
    for name in &names {
        let lines = std::fs::read_to_string(place.path().join(name))?.lines().count();
        let what = format!("{name}, {lines} lines");
        rows.push(bench.in_process(&format!("outline of {what}"), &format!("{name}:outline"), Keep::Nothing)?);
        rows.push(bench.in_process(&format!("outline of {what}, again"), &format!("{name}:outline"), Keep::Session)?);
        rows.push(bench.in_process(&format!("summary of {what}, again"), name, Keep::Session)?);
        rows.push(bench.in_process(
            &format!("lines 400-410 of {what}, again"),
            &format!("{name}:400-410"),
            Keep::Session,
        )?);
    }
    writeln!(std::io::stdout().lock(), "{}", table::markdown(&rows))?;
    Ok(())
}
