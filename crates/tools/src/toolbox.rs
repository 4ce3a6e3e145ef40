//! The toolbox: every tool behind one door.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use readstone_base::{Budget, ClientLimits, Clock, Limits, Quota, Reply, ReplySize, Status, TargetError, Workshop};
use readstone_host::{Host, Policy, Root, Secrets, Stance, SystemClock};
use readstone_session::{MemoryShelf, MemoryStore, Room, Session, Writing};
use readstone_source::{NoSources, Pictures, Sources};
use serde_json::Value;

use crate::bent;
use crate::call::{Access, Call, Effect, Tool};
use crate::error::Error;
use crate::profile::{FILE_READ, Profile, READ};
use crate::schema::{self, InputSchema};

/// Bytes of an error. Clients that take long pages cut long errors.
const ERROR_BYTES: u64 = 10_000;

/// The tools, with all they need. A clone is another handle on the same.
#[derive(Clone, Debug)]
pub struct Toolbox {
    shared: Arc<Shared>,
    session: Arc<Session>,
    tools: Arc<[ToolInfo]>,
    works: Arc<dyn Workshop>,
    pictures: Pictures,
    sources: Arc<dyn Sources>,
    seed: [u8; 32],
    writing: Writing,
    limits: Arc<Limits>,
    client: ClientLimits,
    access: Access,
}

#[derive(Debug)]
struct Shared {
    host: Host,
    clock: Arc<dyn Clock>,
    /// What calls side by side may hold in memory.
    memory: Arc<Quota>,
}

/// What is known of a tool without calling it.
#[derive(Clone, Copy, Debug)]
pub struct ToolInfo {
    /// Its name.
    pub name: &'static str,
    /// Its name as a person reads it.
    pub title: &'static str,
    /// What it is for. The first line stands alone, within 160 characters.
    pub about: &'static str,
    /// What it does to the world.
    pub effect: Effect,
    /// How far its addresses can lead, as far as [`Toolbox::access`] allows.
    pub access: Access,
    schema: fn() -> Arc<InputSchema>,
    run: fn(&Call<'_>, Value) -> Reply,
}

impl ToolInfo {
    pub(crate) const fn of<T: Tool>() -> Self {
        Self {
            name: T::NAME,
            title: T::TITLE,
            about: T::ABOUT,
            effect: T::EFFECT,
            access: T::ACCESS,
            schema: schema::of::<T::Input>,
            run: run::<T>,
        }
    }

    /// The JSON schema of its input.
    pub fn schema(&self) -> Value {
        (self.schema)().json.clone()
    }
}

/// Pixels of the longer side of a picture for clients that limit pictures.
const CLIENT_SIDE: u64 = 2_000;

/// Limits of the parts of a reply that are never made a second time when the whole is too large for its client.
fn limits_for(limits: &Limits, client: &ClientLimits) -> Limits {
    let bytes = client.reply.bytes.min(client.reply.json);
    let picture = client.picture_bytes.max(1);
    let side = if client.picture_bytes == u64::MAX { u64::MAX } else { CLIENT_SIDE };
    Limits {
        image_bytes: limits.image_bytes.min(picture),
        image_target: limits.image_target.min(picture),
        image_side: limits.image_side.min(side),
        reply_images: limits.reply_images.min(picture),
        summary_bytes: limits.summary_bytes.min(bytes),
        // Rows of diffs that are as long as they may be.
        diff_lines: limits.diff_lines.min((bytes / 2 / (limits.diff_line_chars + 12)).max(1)),
        // A match with the lines around it must fit.
        search_chars: limits.search_chars.min((bytes / 40).max(40)),
        ..limits.clone()
    }
}

fn run<T: Tool>(call: &Call<'_>, mut input: Value) -> Reply {
    let input = bent::straighten(call, &schema::of::<T::Input>().fields, &mut input)
        .and_then(|()| serde_path_to_error::deserialize(input).map_err(|error| complaint(&error)));
    match input {
        Ok(input) => T::run(call, input),
        Err(what) => T::refuse(&TargetError::of(&Error::BadInput(what))),
    }
}

/// What is wrong with an input, and in which field unless the complaint names it already.
fn complaint(error: &serde_path_to_error::Error<serde_json::Error>) -> String {
    let what = error.inner().to_string();
    let what = what.replace("expected u64", "expected a whole number, not negative");
    let what = what.replace("expected f64", "expected a number");
    let what = what.replace("expected a sequence", "expected a text or a list of texts");
    let path = error.path().to_string();
    if what.starts_with("unknown field") || path == "." { what } else { format!("{path}: {what}") }
}

impl Toolbox {
    /// A toolbox with the tools of the default profile.
    pub fn new(host: Host, session: impl Into<Arc<Session>>, limits: Limits, clock: Arc<dyn Clock>) -> Self {
        let memory = Arc::new(Quota::new(limits.whole_bytes));
        let shared = Arc::new(Shared { host, clock, memory });
        Self {
            shared,
            session: session.into(),
            tools: Profile::Default.tools().into(),
            works: Arc::new(readstone_formats::InPlace),
            pictures: Pictures::default(),
            sources: Arc::new(NoSources),
            seed: readstone_host::random_seed(),
            writing: Writing::default(),
            limits: Arc::new(limits),
            client: ClientLimits::NONE,
            access: Access::default(),
        }
    }

