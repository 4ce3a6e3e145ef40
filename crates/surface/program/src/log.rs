//! Logs on standard error: what the servers did, never what they read.

use std::io::{self, IsTerminal as _};

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// Tells where a call broke off, but not its words: they may quote what was read.
fn tell_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(target: "readstone", place, "a mistake in Readstone");
    }));
}

/// Starts to log at a level: one JSON object a line, or plain lines on a terminal.
pub(crate) fn start(level: &str) {
    let level = match level {
        "off" => LevelFilter::OFF,
        "error" => LevelFilter::ERROR,
        "info" => LevelFilter::INFO,
        "debug" => LevelFilter::DEBUG,
        _ => LevelFilter::WARN,
    };
    tell_panics();
    // Only our own words: a library could log what passes through it.
    let ours = Targets::new().with_target("readstone", level);
    let logs = tracing_subscriber::registry().with(ours);
    // A second start in one process keeps the first.
    drop(if io::stderr().is_terminal() {
        logs.with(fmt::layer().with_writer(io::stderr).with_ansi(false).with_target(false)).try_init()
    } else {
        logs.with(fmt::layer().json().flatten_event(true).with_writer(io::stderr).with_target(false)).try_init()
    });
}
