//! Agents on the command line. "Measured" means: with the program itself and a scripted model, on 2026-11-19.

use super::cuts::{cut_middle, head_and_tail, keep_head, preview};
use super::result::{Shown, ToolResult};

/// Measured with 2.1.327. Structured content hides all text, but not that of errors; see also
/// <https://github.com/anthropics/claude-code/issues/79944>. Beyond 50,000 characters, or what the tool declares up to
/// 500,000, the result goes to a file and the model gets 2 KB.
pub(super) fn claude_code(result: &ToolResult<'_>) -> Shown {
    let most = result.declared("anthropic/maxResultSizeChars").map_or(50_000, |declared| declared.min(500_000));
    let text = if result.is_error() { result.texts().join("\n") } else { result.structured_or_texts("\n") };
    Shown::plain(preview(&text, most, 2_000), result.pictures().len())
}

/// Measured with 0.169.0 and gpt-5.5, tools listed. Structured content hides text and pictures, also of errors; the
/// middle of more than 48,000 bytes is cut out (`codex-rs/protocol/src/models.rs`, `core/src/tools/context.rs`).
pub(super) fn codex(result: &ToolResult<'_>) -> Shown {
    let pictures = if result.structured().is_some() { 0 } else { result.pictures().len() };
    Shown::plain(cut_middle(&result.structured_or_texts("\n"), 48_000), pictures)
}

/// Measured with 0.169.0 and gpt-6.1-sol, which calls tools by scripts. The script prints the result as JSON, and
/// pictures as pictures; 10,000 tokens, estimated as 40,000 bytes, with a line about the size before them.
pub(super) fn codex_code_mode(result: &ToolResult<'_>) -> Shown {
    let pictures = result.pictures();
    let json = pictures.iter().fold(result.json(), |json, data| json.replace(data, ""));
    Shown::json(cut_middle(&json, 39_900), pictures.len())
}

/// Measured with 1.0.102. Text and structured content; beyond 20,000 bytes a preview of 500 characters. Pictures are
/// lost with a model of one's own.
pub(super) fn copilot_cli(result: &ToolResult<'_>) -> Shown {
    let text = result.texts_and_structured("\n");
    let text = if text.len() > 20_000 { preview(&text, 0, 500) } else { text };
    Shown::plain(text, 0)
}

/// Only structured content up to May 2026 (<https://github.com/github/copilot-cli/issues/3258>); 8 KiB within VS Code
/// (<https://github.com/microsoft/vscode/pull/329276>).
pub(super) fn copilot_developer(result: &ToolResult<'_>) -> Shown {
    let text = result.structured_or_texts("\n");
    let text = if text.len() > 8_192 { preview(&text, 0, 500) } else { text };
    Shown::plain(text, result.pictures().len())
}

/// Measured with 0.61.0. A result of exactly one text part keeps its first 8,000 and last 32,000 of more than 40,000
/// characters (`scheduler/tool-executor.ts`); each part stands in a wrapper. Errors come as JSON of all.
pub(super) fn gemini_cli(result: &ToolResult<'_>) -> Shown {
    if result.is_error() {
        return Shown::json(result.json(), 0);
    }
    let wrap = |text: &&str| format!("<untrusted_context>\n{text}\n</untrusted_context>\n");
    let text: String = result.texts().iter().map(wrap).collect();
    let alone = result.texts().len() == 1 && result.pictures().is_empty();
    Shown::plain(if alone { head_and_tail(&text, 40_000, 8_000, 32_000) } else { text }, result.pictures().len())
}

/// Measured with 0.24.4. Structured content first, then the texts; beyond 27,004 to 29,884 bytes a preview of 2,000
/// characters. With a model known to see, pictures come as pictures.
pub(super) fn qwen_code(result: &ToolResult<'_>) -> Shown {
    let structured = result.structured().map(|json| json + "\n").unwrap_or_default();
    let text = structured + &result.texts().join("\n");
    Shown::plain(if text.len() > 27_004 { preview(&text, 0, 2_000) } else { text }, result.pictures().len())
}

/// Measured with opencode 1.18.33 and kilo 7.7.7. The texts joined by blank lines, of which the head is kept: 2,000
/// lines or 51,200 bytes (`tool/truncate.ts`). Structured content only where there is no content.
pub(super) fn opencode(result: &ToolResult<'_>) -> Shown {
    let text = if result.texts().is_empty() && result.pictures().is_empty() {
        result.structured().unwrap_or_default()
    } else {
        result.texts().join("\n\n")
    };
    Shown::plain(keep_head(&text, 2_000, 51_200), result.pictures().len())
}

/// Measured with 1.34.0. Blocks as they are; one of more than 200,000 characters goes to a file, and only its path to
/// the model (`agents/large_response_handler.rs`).
pub(super) fn goose(result: &ToolResult<'_>) -> Shown {
    let texts: Vec<String> = result.texts().iter().map(|text| preview(text, 200_000, 0)).collect();
    Shown::plain(texts.join("\n"), result.pictures().len())
}

/// Measured with 2.1.0. The texts and the structured content; of more than 50,000 characters the first 4,096 and the
/// last 1,024.
pub(super) fn kimi_code(result: &ToolResult<'_>) -> Shown {
    let text = result.texts_and_structured("\n<mcp-result-extras>");
    Shown::plain(head_and_tail(&text, 50_000, 4_096, 1_024), result.pictures().len())
}

/// Measured with 3.0.65. The whole result as JSON, pictures included; of more than 8,000 characters the first and the
/// last 4,000.
pub(super) fn cline_core(result: &ToolResult<'_>) -> Shown {
    Shown::json(head_and_tail(&result.json(), 8_000, 4_000, 4_000), 0)
}

/// Measured with 1.5.47. The content as JSON, pictures included; no limit was seen.
pub(super) fn continue_cli(result: &ToolResult<'_>) -> Shown {
    Shown::json(result.content_json(), 0)
}

/// From its source (`internal/agent/tools/mcp/tools.go`): the texts, and the first picture alone.
pub(super) fn crush(result: &ToolResult<'_>) -> Shown {
    Shown::plain(result.texts().join("\n"), result.pictures().len().min(1))
}

/// Measured with 18.2.3. The texts and the structured content; the middle of more than 51,200 bytes is left out.
pub(super) fn oh_my_pi(result: &ToolResult<'_>) -> Shown {
    Shown::plain(cut_middle(&result.texts_and_structured("\n\n"), 51_200), result.pictures().len())
}

/// Measured with 0.19.0. All of it as JSON; beyond 100,000 characters a preview of 1.9 KB. A picture is saved, and the
/// model gets its path.
pub(super) fn hermes(result: &ToolResult<'_>) -> Shown {
    let text = serde_json::Value::from(result.texts().join("\n")).to_string();
    let structured = result.structured().map(|json| format!(",\"structuredContent\":{json}")).unwrap_or_default();
    let json = format!("{{\"result\":{text}{structured}}}");
    Shown::json(preview(&json, 100_000, 1_900), result.pictures().len())
}

/// Measured with 2.66.0. Structured content hides the text, unless there is a picture.
pub(super) fn pydantic_ai(result: &ToolResult<'_>) -> Shown {
    let pictures = result.pictures().len();
    let text = if pictures > 0 { result.texts().join("\n") } else { result.structured_or_texts("\n") };
    Shown::plain(text, pictures)
}
