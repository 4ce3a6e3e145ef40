//! The toolbox: every tool behind one door.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use readstone_base::{Budget, Clock, Limits, Reply, TargetError};
use readstone_host::{Host, Policy, Root, Secrets, Stance, SystemClock};
use readstone_session::{MemoryStore, Session};
use serde_json::Value;

use crate::call::{Call, Effect, Tool};
use crate::error::Error;
use crate::read::Read;

/// The tools, with all they need.
#[derive(Debug)]
pub struct Toolbox {
    host: Host,
    session: Session,
    limits: Limits,
    clock: Arc<dyn Clock>,
}

/// What is known of a tool without calling it.
#[derive(Clone, Copy, Debug)]
pub struct ToolInfo {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// What it does to the world.
    pub effect: Effect,
    run: fn(&Call<'_>, Value) -> Reply,
}

/// Every tool.
pub const TOOLS: &[ToolInfo] = &[info::<Read>()];

const fn info<T: Tool>() -> ToolInfo {
    ToolInfo { name: T::NAME, about: T::ABOUT, effect: T::EFFECT, run: run::<T> }
}

fn run<T: Tool>(call: &Call<'_>, input: Value) -> Reply {
    match serde_path_to_error::deserialize(input) {
        Ok(input) => T::run(call, input),
        Err(error) => readstone_render::failure(T::NAME, TargetError::of(&Error::BadInput(complaint(&error)))),
    }
}

/// What is wrong with an input, and in which field unless the complaint names it already.
fn complaint(error: &serde_path_to_error::Error<serde_json::Error>) -> String {
    let what = error.inner().to_string();
    if what.starts_with("unknown field") { what } else { error.to_string() }
}

impl Toolbox {
    /// A toolbox from its parts.
    pub fn new(host: Host, session: Session, limits: Limits, clock: Arc<dyn Clock>) -> Self {
        Self { host, session, limits, clock }
    }

    /// A toolbox that reads below one directory and remembers nothing after the process.
    pub fn for_directory(directory: &Path) -> Result<Self, Box<dyn std::error::Error>> {
        let limits = Limits::default();
        let secrets = Secrets::new(Stance::Deny, &[])?;
        let policy = Policy::below(vec![Root::open(directory, Path::new(""))?], secrets);
        let session = Session::new(String::new(), Box::<MemoryStore>::default(), limits.snapshot_bytes);
        let host = Host::new(policy, None, limits.spool_bytes);
        Ok(Self::new(host, session, limits, Arc::new(SystemClock::new(None))))
    }

    /// A budget for one call, with the usual time.
    pub fn budget(&self) -> Budget {
        Budget::new(Arc::clone(&self.clock), Some(Duration::from_millis(self.limits.call_ms)))
    }

    /// The limits in force.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Calls a tool.
    pub fn call(&self, name: &str, input: &Value, budget: &Budget) -> Reply {
        let call = Call { host: &self.host, session: &self.session, limits: &self.limits, budget };
        match TOOLS.iter().find(|tool| tool.name == name) {
            Some(tool) => (tool.run)(&call, input.clone()),
            None => readstone_render::failure("", TargetError::of(&Error::UnknownTool(name.to_owned()))),
        }
    }
}
