//! The configuration: built-in values, then the file, then the environment, then the command line.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use readstone_base::{Class, Failure, LIMITS, Limits};
use readstone_host::{Environment, Stance, read_config};
use readstone_source::Pictures;

use crate::beyond::Beyond;
use crate::clients::Clients;
use crate::setting::{Origin, Setting, names};
use crate::strays;
use crate::writing::Writing;

/// Everything that can be configured.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The limits in force.
    pub limits: Limits,
    /// Directories below which files may be read.
    pub roots: Vec<PathBuf>,
    /// What to do about secrets, where it was said.
    pub secrets: Option<Stance>,
    /// Further globs to withhold.
    pub deny: Vec<String>,
    /// Whether to remember nothing.
    pub ephemeral: bool,
    /// How pictures are shown.
    pub image: Pictures,
    /// What lies beyond files.
    pub beyond: Beyond,
    /// How edits and writes are done.
    pub writing: Writing,
    /// How much of a reply the clients of a server take.
    pub clients: Clients,
    /// Whether replies over MCP come with receipts for programs.
    pub receipts: bool,
    strays: Vec<String>,
    origins: Vec<(String, Origin)>,
}

/// A configuration that cannot be used.
#[derive(Debug)]
pub struct ConfigError {
    origin: String,
    what: String,
}

impl ConfigError {
    /// Something wrong with a value from `origin`.
    pub fn new(origin: impl Into<String>, what: impl Into<String>) -> Self {
        Self { origin: origin.into(), what: what.into() }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.origin, self.what)
    }
}

impl std::error::Error for ConfigError {}

impl Failure for ConfigError {
    fn code(&self) -> &'static str {
        "config.bad_value"
    }

    fn class(&self) -> Class {
        Class::Request
    }
}

/// Before the names of environment variables.
pub(crate) const PREFIX: &str = "READSTONE_";
/// Variables that are not settings.
const OTHERS: [&str; 4] = ["CONFIG", "NOW", "SEED", "TOKEN"];

impl Config {
    /// Reads the file and the environment; `file` replaces the usual place and must exist.
    pub fn load(environment: &Environment, file: Option<&Path>) -> Result<Self, ConfigError> {
        let mut config = Self::default();
        let named = file.map(Path::to_owned).or_else(|| environment.get("READSTONE_CONFIG").map(PathBuf::from));
        let must_exist = named.is_some();
        if let Some(path) = named.or_else(|| environment.config_file()) {
            config.read_file(&path, must_exist.then_some("there is no such file"))?;
        }
        for (name, value) in environment.with_prefix(PREFIX) {
            if OTHERS.contains(&name.as_str()) {
                continue;
            }
            let variable = format!("{PREFIX}{name}");
            // Variables of other programs may have our prefix: a cluster sets `READSTONE_PORT` for a service of this name.
            if !names().any(|known| known == name.to_lowercase()) {
                config.strays.push(name);
                continue;
            }
            let Some(value) = value else {
                return Err(ConfigError::new(variable, "it is not text"));
            };
            config.set_text(&name.to_lowercase(), &value, Origin::Variable(variable))?;
        }
        Ok(config)
    }

    /// One line about the variables `READSTONE_*` that are not settings and were ignored; `None` when there are none.
    pub fn warning(&self) -> Option<String> {
        let known: Vec<String> = names().chain(OTHERS).map(str::to_lowercase).collect();
        strays::describe(&self.strays, &known)
    }

    /// Replaces the roots from the command line.
    pub fn set_roots(&mut self, roots: Vec<PathBuf>) {
        self.roots = roots;
        self.origins.push(("roots".to_owned(), Origin::Flag("--root")));
    }

    /// Roots for a server that was given none: the directory it starts in, unless that would be everything.
    pub fn default_root(&mut self, directory: &Path) -> Result<(), ConfigError> {
        if self.roots.is_empty() {
            if directory == Path::new("/") {
                return Err(ConfigError::new(
                    "roots",
                    "it starts in /, which is everything; say --root / to mean that",
                ));
            }
            self.roots = vec![directory.to_owned()];
        }
        Ok(())
    }

