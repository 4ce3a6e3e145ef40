//! Settings of what lies beyond files: the web, folders with notes and skills, servers of others.

use std::collections::BTreeMap;
use std::path::PathBuf;

use toml::Value;

use crate::config::{quoted, shown, strings};

/// What lies beyond files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beyond {
    /// How much of the web may be fetched.
    pub web: Reach,
    /// Hosts, networks and ports that may be fetched from beside the public web.
    pub allow_net: Vec<String>,
    /// The proxy that is used.
    pub proxy: Option<String>,
    /// The folder of the session, in the place of one in the state directory.
    pub session_folder: Option<PathBuf>,
    /// Folders with skills, before the usual ones.
    pub skills: Vec<PathBuf>,
    /// Folders with rules, before the usual ones.
    pub rules: Vec<PathBuf>,
    /// The folder of notes.
    pub memory: Option<PathBuf>,
    /// Folders of Markdown notes, by name.
    pub vaults: BTreeMap<String, PathBuf>,
    /// MCP servers whose resources are read, by name.
    pub mcp: BTreeMap<String, Served>,
}

/// How much of the web may be fetched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// The public web, and what is listed beside it.
    #[default]
    Public,
    /// What is listed.
    Listed,
}

impl Reach {
    fn word(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Listed => "listed",
        }
    }
}

/// An MCP server whose resources are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Served {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Variables it is started with.
    pub env: BTreeMap<String, String>,
    /// The directory it is started in.
    pub directory: Option<PathBuf>,
    /// Where it listens, when it runs already.
    pub url: Option<String>,
}

impl Beyond {
    /// Whether anything on other machines can be read: a page of the web, or a resource of an MCP server.
    pub fn reaches_out(&self) -> bool {
        self.web == Reach::Public || !self.allow_net.is_empty() || !self.mcp.is_empty()
    }

    /// A setting as it is written in the configuration file; `None` when it is none of these.
    pub(crate) fn value(&self, name: &str) -> Option<String> {
        let path = |path: &Option<PathBuf>| {
            format!("{:?}", path.as_ref().map_or_else(String::new, |path| path.display().to_string()))
        };
        Some(match name {
            "web" => format!("{:?}", self.web.word()),
            "allow_net" => quoted(&self.allow_net),
            "proxy" => format!("{:?}", self.proxy.as_deref().unwrap_or_default()),
            "session_folder" => path(&self.session_folder),
            "skills" => quoted(&shown(&self.skills)),
            "rules" => quoted(&shown(&self.rules)),
            "memory" => path(&self.memory),
            "vaults" => {
                table(self.vaults.iter().map(|(name, path)| (name, format!("{:?}", path.display().to_string()))))
            }
            "mcp" => table(self.mcp.iter().map(|(name, served)| (name, served.to_string()))),
            _ => return None,
        })
    }

