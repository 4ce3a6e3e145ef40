//! Traps: fixtures that want to do harm to whoever reads them, by the names that the rows of `docs/hostile.md` know.

#![expect(clippy::missing_panics_doc, reason = "a trap that cannot be set must stop the test")]

mod archives;
mod databases;
mod deep;
mod documents;
mod names;
mod paths;
mod pdfs;
mod pictures;
mod special;
mod tars;
mod text;

use std::path::Path;

/// A fixture, what is asked of it beside what is asked of all, and what it may cost.
#[derive(Clone, Copy, Debug)]
pub struct Trap {
    /// Where it lies below the root, which is the address by which it is read.
    pub name: &'static str,
    /// What else is asked for: what stands behind the name in an address.
    pub asks: &'static [&'static str],
    /// What may come of reading it: the codes of errors, or `ok`; anything that is documented where nothing stands here.
    pub wants: &'static [&'static str],
    /// Seconds within which every call ends.
    pub seconds: u64,
    /// Seconds within which a search in it ends.
    pub search_seconds: u64,
    /// Megabytes that a call may take more than one that reads next to nothing.
    pub megabytes: u64,
    set: Set,
}

/// How a trap is set.
#[derive(Clone, Copy, Debug)]
enum Set {
    /// It is a file of these bytes.
    Bytes(fn() -> Vec<u8>),
    /// It is made at its place.
    At(fn(&Path)),
    /// It is an address alone.
    Nothing,
}

/// Seconds within which a call ends, where nothing else is said.
const SOON: u64 = 5;
/// Seconds within which a call ends that takes all the time it has, which is 20 seconds.
const LATE: u64 = 21;
/// Megabytes that a call may take, where nothing else is said.
const SMALL: u64 = 64;

impl Trap {
    const fn new(name: &'static str, set: Set) -> Self {
        Self { name, asks: &[], wants: &[], seconds: SOON, search_seconds: SOON, megabytes: SMALL, set }
    }

    /// A file of these bytes.
    const fn of(name: &'static str, bytes: fn() -> Vec<u8>) -> Self {
        Self::new(name, Set::Bytes(bytes))
    }

    /// What this makes at the path that it is given.
    const fn at(name: &'static str, make: fn(&Path)) -> Self {
        Self::new(name, Set::At(make))
    }

    /// An address behind which nothing is put.
    const fn nothing(name: &'static str) -> Self {
        Self::new(name, Set::Nothing)
    }

    const fn asks(mut self, asks: &'static [&'static str]) -> Self {
        self.asks = asks;
        self
    }

    const fn wants(mut self, wants: &'static [&'static str]) -> Self {
        self.wants = wants;
        self
    }

    /// As much is unpacked of it as may be.
    const fn late(mut self) -> Self {
        self.seconds = LATE;
        self.search_seconds = LATE;
        self
    }

    /// A search in it takes all the time of a call.
    const fn long_search(mut self) -> Self {
        self.search_seconds = LATE;
        self
    }

    const fn megabytes(mut self, megabytes: u64) -> Self {
        self.megabytes = megabytes;
        self
    }

    /// All traps that are set side by side.
    pub fn all() -> Vec<Self> {
        let lists = [
            paths::TRAPS,
            names::TRAPS,
            special::TRAPS,
            text::TRAPS,
            archives::TRAPS,
            tars::TRAPS,
            databases::TRAPS,
            documents::TRAPS,
            deep::TRAPS,
            pdfs::TRAPS,
            pictures::TRAPS,
        ];
        lists.concat()
    }

    /// Traps so large that each is set alone and removed at once.
    pub fn large() -> Vec<Self> {
        special::LARGE.to_vec()
    }

    /// Whether it is something of its own, and not an address alone.
    pub fn is_there(&self) -> bool {
        !matches!(self.set, Set::Nothing)
    }

    /// Sets it below a root.
    #[expect(clippy::expect_used, reason = "a trap that cannot be set must stop the test")]
    pub fn set(&self, root: &Path) {
        let path = root.join(self.name);
        if let Some(parent) = path.parent().filter(|_| self.is_there()) {
            std::fs::create_dir_all(parent).expect("a directory for a trap");
        }
        self.put(&path);
    }

    /// Sets it at a place of another name.
    #[expect(clippy::expect_used, reason = "a trap that cannot be set must stop the test")]
    pub fn put(&self, path: &Path) {
        match self.set {
            Set::Bytes(bytes) => std::fs::write(path, bytes()).expect("the bytes of a trap"),
            Set::At(make) => make(path),
            Set::Nothing => {}
        }
    }

    /// The trap of this name.
    #[expect(clippy::expect_used, reason = "a test that names no trap must stop")]
    pub fn named(name: &str) -> Self {
        let mut all = Self::all().into_iter().chain(Self::large());
        all.find(|trap| trap.name == name).expect("a trap of this name")
    }

    /// The bytes of the trap of this name, which is a file.
    #[expect(clippy::panic, reason = "a test that asks for the bytes of something else must stop")]
    pub fn bytes(name: &str) -> Vec<u8> {
        match Self::named(name).set {
            Set::Bytes(bytes) => bytes(),
            Set::At(_) | Set::Nothing => panic!("{name} is no file of bytes"),
        }
    }
}
