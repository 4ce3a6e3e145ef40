//! Taking calls.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use readstone_base::{Budget, ClientLimits, Failure, Limits, Reply, Status, TargetError};
use readstone_session::{Clients, Sessions};
use readstone_tools::{Access, Completion, Effect, FILE_READ, LINE_READ, READ, ToolInfo, Toolbox, json_list};
use serde_json::Value;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::error::Error;
use crate::meter::{Counted, Meter};
use crate::pool::Pool;

/// Takes calls and sees them through.
#[derive(Debug)]
pub struct Desk {
    toolbox: Toolbox,
    sessions: Sessions,
    pool: Pool,
    meter: Meter,
    clients: Clients,
    receipts: Receipts,
    /// Kilobytes of bodies that are read at a time.
    bodies: Semaphore,
}

/// All bodies together, in kilobytes.
const BODIES: usize = 32 * 1_024;

/// A body that has waited this long for room is refused, as a call is that has waited so long for its turn.
const ROOM_WAIT: Duration = Duration::from_secs(2);

/// What a body takes of them, its last part counted whole.
fn kilobytes(bytes: u64) -> u32 {
    u32::try_from(bytes / 1_024 + 1).unwrap_or(u32::MAX)
}

/// How long the body of a request may be, and which limit says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Bytes.
    pub most: u64,
    /// The name of the limit.
    pub limit: &'static str,
}

/// Says if a reply over MCP carries the receipt for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receipts {
    /// No: many clients hand their model the receipt in place of the text.
    Omitted,
    /// Yes, as `structuredContent`.
    Included,
}

/// A call on behalf of a session.
#[derive(Clone, Debug)]
pub struct Errand {
    /// The session's name.
    pub session: String,
    /// The tool.
    pub tool: Which,
    /// Its input.
    pub input: Value,
    /// How much of the reply the caller's client takes.
    pub client: ClientLimits,
}

/// The name of the session that a request belongs to, as far as its transport tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionName(pub String);

/// Which tool is called.
#[derive(Clone, Debug)]
pub enum Which {
    /// The one of the toolbox with this name.
    Named(String),
    /// `read`, whatever the toolbox holds.
    Read,
    /// The bounded line read, whatever the toolbox holds.
    LineRead,
}

impl Desk {
    /// A desk for this toolbox, with the table of clients as it is built in.
    pub fn new(toolbox: Toolbox, sessions: Sessions) -> Arc<Self> {
        Self::for_clients(toolbox, sessions, Clients::default(), Receipts::Omitted)
    }

    /// A desk for this toolbox; `clients` says how much of a reply each client takes, `receipts` whether replies over MCP
    /// come with receipts when no request asks for them.
    pub fn for_clients(toolbox: Toolbox, sessions: Sessions, clients: Clients, receipts: Receipts) -> Arc<Self> {
        let pool = Pool::new(toolbox.limits(), &toolbox.roots());
        let meter = Meter::new(toolbox.limits());
        let longest = toolbox.limits().server_body_bytes.max(toolbox.limits().server_change_bytes);
        // The longest body there may be does not keep out another.
        let two = kilobytes(longest).saturating_mul(2);
        let bodies = Semaphore::new(BODIES.max(usize::try_from(two).unwrap_or(BODIES)).min(Semaphore::MAX_PERMITS));
        Arc::new(Self { toolbox, sessions, pool, meter, clients, receipts, bodies })
    }

    /// The tools on offer.
    pub fn tools(&self) -> &[ToolInfo] {
        self.toolbox.tools()
    }

    /// Whether everything is read here, by `read`; resources are what it reads.
    pub fn reads_anything(&self) -> bool {
        self.tools().iter().any(|tool| tool.name == READ.name)
    }

    /// How far addresses can lead.
    pub fn access(&self) -> Access {
        self.toolbox.access()
    }

    /// Whether files are read here, if nothing else: by `read`, or by the tool of a profile that does only that.
    pub fn reads_files(&self) -> bool {
        self.reads_anything() || self.tools().iter().any(|tool| tool.name == FILE_READ)
    }

