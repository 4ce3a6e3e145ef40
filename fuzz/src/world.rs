//! A world of one file: its bytes, small limits, and what was found out about it.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use readstone_base::{
    Blob, Budget, Class, Clock, Fault, Fixed, Hear, Identity, Limits, Memory, Span, Spoiled, Stamp, Task, TreeRow, Workshop,
};
use readstone_formats::Standard;
use readstone_session::MemoryShelf;
use readstone_source::{
    Alone, Beyond, Content, Entered, Formats as _, Judge, Opening, Pictures, Piece, Reached, TableRow, Take,
};

/// So many containers are entered, one in another.
const LEVELS: usize = 4;

/// One file and what was found out about it.
pub struct World {
    /// The file.
    pub piece: Piece,
    /// The limits in force.
    pub limits: Limits,
    budget: Budget,
    shelf: MemoryShelf,
    works: Arc<dyn Workshop>,
}

/// What an address led to.
pub enum Got {
    /// Bytes, and what is left of the address.
    Bytes(Piece, Option<String>),
    /// Something that is shown as it is.
    Content(Box<Reached>),
    /// The bytes of a container.
    Itself,
}

impl World {
    /// A world of a file with this name, with limits that keep an input from taking long.
    pub fn new(name: &str, bytes: &[u8]) -> Self {
        let identity = Identity { device: 1, inode: 2 };
        let stamp = Stamp { identity, size: bytes.len() as u64, modified: 3, changed: 4 };
        let limits = Limits {
            unpack_bytes: 1 << 20,
            unpack_memory: 8 << 20,
            shelf_bytes: 4 << 20,
            value_bytes: 1 << 16,
            query_memory: 4 << 20,
            count_rows: 1_000,
            archive_entries: 1_000,
            ..Limits::default()
        };
        let blob: Arc<dyn Blob> = Arc::new(Memory::new(bytes.to_vec()));
        Self {
            piece: Piece {
                blob,
                path: name.to_owned(),
                name: name.to_owned(),
                stamp: Some(stamp),
                beside: Arc::new(Alone),
            },
            budget: Budget::new(Arc::new(Fixed(0)), None),
            shelf: MemoryShelf::new(limits.shelf_bytes),
            works: Arc::new(Here),
            limits,
        }
    }

    /// The same with a time that ends, however long a step of it takes.
    #[must_use]
    pub fn within(mut self, steps: u64) -> Self {
        self.budget = Budget::new(Arc::new(Ticking::default()), Some(Duration::from_millis(steps)));
        self
    }

