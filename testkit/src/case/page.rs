//! A page: prose with tagged blocks, and how a block is replaced in it.

use std::path::{Path, PathBuf};

/// A case file, taken apart.
#[derive(Debug)]
pub(super) struct Page {
    /// Where it stands.
    pub(super) file: PathBuf,
    lines: Vec<String>,
    /// Its blocks, in order.
    pub(super) blocks: Vec<Block>,
}

/// A fenced block.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// The number of the line with the opening fence.
    pub(super) line: usize,
    /// The number of the line with the closing fence.
    end: usize,
    /// What the block is.
    pub(super) tag: Tag,
    /// What stands behind the tag.
    pub(super) argument: String,
    /// The lines between the fences, each with its end.
    pub(super) body: String,
}

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    File,
    Site,
    Make,
    Config,
    Call,
    Reply,
    Receipt,
    Fails,
    Tree,
    /// The bytes of a file.
    Holds,
    /// Paths that are not there.
    Gone,
    /// An illustration that is not run.
    Text,
}

impl Tag {
    fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "file" => Self::File,
            "site" => Self::Site,
            "make" => Self::Make,
            "config" => Self::Config,
            "call" => Self::Call,
            "reply" => Self::Reply,
            "receipt" => Self::Receipt,
            "fails" => Self::Fails,
            "tree" => Self::Tree,
            "holds" => Self::Holds,
            "gone" => Self::Gone,
            "text" => Self::Text,
            _ => return None,
        })
    }

    fn word(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Site => "site",
            Self::Make => "make",
            Self::Config => "config",
            Self::Call => "call",
            Self::Reply => "reply",
            Self::Receipt => "receipt",
            Self::Fails => "fails",
            Self::Tree => "tree",
            Self::Holds => "holds",
            Self::Gone => "gone",
            Self::Text => "text",
        }
    }
}

impl Page {
    /// Takes a case file apart; an unknown tag or an open fence is an error.
    pub(super) fn parse(file: &Path, text: &str) -> Result<Self, String> {
        let lines: Vec<String> = text.split_terminator('\n').map(str::to_owned).collect();
        let mut page = Self { file: file.to_owned(), lines, blocks: Vec::new() };
        let mut rows = page.lines.iter().enumerate();
        while let Some((at, line)) = rows.next() {
            let Some((fence, info)) = fence(line) else {
                continue;
            };
            let (word, argument) = info.split_once(' ').unwrap_or((info, ""));
            let tag = Tag::parse(word).ok_or_else(|| page.complaint(at + 1, &format!("there is no block {word:?}")))?;
            let mut body = String::new();
            let end = loop {
                let Some((at, line)) = rows.next() else {
                    return Err(page.complaint(at + 1, "the block has no end"));
                };
                if line == fence {
                    break at + 1;
                }
                body.push_str(line);
                body.push('\n');
            };
            page.blocks.push(Block { line: at + 1, end, tag, argument: argument.trim().to_owned(), body });
        }
        page.blocks.windows(2).try_for_each(|pair| page.looks_at(pair))?;
        let last = page.blocks.last().into_iter().cloned().collect::<Vec<_>>();
        page.looks_at(&last)?;
        Ok(page)
    }

    /// A call that nobody looks at proves nothing.
    fn looks_at(&self, blocks: &[Block]) -> Result<(), String> {
        let judges = [Tag::Reply, Tag::Fails, Tag::Receipt, Tag::Tree, Tag::Holds, Tag::Gone];
        match blocks {
            [call, after, ..] if call.tag == Tag::Call && judges.contains(&after.tag) => Ok(()),
            [call, ..] if call.tag == Tag::Call => Err(self.complaint(call.line, "nothing looks at this call")),
            _ => Ok(()),
        }
    }

    /// A message that names the file and the line it is about.
    pub(super) fn complaint(&self, line: usize, what: &str) -> String {
        format!("{}:{line}: {what}", self.file.display())
    }

    /// The text of the page with some blocks replaced, given in order.
    pub(super) fn with(&self, replacements: &[Block]) -> String {
        let mut text = String::new();
        let mut kept = 0;
        for block in replacements {
            push_lines(&mut text, self.lines.get(kept..block.line - 1).unwrap_or_default());
            let fence = fence_around(&block.body);
            let space = if block.argument.is_empty() { "" } else { " " };
            let pieces = [&fence, block.tag.word(), space, &block.argument, "\n", &block.body, &fence, "\n"];
            text.extend(pieces);
            kept = block.end;
        }
        push_lines(&mut text, self.lines.get(kept..).unwrap_or_default());
        text
    }
}

fn push_lines(text: &mut String, lines: &[String]) {
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
}

/// An opening fence and what stands behind it.
fn fence(line: &str) -> Option<(&str, &str)> {
    let info = line.trim_start_matches('`');
    let fence = line.get(..line.len() - info.len())?;
    (fence.len() >= 3).then(|| (fence, info.trim()))
}

/// A fence longer than any that begins a line of the body.
fn fence_around(body: &str) -> String {
    let longest = body.lines().filter_map(fence).map(|(fence, _)| fence.len()).max().unwrap_or(2);
    "`".repeat(longest + 1)
}
