//! The data: a text, a project, a log with errors in it and a workbook, the same in every run.

use std::error::Error;
use std::fmt::Write as _;
use std::fs::{File, create_dir};
use std::io::Write as _;
use std::path::Path;

use readstone_bench::made::{log, sheet, source};

/// Files of the project, bytes of each, and functions from one to the next.
const FILES: usize = 40;
const FILE: usize = 60_000;
const APART: usize = 100;
/// Lines of the log, and how far its errors are apart.
const LINES: usize = 100_000;
const ERRORS: usize = 701;
/// Errors that are wanted.
pub(crate) const LAST: usize = 5;

/// Writes all of it.
pub(crate) fn make(place: &Path) -> Result<(), Box<dyn Error>> {
    log::write(&place.join("text.log"), 1_000_000)?;
    let project = place.join("src");
    create_dir(&project)?;
    for number in 0..FILES {
        write(&project.join(format!("part_{number:02}.rs")), &source::rust_from(number * APART, FILE)?)?;
    }
    write(&place.join("steps.rs"), &source::rust(200_000)?)?;
    write(&place.join("app.log"), &app_log()?)?;
    write(&place.join("module.rs"), &source::rust(40_000)?)?;
    File::create(place.join("book.xlsx"))?.write_all(&sheet::xlsx(10_000)?.bytes)?;
    Ok(())
}

/// Changes a few lines of the module.
pub(crate) fn change(place: &Path) -> Result<(), Box<dyn Error>> {
    write(&place.join("module.rs"), &source::rust(40_000)?.replace("Some(total_9 + 9)", "Some(total_9 + 1_009)"))
}

/// Which of the errors come last.
pub(crate) fn last_errors() -> impl Iterator<Item = usize> {
    let count = (LINES - 1) / ERRORS;
    count + 1 - LAST..=count
}

/// A log in which an error comes with three lines that explain it.
fn app_log() -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    for number in 1..LINES {
        if number % ERRORS == 0 {
            let error = number / ERRORS;
            writeln!(text, "{number:08} ERROR order {error} was not written: the disk said no")?;
            writeln!(text, "    at store::write (store.rs:{})", error % 400 + 1)?;
            writeln!(text, "    at order::commit (order.rs:{})", error % 90 + 1)?;
            writeln!(text, "    cause of {error}: no space left")?;
        } else {
            writeln!(text, "{number:08} INFO order {} written in {} ms", number * 7 % 90_001, number % 97)?;
        }
    }
    Ok(text)
}

fn write(path: &Path, text: &str) -> Result<(), Box<dyn Error>> {
    Ok(File::create(path)?.write_all(text.as_bytes())?)
}
