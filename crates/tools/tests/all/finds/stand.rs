//! A directory, and a toolbox that works below it.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use readstone_base::{Clock, Count, Fixed, Found, Limits, Reply, Status};
use readstone_host::{Host, Policy, Root, Secrets, Stance};
use readstone_session::{MemoryShelf, MemoryStore, Room, Session};
use readstone_tools::Toolbox;
use serde_json::{Value, json};
use tempfile::TempDir;

/// What files are as old as unless a test says otherwise, in seconds since the epoch.
const OLD: u64 = 1_700_000_000;

pub(crate) struct Stand {
    files: TempDir,
    pub(crate) toolbox: Toolbox,
}

impl Stand {
    pub(crate) fn new() -> Self {
        Self::with(Limits::default(), Arc::new(Fixed(0)))
    }

    pub(crate) fn limited(limits: Limits) -> Self {
        Self::with(limits, Arc::new(Fixed(0)))
    }

    pub(crate) fn with(limits: Limits, clock: Arc<dyn Clock>) -> Self {
        let files = TempDir::with_prefix("readstone-find-").expect("a temporary directory");
        let root = Root::open(files.path(), Path::new("")).expect("the directory just made");
        let secrets = Secrets::new(Stance::Deny, &[]).expect("no rules");
        let policy = Policy::below(vec![root], secrets);
        let shelf = Arc::new(MemoryShelf::new(limits.shelf_bytes));
        let session = Session::new(String::new(), Arc::<MemoryStore>::default(), Room::of(&limits), shelf);
        let host = Host::new(policy, Some(files.path().join("home")), limits.spool_bytes);
        Self { files, toolbox: Toolbox::new(host, session, limits, clock) }
    }

    pub(crate) fn path(&self) -> &Path {
        self.files.path()
    }

    /// Makes empty files, all of one time.
    pub(crate) fn files(&self, names: &[&str]) {
        for name in names {
            self.file(name.as_bytes(), 0);
        }
    }

    /// Makes a file that is so many seconds younger than others.
    pub(crate) fn file(&self, name: &[u8], younger: u64) {
        let path = self.path().join(OsStr::from_bytes(name));
        std::fs::create_dir_all(path.parent().unwrap()).expect("a directory");
        std::fs::write(&path, b"").expect("a file");
        age(&path, younger);
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).expect("a directory");
        std::fs::write(&path, text).expect("a file");
        path
    }

    pub(crate) fn call(&self, input: Value) -> Reply {
        self.toolbox.take("find", input, &self.toolbox.budget())
    }

    /// What a call comes to that must succeed.
    pub(crate) fn found(&self, input: Value) -> Found {
        let reply = self.call(input);
        assert_eq!(reply.status, Status::Ok, "{}", reply.text());
        reply.receipt.found.expect("what was found")
    }

    /// The paths of a call, in the order of their names.
    pub(crate) fn sorted(&self, input: Value) -> Vec<String> {
        let mut paths = self.found(input).paths;
        paths.sort();
        paths
    }

    /// The paths that entries lead to, in the order of their names; directories among them are left out.
    pub(crate) fn all(&self, entries: &[&str]) -> Vec<String> {
        self.sorted(json!({ "paths": entries })).into_iter().filter(|path| !path.ends_with('/')).collect()
    }

    /// The code and the words of a call that must fail.
    pub(crate) fn refused(&self, input: Value) -> String {
        let reply = self.call(input);
        assert!(matches!(reply.status, Status::Error(_)), "{}", reply.text());
        reply.text()
    }
}

/// Sets the time of a file or directory.
pub(crate) fn age(path: &Path, younger: u64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(OLD + younger);
    std::fs::File::open(path).and_then(|file| file.set_modified(time)).expect("a time");
}

pub(crate) fn exactly(found: &Found) -> u64 {
    assert!(matches!(found.total, Count::Exactly(_)), "{:?}", found.total);
    found.total.number()
}
