//! The directories that a server on standard input and output reads below, where its operator named none.
//!
//! The client knows where its user works. It says so in a variable of the environment, as its roots, in the `_meta` of a
//! request, or by the directory in which it starts the server. The first of these that gives a directory is taken.

use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use readstone_base::{Class, Failure, Percent};
use readstone_desk::Desk;
use rmcp::RoleServer;
use rmcp::service::RequestContext;
use serde_json::Value;
use tokio::sync::Mutex;

/// Directories that the environment of the process names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The project, as a client names it in a variable.
    pub project: Option<PathBuf>,
    /// The folders of a workspace, as a client names them in a variable.
    pub workspace: Vec<PathBuf>,
    /// The working directory, unless it is everything or all that the user has.
    pub directory: Option<PathBuf>,
}

/// Makes a desk for some directories; `None` when one of them cannot be opened.
pub type OpenDesk = Box<dyn Fn(&[PathBuf]) -> Option<Arc<Desk>> + Send + Sync>;

/// Says what to add to the configuration of the client with this name, which has no directory to work in.
pub type Advice = Box<dyn Fn(&str) -> String + Send + Sync>;

/// Finds the desk for a call.
pub struct Finder {
    surroundings: Surroundings,
    open: OpenDesk,
    advice: Advice,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The roots that the client listed; `None` before it was asked.
    roots: Option<Vec<PathBuf>>,
    /// The desk in use, and the directories it reads below. Calls that run keep the one they began with.
    current: Option<(Vec<PathBuf>, Arc<Desk>)>,
}

/// How long a client may take to name its roots. Some never answer.
const PATIENCE: Duration = Duration::from_secs(1);

impl std::fmt::Debug for Finder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Finder").field("surroundings", &self.surroundings).finish_non_exhaustive()
    }
}

impl Finder {
    /// A finder for a server with these surroundings.
    pub fn new(surroundings: Surroundings, open: OpenDesk, advice: Advice) -> Self {
        Self { surroundings, open, advice, state: Mutex::default() }
    }

    /// The desk for a request; `None` when nothing names a directory.
    pub(crate) async fn desk(&self, context: &RequestContext<RoleServer>) -> Option<Arc<Desk>> {
        let mut state = self.state.lock().await;
        let Surroundings { project, workspace, directory } = &self.surroundings;
        if let Some(desk) = project.iter().find_map(|project| self.opened(&mut state, std::slice::from_ref(project))) {
            return Some(desk);
        }
        if state.roots.is_none() {
            state.roots = Some(roots_of(context).await);
        }
        let roots = state.roots.clone().unwrap_or_default();
        let meta = directory_of(&context.meta);
        let candidates = [roots, meta.into_iter().collect(), workspace.clone(), directory.iter().cloned().collect()];
        candidates.iter().find_map(|candidate| self.opened(&mut state, candidate))
    }

    /// Forgets the client's roots, which it said have changed.
    pub(crate) async fn ask_again(&self) {
        self.state.lock().await.roots = None;
    }

    /// The arguments to add to the configuration of a client.
    pub(crate) fn advice(&self, client: &str) -> String {
        (self.advice)(client)
    }

    /// The desk that reads below these directories, as far as they can be opened.
    fn opened(&self, state: &mut State, named: &[PathBuf]) -> Option<Arc<Desk>> {
        let named: Vec<PathBuf> = named.iter().filter(|path| is_part(path)).cloned().collect();
        if named.is_empty() {
            return None;
        }
        if let Some((current, desk)) = &state.current
            && *current == named
        {
            return Some(Arc::clone(desk));
        }
        let all = (self.open)(&named);
        // One folder of a workspace that is gone does not hide the others.
        let desk = all.or_else(|| {
            let there: Vec<PathBuf> =
                named.iter().filter(|path| (self.open)(std::slice::from_ref(path)).is_some()).cloned().collect();
            if there.is_empty() { None } else { (self.open)(&there) }
        })?;
        state.current = Some((named, Arc::clone(&desk)));
        Some(desk)
    }
}

