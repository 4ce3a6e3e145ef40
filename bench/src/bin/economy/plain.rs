//! Plain line paging: a reader with offset and limit, and a search that prints lines, as many agents have them.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use readstone_bench::system::{command, printed, text};
use serde_json::json;

use crate::ledger::Ledger;

/// Lines and bytes of one reply at the most.
const LINES: usize = 2_000;
const BYTES: usize = 51_200;

/// The plain tools, and what was paid for them.
pub(crate) struct Plain {
    place: PathBuf,
    pub(crate) ledger: Ledger,
}

impl Plain {
    pub(crate) fn new(place: &Path) -> Result<Self, Box<dyn Error>> {
        Ok(Self { place: place.to_owned(), ledger: Ledger::new()? })
    }

    /// Numbered lines from one on; also the line to go on with, if there is one.
    pub(crate) fn read(
        &mut self,
        file: &str,
        offset: usize,
        limit: usize,
    ) -> Result<(String, Option<usize>), Box<dyn Error>> {
        let content = text(&self.place.join(file).to_string_lossy());
        let (mut reply, mut shown) = (String::new(), 0);
        for line in content.lines().skip(offset - 1).take(limit.min(LINES)) {
            if reply.len() + line.len() + 8 > BYTES {
                break;
            }
            writeln!(reply, "{:>6}\t{line}", offset + shown)?;
            shown += 1;
        }
        let (next, total) = (offset + shown, content.lines().count());
        if next <= total {
            writeln!(reply, "({total} lines; go on with offset {next})")?;
        }
        let input = if (offset, limit) == (1, LINES) {
            json!({ "path": file })
        } else {
            json!({ "path": file, "offset": offset, "limit": limit })
        };
        self.ledger.pay("read", &input, &reply);
        Ok((reply, (next <= total).then_some(next)))
    }

    /// A file from its first line to its last.
    pub(crate) fn whole(&mut self, file: &str) -> Result<String, Box<dyn Error>> {
        let (mut all, mut next) = self.read(file, 1, LINES)?;
        while let Some(offset) = next {
            let (page, after) = self.read(file, offset, LINES)?;
            all += &page;
            next = after;
        }
        Ok(all)
    }

    /// Lines that match, with path and number.
    pub(crate) fn grep(&mut self, pattern: &str, path: &str) -> Result<String, Box<dyn Error>> {
        let mut grep = command(Path::new("grep"));
        grep.args(["-rnE", pattern, path]).current_dir(&self.place);
        let mut reply = printed(&mut grep)?;
        if reply.len() > BYTES {
            reply.truncate(BYTES);
            reply.push_str("\n(cut)\n");
        }
        self.ledger.pay("grep", &json!({ "pattern": pattern, "path": path }), &reply);
        Ok(reply)
    }

    /// A document as text, all of it.
    pub(crate) fn convert(&mut self, converter: &Path, file: &str) -> Result<String, Box<dyn Error>> {
        let reply = printed(command(converter).arg(file).current_dir(&self.place))?;
        self.ledger.pay("convert_to_markdown", &json!({ "uri": file }), &reply);
        Ok(reply)
    }
}
