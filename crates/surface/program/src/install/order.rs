//! The order of one call of `install`: the entry of the client, and the settings that go with it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use readstone_base::Fault;
use readstone_host::{Environment, Root};
use readstone_session::{Config, Origin, Setting};

use super::clients::{Client, Extra, Fixed, Place, READING, Roots, Shape};
use super::error::cannot;
use super::item::Item;
use super::place::Scope;
use super::wish::{Content, Owner, Wish};
use crate::args::{Common, ServerArguments};

/// Stands in a printed entry for the directory that the user has to name.
const ROOT_TO_NAME: &str = "/path/to/your/project";

/// A call of `install`, without how its result is shown.
#[derive(Debug)]
pub(super) struct Order<'a> {
    pub(super) client: &'static Client,
    pub(super) scope: Scope,
    pub(super) name: &'a str,
    /// The program in the entry, when the user names it.
    pub(super) command: Option<&'a str>,
    pub(super) web: Option<&'a str>,
    pub(super) session: Option<&'a str>,
    pub(super) server: &'a ServerArguments,
    pub(super) common: &'a Common,
    pub(super) environment: &'a Environment,
    pub(super) config: &'a Config,
}

/// How a client starts the server.
#[derive(Debug)]
pub(super) struct Start {
    pub(super) program: String,
    pub(super) args: Vec<String>,
    pub(super) variables: BTreeMap<String, String>,
}

