//! A directory, and a toolbox that changes files below it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_base::{Change, Fixed, Limits, Reply, Status, Tag, Target, Version};
use readstone_host::{Host, Policy, Root, Secrets, Stance};
use readstone_session::{Durability, MemoryShelf, MemoryStore, Room, Session, Store, Writing};
use readstone_tools::Toolbox;
use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) struct Stand {
    files: TempDir,
    store: Arc<MemoryStore>,
    toolbox: Toolbox,
}

/// What is not as usual.
#[derive(Clone)]
pub(crate) struct Setup {
    pub(crate) limits: Limits,
    pub(crate) stance: Stance,
    pub(crate) writing: Writing,
}

impl Default for Setup {
    fn default() -> Self {
        // What a lost supply of power would lose is of no interest here.
        let writing = Writing { durability: Durability::System, ..Writing::default() };
        Self { limits: Limits::default(), stance: Stance::Deny, writing }
    }
}

impl Stand {
    pub(crate) fn new() -> Self {
        Self::with(Setup::default())
    }

    pub(crate) fn with(setup: Setup) -> Self {
        let files = TempDir::with_prefix("readstone-edit-").expect("a temporary directory");
        let root = Root::open(files.path(), Path::new("")).expect("the directory just made");
        let secrets = Secrets::new(setup.stance, &[]).expect("no rules");
        let host = Host::new(Policy::below(vec![root], secrets), None, setup.limits.spool_bytes);
        let store = Arc::<MemoryStore>::default();
        let session = session("", Arc::<MemoryStore>::clone(&store), &setup.limits);
        let toolbox = Toolbox::new(host, session, setup.limits, Arc::new(Fixed(0))).with_writing(setup.writing);
        Self { files, store, toolbox }
    }

    /// The same directory and store in the hands of another session.
    pub(crate) fn another(&self, name: &str) -> Toolbox {
        self.toolbox.in_session(session(name, Arc::<MemoryStore>::clone(&self.store), self.toolbox.limits()))
    }

    /// The same directory in the hands of a session with a store of its own.
    pub(crate) fn stranger(&self) -> Toolbox {
        self.toolbox.in_session(session("", Arc::<MemoryStore>::default(), self.toolbox.limits()))
    }

    /// The same directory in the hands of a session with this store.
    pub(crate) fn with_store(&self, store: Arc<dyn Store>) -> Toolbox {
        self.toolbox.in_session(session("", store, self.toolbox.limits()))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.files.path().join(name)
    }

    pub(crate) fn store(&self) -> &dyn Store {
        &*self.store
    }

    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).expect("a file");
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).expect("the file")
    }

    pub(crate) fn call(&self, tool: &str, input: &Value) -> Reply {
        call(&self.toolbox, tool, input)
    }

    /// Reads something; gives what is told of it.
    pub(crate) fn read(&self, address: &str) -> Target {
        let reply = self.call("read", &json!({ "path": address }));
        assert_eq!(reply.status, Status::Ok, "{address}: {}", reply.text());
        reply.receipt.targets.into_iter().next().expect("a target")
    }

    /// Reads something; gives its tag.
    pub(crate) fn tag(&self, address: &str) -> String {
        self.read(address).tag.expect("a tag")
    }

    /// Applies a patch of one file.
    pub(crate) fn edit(&self, name: &str, tag: &str, operations: &str) -> Reply {
        self.call("edit", &patch(name, tag, operations))
    }

    /// Applies a patch that must be taken; gives what is told of it.
    pub(crate) fn edited(&self, name: &str, tag: &str, operations: &str) -> Target {
        let reply = self.edit(name, tag, operations);
        assert_eq!(reply.status, Status::Ok, "{name}#{tag} {operations}: {}", reply.text());
        reply.receipt.targets.into_iter().next().expect("a target")
    }

    /// Tries a patch that must be refused; gives the code, and sees to it that nothing changed.
    pub(crate) fn refused(&self, name: &str, tag: &str, operations: &str) -> (&'static str, Reply) {
        let before = self.bytes(name);
        let reply = self.edit(name, tag, operations);
        assert!(self.bytes(name) == before, "{name}#{tag} {operations}: {}", reply.text());
        (code(&reply), reply)
    }

    /// Takes the last change back.
    pub(crate) fn undo(&self, input: &Value) -> Reply {
        self.call("undo", input)
    }
}

fn session(name: &str, store: Arc<dyn Store>, limits: &Limits) -> Arc<Session> {
    let shelf = Arc::new(MemoryShelf::new(limits.shelf_bytes));
    Arc::new(Session::new(name.to_owned(), store, Room::of(limits), shelf))
}

pub(crate) fn call(toolbox: &Toolbox, tool: &str, input: &Value) -> Reply {
    toolbox.call(tool, input, &toolbox.budget())
}

pub(crate) fn patch(name: &str, tag: &str, operations: &str) -> Value {
    json!({ "input": format!("¶{name}#{tag}\n{operations}") })
}

/// The code of a failure.
pub(crate) fn code(reply: &Reply) -> &'static str {
    reply.receipt.error.as_ref().unwrap_or_else(|| unreachable!("no failure: {}", reply.text())).code
}

/// What was changed.
pub(crate) fn change(target: &Target) -> &Change {
    target.change.as_ref().expect("a change")
}

/// The call that a refusal names.
pub(crate) fn next(reply: &Reply) -> String {
    let error = reply.receipt.error.as_ref().expect("a failure");
    let next = error.next.first().expect("a call");
    assert_eq!(next.tool, "read");
    next.argument.clone()
}

/// The version of some bytes, by the hash itself.
pub(crate) fn version(bytes: &[u8]) -> Version {
    Version::from_bytes(*blake3::hash(bytes).as_bytes())
}

pub(crate) fn tag_of(bytes: &[u8]) -> String {
    Tag::of(&version(bytes)).to_string()
}
