//! GitHub: files, folders, the front of a repository, issues, pull requests, releases, commits and gists.
//!
//! Its interface answers sixty questions an hour without a key; what it refuses is read from the page.

mod commit;
mod files;
mod release;
mod repo;
mod talk;

use serde_json::Value;

use super::Request;
use super::parts::{encode, request, word};

pub(super) use commit::COMMIT;
pub(super) use files::{BLOB, GIST, TREE};
pub(super) use release::RELEASE;
pub(super) use repo::REPO;
pub(super) use talk::{ISSUE, PULL};

const HOSTS: &[&str] = &["github.com", "www.github.com"];
const INTERFACE: &str = "https://api.github.com";
const RAW: &str = "https://raw.githubusercontent.com";
const JSON: &str = "application/vnd.github+json";
/// First parts of addresses that are not the name of anyone.
const TAKEN: [&str; 62] = [
    "about",
    "account",
    "advisories",
    "apps",
    "blog",
    "business",
    "careers",
    "codespaces",
    "collections",
    "contact",
    "copilot",
    "customer-stories",
    "dashboard",
    "discussions",
    "edu",
    "education",
    "enterprise",
    "events",
    "explore",
    "features",
    "gist",
    "git-guides",
    "github-copilot",
    "home",
    "importer",
    "issues",
    "join",
    "login",
    "logout",
    "marketplace",
    "mcp",
    "mobile",
    "models",
    "new",
    "newsroom",
    "nonprofit",
    "notifications",
    "open-source",
    "orgs",
    "organizations",
    "partners",
    "premium-support",
    "pricing",
    "pulls",
    "readme",
    "resources",
    "search",
    "security",
    "sessions",
    "settings",
    "signup",
    "site",
    "solutions",
    "sponsors",
    "stars",
    "team",
    "topics",
    "trending",
    "users",
    "watching",
    "why-github",
    "wiki",
];

/// An owner and a repository, and what stands behind them.
struct Place<'a> {
    owner: &'a str,
    repo: &'a str,
    rest: Vec<&'a str>,
}

impl<'a> Place<'a> {
    fn of(parts: &[&'a str]) -> Option<Self> {
        let [owner, repo, rest @ ..] = parts else { return None };
        let repo = repo.strip_suffix(".git").unwrap_or(repo);
        let name = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_');
        let fits = owner.len() <= 64 && owner.chars().all(name) && !owner.starts_with('-');
        let fits = fits && repo.len() <= 100 && repo.chars().all(|sign| name(sign) || sign == '.');
        let free = !TAKEN.contains(&owner.to_ascii_lowercase().as_str()) && !matches!(repo, "" | "." | "..");
        (fits && free).then(|| Self { owner, repo, rest: rest.to_vec() })
    }

    /// Asks the interface for something of this repository.
    fn ask(&self, what: &str) -> Request {
        request(format!("{INTERFACE}/repos/{}/{}{what}", self.owner, self.repo), JSON)
    }

    fn name(&self) -> String {
        format!("{}/{}", self.owner, self.repo)
    }
}

/// Parts of a path put together again.
fn path(parts: &[&str]) -> String {
    parts.iter().map(|part| encode(part)).collect::<Vec<_>>().join("/")
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.len() <= 10 && text.bytes().all(|sign| sign.is_ascii_digit())
}

/// Who did something; accounts that are gone are called ghost there.
fn login(value: &Value, field: &str) -> String {
    let name = word(value, &format!("{field}.login"));
    if name.is_empty() { "ghost".to_owned() } else { name }
}
