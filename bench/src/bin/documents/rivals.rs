//! Whole processes: ours, `markitdown` and `pdftotext`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cases::Case;
use crate::process::{command, time};

/// What is there to be measured beside.
#[derive(Debug)]
pub(crate) struct Rivals {
    markitdown: Option<PathBuf>,
    pdftotext: bool,
}

impl Rivals {
    /// Those that start.
    pub(crate) fn find(markitdown: Option<PathBuf>) -> Self {
        let markitdown = markitdown.unwrap_or_else(|| PathBuf::from("markitdown"));
        let starts =
            |program: &Path, argument: &str| silent(program).arg(argument).status().is_ok_and(|it| it.success());
        let pdftotext = starts(Path::new("pdftotext"), "-v");
        Self { markitdown: starts(&markitdown, "--version").then_some(markitdown), pdftotext }
    }

    pub(crate) fn has_markitdown(&self) -> bool {
        self.markitdown.is_some()
    }

    /// Nothing where it is not there or fails.
    pub(crate) fn markitdown(&self, file: &Path) -> Result<Option<f64>, Box<dyn Error>> {
        let Some(program) = &self.markitdown else { return Ok(None) };
        let (done, took) = time(|| Ok(silent(program).arg(file).status()?))?;
        Ok(done.success().then_some(took))
    }

    pub(crate) fn pdftotext(&self, file: &Path) -> Result<Option<f64>, Box<dyn Error>> {
        if !self.pdftotext {
            return Err("pdftotext is not installed, and one target is named after it".into());
        }
        let (_, took) = time(|| Ok(silent(Path::new("pdftotext")).arg(file).arg("-").status()?))?;
        Ok(Some(took))
    }
}

/// A read on the command line.
pub(crate) fn cli(program: &Path, file: &Path, case: &Case) -> Result<f64, Box<dyn Error>> {
    let mut command = silent(program);
    command.args(["--ephemeral", "read"]).arg(format!("{}{}", file.display(), case.selector));
    command.envs(case.limits.settings().iter().copied());
    let (done, took) = time(|| Ok(command.status()?))?;
    if done.success() { Ok(took) } else { Err(format!("{} is not read on the command line", case.name).into()) }
}

fn silent(program: &Path) -> Command {
    let mut command = command(program);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}
