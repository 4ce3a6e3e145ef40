//! Files that hold secrets: which names they have, and what to do about them.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::hints::{Hints, Suspicion};

/// Names that usually hold keys and passwords. Plain names and endings are told by a look-up, so they stand one by one
/// rather than in braces, which would need a regular expression.
pub const DEFAULT_SECRETS: &[&str] = &[
    "**/.env",
    "**/.env.*",
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

/// Names that look like the above and hold nothing secret.
const HARMLESS: &[&str] = &[
    "**/.env.{example,sample,template,dist,defaults}",
    "**/{example,sample}.env",
    "**/*.pub",
    "**/.ssh/{known_hosts,authorized_keys,config}",
];

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
    harmless: Rules,
    process: Rules,
    /// What the operator withholds, whatever the stance.
    denied: Rules,
    stance: Stance,
    /// What the rules that withhold something have in common, to pass by most names at once.
    hints: Hints,
}

/// What the rules may withhold in one directory.
#[derive(Clone, Copy, Debug)]
pub struct Watch<'a> {
    secrets: &'a Secrets,
    directory: &'a Path,
    suspicion: Suspicion,
}

impl Watch<'_> {
    /// Whether an entry of the directory may be named.
    pub fn may_name(&self, name: &OsStr) -> bool {
        let doubtful = match self.suspicion {
            Suspicion::All => true,
            Suspicion::Some => self.secrets.hints.doubt(name.as_bytes()),
        };
        !doubtful || self.secrets.denies(&[&self.directory.join(name)]).is_none()
    }
}

/// Globs without regard to case.
#[derive(Debug)]
struct Rules {
    globs: Vec<String>,
    set: GlobSet,
}

impl Secrets {
    /// The usual rules with a stance, and further globs to withhold; the error names the glob that cannot be read.
    pub fn new(stance: Stance, deny: &[String]) -> Result<Self, String> {
        let rules = |globs: &[&str]| Rules::new(globs.iter().map(|glob| (*glob).to_owned()).collect());
        let usual = match stance {
            Stance::Deny => DEFAULT_SECRETS,
            Stance::Warn => &[],
        };
        Ok(Self {
            usual: rules(DEFAULT_SECRETS)?,
            harmless: rules(HARMLESS)?,
            process: rules(PROCESS)?,
            denied: Rules::new(deny.to_vec())?,
            stance,
            hints: Hints::new(usual.iter().copied().chain(deny.iter().map(String::as_str))),
        })
    }

    /// What the rules may withhold in a directory, by its path without links.
    pub(crate) fn watch<'a>(&'a self, directory: &'a Path) -> Watch<'a> {
        let suspicion = if is_system(directory) || directory.parent().is_none() {
            Suspicion::All
        } else {
            self.hints.suspicion(directory.as_os_str().as_bytes())
        };
        Watch { secrets: self, directory, suspicion }
    }

    /// The rule that forbids a path, judged by every name it has.
    pub(crate) fn denies(&self, names: &[&Path]) -> Option<String> {
        let names = folded(names);
        let process = || self.process.hit(names.iter().filter(|name| is_system(name)));
        let usual = || if self.stance == Stance::Deny { self.usual(&names) } else { None };
        self.denied.hit(names.iter()).or_else(process).or_else(usual)
    }

    /// The rule that forbids a path as a window into a process.
    pub(crate) fn process_rule(&self, name: &Path) -> Option<String> {
        self.process.hit(folded(&[name]).iter().filter(|name| is_system(name)))
    }

    /// The rule of which the caller is warned.
    pub(crate) fn warns(&self, names: &[&Path]) -> Option<String> {
        if self.stance == Stance::Deny {
            return None;
        }
        self.usual(&folded(names))
    }

    fn usual(&self, names: &[PathBuf]) -> Option<String> {
        let harmless = |name: &PathBuf| self.harmless.hit(std::iter::once(name)).is_some();
        names.iter().find_map(|name| self.usual.hit(std::iter::once(name)).filter(|_| !harmless(name)))
    }
}

/// Whether a path may be a window into a process at all.
fn is_system(name: &Path) -> bool {
    name.starts_with("/proc") || name.starts_with("/dev")
}

/// Names in lower case, as the rules are.
fn folded(names: &[&Path]) -> Vec<PathBuf> {
    let fold = |name: &&Path| PathBuf::from(OsString::from_vec(name.as_os_str().as_bytes().to_ascii_lowercase()));
    names.iter().map(fold).collect()
}

impl Rules {
    fn new(globs: Vec<String>) -> Result<Self, String> {
        let mut set = GlobSetBuilder::new();
        for glob in &globs {
            let built = GlobBuilder::new(&glob.to_ascii_lowercase()).literal_separator(true).build();
            set.add(built.map_err(|error| format!("{glob}: {error}"))?);
        }
        Ok(Self { set: set.build().map_err(|error| error.to_string())?, globs })
    }

    fn hit<'a>(&self, names: impl Iterator<Item = &'a PathBuf>) -> Option<String> {
        let mut names = names;
        let first = names.find_map(|name| self.set.matches(name).first().copied())?;
        self.globs.get(first).cloned()
    }
}
