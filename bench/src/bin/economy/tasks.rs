//! Tasks: what a model wants to know, and the calls that tell it, with our tools and with plain ones.

use std::error::Error;
use std::path::Path;

use serde_json::json;

use crate::data::{LAST, change, last_errors};
use crate::ledger::Cost;
use crate::ours::Ours;
use crate::plain::Plain;

/// Lines that a model takes when it knows where a function begins and not where it ends.
const GUESS: usize = 60;

/// A task and what both sides paid for it; nothing where one cannot do it.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) task: &'static str,
    pub(crate) ours: Cost,
    pub(crate) plain: Option<Cost>,
}

/// Both sides, and what they work on.
pub(crate) struct Tasks<'a> {
    pub(crate) ours: Ours,
    pub(crate) plain: Plain,
    pub(crate) place: &'a Path,
    pub(crate) converter: Option<&'a Path>,
}

type Done = Result<Row, Box<dyn Error>>;

impl Tasks<'_> {
    /// All of them.
    pub(crate) fn all(&mut self) -> Result<Vec<Row>, Box<dyn Error>> {
        Ok(vec![
            self.whole_file()?,
            self.one_function()?,
            self.three_functions()?,
            self.last_errors()?,
            self.one_cell()?,
            self.again_after_a_change()?,
        ])
    }

    fn row(&mut self, task: &'static str) -> Row {
        Row { task, ours: self.ours.ledger.settle(), plain: Some(self.plain.ledger.settle()) }
    }

    fn whole_file(&mut self) -> Done {
        let (ours, plain) = (self.ours.whole("text.log")?, self.plain.whole("text.log")?);
        for line in (0..17_858).map(|number| format!("{number:08} INFO")) {
            must(&ours, &line)?;
            must(&plain, &line)?;
        }
        Ok(self.row("read a file of 1 MB whole"))
    }

    /// The name is known, the file is not.
    fn one_function(&mut self) -> Done {
        let found = self.ours.call("search", &json!({ "pattern": r"fn step_2315\b", "paths": ["src"] }))?;
        let file = heading(&found).ok_or("search shows no file")?;
        let ours = self.ours.read(&format!("{file}:@step_2315"))?;
        let lines = self.plain.grep(r"fn step_2315\b", "src")?;
        let plain = self.function(&lines, 2_315)?;
        for text in ["pub fn step_2315(", "Some(total_2315 + 2315)"] {
            must(&ours, text)?;
            must(&plain, text)?;
        }
        Ok(self.row("find a function in 40 files and read it"))
    }

    fn three_functions(&mut self) -> Done {
        let wanted = [17, 48, 75];
        let addresses = wanted.map(|number| format!("steps.rs:@step_{number}"));
        let ours = self.ours.call("read", &json!({ "paths": addresses }))?;
        let lines = self.plain.grep(r"fn step_(17|48|75)\b", "steps.rs")?;
        for number in wanted {
            let plain = self.function(&lines, number)?;
            must(&ours, &format!("Some(total_{number} + {number})"))?;
            must(&plain, &format!("Some(total_{number} + {number})"))?;
        }
        Ok(self.row("read three functions of a file of 200 KB"))
    }

    /// Each with the lines that explain it.
    fn last_errors(&mut self) -> Done {
        // How many lines there are, and then a search of the last few thousand.
        let end = self.ours.read("app.log:-1")?;
        let lines: usize = end.rsplit(" of ").next().unwrap_or_default().trim_end_matches(['\n', ']']).parse()?;
        let from = format!("app.log:{}-", lines - 4_000);
        let ours = self.ours.call("search", &json!({ "pattern": " ERROR ", "paths": [from] }))?;
        let lines = self.plain.grep(" ERROR ", "app.log")?;
        let mut plain = String::new();
        let numbers: Vec<usize> = lines.lines().rev().take(LAST).filter_map(line_number).collect();
        for number in numbers {
            plain += &self.plain.read("app.log", number, 4)?.0;
        }
        for error in last_errors() {
            must(&ours, &format!("cause of {error}: no space left"))?;
            must(&plain, &format!("cause of {error}: no space left"))?;
        }
        Ok(self.row("the last five errors of a log of 4 MB"))
    }

    /// The customer of an invoice.
    fn one_cell(&mut self) -> Done {
        let wanted = "| 8777 |";
        let ours = self.ours.call("search", &json!({ "pattern": r"^\| 8777 \|", "paths": ["book.xlsx"] }))?;
        must(&ours, wanted)?;
        if let Some(converter) = self.converter {
            let plain = self.plain.convert(converter, "book.xlsx")?;
            must(&plain, wanted)?;
        }
        let row = self.row("one row of a workbook of 10,000, by its number");
        Ok(if self.converter.is_some() { row } else { Row { plain: None, ..row } })
    }

    fn again_after_a_change(&mut self) -> Done {
        let before = self.ours.read("module.rs:1-")?;
        let tag = before.lines().next().and_then(|line| line.split_once('#')).ok_or("no tag")?.1.to_owned();
        self.plain.whole("module.rs")?;
        change(self.place)?;
        // What was read before is paid already.
        self.row("");
        let ours = self.ours.read(&format!("module.rs#{tag}"))?;
        let plain = self.plain.whole("module.rs")?;
        must(&ours, "Some(total_9 + 1_009)")?;
        must(&plain, "Some(total_9 + 1_009)")?;
        Ok(self.row("read a file of 40 KB again after a line of it changed"))
    }

    /// A function of which the search shows the line where it begins: so many lines, and as many again until its end is seen.
    fn function(&mut self, lines: &str, number: usize) -> Result<String, Box<dyn Error>> {
        let name = format!("fn step_{number}(");
        let found = lines.lines().find(|line| line.contains(&name)).ok_or("grep does not find it")?;
        // A name before the number is the file; of one file grep prints none.
        let file = found.split(':').next().filter(|name| name.contains(".rs")).unwrap_or("steps.rs").to_owned();
        let mut next = line_number(found.trim_start_matches(&format!("{file}:")));
        let mut all = String::new();
        while let Some(offset) = next {
            let (page, after) = self.plain.read(&file, offset, GUESS)?;
            all += &page;
            next = after.filter(|_| !all.contains("\t}"));
        }
        Ok(all)
    }
}

/// The number before the first colon.
fn line_number(line: &str) -> Option<usize> {
    line.split(':').find_map(|part| part.parse().ok())
}

/// The path in the heading of a search.
fn heading(reply: &str) -> Option<String> {
    let line = reply.lines().find_map(|line| line.strip_prefix("# ").or_else(|| line.strip_prefix('¶')))?;
    Some(line.split('#').next()?.to_owned())
}

fn must(reply: &str, text: &str) -> Result<(), Box<dyn Error>> {
    let shown: String = reply.chars().take(300).collect();
    if reply.contains(text) { Ok(()) } else { Err(format!("the reply does not show {text}: {shown}").into()) }
}