    /// How much of a reply a client with this name takes.
    pub fn client_limits(&self, name: &str) -> ClientLimits {
        self.clients.limits(name)
    }

    /// The names of the clients of which something is known, each with what it takes. A name may end with `*`.
    pub fn known_clients(&self) -> Vec<(&str, ClientLimits)> {
        self.clients.names().into_iter().map(|name| (name, self.clients.limits(name))).collect()
    }

    /// The setting for replies over MCP. A request can ask for a receipt in either case.
    pub fn receipts(&self) -> Receipts {
        self.receipts
    }

    /// The limits in force.
    pub fn limits(&self) -> &Limits {
        self.toolbox.limits()
    }

    /// How long the body of a call may be; that of a message, in which the tool is yet to be found, as long as that of
    /// any tool on offer.
    pub fn bound(&self, tool: Option<&str>) -> Bound {
        let limits = self.limits();
        let may_be = |offered: &&ToolInfo| tool.is_none_or(|tool| tool == offered.name);
        let changes = self.tools().iter().filter(may_be).any(|tool| tool.effect == Effect::Writes);
        if changes && limits.server_change_bytes > limits.server_body_bytes {
            Bound { most: limits.server_change_bytes, limit: "server_change_bytes" }
        } else {
            Bound { most: limits.server_body_bytes, limit: "server_body_bytes" }
        }
    }

    /// The directories below which files are read.
    pub fn roots(&self) -> Vec<PathBuf> {
        self.toolbox.roots()
    }

    /// A budget for one call.
    pub fn budget(&self) -> Budget {
        self.toolbox.budget()
    }

    /// Makes a call; it is stopped when the future is dropped.
    pub async fn call(&self, errand: Errand, budget: Budget) -> Reply {
        let began = budget.clock().elapsed();
        let Errand { session, tool, input, client } = errand;
        let path = self.path_of(&input);
        let toolbox = self.toolbox.in_session(self.sessions.get(&session)).for_client(client);
        let clock = Arc::clone(budget.clock());
        let work = move |budget: &Budget| match tool {
            Which::Named(name) => toolbox.take(&name, input, budget),
            Which::Read => toolbox.run(&READ, input, budget),
            Which::LineRead => toolbox.run(&LINE_READ, input, budget),
        };
        let reply = self.pool.run(budget, path, work).await.unwrap_or_else(refused);
        let took = clock.elapsed().saturating_sub(began);
        self.meter.count(&session, &Counted::of(&reply, took));
        let code = reply.receipt.error.as_ref().map_or("ok", |error| error.code);
        let failed = matches!(reply.status, Status::Error(_));
        tracing::debug!(tool = reply.receipt.tool, %session, code, failed, ms = took.as_millis(), "call");
        reply
    }

    /// Runs other work on the pool, on this path if it has one.
    pub async fn run<T, F>(&self, path: Option<&str>, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Toolbox, &Budget) -> T + Send + 'static,
    {
        let toolbox = self.toolbox.clone();
        self.pool.run(self.budget(), path.map(PathBuf::from), move |budget| work(&toolbox, budget)).await
    }

    /// The paths that begin like this.
    pub async fn complete(&self, beginning: String, most: usize) -> Result<Completion, Error> {
        let path = beginning.clone();
        let work = move |toolbox: &Toolbox, budget: &Budget| toolbox.complete(&beginning, most, budget);
        self.run(Some(&path), work).await
    }

    /// Counts a call that did not go through [`Desk::call`].
    pub fn count(&self, session: &str, counted: &Counted<'_>) {
        self.meter.count(session, counted);
    }

