//! Our side: a real server, and what its replies cost.

use std::error::Error;
use std::path::Path;

use readstone_bench::spoken::Spoken;
use readstone_bench::system::command;
use serde_json::{Value, json};

use crate::ledger::Ledger;

/// The server, and what was paid for it.
pub(crate) struct Ours {
    server: Spoken,
    pub(crate) ledger: Ledger,
}

impl Ours {
    pub(crate) fn start(program: &Path, place: &Path) -> Result<Self, Box<dyn Error>> {
        let mut command = command(program);
        command.args(["mcp", "--ephemeral", "--root"]).arg(place).current_dir(place);
        Ok(Self { server: Spoken::start(command)?, ledger: Ledger::new()? })
    }

    /// Calls a tool; gives the text of the reply.
    pub(crate) fn call(&mut self, tool: &str, input: &Value) -> Result<String, Box<dyn Error>> {
        let answer: Value = serde_json::from_str(&self.server.call(tool, input)?)?;
        let content = answer.pointer("/result/content").and_then(Value::as_array).ok_or("no content")?;
        let texts: Vec<&str> = content.iter().filter_map(|part| part.get("text")?.as_str()).collect();
        let reply = texts.join("\n");
        self.ledger.pay(tool, input, &reply);
        Ok(reply)
    }

    pub(crate) fn read(&mut self, address: &str) -> Result<String, Box<dyn Error>> {
        self.call("read", &json!({ "path": address }))
    }

    /// An address and whatever its replies name as next, to the end.
    pub(crate) fn whole(&mut self, address: &str) -> Result<String, Box<dyn Error>> {
        let mut all = self.read(address)?;
        let mut page = all.clone();
        while let Some(next) = next(&page) {
            page = self.read(&next)?;
            all += &page;
        }
        Ok(all)
    }
}

/// The address behind `next: read` in the last line of a reply.
pub(crate) fn next(reply: &str) -> Option<String> {
    let (_, after) = reply.trim_end().lines().next_back()?.split_once("next: read ")?;
    Some(after.trim_end_matches(']').to_owned())
}
