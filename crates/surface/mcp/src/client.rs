//! `mcp://SERVER/URI`: resources of other MCP servers.
//!
//! Servers are started when they are first asked, kept while they are asked now and then, and ended with all their
//! children when the scheme goes. What they say is third-party text, and none of what they ask is granted.

mod asking;
mod catalog;
mod connection;
mod contents;
mod error;
mod far;
mod guest;
mod kept;
mod post;
mod process;
mod reading;
mod wire;

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use readstone_address::Reading;
use readstone_base::{Budget, Fault, Kind, Stopped};
use readstone_host::Environment;
use readstone_source::{Content, Converted, Finding, Opening, Scheme, Sourced};

use connection::{Answer, Ask, Connection, Trouble};
use error::Error;
use reading::Call;

/// A server whose resources can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct McpServer {
    /// Its name in addresses.
    pub name: String,
    /// The program and its arguments; no shell reads them.
    pub command: Vec<String>,
    /// Variables that it gets beside `PATH` and `HOME`.
    pub env: Vec<(String, String)>,
    /// Where it is started, unless that is where we were.
    pub cwd: Option<PathBuf>,
    /// Where it is reached, when it is not started by us.
    pub url: Option<String>,
}

impl McpServer {
    /// Where it is reached, when it is not started by us.
    fn far(&self) -> Option<&str> {
        self.url.as_deref().filter(|_| self.command.is_empty())
    }
}

/// The scheme `mcp`.
#[derive(Debug)]
pub struct McpScheme {
    servers: Vec<McpServer>,
    /// Variables that every server gets.
    variables: Vec<(OsString, OsString)>,
    open: Mutex<HashMap<String, Arc<Connection>>>,
    idle: Duration,
}

/// A server that nobody asks for so long is ended.
const IDLE: Duration = Duration::from_mins(1);
/// Variables that every server gets.
const VARIABLES: [&str; 2] = ["PATH", "HOME"];
/// Bytes of a message beside what it is about.
const FRAME: u64 = 64 * 1024;

impl McpScheme {
    /// The resources of these servers, which get `PATH` and `HOME` of an environment and nothing else of it.
    pub fn new(servers: Vec<McpServer>, environment: &Environment) -> Self {
        let variable = |name: &str| Some((OsString::from(name), environment.get(name)?.clone()));
        let variables = VARIABLES.into_iter().filter_map(variable).collect();
        Self { servers, variables, open: Mutex::default(), idle: IDLE }
    }

    /// The same, with servers ended when nobody asked them for `idle`.
    #[must_use]
    pub fn with_idle(mut self, idle: Duration) -> Self {
        self.idle = idle;
        self
    }

    /// Ends all servers that run, for a program that is about to exit without dropping what it holds. Those that are
    /// asked afterwards are started again.
    pub fn end(&self) {
        let open = std::mem::take(&mut *self.open.lock().unwrap_or_else(PoisonError::into_inner));
        // All are told before any is waited for.
        for connection in open.values() {
            connection.tell();
        }
        drop(open);
    }

    fn named(&self, name: &str) -> Option<&McpServer> {
        let exact = self.servers.iter().find(|server| server.name == name);
        exact.or_else(|| self.servers.iter().find(|server| server.name.eq_ignore_ascii_case(name)))
    }

    fn names(&self) -> Vec<String> {
        self.servers.iter().map(|server| server.name.clone()).collect()
    }

    /// Asks a server, which is started if need be, and once more when it broke down.
    fn ask(&self, server: &McpServer, ask: &Ask, most: u64, budget: &Budget) -> Result<Answer, Trouble> {
        // Texts grow when they are written as JSON, and bytes when they are written as text.
        let most = usize::try_from(most.saturating_mul(2).saturating_add(FRAME)).unwrap_or(usize::MAX);
        let answer = self.ask_once(server, ask, most, budget);
        match answer {
            Err(trouble) if trouble.is_crash() => self.ask_once(server, ask, most, budget),
            Ok(_) | Err(_) => answer,
        }
    }

    fn ask_once(&self, server: &McpServer, ask: &Ask, most: usize, budget: &Budget) -> Result<Answer, Trouble> {
        let connection = self.connection(server, most)?;
        let answer = connection.ask(ask.clone(), most, budget);
        let late = matches!(&answer, Err(Trouble::Stopped(Stopped::Deadline)));
        if late && connection.is_waited_for() {
            // One call's time is no reason to take the server from others.
            connection.doubt();
        } else if answer.as_ref().is_err_and(Trouble::is_end) {
            connection.kill();
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            if open.get(&server.name).is_some_and(|kept| Arc::ptr_eq(kept, &connection)) {
                open.remove(&server.name);
            }
        }
        answer
    }

    /// The connection to a server, made now if there is none.
    fn connection(&self, server: &McpServer, most: usize) -> Result<Arc<Connection>, Trouble> {
        if server.command.is_empty() && server.url.is_none() {
            return Err(Trouble::NoStart("it has neither a command nor a URL".to_owned()));
        }
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = open.get(&server.name).filter(|kept| kept.is_open()) {
            return Ok(Arc::clone(kept));
        }
        let fresh = Connection::start(server.clone(), self.variables.clone(), most, self.idle)?;
        let fresh = Arc::new(fresh);
        let old = open.insert(server.name.clone(), Arc::clone(&fresh));
        // One that ends is waited for; others need not wait for that.
        drop(open);
        drop(old);
        Ok(fresh)
    }

    /// The servers there are, a line for each.
    fn directory(&self, reading: &Reading) -> Sourced {
        let line = |server: &McpServer| match server.far() {
            // A query may hold secrets, too.
            Some(url) => format!("mcp://{}  {}\n", server.name, url.split(['?', '#']).next().unwrap_or_default()),
            // Arguments may hold secrets.
            None => format!("mcp://{}  {}\n", server.name, server.command.first().map_or("", String::as_str)),
        };
        let text: String = self.servers.iter().map(line).collect();
        let content = Content::Converted(Converted::text(Kind::Text, text.into_bytes()));
        Sourced::fixed("mcp://".to_owned(), Finding::Content(content), reading)
    }
}

impl Scheme for McpScheme {
    fn name(&self) -> &'static str {
        "mcp"
    }

    fn form(&self) -> &'static str {
        "mcp://SERVER[/URI]"
    }

    fn open(&self, rest: &str, reading: &Reading, opening: &Opening<'_>) -> Result<Sourced, Fault> {
        let unknown = || Error::UnknownServer { address: format!("mcp://{rest}"), known: self.names() };
        if self.servers.is_empty() {
            return Err(Box::new(unknown()));
        }
        let budget = opening.budget.within(Duration::from_millis(opening.limits.fetch_ms));
        let call = Call { scheme: self, rest, reading, opening, budget: &budget };
        let (head, uri) = rest.split_once('/').unwrap_or((rest, ""));
        let found = match self.named(head) {
            Some(server) if uri.is_empty() => call.list(server),
            Some(server) => call.read(server, uri),
            None if rest.is_empty() => return Ok(self.directory(reading)),
            None if rest.contains(':') => call.search(rest),
            None => Err(unknown()),
        };
        found.map_err(|error| Box::new(error) as Fault)
    }
}

impl Drop for McpScheme {
    fn drop(&mut self) {
        self.end();
    }
}