    /// Allows further hosts and networks, by the command line.
    pub fn allow_net(&mut self, allowed: Vec<String>) {
        self.beyond.allow_net.extend(allowed);
        self.origins.push(("allow_net".to_owned(), Origin::Flag("--allow-net")));
    }

    /// Remembers nothing, by the command line.
    pub fn set_ephemeral(&mut self) {
        self.ephemeral = true;
        self.origins.push(("ephemeral".to_owned(), Origin::Flag("--ephemeral")));
    }

    /// What to do about secrets.
    pub fn stance(&self) -> Stance {
        let usual = if self.roots.is_empty() { Stance::Warn } else { Stance::Deny };
        self.secrets.unwrap_or(usual)
    }

    /// The error of a value that turned out to be of no use: it says where the value stands.
    pub fn unusable(&self, setting: &str, what: impl fmt::Display) -> ConfigError {
        let place = match self.origin(setting) {
            Origin::Default => setting.to_owned(),
            Origin::File(path) => format!("{path}: {setting}"),
            origin @ (Origin::Variable(_) | Origin::Flag(_)) => origin.to_string(),
        };
        ConfigError::new(place, what.to_string())
    }

    fn origin(&self, name: &str) -> Origin {
        self.origins.iter().rev().find(|(set, _)| set == name).map_or(Origin::Default, |(_, origin)| origin.clone())
    }

    /// Every value and where it came from.
    pub fn settings(&self) -> Vec<Setting> {
        let stance = match self.stance() {
            Stance::Deny => "\"deny\"",
            Stance::Warn => "\"warn\"",
        };
        let value = |name: &str| match name {
            "roots" => quoted(&shown(&self.roots)),
            "secrets" => stance.to_owned(),
            "deny" => quoted(&self.deny),
            "ephemeral" => self.ephemeral.to_string(),
            "receipts" => self.receipts.to_string(),
            "clients" => self.clients.value(),
            "image" => format!("{:?}", image_word(self.image)),
            other => {
                let own = self.beyond.value(other).or_else(|| self.writing.value(other));
                own.unwrap_or_else(|| self.limits.get(other).unwrap_or(0).to_string())
            }
        };
        names().map(|name| Setting { name: name.to_owned(), value: value(name), origin: self.origin(name) }).collect()
    }

    fn read_file(&mut self, path: &Path, missing: Option<&str>) -> Result<(), ConfigError> {
        let shown = path.display().to_string();
        let bad = |what: String| ConfigError::new(shown.clone(), what);
        let read = match read_config(path) {
            // A usual place that may not be looked at is one without a file.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied && missing.is_none() => None,
            other => other.map_err(|error| bad(error.to_string()))?,
        };
        let Some(text) = read else {
            return missing.map_or(Ok(()), |what| Err(bad(what.to_owned())));
        };
        let table: toml::Table = text.parse().map_err(|error| bad(unreadable(&text, &error)))?;
        for (name, value) in table {
            let origin = Origin::File(shown.clone());
            match (name.as_str(), value) {
                ("limits", toml::Value::Table(limits)) => {
                    for (name, value) in limits {
                        self.set(&name, value, origin.clone())?;
                    }
                }
                (name, value) => self.set(name, value, origin)?,
            }
        }
        Ok(())
    }

    /// Sets a value that was written as text: lists are separated by colons.
    fn set_text(&mut self, name: &str, text: &str, origin: Origin) -> Result<(), ConfigError> {
        if let Some(value) = Beyond::value_of_text(name, text) {
            return self.set(name, value, origin);
        }
        let value = match name {
            "roots" | "deny" => {
                toml::Value::Array(text.split(':').filter(|item| !item.is_empty()).map(toml::Value::from).collect())
            }
            "ephemeral" | "durable" | "receipts" => {
                yes_or_no(text).map_or_else(|| toml::Value::from(text), toml::Value::Boolean)
            }
            "secrets" | "image" => toml::Value::from(text),
            _ => text.parse::<i64>().map_or_else(|_| toml::Value::from(text), toml::Value::Integer),
        };
        self.set(name, value, origin)
    }

