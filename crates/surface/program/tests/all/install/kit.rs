//! A home directory for each test, the clients with files that are changed, and texts of such files.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use readstone_testkit::{Run, World};
use serde_json::Value;

/// A client whose file is changed.
pub(crate) struct Client {
    pub(crate) name: &'static str,
    /// The file below the home directory.
    pub(crate) file: &'static str,
    /// The key above the servers.
    pub(crate) key: &'static str,
    pub(crate) toml: bool,
}

const fn client(name: &'static str, file: &'static str, key: &'static str) -> Client {
    Client { name, file, key, toml: false }
}

pub(crate) const CLIENTS: &[Client] = &[
    client("claude-code", ".claude.json", "mcpServers"),
    client("claude-desktop", ".config/Claude/claude_desktop_config.json", "mcpServers"),
    Client { toml: true, ..client("codex", ".codex/config.toml", "mcp_servers") },
    client("vscode", ".config/Code/User/mcp.json", "servers"),
    client("cursor", ".cursor/mcp.json", "mcpServers"),
    client("zed", ".config/zed/settings.json", "context_servers"),
    client("gemini", ".gemini/settings.json", "mcpServers"),
    client("opencode", ".config/opencode/opencode.json", "mcp"),
    client("cline", ".cline/data/settings/cline_mcp_settings.json", "mcpServers"),
    client(
        "roo",
        ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
        "mcpServers",
    ),
    client("copilot-cli", ".copilot/mcp-config.json", "mcpServers"),
    client("windsurf", ".codeium/windsurf/mcp_config.json", "mcpServers"),
    client("kimi", ".kimi-code/mcp.json", "mcpServers"),
    client("qwen", ".qwen/settings.json", "mcpServers"),
    client("crush", ".config/crush/crush.json", "mcp"),
];

/// Files as people leave them; `mcpServers` stands for the key of the client.
pub(crate) const JSON: &[&str] = &[
    "",
    "\n",
    "{}",
    "{}\n",
    "{ }\n",
    "{\n}\n",
    "// nothing yet\n",
    "{\n  // nothing yet\n}\n",
    "{\"permissions\": {}, \"agent\": {}, \"tools\": {}}\n",
    "{\n  \"mcpServers\": {},\n  \"x\": 1\n}\n",
    "{\n  // one\n  \"mcpServers\": {\n    \"a\": { \"command\": \"x\" }, // two\n    \"b\": {\n      \"command\": \"y\" // three\n    }\n  },\n  \"z\": [1, 2],\n}\n",
    "{\r\n\t\"a\": 1, // c\r\n\t\"mcpServers\": {\r\n\t}\r\n}\r\n",
    "\u{feff}{\n    \"a\": 1\n}",
    "{\"a\":1,\"mcpServers\":{\"x\":{\"command\":\"y\"}}}",
    "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\",},\n  },\n}\n",
    "{\n  \"b\": 2 /* , */ , // ,\n\n  // end\n}\n",
    "{\n  \"a\": 1,\n  \"b\": 2 }",
    "{\r\n  \"mcpServers\": {\r\n  \"k\": \"a // b\" /* y\r\n */ }\r\n  // line\r\n  , \"z\": 1 }",
];

pub(crate) const TOML: &[&str] = &[
    "",
    "model = \"x\"",
    "model = \"x\"\r\n\r\n[tools]\r\na = 1 # c\r\n",
    "a = 1\n\n\n",
    "\u{feff}# c\n[mcp_servers.files]\ncommand = \"f\"\nargs = [\"a\",\n \"b\"]\n# end\n",
    "mcp_servers.x.command = \"y\"\n",
    "[[x]]\na = 1\n[[x]]\na = 2\n",
    "text = '''\n[mcp_servers.readstone]\n'''\n",
];

/// A home directory and the program.
pub(crate) struct Desk {
    pub(crate) world: World,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let mut world = World::new(env!("CARGO_BIN_EXE_readstone"));
        let home = world.path().display().to_string();
        world.set("HOME", home);
        Self { world }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.world.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        self.world.file(name, text)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn backup(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.path(&format!("{name}.readstone-backup"))).ok()
    }

    pub(crate) fn mode(&self, name: &str) -> u32 {
        std::fs::metadata(self.path(name)).unwrap().permissions().mode() & 0o777
    }

    /// A call that must do what it says; gives what it says.
    pub(crate) fn done(&self, arguments: &[&str]) -> String {
        let run = self.run(arguments);
        assert_eq!(run.code, Some(0), "{arguments:?}: {}{}", run.stderr, run.text());
        run.text()
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.world.run(arguments)
    }

    /// The files below the home directory.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut directories = vec![self.world.path().to_owned()];
        while let Some(directory) = directories.pop() {
            for entry in std::fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { directories.push(path) } else { names.push(self.below(&path)) }
            }
        }
        names.sort();
        names
    }

    fn below(&self, path: &Path) -> String {
        path.strip_prefix(self.world.path()).unwrap().display().to_string()
    }
}

/// A file as its client reads it.
pub(crate) fn parse(client: &Client, text: &str) -> Value {
    if client.toml {
        let text = text.trim_start_matches('\u{feff}');
        return toml::from_str(text).unwrap_or_else(|error| panic!("{}: {error}\n{text}", client.name));
    }
    json(text)
}

/// JSON with comments and commas at the end, read by a parser of another make than the one that is tested.
pub(crate) fn json(text: &str) -> Value {
    json5::from_str(text.trim_start_matches('\u{feff}')).unwrap_or_else(|error| panic!("{error}\n{text}"))
}
