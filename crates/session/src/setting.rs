//! Settings: what can be configured, and where each value came from.

use std::fmt;

use readstone_base::LIMITS;

/// A value and where it came from.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Its name in the configuration file.
    pub name: String,
    /// The value, as it is written there.
    pub value: String,
    /// Where it came from.
    pub origin: Origin,
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is built in.
    Default,
    /// This configuration file.
    File(String),
    /// This environment variable.
    Variable(String),
    /// The command line.
    Flag(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(name) | Self::Variable(name) => f.write_str(name),
            Self::Flag(name) => f.write_str(name),
        }
    }
}

/// What a setting is, for the reference.
#[derive(Clone, Debug)]
pub struct SettingInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
}

/// The settings beside the limits.
pub const SETTINGS: &[SettingInfo] = &[
    SettingInfo {
        name: "roots",
        about: "Directories below which files may be read and changed. Without any, the command line may go wherever you may, and a server has the directory it starts in.",
    },
    SettingInfo {
        name: "secrets",
        about: "`deny` withholds files that match a rule for secrets, `warn` shows them with a warning. Unset: `deny` with roots, `warn` without.",
    },
    SettingInfo {
        name: "deny",
        about: "Further globs for files to withhold, whatever `secrets` says. One that does not begin with a slash holds at any depth, and one that names a directory holds for all in it.",
    },
    SettingInfo { name: "ephemeral", about: "`true` remembers nothing after the process ends." },
    SettingInfo {
        name: "edit_unseen",
        about: "`refuse` refuses edits of lines that the session never showed, with the call that shows them; `allow` lets them pass.",
    },
    SettingInfo {
        name: "write_generated",
        about: "`refuse` refuses writes over files that say they were made by a program; `allow` lets them pass with a warning.",
    },
    SettingInfo {
        name: "durable",
        about: "`true` reports a change when it is on the disk; `false` reports it once the system has it: quicker, but lost if the power fails before it is on the disk.",
    },
    SettingInfo { name: "image", about: "`inline` shows pictures, `metadata` only says what they are." },
    SettingInfo {
        name: "web",
        about: "`public` fetches from the public web and from what `allow_net` lists, `listed` only from what `allow_net` lists: with an empty list, from nowhere.",
    },
    SettingInfo {
        name: "allow_net",
        about: "Hosts and networks that may be fetched from beside the public web, or with `web = \"listed\"` instead of it: `127.0.0.1:8080`, `wiki.lan`, `10.0.0.0/8`, `loopback`, `private`, `*:8443`. Metadata services of clouds are never fetched from.",
    },
    SettingInfo {
        name: "proxy",
        about: "A proxy such as `http://127.0.0.1:3128`. Those of the environment are not used.",
    },
    SettingInfo {
        name: "session_folder",
        about: "The folder behind `local://`, `agent://` and `history://`. Unset: one for each session in the state directory.",
    },
    SettingInfo {
        name: "skills",
        about: "Folders with skills, before [the usual ones](addresses.md#where-skills-and-rules-lie) of the project and the user.",
    },
    SettingInfo {
        name: "rules",
        about: "Folders with rules, before [the usual ones](addresses.md#where-skills-and-rules-lie) of the project and the user.",
    },
    SettingInfo { name: "memory", about: "The folder of notes behind `memory://`." },
    SettingInfo {
        name: "vaults",
        about: "Folders of Markdown notes behind `vault://`, by name: `{ notes = \"/home/me/notes\" }`.",
    },
    SettingInfo {
        name: "mcp",
        about: "MCP servers whose resources are behind `mcp://`, by name, each with `command` (and `env`, `directory`) or `url`.",
    },
    SettingInfo {
        name: "clients",
        about: "How much of a reply a client hands to its model, by the name that it gives itself: `{ \"copilot-cli\" = { reply_bytes = 19000 } }`. It overrules [the table of clients](clients.md).",
    },
    SettingInfo {
        name: "receipts",
        about: "`true` adds the receipt for programs to each reply over MCP, as `structuredContent`. Several clients then show their model the receipt in place of the text.",
    },
];

/// Every name that can be set.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().map(|setting| setting.name).chain(LIMITS.iter().map(|limit| limit.name))
}
