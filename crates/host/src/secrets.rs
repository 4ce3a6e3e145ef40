//! Files that hold secrets: which names they have, and what to do about them.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::hints::{Hints, Suspicion};

/// Names that usually hold keys and passwords. They stand one by one rather than in braces, so that hints can be taken
/// from them.
pub const DEFAULT_SECRETS: &[&str] = &[
    "**/.env",
    "**/.env.*",
    "**/.env~",
    "**/.envrc",
    "**/*.env",
    "**/id_rsa",
    "**/id_dsa",
    "**/id_ecdsa",
    "**/id_ecdsa_sk",
    "**/id_ed25519",
    "**/id_ed25519_sk",
    "**/*.key",
    "**/*.pem",
    "**/*.p12",
    "**/*.pfx",
    "**/*.jks",
    "**/*.keystore",
    "**/*.kdbx",
    "**/*.ppk",
    "**/.ssh/**",
    "**/.gnupg/**",
    "**/.aws/credentials",
    "**/.azure/*.json",
    "**/.config/gcloud/**",
    "**/.kube/config",
    "**/.docker/config.json",
    "**/.cargo/credentials",
    "**/.config/gh/hosts.yml",
    "**/.my.cnf",
    "**/.vault-token",
    "**/.netrc",
    "**/.pgpass",
    "**/.pypirc",
    "**/.npmrc",
    "**/.htpasswd",
    "**/.git-credentials",
    "**/credentials.json",
    "**/credentials.yml",
    "**/credentials.yaml",
    "**/credentials.toml",
    "**/secrets.json",
    "**/secrets.yml",
    "**/secrets.yaml",
    "**/secrets.toml",
    "/etc/shadow",
    "/etc/gshadow",
];

/// Those of the above that say nothing of a file which holds only certificates and public keys.
pub(crate) const KEY_FILES: [&str; 2] = ["**/*.key", "**/*.pem"];

/// Names that look like the above and hold nothing secret.
pub const HARMLESS: &[&str] =
    &["**/.env.{example,sample,template,dist,defaults}", "**/{example,sample}.env", "**/*.pub"];

/// Windows into running processes, which are never read.
const PROCESS: &[&str] = &[
    "/proc/*/{environ,mem,maps,smaps,smaps_rollup,numa_maps,auxv,cmdline,pagemap,stack,syscall}",
    "/proc/*/task/*/{environ,mem,maps,smaps,smaps_rollup,numa_maps,auxv,cmdline,pagemap,stack,syscall}",
    "/proc/*/{fd,fdinfo,map_files}/**",
    "/proc/*/task/*/{fd,fdinfo}/**",
    "/proc/{kcore,kmem,kallsyms,keys,key-users}",
    "/dev/fd/**",
];

/// What to do about a file that matches a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stance {
    /// Withhold it.
    Deny,
    /// Show it with a warning.
    Warn,
}

/// The rules for secrets.
#[derive(Debug)]
pub struct Secrets {
    usual: Rules,
    /// Those of the usual rules that the content of a file may lift.
    keys: Rules,
    harmless: Rules,
    process: Rules,
    /// What the operator withholds, whatever the stance.
    denied: Rules,
    stance: Stance,
}

/// What the rules may withhold in one directory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch<'a> {
    secrets: &'a Secrets,
    directory: &'a Path,
    /// Whether the directory itself is withheld, and so all that it holds.
    withheld: bool,
    suspicion: Suspicion,
}

impl Watch<'_> {
    /// The watch over a directory that is withheld itself.
    pub(crate) fn over_withheld(self) -> Self {
        Self { withheld: true, ..self }
    }

    /// The path of an entry that is called like a key.
    pub(crate) fn key_file(&self, name: &OsStr) -> Option<PathBuf> {
        let doubtful = !self.withheld && self.secrets.keys.hints.doubt(name.as_bytes());
        doubtful.then(|| self.directory.join(name))
    }

    /// Whether an entry of the directory may be named.
    pub(crate) fn may_name(&self, name: &OsStr) -> bool {
        let doubtful = match self.suspicion {
            Suspicion::All => true,
            Suspicion::Some => self.secrets.withholding().any(|rules| rules.hints.doubt(name.as_bytes())),
        };
        !self.withheld && (!doubtful || self.secrets.denies(&[&self.directory.join(name)]).is_none())
    }
}

/// Globs without regard to case. Most names are passed by after a look at the hints, so that most runs of the program
/// never pay for the automaton that judges the others.
#[derive(Debug)]
struct Rules {
    /// As they are told.
    globs: Vec<String>,
    /// As they are matched.
    patterns: Vec<String>,
    hints: Hints,
    set: OnceLock<Result<GlobSet, String>>,
}

impl Secrets {
    /// The usual rules with a stance, and further globs to withhold; the error names the glob that cannot be read.
    pub fn new(stance: Stance, deny: &[String]) -> Result<Self, String> {
        let rules = |globs: &[&str]| Rules::new(globs.iter().map(|glob| (*glob).to_owned()).collect());
        let patterns = deny.iter().map(|glob| at_any_depth(glob)).collect::<Result<_, String>>()?;
        let denied = Rules { globs: deny.to_vec(), ..Rules::new(patterns) };
        // What the operator wrote is judged now, the rest when it is needed.
        denied.set().map_err(Clone::clone)?;
        let usual: Vec<&str> = DEFAULT_SECRETS.iter().copied().filter(|glob| !KEY_FILES.contains(glob)).collect();
        let (usual, keys, harmless) = (rules(&usual), rules(&KEY_FILES), rules(HARMLESS));
        Ok(Self { usual, keys, harmless, process: rules(PROCESS), denied, stance })
    }

