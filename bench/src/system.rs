//! What the system tells: of processes, of programs, of the machine.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program that will be started.
#[expect(clippy::disallowed_methods, reason = "what is measured are processes")]
pub fn command(path: &Path) -> Command {
    Command::new(path)
}

/// What a program prints.
pub fn printed(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Where a program is: among those fetched for the measurements, or where the shell finds it.
pub fn program(fetched: &Path, names: &[&str]) -> Option<PathBuf> {
    let places = ["bin", "node_modules/.bin", "python/bin"];
    let here = names.iter().flat_map(|name| places.map(|place| fetched.join(place).join(name)));
    here.into_iter().find(|path| path.exists()).or_else(|| names.iter().find_map(|name| on_path(name)))
}

fn on_path(name: &str) -> Option<PathBuf> {
    let found = printed(command(Path::new("sh")).arg("-c").arg(format!("command -v {name}"))).ok()?;
    let path = PathBuf::from(found.trim());
    path.is_absolute().then_some(path)
}

/// The memory of a process, in megabytes.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// What is resident now.
    pub resident: f64,
    /// What of that are no pages of files.
    pub own: f64,
    /// The most that ever was resident.
    pub most: f64,
}

/// The memory of a process.
pub fn memory(pid: u32) -> Memory {
    let status = text(&format!("/proc/{pid}/status"));
    let field = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        line.chars().filter(char::is_ascii_digit).collect::<String>().parse::<f64>().unwrap_or(0.0) / 1_024.0
    };
    Memory { resident: field("VmRSS"), own: field("RssAnon"), most: field("VmHWM") }
}

/// The children of a process.
pub fn children(parent: u32) -> Vec<u32> {
    let listed = text(&format!("/proc/{parent}/task/{parent}/children"));
    listed.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

/// Cores, processor, memory and kernel.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let after = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        line.split_once(':').map_or("", |(_, value)| value.trim()).to_owned()
    };
    let processor = after(&text("/proc/cpuinfo"), "model name");
    let kilobytes = after(&text("/proc/meminfo"), "MemTotal");
    let gigabytes = kilobytes.trim_end_matches(" kB").parse::<f64>().unwrap_or(0.0) / 1_048_576.0;
    let kernel = text("/proc/sys/kernel/osrelease");
    let kernel: Vec<&str> = kernel.trim().split(['.', '-']).take(2).collect();
    format!("{cores} cores ({processor}), {gigabytes:.0} GB, Linux {}", kernel.join("."))
}

/// Today.
pub fn date() -> String {
    printed(command(Path::new("date")).args(["-u", "+%F"])).unwrap_or_default().trim().to_owned()
}

/// Processes at work on average over the last minute.
pub fn load() -> String {
    text("/proc/loadavg").split(' ').next().unwrap_or_default().to_owned()
}

/// A file as text, or nothing.
#[expect(clippy::disallowed_methods, reason = "the system tells of itself in files")]
pub fn text(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}
