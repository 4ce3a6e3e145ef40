//! Measurements beside the tools at hand, printed as ratios of one run.

use std::error::Error;
use std::io::Write as _;
use std::path::Path;

use readstone_bench::made::log as data;
use readstone_bench::measure::{Bench, Contest, Keep};
use readstone_bench::table;

/// The size of the large file unless the command line says otherwise.
const MEGABYTES: u64 = 1_000;

fn main() -> Result<(), Box<dyn Error>> {
    let megabytes = std::env::args().nth(1).map_or(Ok(MEGABYTES), |text| text.parse())?;
    let place = tempfile::tempdir()?;
    let files = data::make(place.path(), megabytes)?;
    let bench = Bench::new(place.path())?;
    let mut rows = Vec::new();
    for contest in contests(&files) {
        rows.push(bench.contest(&contest)?);
    }
    for (name, address, toolbox) in in_process(&files) {
        rows.push(bench.in_process(&name, &address, toolbox)?);
    }
    let memory = bench.peak_memory(&files.near_end())?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", table::markdown(&rows))?;
    writeln!(out, "Peak memory of a page near the end: {memory:.1} MB")?;
    Ok(())
}

/// Whole processes against whole processes.
fn contests(files: &data::Files) -> Vec<Contest> {
    let (log, small) = (files.log.display(), files.small.display());
    let line = files.lines / 17 * 16;
    let middle = files.bytes / 2;
    let contest = |name: &str, address: String, rival: String| Contest { name: name.to_owned(), address, rival };
    vec![
        contest("100 lines near the end", files.near_end(), format!("tail -n +{line} {log} | head -n 100")),
        contest("the same by sed", files.near_end(), format!("sed -n '{line},{}p;{}q' {log}", line + 99, line + 99)),
        contest("last 100 lines", format!("{log}:-100"), format!("tail -n 100 {log}")),
        contest(
            "64 KiB in the middle",
            format!("{log}:b{middle}+65536"),
            format!("dd if={log} bs=64K iflag=skip_bytes skip={middle} count=1 status=none"),
        ),
        contest("first page", log.to_string(), format!("head -n 2000 {log}")),
        contest("2 KB file", small.to_string(), format!("cat {small}")),
        contest("count all lines", format!("{log}:{}-", u64::MAX / 2), format!("wc -l {log}")),
    ]
}

/// Calls of the library.
fn in_process(files: &data::Files) -> Vec<(String, String, Keep)> {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (log, medium, small) = (name(&files.log), name(&files.medium), name(&files.small));
    let line = files.lines / 17 * 16;
    vec![
        ("100 lines near the end, again".to_owned(), format!("{log}:{line}+100"), Keep::Session),
        ("64 KiB in the middle".to_owned(), format!("{log}:b{}+65536", files.bytes / 2), Keep::Nothing),
        ("64 KiB in the middle, again".to_owned(), format!("{log}:b{}+65536", files.bytes / 2), Keep::Session),
        ("2 KB file, again".to_owned(), small.clone(), Keep::Session),
        ("2 KB file".to_owned(), small, Keep::Nothing),
        ("first page of 20 MB".to_owned(), medium, Keep::Nothing),
        ("last 100 lines".to_owned(), format!("{log}:-100"), Keep::Nothing),
    ]
}
