//! Files that hold secrets: which names they have, and what to do about them.

use std::path::Path;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// Names that usually hold keys and passwords.
pub const DEFAULT_SECRETS: &[&str] = &[
    "**/.env",
    "**/.env.*",
    "**/*.env",
    "**/id_{rsa,dsa,ecdsa,ed25519,ecdsa_sk,ed25519_sk}",
    "**/*.{key,pem,p12,pfx,jks,keystore,kdbx,ppk}",
    "**/.ssh/**",
    "**/.gnupg/**",
    "**/.aws/credentials",
    "**/.azure/*.json",
    "**/.config/gcloud/**",
    "**/.kube/config",
    "**/.docker/config.json",
    "**/.{netrc,pgpass,pypirc,npmrc,htpasswd,git-credentials}",
    "**/{credentials,secrets}.{json,yml,yaml,toml}",
    "**/{shadow,gshadow}",
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
    "/proc/*/{environ,mem,maps,smaps,auxv,cmdline,pagemap,stack,syscall}",
    "/proc/*/task/*/{environ,mem,maps,smaps,auxv,cmdline,pagemap,stack,syscall}",
    "/proc/*/{fd,fdinfo,map_files}/**",
    "/proc/*/task/*/{fd,fdinfo}/**",
    "/proc/{kcore,kmem,kallsyms}",
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
    harmless: GlobSet,
    stance: Stance,
    /// What is withheld whatever the stance.
    denied: Rules,
}

#[derive(Debug)]
struct Rules {
    globs: Vec<String>,
    set: GlobSet,
}

impl Secrets {
    /// The usual rules with a stance, and further globs to withhold; the error names the glob that cannot be read.
    pub fn new(stance: Stance, deny: &[String]) -> Result<Self, String> {
        let owned = |globs: &[&str]| globs.iter().map(|glob| (*glob).to_owned()).collect::<Vec<_>>();
        Ok(Self {
            usual: Rules::new(owned(DEFAULT_SECRETS))?,
            harmless: compile(HARMLESS.iter().copied())?,
            stance,
            denied: Rules::new([owned(PROCESS), deny.to_vec()].concat())?,
        })
    }

    /// The rule that forbids a path, judged by every name it has.
    pub(crate) fn denies(&self, names: &[&Path]) -> Option<String> {
        let usual = || self.usual(names).filter(|_| self.stance == Stance::Deny);
        self.denied.hit(names).or_else(usual)
    }

    /// The rule of which the caller is warned.
    pub(crate) fn warns(&self, names: &[&Path]) -> Option<String> {
        self.usual(names).filter(|_| self.stance == Stance::Warn)
    }

    fn usual(&self, names: &[&Path]) -> Option<String> {
        let harmful: Vec<&Path> = names.iter().copied().filter(|name| !self.harmless.is_match(name)).collect();
        self.usual.hit(&harmful)
    }
}

impl Rules {
    fn new(globs: Vec<String>) -> Result<Self, String> {
        Ok(Self { set: compile(globs.iter().map(String::as_str))?, globs })
    }

    fn hit(&self, names: &[&Path]) -> Option<String> {
        let first = |name: &&Path| self.set.matches(name).first().copied();
        names.iter().find_map(first).and_then(|at| self.globs.get(at).cloned())
    }
}

fn compile<'a>(globs: impl Iterator<Item = &'a str>) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let built = GlobBuilder::new(glob).case_insensitive(true).literal_separator(true).build();
        set.add(built.map_err(|error| format!("{glob}: {error}"))?);
    }
    set.build().map_err(|error| error.to_string())
}