    /// The rules for which a file is withheld wherever it lies.
    fn withholding(&self) -> impl Iterator<Item = &Rules> {
        let usual = [&self.usual, &self.keys].into_iter().filter(|_| self.stance == Stance::Deny);
        std::iter::once(&self.denied).chain(usual)
    }

    /// What the rules may withhold in a directory, by its path without links.
    pub(crate) fn watch<'a>(&'a self, directory: &'a Path) -> Watch<'a> {
        let path = directory.as_os_str().as_bytes();
        let suspicious = |rules: &Rules| rules.hints.suspicion(path) == Suspicion::All;
        let all = is_system(directory) || directory.parent().is_none() || self.withholding().any(suspicious);
        let suspicion = if all { Suspicion::All } else { Suspicion::Some };
        Watch { secrets: self, directory, withheld: false, suspicion }
    }

    /// The rule that forbids a path, judged by every name it has.
    pub(crate) fn denies(&self, names: &[&Path]) -> Option<String> {
        let process = || names.iter().find_map(|name| self.process_rule(name));
        let usual = || if self.stance == Stance::Deny { self.usual(names) } else { None };
        names.iter().find_map(|name| self.denied.hit(name)).or_else(process).or_else(usual)
    }

    /// The rule that forbids a path as a window into a process.
    pub(crate) fn process_rule(&self, name: &Path) -> Option<String> {
        if is_system(name) { self.process.hit(name) } else { None }
    }

    /// The rule of which the caller is warned.
    pub(crate) fn warns(&self, names: &[&Path]) -> Option<String> {
        if self.stance == Stance::Deny {
            return None;
        }
        self.usual(names)
    }

    fn usual(&self, names: &[&Path]) -> Option<String> {
        let hit = |name: &&Path| self.usual.hit(name).or_else(|| self.keys.hit(name));
        names.iter().find_map(|name| hit(name).filter(|_| self.harmless.hit(name).is_none()))
    }

    /// Whether a name is that of a key file, which may hold nothing but what is public.
    pub(crate) fn is_key_file(&self, name: &Path) -> bool {
        self.keys.hit(name).is_some()
    }

    /// The rule that speaks of a path, key files left aside.
    pub(crate) fn speaks(&self, names: &[&Path]) -> bool {
        let hit =
            |name: &&Path| self.denied.hit(name).or_else(|| self.process_rule(name)).or_else(|| self.usual.hit(name));
        names.iter().any(|name| hit(name).is_some())
    }
}

/// Whether a path may be a window into a process at all.
fn is_system(name: &Path) -> bool {
    name.starts_with("/proc") || name.starts_with("/dev")
}

/// A rule of the operator as it is matched: it holds at any depth, unless it begins with a slash.
fn at_any_depth(glob: &str) -> Result<String, String> {
    let bare = glob.strip_prefix("./").unwrap_or(glob).trim_end_matches('/');
    match bare {
        "" => Err(format!("{glob:?} names nothing")),
        _ if bare.starts_with('~') => Err(format!("{glob}: ~ has no meaning here; write the path in full")),
        _ if bare.starts_with('/') || bare.starts_with("**/") => Ok(bare.to_owned()),
        _ => Ok(format!("**/{bare}")),
    }
}

/// A name in lower case, as the rules are.
fn folded(name: &Path) -> PathBuf {
    PathBuf::from(OsString::from_vec(name.as_os_str().as_bytes().to_ascii_lowercase()))
}

impl Rules {
    /// Rules that are matched as they are told.
    fn new(globs: Vec<String>) -> Self {
        let hints = Hints::new(globs.iter().map(String::as_str));
        Self { hints, patterns: globs.clone(), globs, set: OnceLock::new() }
    }

    fn set(&self) -> Result<&GlobSet, &String> {
        self.set.get_or_init(|| built(&self.patterns)).as_ref()
    }

    /// The first rule that a name matches. Rules that cannot be read match everything.
    fn hit(&self, name: &Path) -> Option<String> {
        if !self.hints.doubt_path(name.as_os_str().as_bytes()) {
            return None;
        }
        let first = match self.set() {
            Ok(set) => set.matches(folded(name)).first().copied()?,
            Err(_) => 0,
        };
        self.globs.get(first).cloned()
    }
}

/// The globs as one automaton; the error names the one that cannot be read.
fn built(globs: &[String]) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let one = GlobBuilder::new(&glob.to_ascii_lowercase()).literal_separator(true).build();
        set.add(one.map_err(|error| format!("{glob}: {error}"))?);
    }
    set.build().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_of_our_own_can_be_read() {
        for globs in [DEFAULT_SECRETS, HARMLESS, PROCESS] {
            let globs: Vec<String> = globs.iter().map(|glob| (*glob).to_owned()).collect();
            assert_eq!(built(&globs).map(|set| set.len()), Ok(globs.len()));
        }
    }

    #[test]
    fn hints_pass_by_nothing_that_a_rule_matches() {
        let rules = Rules::new(DEFAULT_SECRETS.iter().map(|glob| (*glob).to_owned()).collect());
        let set = rules.set().unwrap();
        let names = ["", "a", ".env", "x.env", ".env.local", ".ssh", "id_rsa", "shadow", "config", "key.pem", "x.json"];
        let directories = ["", "/", "/a/", "a/b/", "/etc/", "/home/.ssh/", ".ssh/sub/", ".kube/", "x/.azure/", ".aws/"];
        let all = directories.iter().flat_map(|directory| names.iter().map(move |name| format!("{directory}{name}")));
        let mut matched = 0;
        for path in all {
            let hit = set.is_match(&path);
            matched += usize::from(hit);
            assert!(!hit || rules.hints.doubt_path(path.as_bytes()), "{path}");
        }
        assert!(matched > 50, "{matched}");
    }
}
