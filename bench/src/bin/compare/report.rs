//! The report: Markdown tables, and what stands in a row where we are behind.

use std::fmt::{self, Write as _};

use crate::contest::{Bare, Measured, Outcome};
use crate::growth::Series;
use crate::operations::{Limits, Operation, START};
use crate::peers::SERVERS;
use crate::servers::Standing;

/// A ratio above this is being behind; below it the machine's noise is.
const BEHIND: f64 = 1.05;
/// How much more than the start alone may be put down to it: a process that works touches more of itself than one that does not.
const START_SPREAD: f64 = 1.5;
const UNKNOWN: &str = "not explained";

/// Whole processes beside whole processes, and our warm call beside both.
pub(crate) fn command_line(rows: &[(Operation, Measured)], bare: &Bare) -> Result<String, fmt::Error> {
    let mut out = String::from(
        "| operation | tool | its ms | readstone, ms | ratio | first call over MCP, ms | warm call, ms | ratio | where our process is behind |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for (operation, measured) in rows {
        for (tool, outcome) in operation.tools.iter().zip(&measured.tools) {
            let ratio = ratio(&measured.cli, outcome);
            let known = if explained(operation, measured, outcome, bare) { operation.behind_tools } else { "" };
            let behind = reason(ratio, known);
            writeln!(
                out,
                "| {} | {} | {} | {} | {} | {} | {} | {} | {behind} |",
                operation.name,
                tool.name(),
                cell(outcome),
                cell(&measured.cli),
                shown(ratio),
                first(&measured.mcp),
                cell(&measured.mcp),
                shown(self::ratio(&measured.mcp, outcome)),
            )?;
        }
    }
    Ok(out)
}

/// Whether what our process takes longer is no more than its start and the work as a server's first call shows it, where
/// that is the reason given.
fn explained(operation: &Operation, measured: &Measured, theirs: &Outcome, bare: &Bare) -> bool {
    let work = match measured.mcp {
        Outcome::Took { first, .. } => first,
        Outcome::Wrong(_) | Outcome::Cannot | Outcome::Absent => 0.0,
    };
    match (&measured.cli, theirs) {
        (Outcome::Took { median: ours, .. }, Outcome::Took { median: theirs, .. }) => {
            operation.behind_tools != START || ours - theirs <= (bare.ours - bare.theirs) * START_SPREAD + work
        }
        (Outcome::Took { .. } | Outcome::Wrong(_) | Outcome::Cannot | Outcome::Absent, _) => false,
    }
}

/// Warm calls beside warm calls.
pub(crate) fn over_mcp(rows: &[(Operation, Measured)]) -> Result<String, fmt::Error> {
    let mut out = head("operation", ", ms");
    for (operation, measured) in rows {
        write!(out, "| {} | {} |", operation.name, cell(&measured.mcp))?;
        let mut worst = None;
        for outcome in &measured.servers {
            let ratio = ratio(&measured.mcp, outcome);
            worst = worst.max_by_value(ratio);
            write!(out, " {} | {} |", cell(outcome), shown(ratio))?;
        }
        writeln!(out, " {} |", reason(worst, operation.behind_servers))?;
    }
    Ok(out)
}

/// What servers cost besides their answers.
pub(crate) fn standing(rows: &[Standing]) -> Result<String, fmt::Error> {
    let mut out = head("what", "");
    for row in rows {
        let [Some(ours), others @ ..] = row.values.as_slice() else { continue };
        write!(out, "| {} | {} |", row.name, number(*ours))?;
        let mut worst = None;
        for other in others {
            let ratio = other.map(|other| if row.rate { other / ours } else { ours / other });
            worst = worst.max_by_value(ratio);
            write!(out, " {} | {} |", other.map_or_else(|| "absent".to_owned(), number), shown(ratio))?;
        }
        writeln!(out, " {} |", reason(worst, row.behind))?;
    }
    Ok(out)
}

/// Growth as numbers.
pub(crate) fn growth(all: &[Series]) -> Result<String, fmt::Error> {
    let sizes = all.first().map(|series| series.points.iter().map(|(size, _)| *size)).into_iter().flatten();
    let mut out = String::from("| operation |");
    let mut rule = String::from("|---|");
    for size in sizes {
        write!(out, " {size} MB, ms |")?;
        rule.push_str("---|");
    }
    writeln!(out, "\n{rule}")?;
    for series in all {
        let times = series.points.iter().map(|(_, time)| number(*time)).collect::<Vec<_>>().join(" | ");
        writeln!(out, "| {} | {times} |", series.name)?;
    }
    Ok(out)
}

/// What everybody was asked, word for word.
pub(crate) fn asked(rows: &[(Operation, Measured)]) -> Result<String, fmt::Error> {
    let mut out = String::new();
    for (operation, _) in rows {
        let ours = &operation.ours;
        let wide = match ours.limits {
            Limits::Usual => "",
            Limits::Wide => " (wide limits)",
        };
        write!(out, "- {}: `readstone {} {}`{wide}", operation.name, ours.tool, ours.arguments.join(" "))?;
        for tool in &operation.tools {
            write!(out, "; `{}`", tool.spelled())?;
        }
        for (name, call) in SERVERS.iter().zip(&operation.servers) {
            if let Some(call) = call {
                write!(out, "; {name} `{}`", call.tool)?;
            }
        }
        out.push('\n');
    }
    Ok(out)
}

fn head(first: &str, unit: &str) -> String {
    let [rust, node] = SERVERS;
    format!(
        "| {first} | readstone{unit} | {rust}{unit} | ratio | {node}{unit} | ratio | where we are behind |\n\
         |---|---|---|---|---|---|---|\n"
    )
}

/// Ours through theirs, where both have answered.
fn ratio(ours: &Outcome, theirs: &Outcome) -> Option<f64> {
    match (ours, theirs) {
        (Outcome::Took { median: ours, .. }, Outcome::Took { median: theirs, .. }) => Some(ours / theirs),
        (Outcome::Took { .. } | Outcome::Wrong(_) | Outcome::Cannot | Outcome::Absent, _) => None,
    }
}

fn cell(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Took { median, rounds: 1, .. } => format!("{} once", number(*median)),
        Outcome::Took { median, .. } => number(*median),
        Outcome::Wrong(time) => format!("✗ {}", number(*time)),
        Outcome::Cannot => "cannot".to_owned(),
        Outcome::Absent => "absent".to_owned(),
    }
}

fn first(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Took { first, .. } => number(*first),
        Outcome::Wrong(_) | Outcome::Cannot | Outcome::Absent => String::new(),
    }
}

fn shown(ratio: Option<f64>) -> String {
    match ratio {
        Some(ratio) if ratio < 0.01 => "< 0.01".to_owned(),
        Some(ratio) => format!("{ratio:.2}"),
        None => String::new(),
    }
}

fn reason(ratio: Option<f64>, known: &'static str) -> &'static str {
    match ratio {
        Some(ratio) if ratio > BEHIND && known.is_empty() => UNKNOWN,
        Some(ratio) if ratio > BEHIND => known,
        Some(_) | None => "",
    }
}

/// Three digits that mean something.
pub(crate) fn number(value: f64) -> String {
    match value {
        value if value < 1.0 => format!("{value:.3}"),
        value if value < 100.0 => format!("{value:.2}"),
        value => format!("{value:.0}"),
    }
}

trait Largest {
    fn max_by_value(self, other: Self) -> Self;
}

impl Largest for Option<f64> {
    fn max_by_value(self, other: Self) -> Self {
        match (self, other) {
            (Some(one), Some(two)) => Some(one.max(two)),
            (one, two) => one.or(two),
        }
    }
}