    /// A value that was written as text. Hosts are separated by commas, for they may have ports; paths by colons.
    pub(crate) fn value_of_text(name: &str, text: &str) -> Option<Value> {
        let list = |sign| Value::Array(text.split(sign).filter(|item| !item.is_empty()).map(Value::from).collect());
        match name {
            "allow_net" => Some(list(',')),
            "skills" | "rules" => Some(list(':')),
            "web" | "proxy" | "session_folder" | "memory" => Some(Value::from(text)),
            "vaults" => {
                let pairs = text.split(':').filter(|pair| !pair.is_empty());
                // What has no name is refused where it is taken.
                let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or(("", pair)));
                Some(Value::Table(pairs.map(|(name, path)| (name.to_owned(), Value::from(path))).collect()))
            }
            _ => None,
        }
    }

    /// Takes a value; gives it back when it is none of these.
    pub(crate) fn set(&mut self, name: &str, value: Value) -> Result<Option<Value>, String> {
        match (name, value) {
            ("web", Value::String(text)) => {
                let known = [Reach::Public, Reach::Listed].into_iter().find(|reach| reach.word() == text);
                self.web = known.ok_or("web must be public or listed")?;
            }
            ("allow_net", Value::Array(items)) => {
                self.allow_net = strings(items).ok_or("allow_net must be a list of hosts and networks")?;
            }
            ("skills", Value::Array(items)) => self.skills = paths(items).ok_or("skills must be a list of folders")?,
            ("rules", Value::Array(items)) => self.rules = paths(items).ok_or("rules must be a list of folders")?,
            ("proxy", Value::String(text)) => self.proxy = Some(text).filter(|text| !text.is_empty()),
            ("session_folder", Value::String(text)) => self.session_folder = folder(text),
            ("memory", Value::String(text)) => self.memory = folder(text),
            ("vaults", Value::Table(table)) => {
                let pair = |(name, path): (String, Value)| Some((name, PathBuf::from(path.as_str()?)));
                let vaults: Option<BTreeMap<_, _>> = table.into_iter().map(pair).collect();
                let vaults = vaults.ok_or("vaults must be a table of folders")?;
                let odd = |(name, path): &(&String, &PathBuf)| !is_name(name) || path.as_os_str().is_empty();
                if let Some((name, _)) = vaults.iter().find(odd) {
                    return Err(format!(
                        "the vault {name:?} needs a folder, and a name with neither a slash nor a colon"
                    ));
                }
                self.vaults = vaults;
            }
            ("mcp", Value::Table(table)) => {
                let served = |(name, value): (String, Value)| Ok((name.clone(), Served::of(&name, value)?));
                self.mcp = table.into_iter().map(served).collect::<Result<_, String>>()?;
            }
            (_, value) => return Ok(Some(value)),
        }
        Ok(None)
    }
}

impl Served {
    fn of(name: &str, value: Value) -> Result<Self, String> {
        let Value::Table(table) = value else {
            return Err(format!("mcp.{name} must be a table"));
        };
        if !is_name(name) {
            return Err(format!("mcp.{name} is no name: it must have neither a slash nor a colon"));
        }
        let mut served = Self::default();
        for (field, value) in table {
            match (field.as_str(), value) {
                ("command", Value::Array(items)) => {
                    served.command = strings(items).ok_or(format!("mcp.{name}.command must be a list of texts"))?;
                }
                ("command", Value::String(program)) => served.command = vec![program],
                ("env", Value::Table(table)) => {
                    let pair = |(name, value): (String, Value)| Some((name, value.as_str()?.to_owned()));
                    let env: Option<_> = table.into_iter().map(pair).collect();
                    served.env = env.ok_or(format!("mcp.{name}.env must be a table of texts"))?;
                }
                ("directory", Value::String(text)) => served.directory = folder(text),
                ("url", Value::String(text)) => served.url = Some(text),
                (field, _) => {
                    let known = "command, env, directory and url";
                    return Err(format!("mcp.{name}.{field} is not known or of the wrong kind; there are {known}"));
                }
            }
        }
        if served.command.is_empty() == served.url.is_none() {
            return Err(format!("mcp.{name} needs either a command or a url"));
        }
        Ok(served)
    }
}

impl std::fmt::Display for Served {
    /// Variables may hold secrets: only their names are shown.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(url) = &self.url {
            return write!(f, "{{ url = {url:?} }}");
        }
        write!(f, "{{ command = {}", quoted(&self.command))?;
        if !self.env.is_empty() {
            write!(f, ", env = {}", table(self.env.keys().map(|name| (name, "\"(not shown)\"".to_owned()))))?;
        }
        if let Some(directory) = &self.directory {
            write!(f, ", directory = {:?}", directory.display().to_string())?;
        }
        f.write_str(" }")
    }
}

fn table<'a>(pairs: impl Iterator<Item = (&'a String, String)>) -> String {
    let plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let key = |name: &str| if plain(name) { name.to_owned() } else { format!("{name:?}") };
    let pairs: Vec<String> = pairs.map(|(name, value)| format!("{} = {value}", key(name))).collect();
    if pairs.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", pairs.join(", ")) }
}

/// Whether a text can stand in an address as the name of something.
fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(['/', ':'])
}

fn folder(text: String) -> Option<PathBuf> {
    Some(PathBuf::from(text)).filter(|path| !path.as_os_str().is_empty())
}

fn paths(items: Vec<Value>) -> Option<Vec<PathBuf>> {
    Some(strings(items)?.into_iter().map(PathBuf::from).collect())
}