    fn set(&mut self, name: &str, value: toml::Value, origin: Origin) -> Result<(), ConfigError> {
        let bad = |what: &str| ConfigError::new(origin.to_string(), what.to_owned());
        let beside = self.beyond.set(name, value).and_then(|value| match value {
            Some(value) => self.writing.set(name, value),
            None => Ok(None),
        });
        let value = match beside {
            Ok(None) => {
                self.origins.push((name.to_owned(), origin));
                return Ok(());
            }
            Ok(Some(value)) => value,
            Err(what) => return Err(bad(&what)),
        };
        match (name, value) {
            ("roots", toml::Value::Array(items)) => {
                self.roots = strings(items)
                    .ok_or_else(|| bad("roots must be a list of paths"))?
                    .into_iter()
                    .map(PathBuf::from)
                    .collect();
            }
            ("deny", toml::Value::Array(items)) => {
                self.deny = strings(items).ok_or_else(|| bad("deny must be a list of globs"))?;
            }
            ("secrets", toml::Value::String(text)) => {
                self.secrets = Some(stance(&text).ok_or_else(|| bad("secrets must be deny or warn"))?);
            }
            ("ephemeral", toml::Value::Boolean(yes)) => self.ephemeral = yes,
            ("receipts", toml::Value::Boolean(yes)) => self.receipts = yes,
            ("clients", toml::Value::Table(table)) => self.clients.set(table).map_err(|what| bad(&what))?,
            ("image", toml::Value::String(text)) => {
                self.image = image(&text).ok_or_else(|| bad("image must be inline or metadata"))?;
            }
            (limit, toml::Value::Integer(number)) if LIMITS.iter().any(|known| known.name == limit) => {
                let number = u64::try_from(number).map_err(|_| bad(&format!("{limit} must not be negative")))?;
                self.limits.set(limit, number).map_err(|what| bad(&what))?;
            }
            (name, _) if names().any(|known| known == name) => {
                return Err(bad(&format!("{name} has a value of the wrong kind")));
            }
            (name, _) => return Err(bad(&format!("there is no setting called {name}; docs/config.md lists them"))),
        }
        self.origins.push((name.to_owned(), origin));
        Ok(())
    }
}

/// What is wrong with a configuration file, and in which line.
fn unreadable(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    let line = before.map(|before| before.matches('\n').count() + 1);
    line.map_or_else(|| error.message().to_owned(), |line| format!("line {line}: {}", error.message()))
}

fn yes_or_no(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" => Some(true),
        "0" | "false" | "no" => Some(false),
        _ => None,
    }
}

fn stance(text: &str) -> Option<Stance> {
    match text {
        "deny" => Some(Stance::Deny),
        "warn" => Some(Stance::Warn),
        _ => None,
    }
}

fn image(text: &str) -> Option<Pictures> {
    [Pictures::Shown, Pictures::Described].into_iter().find(|image| image_word(*image) == text)
}

fn image_word(image: Pictures) -> &'static str {
    match image {
        Pictures::Shown => "inline",
        Pictures::Described => "metadata",
    }
}

pub(crate) fn strings(items: Vec<toml::Value>) -> Option<Vec<String>> {
    items.into_iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

/// A list as it is written in the configuration file.
pub(crate) fn quoted(items: &[String]) -> String {
    format!("[{}]", items.iter().map(|item| format!("{item:?}")).collect::<Vec<_>>().join(", "))
}

/// Paths as texts.
pub(crate) fn shown(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path.display().to_string()).collect()
}
