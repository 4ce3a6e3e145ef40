//! `rule://`: rules of the project and of the user.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_address::Reading;
use readstone_base::{Fault, escape_name};
use readstone_source::{Finding, Nature, Opening, Scheme, Sourced};

use crate::asked::Asked;
use crate::folder::{Folder, Ground, Grounds, Step, is_directory, is_file, is_hidden, stem_of};
use crate::front;
use crate::list::{List, MOST_ROWS};
use crate::near::missing;
use crate::places::Guarded;

/// Where a project keeps rules.
const PROJECT: [&str; 9] = [
    ".readstone/rules",
    ".claude/rules",
    ".agents/rules",
    ".cursor/rules",
    ".clinerules",
    ".windsurf/rules",
    ".github/instructions",
    ".roo/rules",
    ".continue/rules",
];
/// Where the user keeps rules.
const USER: [&str; 6] = [
    ".readstone/rules",
    ".claude/rules",
    ".agents/rules",
    ".cursor/rules",
    ".config/agents/rules",
    ".config/opencode/rules",
];
/// Files of a project that are rules, each under the name it has here.
const PROJECT_FILES: [(&str, &str); 8] = [
    ("AGENTS", "AGENTS.md"),
    ("CLAUDE", "CLAUDE.md"),
    ("CLAUDE.local", "CLAUDE.local.md"),
    ("GEMINI", "GEMINI.md"),
    (".cursorrules", ".cursorrules"),
    (".windsurfrules", ".windsurfrules"),
    (".clinerules", ".clinerules"),
    ("copilot-instructions", ".github/copilot-instructions.md"),
];
/// The same of the user.
const USER_FILES: [(&str, &str); 5] = [
    ("CLAUDE", ".claude/CLAUDE.md"),
    ("AGENTS", ".codex/AGENTS.md"),
    ("AGENTS", ".config/agents/AGENTS.md"),
    ("AGENTS", ".config/opencode/AGENTS.md"),
    ("GEMINI", ".gemini/GEMINI.md"),
];
/// How the names of rules end, the longest first.
const ENDINGS: [&str; 4] = [".instructions.md", ".mdc", ".md", ".txt"];
/// Bytes of a rule that are read for its description.
const HEAD: u64 = 8 * 1024;
/// Rules that are listed.
const MOST_LISTED: usize = MOST_ROWS;
/// Folders below a folder of rules that are looked into.
const DEPTH: usize = 3;

/// Rules of the project and of the user.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) places: Arc<Guarded>,
}

impl Scheme for Rule {
    fn name(&self) -> &'static str {
        "rule"
    }

    fn form(&self) -> &'static str {
        "rule://[NAME]"
    }

    fn open(&self, rest: &str, reading: &Reading, opening: &Opening<'_>) -> Result<Sourced, Fault> {
        let asked = Asked::of(self, rest, reading);
        let grounds = Grounds::new(&self.places, &asked, opening);
        let name = asked.path.trim_end_matches('/');
        if asked.path.is_empty() {
            return self.list(&asked, &grounds, opening);
        }
        asked.paths(asked.path)?;
        let step = Step { before: "", path: name, endings: &ENDINGS, nature: Nature::Whole };
        for folder in self.folders().iter().filter_map(|ground| grounds.folder(ground)) {
            if let Some(found) = grounds.pass(folder.find(&asked, &step, opening))? {
                return Ok(found);
            }
        }
        for file in self.files().iter().filter(|file| file.is_called(name)) {
            let Some(folder) = grounds.folder(&file.ground) else { continue };
            let opened = folder.first(&asked, [PathBuf::from(file.path)], opening);
            if let Some((_, opened)) = grounds.pass(opened)? {
                let shown = Path::new(file.path).file_name().and_then(|name| name.to_str()).unwrap_or(file.path);
                return Ok(asked.found(shown, Finding::Opened(opened), Nature::Whole));
            }
        }
        let known = |grounds: &Grounds<'_>| self.all(grounds, opening).into_keys().collect();
        Err(grounds.nothing(|grounds| missing(&asked, name, || known(grounds))))
    }
}

