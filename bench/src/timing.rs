//! Timing: how long something takes, and the value in the middle of many.

use std::error::Error;
use std::process::Command;
use std::time::Instant;

/// How long a process runs, in milliseconds.
pub fn time(command: &mut Command) -> Result<f64, Box<dyn Error>> {
    Ok(took(|| Ok(command.status()?))?.1)
}

/// What some work gives, and the milliseconds it takes.
#[expect(clippy::disallowed_methods, reason = "measuring is telling the time")]
pub fn took<T>(work: impl FnOnce() -> Result<T, Box<dyn Error>>) -> Result<(T, f64), Box<dyn Error>> {
    let start = Instant::now();
    let done = work()?;
    Ok((done, start.elapsed().as_secs_f64() * 1_000.0))
}

/// The one in the middle.
pub fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}
