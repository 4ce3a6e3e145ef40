//! Codes: the errors that are documented, with their classes, exit codes and statuses.

use std::collections::BTreeMap;

/// What `docs/errors.md` says.
#[derive(Debug)]
pub(crate) struct Codes {
    /// Exit code and status of every class.
    classes: BTreeMap<&'static str, (i32, u16)>,
    /// The classes that an error of every code may have.
    codes: BTreeMap<&'static str, Vec<&'static str>>,
}

impl Codes {
    pub(crate) fn documented() -> Self {
        let page = include_str!("../../../../docs/errors.md");
        let mut found = Self { classes: BTreeMap::new(), codes: BTreeMap::new() };
        for line in page.lines() {
            let cells: Vec<&str> = line.trim_matches(['|', ' ']).split('|').map(str::trim).collect();
            let [first, second, third, ..] = cells.as_slice() else { continue };
            if let (Ok(exit), Ok(status)) = (second.parse(), third.parse()) {
                found.classes.insert(first, (exit, status));
            } else if let Some(code) = first.strip_prefix('`').and_then(|code| code.strip_suffix('`')) {
                found.codes.insert(code, second.split(" or ").collect());
            }
        }
        found
    }

    /// What is wrong with an error of this code, of which a surface told this exit code or status.
    pub(crate) fn fault(&self, code: &str, told: Told) -> Option<String> {
        let Some(classes) = self.codes.get(code) else {
            return Some(format!("the code {code:?} is not documented"));
        };
        if code.ends_with(".crashed") || code.ends_with(".no_worker") {
            return Some(format!("something broke down: {code}"));
        }
        let fits = |class: &&str| match (self.classes.get(class), told) {
            (Some((exit, _)), Told::Exit(code)) => *exit == code,
            (Some((_, status)), Told::Status(code)) => *status == code,
            (None, _) => false,
        };
        (!classes.iter().any(|class| *class != "bug" && fits(class))).then(|| format!("{code} is told as {told:?}"))
    }
}

/// How a surface tells the class of an error.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Told {
    Exit(i32),
    Status(u16),
}
