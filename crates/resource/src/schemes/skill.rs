//! `skill://`: skills of the project and of the user.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_address::Reading;
use readstone_base::{Fault, escape_name};
use readstone_host::{EntryKind, Object, Opened};
use readstone_source::{Finding, Nature, Opening, Scheme, Sourced};

use crate::asked::Asked;
use crate::folder::{Folder, Ground, Grounds, Step, is_directory, is_file, is_hidden, stem_of};
use crate::front;
use crate::list::{List, MOST_ROWS};
use crate::near::missing;
use crate::places::Guarded;

/// Where the working root and the home directory keep skills.
const USUAL: [&str; 8] = [
    ".readstone/skills",
    ".claude/skills",
    ".agents/skills",
    ".codex/skills",
    ".github/skills",
    ".cursor/skills",
    ".opencode/skills",
    ".gemini/skills",
];
/// Where else the user keeps skills.
const FURTHER: [&str; 2] = [".config/agents/skills", ".config/opencode/skills"];
/// What the text of a skill is called.
const TEXTS: [&str; 2] = ["SKILL.md", "skill.md"];
/// Bytes of a skill that are read for its description.
const HEAD: u64 = 8 * 1024;
/// Skills that are described in a list.
const MOST_DESCRIBED: usize = MOST_ROWS;

/// Skills of the project and of the user.
#[derive(Debug)]
pub(super) struct Skill {
    pub(super) places: Arc<Guarded>,
}

impl Scheme for Skill {
    fn name(&self) -> &'static str {
        "skill"
    }

    fn form(&self) -> &'static str {
        "skill://[NAME[/PATH]]"
    }

    fn open(&self, rest: &str, reading: &Reading, opening: &Opening<'_>) -> Result<Sourced, Fault> {
        let asked = Asked::of(self, rest, reading);
        if asked.path.is_empty() {
            return self.list(&asked, opening);
        }
        let (name, inner) = match asked.path.split_once('/') {
            Some((name, inner)) => (name, Some(inner)),
            None => (asked.path, None),
        };
        let names = asked.names(name)?;
        let grounds = Grounds::new(&self.places, &asked, opening);
        for ground in grounds_of(&self.places) {
            for own in &names {
                if let Some(found) = within(&grounds, &ground, own, (&asked, name, inner), opening)? {
                    return Ok(found);
                }
            }
        }
        let known = |grounds: &Grounds<'_>| self.all(grounds, opening).into_keys().collect();
        Err(grounds.nothing(|grounds| missing(&asked, name, || known(grounds))))
    }
}

/// A skill in one ground: its text, or what lies beside that. `wanted` is what is asked for, the skill's name as it was
/// spelled, and the path in it.
fn within(
    grounds: &Grounds<'_>,
    ground: &Ground,
    own: &Path,
    wanted: (&Asked<'_>, &str, Option<&str>),
    opening: &Opening<'_>,
) -> Result<Option<Sourced>, Fault> {
    let (asked, name, inner) = wanted;
    let skill = text_of(grounds.inside(ground, own), opening).map_err(|error| asked.refused(error));
    if let Some((skill, text)) = grounds.pass(skill)? {
        let before = format!("{name}/");
        let inner = inner.unwrap_or(text);
        if inner.is_empty() {
            let opened = skill.open(Path::new(""), opening).map_err(|error| asked.refused(error))?;
            return Ok(Some(asked.found(&before, Finding::Opened(opened), Nature::Fixed)));
        }
        let nature = if inner == text { Nature::Whole } else { Nature::Fixed };
        let step = Step { before: &before, path: inner.trim_end_matches('/'), endings: &[], nature };
        return skill.follow(asked, &step, opening).map(Some);
    }
    // A skill of one file has nothing beside it.
    let Some(folder) = grounds.folder(ground).filter(|_| inner.is_none()) else {
        return Ok(None);
    };
    let stem = name.strip_suffix(".md").unwrap_or(name);
    let path = format!("{stem}.md");
    grounds.pass(folder.find(asked, &Step { before: "", path: &path, endings: &[], nature: Nature::Whole }, opening))
}

/// A folder that is a skill, with the name of its text.
fn text_of(
    folder: Option<Folder>,
    opening: &Opening<'_>,
) -> Result<Option<(Folder, &'static str)>, readstone_host::Error> {
    let Some(folder) = folder else {
        return Ok(None);
    };
    for text in TEXTS {
        match folder.open(Path::new(text), opening) {
            Ok(Opened { object: Object::File { .. }, .. }) => return Ok(Some((folder, text))),
            Ok(Opened { object: Object::Directory(_), .. }) => {}
            Err(error) if error.is_missing() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// Where skills are looked for, in order.
fn grounds_of(places: &Guarded) -> Vec<Ground> {
    let configured = places.skills.iter().cloned().map(Ground::Own);
    let project = USUAL.iter().map(|path| Ground::Project(PathBuf::from(path)));
    let user = |path: &&str| Some(Ground::Own(places.home.as_ref()?.join(path)));
    configured.chain(project).chain(USUAL.iter().chain(&FURTHER).filter_map(user)).collect()
}

impl Skill {
    /// The skills there are by name, with what each is about.
    fn all(&self, grounds: &Grounds<'_>, opening: &Opening<'_>) -> BTreeMap<String, String> {
        let mut all = BTreeMap::new();
        for ground in grounds_of(&self.places) {
            let Some(folder) = grounds.folder(&ground) else { continue };
            for entry in folder.entries(Path::new(""), opening).iter().filter(|entry| !is_hidden(entry.name)) {
                if opening.budget.check().is_err() || all.len() >= MOST_DESCRIBED {
                    return all;
                }
                let own = (entry.name, entry.kind);
                if let Some((name, about)) = described((grounds, &ground, &folder), own, &all, opening) {
                    all.insert(name, about);
                }
            }
        }
        all
    }

    fn list(&self, asked: &Asked<'_>, opening: &Opening<'_>) -> Result<Sourced, Fault> {
        let mut list = List::or(
            "no skill in the usual folders of the project and the user, such as .claude/skills and ~/.claude/skills",
        );
        for (name, about) in self.all(&Grounds::new(&self.places, asked, opening), opening) {
            list.push(&asked.at(&name), &about);
        }
        list.ended_by(MOST_DESCRIBED);
        opening.budget.check().map_err(|_| super::late(asked))?;
        Ok(list.sourced(asked, ""))
    }
}

/// The name of the skill that an entry of a ground is, and what it is about; `None` when it is none, or one of its name
/// came before.
fn described(
    (grounds, ground, folder): (&Grounds<'_>, &Ground, &Folder),
    (file, kind): (&OsStr, EntryKind),
    all: &BTreeMap<String, String>,
    opening: &Opening<'_>,
) -> Option<(String, String)> {
    let flat = stem_of(file, &[".md"]).filter(|stem| is_file(kind) && *stem != "README");
    let name = escape_name(flat.unwrap_or(file));
    if all.contains_key(&name) {
        return None;
    }
    let page = if flat.is_some() {
        folder.head(Path::new(file), HEAD, opening)?
    } else if is_directory(kind) {
        // A root of its own is needed only where a link leads to the skill.
        let linked = kind == EntryKind::Link;
        let skill = if linked { grounds.inside(ground, Path::new(file)) } else { Some(folder.below(Path::new(file))) };
        let (skill, text) = text_of(skill, opening).ok()??;
        skill.head(Path::new(text), HEAD, opening)?
    } else {
        return None;
    };
    Some((name, front::about(&page)))
}
