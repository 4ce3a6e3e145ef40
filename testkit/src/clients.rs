//! What clients of MCP servers hand to their models: one small emulation per client, by the client's own rules.
//!
//! A new client is a row in [`Client::ALL`] and a function in `clients/agents.rs` or `clients/editors.rs`. Each
//! function names the evidence for its rule: a version that was measured, or the client's source.

mod agents;
mod cuts;
mod editors;
mod result;

use agents as agent;
use editors as editor;

pub use result::{Shown, ToolResult};

/// A client as its user runs it.
#[derive(Clone, Copy, Debug)]
pub struct Client {
    /// The product; unique in [`Client::ALL`].
    pub product: &'static str,
    /// The name in `clientInfo`. Several products can share one.
    pub name: &'static str,
    /// The largest reply that the server may send it.
    pub room: ReplyRoom,
    /// How the client turns a result into its model's context.
    pub show: fn(&ToolResult<'_>) -> Shown,
}

/// The size of a whole reply, all text blocks together.
#[derive(Clone, Copy, Debug)]
pub struct ReplyRoom {
    /// Bytes of text.
    pub bytes: usize,
    /// Lines of text.
    pub rows: usize,
    /// Bytes of the result as JSON, where the client counts these. Pictures do not count.
    pub json: Option<usize>,
}

impl ReplyRoom {
    /// The room of clients without a rule of their own.
    pub const DEFAULT: Self = Self { bytes: 36_000, rows: 1_900, json: None };

    const fn bytes(bytes: usize) -> Self {
        Self { bytes, rows: usize::MAX, json: None }
    }

    const fn json(bytes: usize, json: usize) -> Self {
        Self { json: Some(json), ..Self::bytes(bytes) }
    }

    const fn rows(bytes: usize, rows: usize) -> Self {
        Self { rows, ..Self::bytes(bytes) }
    }
}

impl Client {
    /// Every client, by product, name, room and rule.
    pub const ALL: [Self; 30] = [
        // Pages stay at 36,000 bytes; only ranges and several paths may use all of it.
        Self::new("Claude Code", "claude-code", ReplyRoom::bytes(200_000), agent::claude_code),
        Self::new("Claude Desktop", "claude-ai", ReplyRoom::bytes(36_000), editor::claude_desktop),
        Self::new("Codex", "codex-mcp-client", ReplyRoom::json(36_000, 38_000), agent::codex),
        Self::new("Codex, as code", "codex-mcp-client", ReplyRoom::json(36_000, 38_000), agent::codex_code_mode),
        Self::new("Codex app", "Codex", ReplyRoom::json(36_000, 38_000), agent::codex),
        Self::new("VS Code", "Visual Studio Code", ReplyRoom::bytes(8_000), editor::vs_code),
        Self::new("VS Code Insiders", "Visual Studio Code - Insiders", ReplyRoom::bytes(8_000), editor::vs_code),
        Self::new("Cursor", "cursor-vscode", ReplyRoom::DEFAULT, editor::cursor),
        Self::new("Copilot CLI", "copilot-cli", ReplyRoom::bytes(19_000), agent::copilot_cli),
        Self::new("Copilot agent", "github-copilot-developer", ReplyRoom::bytes(8_000), agent::copilot_developer),
        Self::new("Gemini CLI", "gemini-cli-mcp-client", ReplyRoom::bytes(36_000), agent::gemini_cli),
        Self::new("Qwen Code", "qwen-cli-mcp-client-readstone", ReplyRoom::bytes(26_000), agent::qwen_code),
        Self::new("Qwen Code, newer name", "qwen-code-mcp-client", ReplyRoom::bytes(26_000), agent::qwen_code),
        Self::new("opencode", "opencode", ReplyRoom::rows(50_000, 1_950), agent::opencode),
        Self::new("kilo", "kilo", ReplyRoom::rows(50_000, 1_950), agent::opencode),
        Self::new("goose", "goose-cli", ReplyRoom::bytes(100_000), agent::goose),
        Self::new("Kimi Code", "kimi-code", ReplyRoom::bytes(48_000), agent::kimi_code),
        Self::new("Zed", "Zed", ReplyRoom::bytes(100_000), editor::zed),
        Self::new("Cline CLI", "@cline/core", ReplyRoom::json(7_000, 7_000), agent::cline_core),
        Self::new("Cline", "Cline", ReplyRoom::json(36_000, 36_000), editor::cline),
        Self::new("Roo Code", "Roo Code", ReplyRoom::DEFAULT, editor::texts_and_pictures),
        Self::new("Continue CLI", "continue-cli-client", ReplyRoom::DEFAULT, agent::continue_cli),
        Self::new("Continue", "continue-client", ReplyRoom::DEFAULT, editor::continue_editor),
        Self::new("Crush", "crush", ReplyRoom::DEFAULT, agent::crush),
        Self::new("oh-my-pi", "omp-coding-agent", ReplyRoom::DEFAULT, agent::oh_my_pi),
        Self::new("hermes-agent", "mcp", ReplyRoom::DEFAULT, agent::hermes),
        Self::new("pydantic-ai", "mcp", ReplyRoom::DEFAULT, agent::pydantic_ai),
        Self::new("LangChain", "mcp", ReplyRoom::DEFAULT, editor::texts_and_pictures),
        Self::new("LibreChat", "@librechat/api-client", ReplyRoom::DEFAULT, editor::texts_and_pictures),
        Self::new("an unknown client", "a-client-that-nobody-knows", ReplyRoom::DEFAULT, editor::unknown),
    ];

