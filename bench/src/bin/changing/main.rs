//! Measurements of changes, beside the tools at hand: one line of a file, a row, an entry.

use std::error::Error;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use readstone_bench::measure::Row;
use readstone_bench::table;
use readstone_bench::timing::{median, time};
use readstone_tools::{Durability, Toolbox, Writing};
use serde_json::{Value, json};

/// Calls of every measurement in process, and rounds of whole processes.
const CALLS: usize = 101;
const ROUNDS: usize = 9;

fn main() -> Result<(), Box<dyn Error>> {
    let place = tempfile::tempdir()?;
    let program = std::env::current_exe()?.with_file_name("readstone");
    let mut rows = Vec::new();
    lines(&place.path().join("source.txt"), 5_000)?;
    lines(&place.path().join("large.txt"), 1_500_000)?;
    for (name, durability) in [("", Durability::System), (", on the disk", Durability::Disk)] {
        rows.push(in_process(place.path(), ("source.txt", 2_500), (name, durability), CALLS)?);
    }
    for (name, durability) in [("", Durability::System), (", on the disk", Durability::Disk)] {
        rows.push(in_process(place.path(), ("large.txt", 750_000), (name, durability), 5)?);
    }
    rows.push(contest(&program, place.path(), "source.txt", 2_500)?);
    rows.push(contest(&program, place.path(), "large.txt", 750_000)?);
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", table::markdown(&rows))?;
    let peak = peak(&program, place.path(), ("large.txt", 750_000))?;
    writeln!(out, "Peak memory of an edit of 100 MB: {peak:.1} MB")?;
    Ok(())
}

/// A file with so many lines of 70 bytes.
fn lines(path: &Path, count: u64) -> Result<(), Box<dyn Error>> {
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    for number in 1..=count {
        writeln!(file, "line {number:>8} of a text that is long enough to look like one of a file...")?;
    }
    file.flush()?;
    Ok(())
}

/// Edits of one line, each under the tag that the one before gave.
#[expect(clippy::disallowed_methods, reason = "measuring is telling the time")]
fn in_process(
    place: &Path,
    (file, line): (&str, u64),
    (name, durability): (&str, Durability),
    calls: usize,
) -> Result<Row, Box<dyn Error>> {
    let toolbox = Toolbox::for_directory(place)?.with_writing(Writing { durability, ..Writing::default() });
    let call = |tool: &str, input: &Value| {
        let reply = toolbox.call(tool, input, &toolbox.budget());
        match reply.receipt.targets.first().and_then(|target| target.tag.clone()) {
            Some(tag) if reply.receipt.error.is_none() => Ok(tag),
            Some(_) | None => Err(reply.text()),
        }
    };
    let mut tag = call("read", &json!({ "path": format!("{file}:{line}-{line}") }))?;
    let mut times = Vec::new();
    for number in 0..calls {
        let input = json!({ "input": format!("¶{file}#{tag}\nreplace {line}:\n+changed {number} times\n") });
        let start = Instant::now();
        tag = call("edit", &input)?;
        times.push(start.elapsed().as_secs_f64() * 1_000.0);
    }
    Ok(Row { name: format!("one line of {file}{name}, in process"), ours: median(times), rival: None })
}

/// The program against `sed -i`, which looks at no version and waits for no disk.
fn contest(program: &Path, place: &Path, file: &str, line: u64) -> Result<Row, Box<dyn Error>> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let tag = tag_of(program, place, (file, line))?;
        let patch = patch(place, &format!("¶{file}#{tag}\nreplace {line}:\n+changed in round {round}\n"))?;
        ours.push(time(command(program, place).arg("edit").arg(&patch).env("READSTONE_DURABLE", "false"))?);
        let script = format!("{line}s/.*/changed by sed {round}/");
        theirs.push(time(command(Path::new("sed"), place).args(["-i", &script, file]))?);
    }
    let rival = Some(("sed -i".to_owned(), median(theirs)));
    Ok(Row { name: format!("one line of {file}, cli"), ours: median(ours), rival })
}

fn patch(place: &Path, text: &str) -> Result<PathBuf, Box<dyn Error>> {
    let path = place.join("patch");
    std::fs::File::create(&path)?.write_all(text.as_bytes())?;
    Ok(path)
}

#[expect(clippy::disallowed_methods, reason = "what is measured is a process")]
fn command(program: &Path, place: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(place).env("HOME", place).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The tag of a file, as the program shows it.
fn tag_of(program: &Path, place: &Path, (file, line): (&str, u64)) -> Result<String, Box<dyn Error>> {
    let output =
        command(program, place).args(["read", &format!("{file}:{line}-{line}")]).stdout(Stdio::piped()).output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let header = text.lines().next().and_then(|header| header.rsplit_once('#'));
    Ok(header.ok_or("the program shows no tag")?.1.to_owned())
}

/// The largest resident size of an edit, in megabytes.
fn peak(program: &Path, place: &Path, at: (&str, u64)) -> Result<f64, Box<dyn Error>> {
    let tag = tag_of(program, place, at)?;
    let patch = patch(place, &format!("¶{}#{tag}\nreplace {}:\n+changed once more\n", at.0, at.1))?;
    let script = format!(
        "{} edit {} > /dev/null & pid=$!; peak=0; while kill -0 $pid 2>/dev/null; do \
        now=$(grep VmHWM /proc/$pid/status 2>/dev/null | tr -dc 0-9); [ -n \"$now\" ] && peak=$now; done; echo $peak",
        program.display(),
        patch.display()
    );
    let output = command(Path::new("sh"), place).args(["-c", &script]).stdout(Stdio::piped()).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().parse::<f64>().unwrap_or(0.0) / 1_024.0)
}