/// True for an absolute path other than `/`. Only the operator can choose `/`, with `--root /`. [`OpenDesk`]
/// refuses other paths that lead there.
fn is_part(path: &Path) -> bool {
    path.is_absolute() && path.components().count() > 1
}

/// The roots of the client, in older revisions of the protocol. The newest has none.
async fn roots_of(context: &RequestContext<RoleServer>) -> Vec<PathBuf> {
    let offers = context.peer.peer_info().is_some_and(|info| info.capabilities.roots.is_some());
    if !offers {
        return Vec::new();
    }
    match tokio::time::timeout(PATIENCE, context.peer.list_roots()).await {
        Ok(Ok(listed)) => listed.roots.iter().filter_map(|root| path_of(&root.uri)).collect(),
        Ok(Err(_)) | Err(_) => Vec::new(),
    }
}

/// The directory that a client names beside a request: goose in a field of its own, Codex as that of its sandbox.
fn directory_of(meta: &serde_json::Map<String, Value>) -> Option<PathBuf> {
    let own = meta.get("agent-working-dir").and_then(Value::as_str);
    let sandbox = || meta.get(SANDBOX).and_then(|state| state.get("sandboxCwd")).and_then(Value::as_str);
    let named = own.or_else(sandbox).or_else(|| meta.get("sandboxCwd").and_then(Value::as_str))?;
    path_of(named)
}

/// The capability that makes Codex send the directory of its sandbox with each call, and the field that it sends.
pub(crate) const SANDBOX: &str = "codex/sandbox-state-meta";

/// An absolute path, or the one in a `file:` URI of this machine.
fn path_of(text: &str) -> Option<PathBuf> {
    let Some(rest) = text.strip_prefix("file:") else {
        return Some(PathBuf::from(text)).filter(|path| path.is_absolute());
    };
    // Clients that run on Java write no slashes for a host: `file:/path`.
    let path = rest.strip_prefix("//").map_or(rest, |rest| rest.strip_prefix("localhost").unwrap_or(rest));
    let bytes = Percent::of(path).bytes()?;
    let path = PathBuf::from(std::ffi::OsString::from_vec(bytes));
    path.is_absolute().then_some(path)
}

/// A server that knows no directory to read below.
#[derive(Debug)]
pub(crate) struct NoDirectory(pub(crate) String);

impl std::fmt::Display for NoDirectory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "this server does not know which directory to work in. {}", self.0)
    }
}

impl std::error::Error for NoDirectory {}

impl Failure for NoDirectory {
    fn code(&self) -> &'static str {
        "config.no_directory"
    }

    fn class(&self) -> Class {
        Class::Request
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_root_is_an_absolute_path_or_a_file_uri() {
        let path = |text| path_of(text).map(|path| path.display().to_string());
        assert_eq!(path("file:///home/me/my%20project"), Some("/home/me/my project".to_owned()));
        assert_eq!(path("file://localhost/srv/a"), Some("/srv/a".to_owned()));
        assert_eq!(path("file:/srv/a"), Some("/srv/a".to_owned()));
        assert_eq!(path("/srv/a"), Some("/srv/a".to_owned()));
        for other in ["file://server/share", "https://example.com/a", "a/b", "", "file:relative"] {
            assert_eq!(path(other), None, "{other}");
        }
    }

    #[test]
    fn the_whole_file_system_is_no_part_of_it() {
        assert!(is_part(Path::new("/srv")) && !is_part(Path::new("/")) && !is_part(Path::new("srv")));
    }

    #[test]
    fn a_request_names_its_directory_in_the_way_of_its_client() {
        let meta = |value: Value| directory_of(value.as_object().unwrap());
        let there = Some(PathBuf::from("/srv/a"));
        assert_eq!(meta(json!({ "agent-working-dir": "/srv/a" })), there);
        assert_eq!(meta(json!({ SANDBOX: { "sandboxCwd": "file:///srv/a" } })), there);
        assert_eq!(meta(json!({ "sandboxCwd": "/srv/a" })), there);
        assert_eq!(meta(json!({ "agent-working-dir": 5, "sandboxCwd": "here" })), None);
    }
}
