//! A call, and what a tool is.

use std::sync::Arc;

use readstone_base::{Budget, ClientLimits, Limits, Reply, TargetError, Workshop};
use readstone_host::Host;
use readstone_session::{Session, Writing};
use readstone_source::{Beyond, Fresh, Opening, Pictures, Sources};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

/// What a tool works with during one call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a> {
    /// The world.
    pub(crate) host: &'a Host,
    /// What is remembered.
    pub(crate) session: &'a Session,
    /// The limits in force.
    pub(crate) limits: &'a Limits,
    /// How much of a reply the caller's client takes.
    pub(crate) client: ClientLimits,
    /// The time of the call.
    pub(crate) budget: &'a Budget,
    /// Where documents and pictures are worked on.
    pub(crate) works: &'a Arc<dyn Workshop>,
    /// How pictures are shown.
    pub(crate) pictures: Pictures,
    /// Where addresses with a scheme lead.
    pub(crate) sources: &'a dyn Sources,
    /// What nobody else can know.
    pub(crate) seed: &'a [u8; 32],
    /// How edits and writes are done.
    pub(crate) writing: Writing,
}

impl Call<'_> {
    /// What is at hand while something is opened.
    pub(crate) fn opening(&self, fresh: Fresh) -> Opening<'_> {
        Opening {
            limits: self.limits,
            budget: self.budget,
            shelf: self.session.shelf(),
            formats: &readstone_formats::Standard,
            judge: self.host,
            works: self.works,
            pictures: self.pictures,
            beyond: Beyond { sources: self.sources, drawers: self.session, fresh },
        }
    }
}

/// What a tool does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    Reads,
    /// It changes files.
    Writes,
}

/// How far addresses can lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// Not beyond this machine.
    #[default]
    Local,
    /// To other machines: the web, or MCP servers.
    Remote,
}

/// A tool: a name, an input, and what it does.
pub(crate) trait Tool {
    /// The name it is called by.
    const NAME: &'static str;
    /// Its name as a person reads it, in a few words.
    const TITLE: &'static str;
    /// What it is for, written for a model. Some clients show only the first line, or 160 characters of it: that line
    /// stands alone, and says what the client's own tools cannot do.
    const ABOUT: &'static str;
    /// What it does to the world.
    const EFFECT: Effect;
    /// How far its addresses can lead, where the configuration allows it.
    const ACCESS: Access = Access::Local;
    /// What it takes.
    type Input: DeserializeOwned + JsonSchema + 'static;

    /// Answers a call whose input has the wrong shape.
    fn refuse(error: &TargetError) -> Reply {
        readstone_render::failure(Self::NAME, error.clone())
    }

    /// Does the work.
    fn run(call: &Call<'_>, input: Self::Input) -> Reply;
}