/// A file that is a rule by itself.
struct Single {
    ground: Ground,
    name: &'static str,
    path: &'static str,
}

impl Single {
    /// Whether it can be asked for so: by its name here, with or without the dot, or by that of its file.
    fn is_called(&self, asked: &str) -> bool {
        let file = self.path.rsplit('/').next().unwrap_or(self.path);
        [self.name, self.name.trim_start_matches('.'), file].iter().any(|name| name.eq_ignore_ascii_case(asked))
    }
}

impl Rule {
    /// The folders in which rules are looked for, in order.
    fn folders(&self) -> Vec<Ground> {
        let configured = self.places.rules.iter().cloned().map(Ground::Own);
        let project = PROJECT.iter().map(|path| Ground::Project(PathBuf::from(path)));
        let user = USER.iter().filter_map(|path| Some(Ground::Own(self.places.home.as_ref()?.join(path))));
        configured.chain(project).chain(user).collect()
    }

    /// The files that are rules by themselves, in order.
    fn files(&self) -> Vec<Single> {
        let project =
            PROJECT_FILES.iter().map(|(name, path)| Single { ground: Ground::Project(PathBuf::new()), name, path });
        let user = USER_FILES.iter().filter_map(|(name, path)| {
            let (folder, path) = path.rsplit_once('/')?;
            Some(Single { ground: Ground::Own(self.places.home.as_ref()?.join(folder)), name, path })
        });
        project.chain(user).collect()
    }

    /// The rules there are by name, with what each is about.
    fn all(&self, grounds: &Grounds<'_>, opening: &Opening<'_>) -> BTreeMap<String, String> {
        let mut all = BTreeMap::new();
        for folder in self.folders().iter().filter_map(|ground| grounds.folder(ground)) {
            gather(&folder, Path::new(""), DEPTH, &mut all, opening);
        }
        for file in self.files() {
            let Some(folder) = grounds.folder(&file.ground).filter(|_| !all.contains_key(file.name)) else { continue };
            if let Some(page) = folder.head(Path::new(file.path), HEAD, opening) {
                all.insert(file.name.to_owned(), about(&page));
            }
        }
        all
    }

    fn list(&self, asked: &Asked<'_>, grounds: &Grounds<'_>, opening: &Opening<'_>) -> Result<Sourced, Fault> {
        let mut list = List::or("no rule in the usual folders of the project and the user");
        for (name, about) in self.all(grounds, opening) {
            list.push(&asked.at(&name), &about);
        }
        list.ended_by(MOST_LISTED);
        opening.budget.check().map_err(|_| super::late(asked))?;
        Ok(list.sourced(asked, ""))
    }
}

/// The rules in a folder and in those below it.
fn gather(folder: &Folder, above: &Path, depth: usize, all: &mut BTreeMap<String, String>, opening: &Opening<'_>) {
    for entry in folder.entries(above, opening).iter().filter(|entry| !is_hidden(entry.name)) {
        if opening.budget.check().is_err() || all.len() >= MOST_LISTED {
            return;
        }
        let path = above.join(entry.name);
        let stem = stem_of(path.as_os_str(), &ENDINGS).map(escape_name).filter(|_| is_file(entry.kind));
        match stem {
            Some(stem) if !all.contains_key(&stem) => {
                if let Some(page) = folder.head(&path, HEAD, opening) {
                    all.insert(stem, about(&page));
                }
            }
            // Links to folders could lead in circles.
            None if depth > 0 && is_directory(entry.kind) && !is_file(entry.kind) => {
                gather(folder, &path, depth - 1, all, opening);
            }
            Some(_) | None => {}
        }
    }
}

/// What a rule is about, and for which files it is.
fn about(page: &str) -> String {
    let globs = ["globs", "applyTo", "paths"].iter().map(|key| front::value(page, key)).find(|globs| !globs.is_empty());
    let about = front::about(page);
    match globs {
        Some(globs) if about.is_empty() => format!("[{globs}]"),
        Some(globs) => format!("{about}  [{globs}]"),
        None => about,
    }
}
