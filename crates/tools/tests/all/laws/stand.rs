//! A stand: a temporary directory, and a toolbox with the limits of the moment that reads in it.

use std::path::Path;
use std::sync::Arc;

use readstone_base::{Fixed, Limits, Part, Reply, Status, Target, Workshop};
use readstone_host::{Host, Policy, Root, Secrets, Stance};
use readstone_session::{MemoryShelf, MemoryStore, Room, Session};
use readstone_tools::Toolbox;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Files, and the toolbox that reads them.
pub(crate) struct Stand {
    files: TempDir,
    toolbox: Toolbox,
}

/// The name under which a stand keeps its first file.
pub(crate) const NAME: &str = "f";

impl Stand {
    /// A stand with no files.
    pub(crate) fn new(limits: &Limits) -> Self {
        let files = TempDir::with_prefix("readstone-laws-").expect("a temporary directory");
        let secrets = Secrets::new(Stance::Deny, &[]).expect("no rules");
        let root = Root::open(files.path(), Path::new("")).expect("the directory just made");
        let session = Session::new(
            String::new(),
            Arc::<MemoryStore>::default(),
            Room::of(limits),
            Arc::new(MemoryShelf::new(limits.shelf_bytes)),
        );
        let host = Host::new(Policy::below(vec![root], secrets), None, limits.spool_bytes);
        let toolbox = Toolbox::new(host, session, limits.clone(), Arc::new(Fixed(0)));
        Self { files, toolbox }
    }

    /// A stand with one file.
    pub(crate) fn with(bytes: &[u8], limits: &Limits) -> Self {
        let stand = Self::new(limits);
        stand.write(NAME, bytes);
        stand
    }

    /// The same stand with other hands for what is done apart.
    pub(crate) fn with_workshop(self, works: Arc<dyn Workshop>) -> Self {
        Self { toolbox: self.toolbox.with_workshop(works), ..self }
    }

    /// Makes or replaces a file.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.files.path().join(name), bytes).expect("a fixture");
    }

    /// Calls `read` with this input.
    pub(crate) fn call(&self, input: &Value) -> Reply {
        self.toolbox.call("read", input, &self.toolbox.budget())
    }

    /// Reads one address, which must succeed.
    pub(crate) fn read(&self, address: &str) -> Seen {
        self.read_with(&json!({ "path": address }))
    }

    /// Reads one target, which must succeed.
    pub(crate) fn read_with(&self, input: &Value) -> Seen {
        let reply = self.call(input);
        assert_eq!(reply.status, Status::Ok, "{input} failed: {}", reply.text());
        let [target] = reply.receipt.targets.as_slice() else {
            panic!("{input} has {} targets", reply.receipt.targets.len());
        };
        let verbatim = reply.parts.iter().any(|part| matches!(part, Part::Verbatim(_)));
        Seen { text: reply.text(), bytes: bytes_of(&reply), verbatim, target: target.clone() }
    }
}

/// What a call that succeeded showed of its one target.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// The text of the reply.
    pub(crate) text: String,
    /// The bytes a program writes for it.
    pub(crate) bytes: Vec<u8>,
    /// Whether nothing was added to the source.
    pub(crate) verbatim: bool,
    /// The account of the target.
    pub(crate) target: Target,
}

fn bytes_of(reply: &Reply) -> Vec<u8> {
    let exact = |part: &Part| match part {
        Part::Text(text) => text.clone().into_bytes(),
        Part::Verbatim(raw) => raw.bytes.clone().unwrap_or_else(|| raw.text.clone().into_bytes()),
        Part::Image(image) => image.bytes.clone(),
    };
    reply.parts.iter().flat_map(exact).collect()
}
