//! What to paste into the settings of an MCP client.

use readstone_host::Environment;
use readstone_session::Config;
use serde_json::{Value, json};

use crate::args::McpArguments;

/// A piece of somebody's settings, and where it belongs.
pub(crate) struct Snippet {
    pub(crate) text: String,
    pub(crate) place: &'static str,
}

/// The piece for a client.
pub(crate) fn of(client: &str, config: &Config, environment: &Environment, arguments: &McpArguments) -> Snippet {
    let program = environment.program().map_or_else(|| "readstone".to_owned(), |path| path.display().to_string());
    let args = command_line(config, environment, arguments);
    let server = json!({ "command": program, "args": args });
    let typed = json!({ "type": "stdio", "command": program, "args": args });
    let (value, place) = match client {
        "claude" => {
            (json!({ "mcpServers": { "readstone": server } }), "paste into .mcp.json or claude_desktop_config.json:")
        }
        "cursor" => (json!({ "mcpServers": { "readstone": server } }), "paste into .cursor/mcp.json:"),
        "vscode" => (json!({ "servers": { "readstone": typed } }), "paste into .vscode/mcp.json:"),
        "zed" => (json!({ "context_servers": { "readstone": server } }), "paste into Zed's settings.json:"),
        _ => return Snippet { text: codex(&program, &args), place: "paste into ~/.codex/config.toml:" },
    };
    Snippet { text: pretty(&value), place }
}

/// The arguments with which the client starts the server: roots in full, since it starts anywhere.
fn command_line(config: &Config, environment: &Environment, arguments: &McpArguments) -> Vec<String> {
    let mut args = vec!["mcp".to_owned()];
    for root in &config.roots {
        let whole = environment.directory().map_or_else(|| root.clone(), |directory| directory.join(root));
        let clean: std::path::PathBuf = whole.components().collect();
        args.extend(["--root".to_owned(), clean.display().to_string()]);
    }
    if config.ephemeral {
        args.push("--ephemeral".to_owned());
    }
    let server = &arguments.server;
    for (flag, value) in [("--session", &arguments.session), ("--log", &server.log)] {
        args.extend(value.iter().flat_map(|value| [flag.to_owned(), value.clone()]));
    }
    if server.profile != "default" {
        args.extend(["--profile".to_owned(), server.profile.clone()]);
    }
    if !server.tools.is_empty() {
        args.extend(["--tools".to_owned(), server.tools.join(",")]);
    }
    if server.read_only {
        args.push("--read-only".to_owned());
    }
    args
}

fn codex(program: &str, args: &[String]) -> String {
    let args: Vec<String> = args.iter().map(|arg| quoted(arg)).collect();
    format!("[mcp_servers.readstone]\ncommand = {}\nargs = [{}]\n", quoted(program), args.join(", "))
}

/// A basic string of TOML, which escapes as JSON does.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}
