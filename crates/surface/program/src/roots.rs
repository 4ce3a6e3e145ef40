//! Finds the working directory of a server on standard input when neither the operator nor the configuration names one.

use std::path::{Path, PathBuf};

use readstone_host::{Environment, Root};
use readstone_mcp::{Finder, Surroundings};
use readstone_session::Config;
use serde_json::Value;

use crate::args::ServerArguments;
use crate::serve;

/// Makes the finder. Its desks differ only in their directories.
pub(crate) fn finder(server: &ServerArguments, config: &Config, environment: &Environment) -> Finder {
    let (server, config, owned) = (server.clone(), config.clone(), environment.clone());
    let open = move |roots: &[PathBuf]| {
        if roots.iter().any(|root| is_everything(root)) {
            return None;
        }
        let mut config = config.clone();
        config.roots = roots.to_vec();
        serve::desk(&server, &config, &owned).ok()
    };
    Finder::new(surroundings(environment), Box::new(open), Box::new(advice))
}

/// True for a path that leads to `/`, which only the operator can choose.
fn is_everything(root: &Path) -> bool {
    Root::open(Path::new("/"), root).is_ok_and(|root| root.is_everything())
}

/// The directories that the environment names.
fn surroundings(environment: &Environment) -> Surroundings {
    let path = |name: &str| environment.get(name).map(PathBuf::from);
    let part = |directory: &PathBuf| directory != Path::new("/") && !environment.is_home(directory);
    Surroundings {
        project: path("CLAUDE_PROJECT_DIR"),
        workspace: environment
            .get("WORKSPACE_FOLDER_PATHS")
            .and_then(|paths| paths.to_str())
            .map_or_else(Vec::new, folders),
        directory: environment.directory().cloned().filter(part),
    }
}

/// Folders as Cursor names them: a list in JSON, or paths between commas.
fn folders(text: &str) -> Vec<PathBuf> {
    if let Ok(Value::Array(items)) = serde_json::from_str(text) {
        return items.iter().filter_map(Value::as_str).map(PathBuf::from).collect();
    }
    text.split(',').map(str::trim).filter(|path| !path.is_empty()).map(PathBuf::from).collect()
}

/// The arguments of a server in JSON, TOML and YAML.
const JSON: &str = "\"args\": [\"mcp\", \"--root\", \"/path/to/project\"]";
const TOML: &str = "args = [\"mcp\", \"--root\", \"/path/to/project\"]";
const YAML: &str = "args: [mcp, --root, /path/to/project]";

/// Where each client keeps the arguments of its servers, by the beginning of the name that it gives itself.
const PLACES: [(&str, &str, &str); 21] = [
    ("claude-ai", "claude_desktop_config.json", JSON),
    ("claude-code", ".mcp.json or ~/.claude.json", JSON),
    ("codex", "~/.codex/config.toml", TOML),
    ("Codex", "~/.codex/config.toml", TOML),
    ("Visual Studio Code", ".vscode/mcp.json", JSON),
    ("cursor", ".cursor/mcp.json", JSON),
    ("Zed", "Zed's settings.json", JSON),
    ("gemini-cli", "~/.gemini/settings.json", JSON),
    ("qwen", "~/.qwen/settings.json", JSON),
    ("opencode", "opencode.json, in the list \"command\"", "\"mcp\", \"--root\", \"/path/to/project\""),
    ("kilo", "kilo.json, in the list \"command\"", "\"mcp\", \"--root\", \"/path/to/project\""),
    ("goose", "~/.config/goose/config.yaml", YAML),
    ("@cline", "cline_mcp_settings.json", JSON),
    ("Cline", "cline_mcp_settings.json", JSON),
    ("Roo", ".roo/mcp.json", JSON),
    ("continue", ".continue/mcpServers/readstone.yaml", YAML),
    ("copilot", "~/.copilot/mcp-config.json", JSON),
    ("kimi", "~/.kimi-code/mcp.json", JSON),
    ("windsurf", "~/.codeium/windsurf/mcp_config.json", JSON),
    ("crush", "crush.json", JSON),
    ("JetBrains", "the IDE's list of MCP servers", JSON),
];

/// What to add to the configuration of a client.
fn advice(client: &str) -> String {
    let known = PLACES.iter().find(|(name, ..)| client.starts_with(name));
    let (place, arguments) =
        known.map_or(("the configuration of the client", JSON), |(_, place, arguments)| (*place, *arguments));
    format!("In {place}, give the server readstone these arguments: {arguments}; then start it again")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(directory: &str, variables: &[(&str, &str)]) -> Surroundings {
        let variables = variables.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        surroundings(&Environment::new(PathBuf::from(directory), variables))
    }

    #[test]
    fn neither_everything_nor_the_home_directory_is_a_place_of_work() {
        let home = [("HOME", "/home/me")];
        assert_eq!(around("/", &home).directory, None);
        assert_eq!(around("/home/me", &home).directory, None);
        assert_eq!(around("/home/me/project", &home).directory, Some("/home/me/project".into()));
    }

    #[test]
    fn the_folders_of_a_workspace_are_a_path_paths_or_a_list() {
        let folders = |text| around("/", &[("WORKSPACE_FOLDER_PATHS", text)]).workspace;
        assert_eq!(folders("/srv/a"), [PathBuf::from("/srv/a")]);
        assert_eq!(folders("/srv/a, /srv/b"), [PathBuf::from("/srv/a"), PathBuf::from("/srv/b")]);
        assert_eq!(folders("[\"/srv/a,b\"]"), [PathBuf::from("/srv/a,b")]);
        assert!(folders("").is_empty());
    }

    #[test]
    fn each_client_is_told_its_own_file_and_form() {
        assert!(
            advice("codex-mcp-client").contains("config.toml, give the server readstone these arguments: args = [")
        );
        assert!(
            advice("claude-ai").contains("claude_desktop_config.json") && advice("claude-ai").contains("\"args\": [")
        );
        assert!(advice("crush").contains("In crush.json") && advice("JetBrains-IU-copilot").contains("the IDE's list"));
        assert!(advice("something").contains("the configuration of the client"));
    }
}