    /// The budget of its calls.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// What a container is opened with.
    pub fn opening(&self) -> Opening<'_> {
        Opening {
            limits: &self.limits,
            budget: &self.budget,
            shelf: &self.shelf,
            formats: &Standard,
            judge: &Anything,
            works: &self.works,
            pictures: Pictures::Described,
            beyond: Beyond::nothing(),
        }
    }

    /// What a tail leads to, through whatever it holds. A failure is never our mistake.
    pub fn enter(&self, tail: Option<&str>) -> Result<Got, Fault> {
        let got = self.follow(tail);
        if let Err(fault) = &got {
            assert_ne!(fault.class(), Class::Bug, "{tail:?}: {fault}");
            assert!(fault.next().len() <= 3, "{tail:?}: {fault}");
        }
        got
    }

    fn follow(&self, tail: Option<&str>) -> Result<Got, Fault> {
        let opening = self.opening();
        let (mut piece, mut rest) = (self.piece.clone(), tail.map(str::to_owned));
        for _ in 0..LEVELS {
            let Some(container) = Standard.container(&piece, rest.as_deref(), &opening)? else { break };
            match container.enter(rest.as_deref(), &opening)? {
                Entered::Piece { piece: inner, rest: left, .. } => (piece, rest) = (inner, left),
                Entered::Content(reached) => return Ok(Got::Content(reached)),
                Entered::Itself => return Ok(Got::Itself),
            }
        }
        Ok(Got::Bytes(piece, rest))
    }

    /// What a tail leads to, in a form that can be compared: bytes up to a million, rows, or why there is nothing.
    pub fn seen(&self, tail: Option<&str>) -> Seen {
        match self.enter(tail) {
            Err(fault) => Seen::Nothing(fault.code().to_owned()),
            Ok(Got::Itself) => Seen::Itself,
            Ok(Got::Bytes(piece, rest)) => match all(&*piece.blob) {
                Ok(bytes) => Seen::Bytes(bytes, rest),
                Err((bytes, error)) => {
                    let fault = readstone_formats::unreadable(&piece.path, error);
                    assert_ne!(fault.class(), Class::Bug, "{tail:?}: {fault}");
                    Seen::Broken(bytes.len(), fault.code().to_owned())
                }
            },
            Ok(Got::Content(reached)) => self.content(&reached),
        }
    }

    fn content(&self, reached: &Reached) -> Seen {
        match &reached.content {
            Content::Listing(listing) => match listing.rows(Span::new(1, 100), &self.budget) {
                Ok(rows) => Seen::Rows(rows.iter().map(|row: &TreeRow| format!("{row:?}")).collect()),
                Err(fault) => Seen::Nothing(fault.code().to_owned()),
            },
            Content::Table(table) => {
                let mut taken = Taken::default();
                match table.pull(&mut taken, &self.budget) {
                    Ok(more) => Seen::Rows([taken.0, vec![format!("more: {more}")]].concat()),
                    Err(fault) => Seen::Nothing(fault.code().to_owned()),
                }
            }
            Content::Converted(made) => Seen::Bytes(made.text.to_vec(), reached.rest.clone()),
            Content::Document(document) => Seen::Rows(vec![document.count().to_string()]),
            Content::Picture => Seen::Itself,
        }
    }
}

/// What an address led to, to be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// These bytes.
    Bytes(Vec<u8>, Option<String>),
    /// So many bytes, and then the failure with this code.
    Broken(usize, String),
    /// These rows.
    Rows(Vec<String>),
    /// The bytes of a container.
    Itself,
    /// The failure with this code.
    Nothing(String),
}

/// Rows of a table, up to a hundred.
#[derive(Default)]
struct Taken(Vec<String>);

impl Take for Taken {
    fn columns(&mut self, names: &[String]) {
        assert!(self.0.is_empty(), "the names of columns come first");
        self.0.push(format!("{names:?}"));
    }

    fn row(&mut self, row: &TableRow) -> bool {
        self.0.push(format!("{row:?}"));
        self.0.len() < 100
    }
}

/// All bytes of a blob in order, a million at most; what came before an error comes with it.
pub fn all(blob: &dyn Blob) -> Result<Vec<u8>, (Vec<u8>, io::Error)> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; 64 * 1024];
    while bytes.len() < 1_000_000 {
        match blob.read_at(bytes.len() as u64, &mut buffer) {
            Ok(0) => break,
            Ok(count) => bytes.extend_from_slice(buffer.get(..count).expect("no more than asked for")),
            Err(error) => return Err((bytes, error)),
        }
    }
    Ok(bytes)
}

/// Allows everything.
struct Anything;

impl Judge for Anything {
    fn denies(&self, _: &Path) -> Option<String> {
        None
    }
}

/// Does the work at once and in this thread, so that what breaks is seen.
#[derive(Debug)]
struct Here;

impl Workshop for Here {
    fn work(&self, task: &Task<'_>, budget: &Budget) -> Result<Vec<u8>, Spoiled> {
        budget.check_heavy().map_err(Spoiled::Stopped)?;
        readstone_formats::work(task.what, task.ask, &task.lend).map_err(Spoiled::Crashed)
    }

    // Parts of an answer need a thread that makes them and one that takes them.
    fn stream(&self, task: &Task<'_>, hear: Hear<'_>, budget: &Budget) -> Result<Vec<u8>, Spoiled> {
        readstone_formats::InPlace.stream(task, hear, budget)
    }

    fn is_apart(&self) -> bool {
        false
    }
}

/// A clock on which a millisecond passes whenever it is looked at, so that time runs out after the same steps each time.
#[derive(Debug, Default)]
struct Ticking(AtomicU64);

impl Clock for Ticking {
    fn wall(&self) -> i64 {
        0
    }

    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}
