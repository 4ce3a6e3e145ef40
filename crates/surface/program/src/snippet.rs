//! What to paste into the settings of an MCP client.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use readstone_host::Environment;
use readstone_session::{Config, Origin, Setting};
use serde_json::{Map, Value, json};

use crate::args::{Common, McpArguments};

/// A piece of somebody's settings, and where it belongs.
pub(crate) struct Snippet {
    pub(crate) text: String,
    pub(crate) place: &'static str,
}

/// The piece for a client.
pub(crate) fn of(
    client: &str,
    config: &Config,
    (common, environment): (&Common, &Environment),
    arguments: &McpArguments,
) -> Snippet {
    let program = environment.program().map_or_else(|| "readstone".to_owned(), |path| path.display().to_string());
    let args = command_line(config, (common, environment), arguments);
    let variables = variables(config, environment);
    let mut server = Map::from_iter([("command".to_owned(), json!(program)), ("args".to_owned(), json!(args))]);
    if !variables.is_empty() {
        server.insert("env".to_owned(), json!(variables));
    }
    let (value, place) = match client {
        "claude" => {
            (json!({ "mcpServers": { "readstone": server } }), "paste into .mcp.json or claude_desktop_config.json:")
        }
        "cursor" => (json!({ "mcpServers": { "readstone": server } }), "paste into .cursor/mcp.json:"),
        "vscode" => {
            server.insert("type".to_owned(), json!("stdio"));
            (json!({ "servers": { "readstone": server } }), "paste into .vscode/mcp.json:")
        }
        "zed" => (json!({ "context_servers": { "readstone": server } }), "paste into Zed's settings.json:"),
        _ => return Snippet { text: codex(&program, &args, &variables), place: "paste into ~/.codex/config.toml:" },
    };
    Snippet { text: pretty(&value), place }
}

/// The settings that come from variables, which the client would not pass on by itself.
fn variables(config: &Config, environment: &Environment) -> BTreeMap<String, String> {
    let variable = |setting: Setting| match setting.origin {
        Origin::Variable(name) => Some((name.clone(), environment.get(&name)?.to_str()?.to_owned())),
        Origin::Default | Origin::File(_) | Origin::Flag(_) => None,
    };
    config.settings().into_iter().filter_map(variable).collect()
}

/// The arguments with which the client starts the server: paths in full, since it starts anywhere.
fn command_line(
    config: &Config,
    (common, environment): (&Common, &Environment),
    arguments: &McpArguments,
) -> Vec<String> {
    let mut args = vec!["mcp".to_owned()];
    let whole = |path: &Path| {
        let whole = environment.directory().map_or_else(|| path.to_owned(), |directory| directory.join(path));
        whole.components().collect::<PathBuf>().display().to_string()
    };
    for root in &config.roots {
        args.extend(["--root".to_owned(), whole(root)]);
    }
    let file = common.config.clone().or_else(|| environment.get("READSTONE_CONFIG").map(PathBuf::from));
    args.extend(file.iter().flat_map(|file| ["--config".to_owned(), whole(file)]));
    args.extend(common.allow_net.iter().flat_map(|host| ["--allow-net".to_owned(), host.clone()]));
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

fn codex(program: &str, args: &[String], variables: &BTreeMap<String, String>) -> String {
    let args: Vec<String> = args.iter().map(|arg| quoted(arg)).collect();
    let env: Vec<String> = variables.iter().map(|(name, value)| format!("{name} = {}", quoted(value))).collect();
    let env = if env.is_empty() { String::new() } else { format!("env = {{ {} }}\n", env.join(", ")) };
    format!("[mcp_servers.readstone]\ncommand = {}\nargs = [{}]\n{env}", quoted(program), args.join(", "))
}

/// A basic string of TOML, which escapes as JSON does.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}
