//! Trees to look through: many small files, and few large ones.

use std::fs;
use std::io;
use std::path::Path;

/// Words of which texts are made.
const WORDS: [&str; 32] = [
    "alpha", "beta", "gamma", "config", "parse", "index", "token", "stream", "buffer", "handler", "request",
    "response", "thread", "signal", "memory", "page", "cache", "offset", "range", "select", "value", "table", "query",
    "commit", "branch", "merge", "release", "server", "client", "socket", "walk", "delta",
];
/// Files of the lowest directories.
const FILES: usize = 10;

/// How much is made.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Directories on each of three levels.
    pub breadth: [usize; 3],
    /// Bytes of the largest file.
    pub most: usize,
}

/// 20,000 files in 2,000 directories, 80 MB in all.
pub const SMALL_FILES: Size = Size { breadth: [20, 10, 10], most: 8_000 };
/// Large files, and what each holds.
const LARGE: (usize, usize) = (60, 10_000_000);

/// Numbers that look like chance and are the same every time.
struct Chance(u64);

impl Chance {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % below
    }

    fn text(&mut self, bytes: usize) -> String {
        let mut text = String::with_capacity(bytes + 128);
        while text.len() < bytes {
            text.push_str(&"    ".repeat(self.next(4)));
            for _ in 0..=self.next(11) {
                text.push_str(WORDS.get(self.next(WORDS.len())).unwrap_or(&""));
                text.push(' ');
            }
            text.push_str(["{\n", "}\n", ";\n", "\n"].get(self.next(4)).unwrap_or(&"\n"));
        }
        text
    }
}

/// Many files in many directories; one in nine thousand, the 4,501st first, holds `needleInTheTree`.
pub fn many(root: &Path, size: Size) -> io::Result<()> {
    let mut chance = Chance(8);
    let texts: Vec<String> = (0..400)
        .map(|_| {
            let bytes = 200 + chance.next(size.most - 200);
            chance.text(bytes)
        })
        .collect();
    let [first, second, third] = size.breadth;
    let mut count = 0;
    for at in 0..first * second * third {
        let (one, two, three) = (at / (second * third), at / third % second, at % third);
        let directory = root.join(format!("mod{one:02}/part{two}/unit{three}"));
        fs::create_dir_all(&directory)?;
        for file in 0..FILES {
            let ending = ["rs", "ts", "py", "md", "txt"].get(chance.next(5)).copied().unwrap_or("rs");
            let needle = if count % 9_000 == 4_500 { "needleInTheTree\n" } else { "" };
            let text = texts.get(chance.next(texts.len())).map_or("", String::as_str);
            write(&directory.join(format!("file{file}.{ending}")), &format!("// {count}\n{text}{needle}"))?;
            count += 1;
        }
    }
    write(&root.join(".gitignore"), "*.log\ntarget/\n/build\n")?;
    fs::create_dir(root.join(".git"))
}

/// 600 MB in 60 files; one of them ends with `needleInTheTree`.
pub fn large(root: &Path) -> io::Result<()> {
    let (files, bytes) = LARGE;
    let mut chance = Chance(9);
    let texts: Vec<String> = (0..5).map(|_| chance.text(bytes / 5)).collect();
    fs::create_dir_all(root)?;
    for file in 0..files {
        let mut text: String = (0..5).filter_map(|at| texts.get((file + at) % 5)).map(String::as_str).collect();
        if file == files - 1 {
            text.push_str("needleInTheTree\n");
        }
        write(&root.join(format!("log{file:02}.txt")), &text)?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    use std::io::Write as _;
    fs::File::create(path)?.write_all(text.as_bytes())
}
