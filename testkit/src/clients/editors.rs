//! Clients in editors, on the desktop and in libraries, by their sources and by what their users found.

use super::cuts::{cut_middle, keep_head, preview};
use super::result::{Shown, ToolResult};

/// A result of more than 1 MB, base64 included, is an error instead
/// (<https://github.com/anthropics/claude-code/issues/66519>); text was seen cut at 100,000 characters
/// (<https://github.com/PrefectHQ/fastmcp/issues/1036>).
pub(super) fn claude_desktop(result: &ToolResult<'_>) -> Shown {
    if result.json().len() > 1_000_000 {
        return Shown::plain("Tool result is too large. Maximum size is 1MB.", 0);
    }
    Shown::plain(preview(&result.texts().join("\n"), 100_000, 100_000), result.pictures().len())
}

/// From its source: structured content takes the place of the texts (`mcpLanguageModelToolContribution.ts`); a text
/// part of more than 8,192 characters goes to disk (`toolCalling.tsx`, `largeToolResultsToDisk.thresholdBytes`).
pub(super) fn vs_code(result: &ToolResult<'_>) -> Shown {
    let parts: Vec<String> = result
        .structured()
        .map_or_else(|| result.texts().iter().map(|&text| text.to_owned()).collect(), |one| vec![one]);
    let text: String = parts.iter().map(|part| preview(part, 8_192, 0)).collect();
    Shown::plain(text, result.pictures().len())
}

/// Structured content takes the place of the texts
/// (<https://github.com/modelcontextprotocol/modelcontextprotocol/issues/1411>). No limit is known.
pub(super) fn cursor(result: &ToolResult<'_>) -> Shown {
    Shown::plain(result.structured_or_texts("\n"), result.pictures().len())
}

/// From its source (`agent/src/tools/context_server_registry.rs`): texts and pictures, nothing else.
pub(super) fn zed(result: &ToolResult<'_>) -> Shown {
    Shown::plain(result.texts().join("\n"), result.pictures().len())
}

/// From its source (`sdk/packages/core/src/extensions/mcp/tools.ts`): the whole result as JSON, without pictures,
/// because it looks for another field.
pub(super) fn cline(result: &ToolResult<'_>) -> Shown {
    let json = result.pictures().iter().fold(result.json(), |json, data| json.replace(data, "omitted"));
    Shown::json(json, 0)
}

/// From its source (`core/tools/callTool.ts`): texts; a picture makes the whole result an error.
pub(super) fn continue_editor(result: &ToolResult<'_>) -> Shown {
    if !result.pictures().is_empty() {
        return Shown::plain("Error: tool call received unsupported item", 0);
    }
    Shown::plain(result.texts().join("\n"), 0)
}

/// Roo Code (`src/core/tools/UseMcpToolTool.ts`), `LibreChat` (`packages/api/src/mcp/parsers.ts`), and
/// langchain-mcp-adapters 0.3.2 as measured: the content, without a limit.
pub(super) fn texts_and_pictures(result: &ToolResult<'_>) -> Shown {
    Shown::plain(result.texts().join("\n\n"), result.pictures().len())
}

/// Not a real client: the habits of several, of which any may be those of a client not listed here.
pub(super) fn unknown(result: &ToolResult<'_>) -> Shown {
    let text = keep_head(&result.structured_or_texts("\n"), 2_000, 40_000);
    Shown::plain(cut_middle(&text, 38_700), result.pictures().len())
}