    /// A toolbox that reads below one directory and remembers nothing after the process.
    pub fn for_directory(directory: &Path) -> Result<Self, Box<dyn std::error::Error>> {
        let limits = Limits::default();
        let secrets = Secrets::new(Stance::Deny, &[])?;
        let policy = Policy::below(vec![Root::open(directory, Path::new(""))?], secrets);
        let shelf = Arc::new(MemoryShelf::new(limits.shelf_bytes));
        let session = Session::new(String::new(), Arc::<MemoryStore>::default(), Room::of(&limits), shelf);
        let host = Host::new(policy, None, limits.spool_bytes);
        Ok(Self::new(host, session, limits, Arc::new(SystemClock::new(None))))
    }

    /// The same toolbox with these tools in it.
    #[must_use]
    pub fn with_tools(self, tools: Vec<ToolInfo>) -> Self {
        Self { tools: tools.into(), ..self }
    }

    /// The same toolbox with another place where documents and pictures are worked on. The first one is the process
    /// itself, which a file made for it can end; [`readstone_host::Workers`] are other processes.
    #[must_use]
    pub fn with_workshop(self, works: Arc<dyn Workshop>) -> Self {
        Self { works, ..self }
    }

    /// The same toolbox with pictures shown so.
    #[must_use]
    pub fn with_pictures(self, pictures: Pictures) -> Self {
        Self { pictures, ..self }
    }

    /// The same toolbox with addresses that have a scheme leading to these sources.
    #[must_use]
    pub fn with_sources(self, sources: Arc<dyn Sources>) -> Self {
        Self { sources, ..self }
    }

    /// The same toolbox with this in the place of chance.
    #[must_use]
    pub fn with_seed(self, seed: [u8; 32]) -> Self {
        Self { seed, ..self }
    }

    /// The same toolbox with edits and writes done so.
    #[must_use]
    pub fn with_writing(self, writing: Writing) -> Self {
        Self { writing, ..self }
    }

    /// The same toolbox, whose sources lead so far. It changes nothing but what the tools say of themselves.
    #[must_use]
    pub fn with_access(self, access: Access) -> Self {
        Self { access, ..self }
    }

    /// The same toolbox in the hands of another session.
    #[must_use]
    pub fn in_session(&self, session: Arc<Session>) -> Self {
        Self { session, ..self.clone() }
    }

    /// The same toolbox for a client that takes no more than this of a reply.
    #[must_use]
    pub fn for_client(self, client: ClientLimits) -> Self {
        if client == ClientLimits::NONE {
            return self;
        }
        let limits = Arc::new(limits_for(&self.limits, &client));
        Self { limits, client, ..self }
    }

    /// The tools in it.
    pub fn tools(&self) -> &[ToolInfo] {
        &self.tools
    }

    /// How far any address can lead.
    pub fn access(&self) -> Access {
        self.access
    }

    /// A budget for one call, with the usual time.
    pub fn budget(&self) -> Budget {
        let time = Duration::from_millis(self.limits.call_ms);
        Budget::new(Arc::clone(&self.shared.clock), Some(time)).sharing(Arc::clone(&self.shared.memory))
    }

    /// The limits in force.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The directories that paths start from.
    pub fn roots(&self) -> Vec<PathBuf> {
        self.shared.host.policy().search_roots()
    }

    /// The directory that relative paths start from.
    pub fn place(&self) -> PathBuf {
        self.shared.host.policy().place()
    }

    /// Calls a tool by its name.
    pub fn call(&self, name: &str, input: &Value, budget: &Budget) -> Reply {
        self.take(name, input.clone(), budget)
    }

    /// Calls a tool by its name and consumes the input.
    pub fn take(&self, name: &str, input: Value, budget: &Budget) -> Reply {
        if let Some(tool) = self.tools.iter().find(|tool| tool.name == name) {
            return self.run(tool, input, budget);
        }
        let names = self.tools.iter().map(|tool| tool.name.to_owned()).collect();
        readstone_render::failure("", TargetError::of(&Error::UnknownTool { name: name.to_owned(), names }))
    }

    /// Calls a tool, whether it is in this box or not.
    pub fn run(&self, tool: &ToolInfo, input: Value, budget: &Budget) -> Reply {
        let mut reply = (tool.run)(&self.hand(budget), input);
        let most = self.most(&reply);
        readstone_render::shorten(&mut reply, most);
        reply
    }

    /// The largest size that this reply may have, whatever its tool made of it.
    fn most(&self, reply: &Reply) -> ReplySize {
        let client = &self.client;
        match reply.status {
            Status::Error(_) if client.reply.is_bounded() => {
                ReplySize { bytes: client.reply.bytes.min(ERROR_BYTES), ..client.reply }
            }
            // Only these take ranges and several addresses.
            Status::Ok if [READ.name, FILE_READ].contains(&reply.receipt.tool) => client.wide(),
            Status::Ok | Status::Error(_) => client.reply,
        }
    }

    /// What a call works with.
    pub(crate) fn hand<'a>(&'a self, budget: &'a Budget) -> Call<'a> {
        let shared = &*self.shared;
        let (host, limits) = (&shared.host, &*self.limits);
        Call {
            host,
            session: &self.session,
            limits,
            client: self.client,
            budget,
            works: &self.works,
            pictures: self.pictures,
            sources: &*self.sources,
            seed: &self.seed,
            writing: self.writing,
        }
    }
}
