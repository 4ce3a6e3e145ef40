//! What the system tells of processes and of time.

use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// A program that will be measured.
#[expect(clippy::disallowed_methods, reason = "what is measured are processes")]
pub(crate) fn command(path: &Path) -> Command {
    Command::new(path)
}

/// The time that some work takes, in milliseconds.
#[expect(clippy::disallowed_methods, reason = "measuring is telling the time")]
pub(crate) fn time<T>(work: impl FnOnce() -> Result<T, Box<dyn Error>>) -> Result<(T, f64), Box<dyn Error>> {
    let start = Instant::now();
    let done = work()?;
    Ok((done, start.elapsed().as_secs_f64() * 1_000.0))
}

/// The value in the middle.
pub(crate) fn median(times: &[f64]) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}

/// The mean.
#[expect(clippy::cast_precision_loss, reason = "a handful of values")]
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Processes at work on average, over one, five and fifteen minutes.
pub(crate) fn load() -> Result<String, Box<dyn Error>> {
    Ok(text_of("/proc/loadavg")?.split(' ').take(3).collect::<Vec<_>>().join(" "))
}

/// The processor time of a process and of those it has waited for, in milliseconds. The system counts in steps of ten,
/// so that only the mean of many calls says more than that.
pub(crate) fn busy(pid: u32) -> f64 {
    let steps = |field: &str| field.parse::<u32>().map_or(0.0, f64::from);
    fields(pid).iter().skip(11).take(4).map(|field| steps(field)).sum::<f64>() * 10.0
}

/// The children of a process.
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let parent = parent.to_string();
    let is_child = |pid: &u32| fields(*pid).get(1) == Some(&parent);
    entries("/proc").iter().filter_map(|name| name.parse().ok()).filter(is_child).collect()
}

/// What the system tells of a process behind its name, which may hold anything but ends with the last parenthesis.
fn fields(pid: u32) -> Vec<String> {
    let text = text_of(&format!("/proc/{pid}/stat")).unwrap_or_default();
    text.rsplit(')').next().unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

/// The largest resident size that a process ever had, in megabytes.
pub(crate) fn peak(pid: u32) -> f64 {
    let status = text_of(&format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    line.chars().filter(char::is_ascii_digit).collect::<String>().parse::<f64>().unwrap_or(0.0) / 1_024.0
}

#[expect(clippy::disallowed_methods, reason = "the system tells of processes in files of its own")]
fn text_of(path: &str) -> std::io::Result<String> {
    std::fs::read_to_string(path)
}

#[expect(clippy::disallowed_methods, reason = "the system tells of processes in files of its own")]
fn entries(path: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(path) else { return Vec::new() };
    entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect()
}