impl Order<'_> {
    /// Whether the client cannot find the project, and no directory was named.
    pub(super) fn lacks_root(&self) -> bool {
        matches!(self.client.roots, Roots::Asked) && self.common.root.is_empty()
    }

    /// Directories that cannot be opened make a server that does not start.
    pub(super) fn check_roots(&self) -> Result<(), Fault> {
        let directory = self.environment.directory().cloned().unwrap_or_default();
        self.common.root.iter().try_for_each(|root| Root::open(&directory, root).map(drop).map_err(cannot))
    }

    pub(super) fn start(&self) -> Start {
        Start { program: self.program(), args: self.args(), variables: self.variables() }
    }

    /// The program: by its name in the file of a project, which others use too, and else by its path.
    fn program(&self) -> String {
        if let Some(command) = self.command {
            return command.to_owned();
        }
        let found = self.environment.program_on_path();
        match (self.scope, found) {
            (Scope::Project, Some(path)) => path.file_name().unwrap_or_default().display().to_string(),
            (Scope::User, Some(path)) => path.display().to_string(),
            (_, None) => {
                self.environment.program().map_or_else(|| "readstone".to_owned(), |path| path.display().to_string())
            }
        }
    }

    /// The arguments of the program: paths in full, since a client starts it anywhere.
    fn args(&self) -> Vec<String> {
        let mut args = vec!["mcp".to_owned()];
        let mut add = |flag: &str, value: String| args.extend([flag.to_owned(), value]);
        for root in &self.common.root {
            add("--root", self.whole(root));
        }
        if self.common.root.is_empty() {
            let variable = match (self.client.roots, self.scope) {
                (Roots::Asked, _) => Some(ROOT_TO_NAME),
                (Roots::Variable(variable), _) => Some(variable),
                (Roots::Found { project }, Scope::Project) => project,
                (Roots::Found { .. }, Scope::User) => None,
            };
            if let Some(variable) = variable {
                add("--root", variable.to_owned());
            }
        }
        let file = self.common.config.clone().or_else(|| self.environment.get("READSTONE_CONFIG").map(PathBuf::from));
        if let Some(file) = file {
            add("--config", self.whole(&file));
        }
        for host in &self.common.allow_net {
            add("--allow-net", host.clone());
        }
        if let Some(session) = self.session {
            add("--session", session.to_owned());
        }
        if let Some(level) = &self.server.log {
            add("--log", level.clone());
        }
        if self.server.profile != "default" {
            add("--profile", self.server.profile.clone());
        }
        if !self.server.tools.is_empty() {
            add("--tools", self.server.tools.join(","));
        }
        for (flag, set) in [("--ephemeral", self.common.ephemeral), ("--read-only", self.server.read_only)] {
            args.extend(set.then(|| flag.to_owned()));
        }
        args
    }

    fn whole(&self, path: &Path) -> String {
        let whole = self.environment.directory().map_or_else(|| path.to_owned(), |directory| directory.join(path));
        whole.components().collect::<PathBuf>().display().to_string()
    }

    /// The settings that come from variables, which many clients do not pass on by themselves.
    fn variables(&self) -> BTreeMap<String, String> {
        let set = |setting: Setting| match setting.origin {
            Origin::Variable(name) => Some((name.clone(), self.environment.get(&name)?.to_str()?.to_owned())),
            Origin::Default | Origin::File(_) | Origin::Flag(_) => None,
        };
        let usual = self.client.variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let mut variables: BTreeMap<String, String> = usual.collect();
        variables.extend(self.config.settings().into_iter().filter_map(set));
        variables.extend(self.web.map(|word| ("READSTONE_WEB".to_owned(), word.to_owned())));
        variables
    }

    /// The entry of the server.
    pub(super) fn entry(&self, start: &Start, extra: Option<&Extra>) -> Item {
        let client = self.client;
        let member = |name: &str, item: Item| (name.to_owned(), item);
        let mut members = match client.shape {
            Shape::Plain => Vec::new(),
            Shape::Typed => vec![member("type", Item::text("stdio"))],
            Shape::Local => vec![member("type", Item::text("local"))],
        };
        let variables =
            start.variables.iter().map(|(name, value)| (name.clone(), Item::text(value.as_str()))).collect();
        let (env, words) = if client.shape == Shape::Local {
            let words = [&start.program].into_iter().chain(&start.args);
            ("environment", vec![member("command", Item::texts(words))])
        } else {
            let command = member("command", Item::text(start.program.as_str()));
            ("env", vec![command, member("args", Item::texts(&start.args))])
        };
        members.extend(words);
        if !start.variables.is_empty() {
            members.push(member(env, Item::Table(variables)));
        }
        members.extend(client.settings.iter().map(|(name, value)| member(name, self.fixed(value))));
        match extra {
            Some(Extra::ToolsInEntry(key)) => members.push(member(key, Item::texts(READING))),
            Some(Extra::InEntry(key, value)) => members.push(member(key, self.fixed(value))),
            Some(Extra::Words(_) | Extra::Elements { .. } | Extra::Members { .. }) | None => {}
        }
        Item::Table(members)
    }

    /// The wish for the entry.
    pub(super) fn server_wish(&self, entry: Item) -> Wish {
        let content = Content::Members(vec![(self.name.to_owned(), entry)]);
        Wish { path: owned(self.client.path), content, owner: Owner::Entry }
    }

    /// The wish for another setting, with its place; `None` for what is only words or part of the entry.
    pub(super) fn extra_wish(&self, extra: &Extra) -> Option<(Place, Wish)> {
        match extra {
            Extra::Words(_) | Extra::ToolsInEntry(_) | Extra::InEntry(..) => None,
            Extra::Elements { file, path, elements, .. } => {
                let content = Content::Elements(self.expand(elements));
                Some((*file, Wish { path: owned(path), content, owner: owner(elements) }))
            }
            Extra::Members { file, path, names, value, .. } => {
                let members = self.expand(names).into_iter().map(|name| (name, self.fixed(value)));
                Some((
                    *file,
                    Wish { path: owned(path), content: Content::Members(members.collect()), owner: owner(names) },
                ))
            }
        }
    }

    /// The sentence that goes with a setting.
    pub(super) fn words(&self, extra: &Extra) -> String {
        match extra {
            Extra::Words(words) | Extra::Elements { words, .. } | Extra::Members { words, .. } => self.fill(words),
            Extra::ToolsInEntry(_) | Extra::InEntry(..) => String::new(),
        }
    }

    fn expand(&self, templates: &[&str]) -> Vec<String> {
        let tools = |template: &&str| {
            let names = if template.contains("{tool}") { &READING[..] } else { &READING[..1] };
            let template = self.fill(template);
            names.iter().map(move |tool| template.replace("{tool}", tool)).collect::<Vec<_>>()
        };
        templates.iter().flat_map(tools).collect()
    }

    fn fill(&self, template: &str) -> String {
        template.replace("{name}", self.name)
    }

    fn fixed(&self, value: &Fixed) -> Item {
        match value {
            Fixed::Flag(flag) => Item::Flag(*flag),
            Fixed::Text(text) => Item::text(self.fill(text)),
            Fixed::Texts(texts) => Item::texts(texts.iter().copied()),
            Fixed::Table(members) => {
                Item::Table(members.iter().map(|(name, value)| ((*name).to_owned(), self.fixed(value))).collect())
            }
        }
    }
}

/// Names with the server's name in them are ours one by one; those of the client's tools only together.
fn owner(templates: &[&str]) -> Owner {
    if templates.iter().all(|template| template.contains("{name}")) { Owner::Named } else { Owner::Together }
}

fn owned(path: &[&str]) -> Vec<String> {
    path.iter().map(|key| (*key).to_owned()).collect()
}
