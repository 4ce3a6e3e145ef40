//! Recipes: how a page makes what a block of text cannot say.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, Timespec, Timestamps};

use super::{escape, pack};
use crate::world::NOW;

/// What a page has made: where names lead, and how old everything is.
#[derive(Debug)]
pub(super) struct Ground {
    root: PathBuf,
    home: PathBuf,
    ages: BTreeMap<PathBuf, i64>,
}

/// The age of what a page makes without naming one: an hour.
const USUAL_AGE: i64 = 3_600;

impl Ground {
    pub(super) fn new(root: &Path, home: &Path) -> Self {
        Self { root: root.to_owned(), home: home.to_owned(), ages: BTreeMap::new() }
    }

    /// Makes a file, and the directories above it.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let path = self.room_for(name)?;
        fs::write(&path, bytes).map_err(|error| format!("{name}: {error}"))
    }

    /// Follows one recipe.
    pub(super) fn make(&mut self, recipe: &str) -> Result<(), String> {
        let (verb, rest) = recipe.split_once(' ').unwrap_or((recipe, ""));
        let (name, rest) = take_name(rest)?;
        let path = self.room_for(&name)?;
        let failed = |error: &dyn std::fmt::Display| format!("{recipe}: {error}");
        match verb {
            "text" => self.write(&name, &escape::bytes(rest)?),
            "append" => self.write(&name, &[read(&path)?, escape::bytes(rest)?].concat()),
            "repeat" => self.write(&name, &repeat(rest)?),
            "encode" => self.write(&name, &encode(rest)?),
            "dir" => fs::create_dir_all(&path).map_err(|error| failed(&error)),
            "link" => std::os::unix::fs::symlink(rest, &path).map_err(|error| failed(&error)),
            "hardlink" => fs::hard_link(self.place_of(rest), &path).map_err(|error| failed(&error)),
            "mode" => {
                let mode =
                    u32::from_str_radix(rest.trim(), 8).map_err(|_| format!("{recipe}: the mode is not octal"))?;
                fs::set_permissions(&path, fs::Permissions::from_mode(mode)).map_err(|error| failed(&error))
            }
            "remove" => fs::remove_file(&path).map_err(|error| failed(&error)),
            "fifo" => rustix::fs::mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)
                .map_err(|error| failed(&error)),
            "pack" => {
                let files: Vec<String> = rest.split_whitespace().map(str::to_owned).collect();
                self.write(&name, &pack::pack(&self.root, &name, &files).map_err(|error| failed(&error))?)
            }
            "sql" => pack::query(&path, rest),
            "age" => {
                let seconds = rest.trim().parse().map_err(|_| format!("{recipe}: the age is no number of seconds"))?;
                self.ages.insert(path, seconds);
                Ok(())
            }
            _ => Err(format!("there is no recipe {verb:?}")),
        }
    }

    /// Gives everything its age; what the page did not date is an hour old.
    pub(super) fn settle(&self) -> Result<(), String> {
        for path in everything(&self.root)? {
            let age = self.ages.get(&path).copied().unwrap_or(USUAL_AGE);
            let then = Timespec { tv_sec: NOW - age, tv_nsec: 0 };
            let times = Timestamps { last_access: then, last_modification: then };
            rustix::fs::utimensat(CWD, &path, &times, AtFlags::SYMLINK_NOFOLLOW)
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(())
    }

    /// Where a name leads.
    pub(super) fn place_of(&self, name: &str) -> PathBuf {
        match name.strip_prefix("~/") {
            Some(inside) => self.home.join(inside),
            None => self.root.join(name),
        }
    }

    /// Where a name leads, with the directories above it made.
    fn room_for(&self, name: &str) -> Result<PathBuf, String> {
        let path = self.place_of(name);
        let parent = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(parent).map_err(|error| format!("{name}: {error}"))?;
        Ok(path)
    }
}

/// Every path below a directory, in order, without following links.
pub(super) fn everything(root: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", root.display());
    let mut found = Vec::new();
    #[expect(clippy::disallowed_methods, reason = "the test kit looks at its own directory")]
    for entry in fs::read_dir(root).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.file_type().map_err(failed)?.is_dir() {
            found.extend(everything(&entry.path())?);
        }
        found.push(entry.path());
    }
    found.sort();
    Ok(found)
}

/// The bytes of a file that a page made.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, String> {
    #[expect(clippy::disallowed_methods, reason = "the test kit looks at its own directory")]
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// A name, in quotes when it holds a blank, and what follows it.
fn take_name(rest: &str) -> Result<(String, &str), String> {
    let (name, rest) = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').map(|(name, rest)| (name, rest.trim_start_matches(' '))),
        None => Some(rest.split_once(' ').unwrap_or((rest, ""))),
    }
    .ok_or("the name's quote is not closed")?;
    let name = String::from_utf8(escape::bytes(name)?).map_err(|_| "the name is not UTF-8")?;
    if name.is_empty() { Err("a recipe needs a name".to_owned()) } else { Ok((name, rest)) }
}

/// `COUNT TEXT`: the text so many times, with `{n}` counting from 1.
fn repeat(rest: &str) -> Result<Vec<u8>, String> {
    let (count, text) = rest.split_once(' ').ok_or("repeat needs a count and a text")?;
    let count: u64 = count.parse().map_err(|_| format!("{count:?} is no count"))?;
    let text = String::from_utf8(escape::bytes(text)?).map_err(|_| "repeat takes text, not bytes")?;
    Ok((1..=count).flat_map(|number| text.replace("{n}", &number.to_string()).into_bytes()).collect())
}

/// `ENCODING TEXT`: the text in that encoding; a byte order mark is written as `\u{FEFF}`.
fn encode(rest: &str) -> Result<Vec<u8>, String> {
    let (name, text) = rest.split_once(' ').ok_or("encode needs an encoding and a text")?;
    let text = String::from_utf8(escape::bytes(text)?).map_err(|_| "encode takes text, not bytes")?;
    let units = || text.encode_utf16();
    Ok(match name {
        "utf-16le" => units().flat_map(u16::to_le_bytes).collect(),
        "utf-16be" => units().flat_map(u16::to_be_bytes).collect(),
        "utf-32le" => text.chars().flat_map(|character| u32::from(character).to_le_bytes()).collect(),
        "utf-32be" => text.chars().flat_map(|character| u32::from(character).to_be_bytes()).collect(),
        _ => {
            let encoding = encoding_rs::Encoding::for_label(name.as_bytes());
            let (bytes, _, lossy) = encoding.ok_or_else(|| format!("there is no encoding {name:?}"))?.encode(&text);
            if lossy { Err(format!("{name} has not every character of the text")) } else { Ok(bytes.into_owned()) }?
        }
    })
}
