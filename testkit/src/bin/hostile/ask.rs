//! Asks: single calls of a tool, as every surface is told them.

use readstone_testkit::Trap;
use serde_json::{Value, json};

/// The bytes of text that a page stays below, with what is said around it.
const PAGE: usize = 52_000;
/// The same where lines or a window are named, which may be more.
const WINDOW: usize = 300_000;
/// A pattern that finds the word of every fake secret, and is not that word, or a word that stands in some texts.
const SECRET: &str = "C[A]NARY|needle|stone|unfinished|uncommitted";

/// A call, and what it may cost.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) tool: &'static str,
    pub(crate) input: Value,
    /// What stands behind the tool on a command line.
    pub(crate) words: Vec<String>,
    pub(crate) seconds: u64,
    pub(crate) megabytes: u64,
    /// Bytes that the text of the reply stays below.
    pub(crate) bytes: usize,
    /// What may come of it, if that is said: codes, or `ok`.
    pub(crate) wants: &'static [&'static str],
    /// Whether it takes so long that two surfaces are enough.
    pub(crate) is_long: bool,
}

impl Ask {
    /// All that is asked about a trap.
    pub(crate) fn of(trap: &Trap) -> Vec<Self> {
        let bounded = |ask: Self| Self { seconds: trap.seconds, megabytes: trap.megabytes, ..ask };
        let read = |behind: &&str| Self { bytes: WINDOW, ..Self::read(format!("{}{behind}", trap.name)) };
        let plain = Self { wants: trap.wants, ..Self::read(trap.name.to_owned()) };
        let verbatim = [":raw", ":hex"].map(|behind| Self::read(format!("{}{behind}", trap.name)));
        let search = Self { seconds: trap.search_seconds, ..Self::search(SECRET, trap.name) };
        let search = Self { is_long: trap.search_seconds > trap.seconds, ..search };
        let reads = std::iter::once(plain).chain(verbatim).chain(trap.asks.iter().map(read));
        let calls = reads.chain([Self::find(trap.name)]).map(bounded);
        calls.chain([Self { megabytes: trap.megabytes, ..search }]).collect()
    }

    /// What is asked about all traps together.
    pub(crate) fn of_everything() -> Vec<Self> {
        let many = |text: &str, times| text.repeat(times);
        let read = |address: String| Self::read(address);
        let mut asks = vec![
            read(".".to_owned()),
            read("x/".repeat(3_000)),
            read("n".repeat(256)),
            read("nothing-like-it".to_owned()),
            Self::find("."),
            Self::find("**/*.txt"),
            Self::search(SECRET, "."),
            Self::search("(x+)+$", "huge/oneline_6m.txt"),
            Self::search("(.*)*b", "huge/oneline_6m.txt"),
        ];
        for directory in ["paths", "special", "text", "archive", "sqlite", "docs", "img", "secrets", "huge", "deep"] {
            asks.extend([read(directory.to_owned()), Self::find(directory), Self::search(SECRET, directory)]);
        }
        for pattern in [".", "^", "(a{1000}){1000}", r"\pL{5000}", r"\x{1b}|\x00"] {
            asks.push(Self::search(pattern, "text"));
        }
        for glob in ["**/**/**/**/**/x".to_owned(), many("*?", 200), many("{a,b}", 30), "{1..1000000000}".to_owned()] {
            asks.extend([Self::find(&glob), Self::search("x", &glob)]);
        }
        // Everything together is as long as a call may be.
        asks.into_iter().map(|ask| Self { seconds: 20, ..ask }).collect()
    }

    fn read(address: String) -> Self {
        let input = json!({ "path": address });
        Self::new("read", input, vec![address])
    }

    fn find(path: &str) -> Self {
        Self::new("find", json!({ "paths": [path] }), vec![path.to_owned()])
    }

    fn search(pattern: &str, path: &str) -> Self {
        let input = json!({ "pattern": pattern, "paths": [path] });
        Self::new("search", input, vec![pattern.to_owned(), path.to_owned()])
    }

    fn new(tool: &'static str, input: Value, words: Vec<String>) -> Self {
        Self { tool, input, words, seconds: 5, megabytes: 64, bytes: PAGE, wants: &[], is_long: false }
    }

    /// Whether text is asked for as it is.
    pub(crate) fn is_verbatim(&self) -> bool {
        self.tool == "read" && self.words.iter().any(|word| word.ends_with(":raw"))
    }
}

impl std::fmt::Display for Ask {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}", self.tool)?;
        self.words.iter().try_for_each(|word| write!(formatter, " {:.120}", word.escape_debug().to_string()))
    }
}