    /// Room for a body of so many bytes, given back when it is dropped; none where there is none for too long.
    pub async fn room(&self, bytes: u64) -> Option<SemaphorePermit<'_>> {
        let room = self.bodies.acquire_many(kilobytes(bytes));
        tokio::time::timeout(ROOM_WAIT, room).await.ok()?.ok()
    }

    /// Where an input leads, by its name alone and where that is one place.
    fn path_of(&self, input: &Value) -> Option<PathBuf> {
        let path = only_path(input)?;
        let path = path.as_ref();
        // A selector is no part of the name; a name that only looks so leads to the same directory.
        let end = path.rfind('/').map_or(0, |slash| slash + 1);
        let name = path.get(end..)?.find(':').map_or(path, |colon| path.get(..end + colon).unwrap_or(path));
        Some(self.toolbox.place().join(name.trim_start_matches("file://")))
    }

    /// Whether no call runs or waits.
    pub fn is_idle(&self) -> bool {
        self.pool.is_idle()
    }

    /// Counts a request that never became a call.
    pub fn count_refusal(&self, code: &'static str) {
        self.meter.refuse(code);
    }

    /// What was counted, in the text form of Prometheus.
    pub fn metrics(&self) -> String {
        self.meter.text(self.pool.load(), self.sessions.count())
    }
}

/// The one path of an input, if it has only one; of a glob, what stands before its first segment with a wildcard.
fn only_path(input: &Value) -> Option<Cow<'_, str>> {
    let mut all = paths_in(input.get("path"));
    let single = all.len();
    all.extend(paths_in(input.get("paths")));
    let [_] = all.as_slice() else {
        return None;
    };
    let path = all.remove(0);
    let wild = path.find(['*', '?', '[', '{']).filter(|_| single == 0);
    let fixed = wild.and_then(|wild| path.get(..wild));
    let base = fixed.map(|fixed| fixed.rsplit_once('/').map_or("", |(directory, _)| directory));
    Some(base.map_or(path.clone(), |base| Cow::Owned(base.to_owned())))
}

/// The paths in an argument, in whichever shape it comes.
fn paths_in(argument: Option<&Value>) -> Vec<Cow<'_, str>> {
    let texts: Vec<&str> = match argument {
        Some(Value::Array(paths)) => paths.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(path)) => vec![path.as_str()],
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => Vec::new(),
    };
    let each = |text| match json_list(text) {
        Some(list) => list.into_iter().map(Cow::Owned).collect(),
        None => vec![Cow::Borrowed(text)],
    };
    texts.into_iter().flat_map(each).collect()
}

/// The reply to a call that was not seen through.
fn refused(error: Error) -> Reply {
    // A flood must not become a flood of lines; the counters tell of each.
    tracing::debug!(code = error.code(), "a call was not seen through");
    readstone_render::failure("", TargetError::of(&error))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::only_path;

    fn only(input: &serde_json::Value) -> Option<String> {
        only_path(input).map(std::borrow::Cow::into_owned)
    }

    #[test]
    fn an_input_with_one_path_leads_there_and_one_with_several_leads_nowhere() {
        assert_eq!(only(&json!({ "path": "a/b*:5" })), Some("a/b*:5".to_owned()));
        assert_eq!(only(&json!({ "paths": ["a"] })), Some("a".to_owned()));
        assert_eq!(only(&json!({ "paths": "a", "pattern": "x" })), Some("a".to_owned()));
        assert_eq!(only(&json!({ "path": "a", "paths": [] })), Some("a".to_owned()));
        assert_eq!(only(&json!({ "path": ["a"] })), Some("a".to_owned()));
        assert_eq!(only(&json!({ "paths": "[\"/mnt/far/a\"]" })), Some("/mnt/far/a".to_owned()));
        assert_eq!(only(&json!({ "paths": ["[\"a\", \"b\"]"] })), None);
        for input in [json!({ "paths": ["a", "b"] }), json!({ "path": "a", "paths": ["b"] }), json!({ "paths": 5 })] {
            assert_eq!(only(&input), None, "{input}");
        }
    }

    #[test]
    fn a_glob_leads_to_the_directory_above_it() {
        assert_eq!(only(&json!({ "paths": ["/mnt/far/**/*.rs"] })), Some("/mnt/far".to_owned()));
        assert_eq!(only(&json!({ "paths": "*.rs" })), Some(String::new()));
    }
}
