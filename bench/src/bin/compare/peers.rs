//! Peers: programs and servers that do the same work, where they are, and how to get them.

use std::path::{Path, PathBuf};

use readstone_bench::system::{command, printed, program};

/// A program by the name it has here, the names it may have there, and how to get it.
struct Known {
    name: &'static str,
    spelled: &'static [&'static str],
    get: &'static str,
}

const KNOWN: [Known; 17] = [
    known("rust-mcp-filesystem", &["rust-mcp-filesystem"], "cargo: rust-mcp-filesystem"),
    known("server-filesystem", &["mcp-server-filesystem"], "npm: @modelcontextprotocol/server-filesystem"),
    known("markitdown", &["markitdown"], "PyPI: markitdown[docx,pdf,xlsx]"),
    known("rg", &["rg"], "Debian: ripgrep"),
    known("fd", &["fd", "fdfind"], "Debian: fd-find"),
    known("unzip", &["unzip"], "Debian: unzip"),
    known("bsdtar", &["bsdtar"], "Debian: libarchive-tools"),
    known("tar", &["tar"], "Debian: tar"),
    known("sqlite3", &["sqlite3"], "Debian: sqlite3"),
    known("pdftotext", &["pdftotext"], "Debian: poppler-utils"),
    known("grep", &["grep"], "Debian: grep"),
    known("find", &["find"], "Debian: findutils"),
    known("sed", &["sed"], "Debian: sed"),
    known("head", &["head"], "Debian: coreutils"),
    known("tail", &["tail"], "Debian: coreutils"),
    known("cat", &["cat"], "Debian: coreutils"),
    known("dd", &["dd"], "Debian: coreutils"),
];

/// The servers among them, in the order of the columns.
pub(crate) const SERVERS: [&str; 2] = ["rust-mcp-filesystem", "server-filesystem"];

const fn known(name: &'static str, spelled: &'static [&'static str], get: &'static str) -> Known {
    Known { name, spelled, get }
}

/// Those that are here.
#[derive(Debug, Default)]
pub(crate) struct Peers {
    found: Vec<(&'static str, PathBuf)>,
    missing: Vec<(&'static str, &'static str)>,
}

impl Peers {
    /// Looks for all of them, first among those that were fetched.
    pub(crate) fn find(fetched: &Path) -> Self {
        let mut peers = Self::default();
        for Known { name, spelled, get } in KNOWN {
            match program(fetched, spelled) {
                Some(path) => peers.found.push((name, path)),
                None => peers.missing.push((name, get)),
            }
        }
        peers
    }

    /// Where one of them is; those that nobody listed are left to the shell's path.
    pub(crate) fn path(&self, name: &str) -> Option<PathBuf> {
        let listed = KNOWN.iter().any(|known| known.name == name);
        let found = self.found.iter().find(|(known, _)| *known == name).map(|(_, path)| path.clone());
        found.or_else(|| (!listed).then(|| PathBuf::from(name)))
    }

    /// What is missing, and how to get it.
    pub(crate) fn missing(&self) -> &[(&'static str, &'static str)] {
        &self.missing
    }

    /// What those found call their versions.
    pub(crate) fn versions(&self) -> String {
        let asked = [
            ("rg", "--version"),
            ("fd", "--version"),
            ("unzip", "-v"),
            ("bsdtar", "--version"),
            ("sqlite3", "--version"),
            ("markitdown", "--version"),
            ("head", "--version"),
        ];
        let version = |(name, flag): (&'static str, &str)| {
            let said = printed(command(&self.path(name)?).arg(flag)).ok()?;
            let number = said.split_whitespace().find(|word| word.starts_with(|sign: char| sign.is_ascii_digit()))?;
            Some(format!("{} {}", if name == "head" { "coreutils" } else { name }, number.trim_end_matches(',')))
        };
        asked.into_iter().filter_map(version).collect::<Vec<_>>().join(", ")
    }
}
