//! A session with folders of its own, read as the program reads it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests are tests too")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use readstone_base::{Budget, Fault, Fixed, Limits, Note, Span, Spoiled, Task, TreeSize, Web, Workshop};
use readstone_formats::Standard;
use readstone_host::{Host, Policy, Secrets, Stance};
use readstone_resource::{Places, Router, standard};
use readstone_source::{Beyond, Body, Content, Drawer, Drawers, Fresh, Nature, Node, Opening, locate};
use tempfile::TempDir;

/// Nothing needs a worker.
#[derive(Debug)]
struct Bare;

impl Workshop for Bare {
    fn work(&self, _: &Task<'_>, _: &Budget) -> Result<Vec<u8>, Spoiled> {
        panic!("nothing here needs work")
    }
}

/// Keeps things by name.
#[derive(Default)]
pub(crate) struct Kept {
    name: String,
    things: Mutex<BTreeMap<(&'static str, String), Vec<u8>>>,
}

impl Drawers for Kept {
    fn session(&self) -> &str {
        &self.name
    }

    fn put(&self, drawer: Drawer, name: &str, bytes: &[u8]) {
        self.things.lock().unwrap().insert((drawer.name(), name.to_owned()), bytes.to_vec());
    }

    fn get(&self, drawer: Drawer, name: &str) -> Option<Vec<u8>> {
        self.things.lock().unwrap().get(&(drawer.name(), name.to_owned())).cloned()
    }

    fn add(&self, drawer: Drawer, bytes: &[u8]) -> Option<u64> {
        let number = self.names(drawer).len() as u64 + 1;
        self.put(drawer, &number.to_string(), bytes);
        Some(number)
    }

    fn names(&self, drawer: Drawer) -> Vec<String> {
        let things = self.things.lock().unwrap();
        things.keys().filter(|(kind, _)| *kind == drawer.name()).map(|(_, name)| name.clone()).collect()
    }
}

/// A world with a project, a home, a session, notes and vaults.
pub(crate) struct World {
    pub(crate) folder: TempDir,
    pub(crate) places: Places,
    pub(crate) kept: Kept,
    pub(crate) limits: Limits,
}

/// What a read showed.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) selector: String,
    pub(crate) editable: bool,
    pub(crate) whole: bool,
    pub(crate) notes: Vec<Note>,
    pub(crate) web: Option<Web>,
    /// The limit that cut it.
    pub(crate) cut: Option<&'static str>,
    /// Rows of a listing that are links, with where they lead.
    pub(crate) links: Vec<String>,
}

impl World {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["project", "home"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let below = |name: &str| folder.path().join(name);
        let places = Places {
            home: Some(below("home")),
            sessions: Some(below("sessions")),
            memory: Some(below("memory")),
            vaults: vec![("notes".to_owned(), below("vault")), ("Work Notes".to_owned(), below("gone"))],
            ..Places::of_project(below("project"))
        };
        let kept = Kept { name: "me / at work".to_owned(), ..Kept::default() };
        Self { folder, places, kept, limits: Limits::default() }
    }

    /// Writes a file below the folder of the world; `session/` is the folder of the session.
    pub(crate) fn with(self, path: &str, text: impl AsRef<[u8]>) -> Self {
        self.put(path, text);
        self
    }

    pub(crate) fn put(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        match path.strip_prefix("session/") {
            Some(inside) => self.places.session_folder(&self.kept).unwrap().join(inside),
            None => self.folder.path().join(path),
        }
    }

    pub(crate) fn link(&self, path: &str, target: impl AsRef<Path>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
    }

    pub(crate) fn read(&self, address: &str) -> Result<Seen, Fault> {
        self.read_by(&standard(&self.places), address)
    }

    pub(crate) fn read_by(&self, router: &Router, address: &str) -> Result<Seen, Fault> {
        let policy = Policy::anywhere(self.places.project.clone(), Secrets::new(Stance::Warn, &[]).unwrap());
        let host = Host::new(policy, None, 1_000_000);
        let budget = Budget::new(Arc::new(Fixed(0)), None);
        let works: Arc<dyn Workshop> = Arc::new(Bare);
        let opening = Opening {
            formats: &Standard,
            judge: &host,
            beyond: Beyond { sources: router, drawers: &self.kept, fresh: Fresh::Ask },
            ..Opening::bare(&self.limits, &budget, &works)
        };
        let node = locate(&host, address, &opening)?;
        let text = text(&node, &budget);
        let cut = if let Body::File { cut, .. } = &node.body { *cut } else { None };
        let links = links(&node, &budget);
        Ok(Seen {
            path: node.path,
            text,
            selector: node.selector.to_string(),
            editable: node.nature == Nature::Editable,
            whole: matches!(node.nature, Nature::Whole | Nature::Value),
            cut,
            links,
            notes: node.notes,
            web: node.web,
        })
    }

    pub(crate) fn text(&self, address: &str) -> String {
        match self.read(address) {
            Ok(seen) => seen.text,
            Err(fault) => panic!("{address}: {fault}"),
        }
    }

    /// The code, the words and the next addresses of a read that fails.
    pub(crate) fn fails(&self, address: &str) -> (String, String, Vec<String>) {
        match self.read(address) {
            Ok(seen) => panic!("{address}: {seen:?}"),
            Err(fault) => {
                let words = fault.to_string();
                assert!(!words.contains('\n') && words.len() < 2_000, "{words}");
                let next = fault.next().into_iter().map(|next| next.argument).collect();
                (fault.code().to_owned(), words, next)
            }
        }
    }

    pub(crate) fn code(&self, address: &str) -> String {
        self.fails(address).0
    }
}

fn text(node: &Node, budget: &Budget) -> String {
    match &node.body {
        Body::File { blob, .. } => {
            String::from_utf8_lossy(&blob.read_range(0, blob.len().unwrap()).unwrap()).into_owned()
        }
        Body::Directory(directory) => {
            let entries = directory.names(1_000, budget).unwrap();
            let mut names: Vec<_> = entries.iter().map(|entry| entry.name.to_string_lossy().into_owned()).collect();
            names.sort();
            names.join("\n")
        }
        Body::Content(Content::Converted(made)) => String::from_utf8(made.text.to_vec()).unwrap(),
        Body::Content(Content::Listing(listing)) => {
            let rows = listing.rows(Span::new(1, 1_000), budget).unwrap();
            let mut names: Vec<_> = rows.into_iter().map(|row| row.name).collect();
            names.sort();
            names.join("\n")
        }
        Body::Content(other) => panic!("{other:?}"),
    }
}

fn links(node: &Node, budget: &Budget) -> Vec<String> {
    let Body::Content(Content::Listing(listing)) = &node.body else { return Vec::new() };
    let rows = listing.rows(Span::new(1, 1_000), budget).unwrap();
    let link = |size| if let TreeSize::Link(target) = size { Some(target) } else { None };
    rows.into_iter().filter_map(|row| link(row.size)).collect()
}
