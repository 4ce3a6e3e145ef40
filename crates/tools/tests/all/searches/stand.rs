//! A directory, and a toolbox that works below it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_base::{Clock, Fixed, Found, Limits, Reply, Status};
use readstone_host::{Host, Policy, Root, Secrets, Stance};
use readstone_session::{MemoryShelf, MemoryStore, Room, Session};
use readstone_tools::Toolbox;
use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) struct Stand {
    files: TempDir,
    pub(crate) toolbox: Toolbox,
}

impl Stand {
    pub(crate) fn new() -> Self {
        Self::limited(Limits::default())
    }

    pub(crate) fn limited(limits: Limits) -> Self {
        Self::with(limits, Arc::new(Fixed(0)))
    }

    pub(crate) fn with(limits: Limits, clock: Arc<dyn Clock>) -> Self {
        let files = TempDir::with_prefix("readstone-search-").expect("a temporary directory");
        let host = host(files.path(), &limits);
        let shelf = Arc::new(MemoryShelf::new(limits.shelf_bytes));
        let session = Session::new(String::new(), Arc::<MemoryStore>::default(), Room::of(&limits), shelf);
        Self { files, toolbox: Toolbox::new(host, session, limits, clock) }
    }

    pub(crate) fn path(&self) -> &Path {
        self.files.path()
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).expect("a directory");
        std::fs::write(&path, text).expect("a file");
        path
    }

    /// What a search comes to that must succeed.
    pub(crate) fn search(&self, input: &Value) -> Reply {
        let reply = self.toolbox.call("search", input, &self.toolbox.budget());
        assert_eq!(reply.status, Status::Ok, "{input}: {}", reply.text());
        reply
    }

    /// The text of a search in some paths.
    pub(crate) fn told(&self, pattern: &str, paths: &str) -> String {
        self.search(&json!({ "pattern": pattern, "paths": paths })).text()
    }

    /// What a read comes to that must succeed.
    pub(crate) fn read(&self, address: &str) -> Reply {
        let reply = self.toolbox.call("read", &json!({ "path": address }), &self.toolbox.budget());
        assert_eq!(reply.status, Status::Ok, "{address}: {}", reply.text());
        reply
    }
}

/// What opens files below a directory.
pub(crate) fn host(directory: &Path, limits: &Limits) -> Host {
    let root = Root::open(directory, Path::new("")).expect("the directory just made");
    let secrets = Secrets::new(Stance::Deny, &[]).expect("no rules");
    Host::new(Policy::below(vec![root], secrets), None, limits.spool_bytes)
}

pub(crate) fn found(reply: &Reply) -> &Found {
    reply.receipt.found.as_ref().expect("what was found")
}
