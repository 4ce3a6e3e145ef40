//! Calls of a soak: what is asked for, and what must come.

use serde_json::{Value, json};

/// A call and what its answer must hold.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The tool.
    pub(crate) tool: &'static str,
    /// Its input.
    pub(crate) input: Value,
    /// Words that must stand in the answer.
    pub(crate) expects: &'static str,
}

/// Numbers that look like chance and are the same in every run.
#[derive(Clone, Debug)]
pub(crate) struct Chance(u64);

/// Reads, and what must come.
const READS: [(&str, &str); 20] = [
    ("small.txt", "line 7"),
    ("small.txt:3-4", "line 3"),
    ("small.txt:raw", "line 7"),
    ("small.txt:hex", "6c 69 6e 65"),
    ("large.log:-20", "entry 399999"),
    ("large.log:350000-350010", "entry 350005"),
    ("large.log:b5000000+4096", "entry"),
    ("code.rs:outline", "function_12"),
    ("code.rs:@function_7", "function_7"),
    (".", "small.txt"),
    ("tree", "d3"),
    ("pack.zip", "inner.txt"),
    ("pack.zip:inner.txt", "inside the archive"),
    ("pack.tar.gz:deep/notes.txt", "inside the tar"),
    ("shop.db:items:40", "item 40"),
    ("shop.db?q=SELECT count(*) AS many FROM items", "1000"),
    ("letter.docx", "Dear reader"),
    ("dot.png", "png"),
    ("small", "small.txt"),
    ("nothing-like-this.txt", "not_found"),
];
/// Calls that would go on for long: those that are cancelled or left.
const LONG: [&str; 3] = [
    "shop.db?q=WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM n) SELECT max(x) FROM n",
    "large.log:399000-",
    "large.log:^390000",
];

impl Call {
    /// Some call that ends soon.
    pub(crate) fn quick(chance: &mut Chance, number: usize) -> Self {
        match chance.below(10) {
            0 => Self { tool: "find", input: json!({ "paths": ["tree/**/*.txt"] }), expects: "f1.txt" },
            1 => Self { tool: "search", input: json!({ "pattern": "needle", "paths": ["tree"] }), expects: "needle" },
            2 => {
                let (path, text) = (format!("made/{}.txt", number % 50), format!("call {number}\n"));
                Self { tool: "write", input: json!({ "path": path, "content": text }), expects: "made/" }
            }
            _ => {
                let (path, expects) = chance.pick(&READS).copied().unwrap_or_default();
                Self { tool: "read", input: json!({ "path": path }), expects }
            }
        }
    }

    /// Some call that would go on for long.
    pub(crate) fn long(chance: &mut Chance) -> Self {
        let path = chance.pick(&LONG).copied().unwrap_or_default();
        Self { tool: "read", input: json!({ "path": path }), expects: "" }
    }
}

impl Chance {
    /// Chance from a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below a bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap_or(0)
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }
}
