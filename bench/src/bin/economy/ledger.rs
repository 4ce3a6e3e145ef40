//! The ledger: calls, bytes and tokens of what was asked and answered.

use std::error::Error;

use serde_json::{Value, json};
use tiktoken_rs::{CoreBPE, o200k_base};

/// What a task has cost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    pub(crate) calls: usize,
    pub(crate) bytes: usize,
    pub(crate) tokens: usize,
}

/// Counts requests and replies: a model pays for both.
pub(crate) struct Ledger {
    tokenizer: CoreBPE,
    cost: Cost,
}

impl Ledger {
    pub(crate) fn new() -> Result<Self, Box<dyn Error>> {
        Ok(Self { tokenizer: o200k_base()?, cost: Cost::default() })
    }

    /// One call and what came of it.
    pub(crate) fn pay(&mut self, tool: &str, input: &Value, reply: &str) {
        let request = json!({ "name": tool, "arguments": input }).to_string();
        self.cost.calls += 1;
        for text in [request.as_str(), reply] {
            self.cost.bytes += text.len();
            self.cost.tokens += self.tokenizer.encode_ordinary(text).len();
        }
    }

    /// What was paid since the last time, and nothing from here on.
    pub(crate) fn settle(&mut self) -> Cost {
        std::mem::take(&mut self.cost)
    }
}