    /// Our own programs, which take every reply within the library's limits.
    pub const OURS: Self =
        Self::new("ours", "readstone-testkit", ReplyRoom::bytes(4 * 1_048_576), editor::texts_and_pictures);

    const fn new(
        product: &'static str,
        name: &'static str,
        room: ReplyRoom,
        show: fn(&ToolResult<'_>) -> Shown,
    ) -> Self {
        Self { product, name, room, show }
    }

    /// Why a result does not reach the model as it was sent; `None` when every block arrives whole.
    pub fn loss(&self, result: &ToolResult<'_>) -> Option<String> {
        (self.show)(result).loss(result)
    }

    /// Why a result is larger than what this client was promised.
    pub fn excess(&self, result: &ToolResult<'_>) -> Option<String> {
        let (texts, room) = (result.texts(), self.room);
        let bytes: usize = texts.iter().map(|text| text.len()).sum();
        let rows: usize = texts.iter().map(|text| text.lines().count()).sum();
        let json = if result.pictures().is_empty() { result.json().len() } else { 0 };
        let over = |unit: &str, size: usize, most: usize| (size > most).then(|| format!("{size} {unit}, most {most}"));
        over("bytes", bytes, room.bytes)
            .or_else(|| over("rows", rows, room.rows))
            .or_else(|| over("bytes of JSON", json, room.json.unwrap_or(usize::MAX)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::*;

    fn client(product: &str) -> Client {
        *Client::ALL.iter().find(|client| client.product == product).unwrap()
    }

    fn loss(product: &str, result: &Value) -> Option<String> {
        client(product).loss(&ToolResult { result, tool: &json!({ "name": "read" }) })
    }

    fn text(text: &str) -> Value {
        json!({ "content": [{ "type": "text", "text": text }], "isError": false })
    }

    #[test]
    fn every_product_stands_once_and_there_are_names_enough() {
        let products: BTreeSet<_> = Client::ALL.iter().map(|client| client.product).collect();
        let names: BTreeSet<_> = Client::ALL.iter().map(|client| client.name).collect();
        assert_eq!(products.len(), Client::ALL.len());
        assert!(names.len() >= 20, "{names:?}");
    }

    #[test]
    fn a_short_text_arrives_everywhere() {
        let two =
            json!({ "content": [{ "type": "text", "text": "a \"b\"\n" }, { "type": "text", "text": "[next: c]" }] });
        for client in Client::ALL {
            assert_eq!(loss(client.product, &two), None, "{}", client.product);
        }
    }

    #[test]
    fn structured_content_hides_the_text_where_the_client_prefers_it() {
        let mut result = text("the text\n");
        result["structuredContent"] = json!({ "targets": [] });
        let hidden: Vec<_> =
            Client::ALL.iter().filter(|client| loss(client.product, &result).is_some()).map(|c| c.product).collect();
        let expected = [
            "Claude Code",
            "Codex",
            "Codex app",
            "VS Code",
            "VS Code Insiders",
            "Cursor",
            "Copilot agent",
            "pydantic-ai",
            "an unknown client",
        ];
        assert_eq!(hidden, expected);
        result["isError"] = json!(true);
        assert_eq!(loss("Claude Code", &result), None, "errors keep their text there");
        assert!(loss("Codex", &result).is_some());
    }

    #[test]
    fn what_is_too_long_is_cut_where_the_client_cuts() {
        // The size that each client showed whole when it was measured, and the next one, of which something was lost.
        for (product, whole, cut) in [
            ("Claude Code", 49_810, 50_656),
            ("Codex", 47_836, 48_776),
            ("Gemini CLI", 38_704, 40_064),
            ("Qwen Code", 27_000, 29_884),
            ("opencode", 50_656, 51_502),
            ("Copilot CLI", 19_804, 20_704),
            ("Cline CLI", 7_000, 8_100),
            ("Kimi Code", 49_810, 50_656),
            ("oh-my-pi", 50_656, 51_502),
            ("hermes-agent", 73_216, 101_000),
            ("VS Code", 8_192, 8_193),
            ("goose", 139_016, 200_001),
        ] {
            assert_eq!(loss(product, &text(&"x".repeat(whole))), None, "{product}");
            assert!(loss(product, &text(&"x".repeat(cut))).is_some(), "{product}");
        }
        let rows = |count: usize| text(&"row\n".repeat(count));
        assert_eq!(loss("opencode", &rows(1_999)), None);
        assert!(loss("opencode", &rows(2_003)).unwrap().contains("block 1 of 1"));
    }

    #[test]
    fn claude_code_obeys_the_size_that_a_tool_declares() {
        let (long, client) = (text(&"x".repeat(139_016)), client("Claude Code"));
        let declared = json!({ "_meta": { "anthropic/maxResultSizeChars": 220_000 } });
        assert!(client.loss(&ToolResult { result: &long, tool: &json!({}) }).is_some());
        assert_eq!(client.loss(&ToolResult { result: &long, tool: &declared }), None);
    }

    #[test]
    fn pictures_that_a_client_drops_or_spells_out_are_losses() {
        let data = "iVBORw0KGgo".repeat(20);
        let picture = json!({ "content": [{ "type": "image", "data": data, "mimeType": "image/png" }] });
        let lossy: Vec<_> =
            Client::ALL.iter().filter(|client| loss(client.product, &picture).is_some()).map(|c| c.product).collect();
        assert_eq!(lossy, ["Copilot CLI", "Cline CLI", "Cline", "Continue CLI", "Continue"]);
    }

    #[test]
    fn a_reply_beyond_the_room_of_its_client_is_noticed() {
        let tool = json!({});
        let excess = |product: &str, result: &Value| {
            client(product).excess(&ToolResult { result, tool: &tool }).unwrap_or_default()
        };
        assert_eq!(excess("Roo Code", &text(&"x".repeat(36_000))), "");
        assert_eq!(excess("Roo Code", &text(&"x".repeat(36_001))), "36001 bytes, most 36000");
        assert_eq!(excess("Roo Code", &text(&"\n".repeat(1_901))), "1901 rows, most 1900");
        assert!(excess("Codex", &text(&"\"".repeat(20_000))).contains("bytes of JSON, most 38000"));
    }
}
