//! A server of Readstone on loopback, over a directory of its own. It ends with the runtime of its test.

use std::path::Path;
use std::sync::Arc;

use readstone_base::Limits;
use readstone_client::{Builder, Client};
use readstone_desk::Desk;
use readstone_host::{Host, Policy, Root, Secrets, Stance, SystemClock};
use readstone_http::{Options, Server, Tokens};
use readstone_session::{MemoryStore, Room, Session, Sessions};
use readstone_tools::Toolbox;
use tempfile::TempDir;
use tokio_util::sync::{CancellationToken, DropGuard};

/// The server.
pub(crate) struct Stand {
    files: TempDir,
    url: String,
    _stop: DropGuard,
}

impl Stand {
    /// A server that anybody may call.
    pub(crate) fn new() -> Self {
        Self::start(Tokens::default())
    }

    /// A server that asks for this token.
    pub(crate) fn guarded(token: &str) -> Self {
        Self::start(Tokens::parse(token).expect("a sound token"))
    }

    fn start(tokens: Tokens) -> Self {
        let files = TempDir::with_prefix("readstone-client-").expect("a temporary directory");
        let toolbox = Toolbox::for_directory(files.path()).expect("the directory just made");
        let sessions = Sessions::new(
            Arc::<MemoryStore>::default(),
            Room::of(&Limits::default()),
            Arc::new(readstone_session::MemoryShelf::new(1 << 20)),
            16,
        );
        let (url, stop) = serve(Desk::new(toolbox, sessions), tokens);
        Self { files, url, _stop: stop }
    }

    /// A client with the usual settings.
    pub(crate) fn client(&self) -> Client {
        self.builder().build().expect("a sound client")
    }

    /// A client to be set up further.
    pub(crate) fn builder(&self) -> Builder {
        Client::builder(&self.url)
    }

    /// Writes a file; gives its absolute path.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.files.path().join(name);
        std::fs::write(&path, bytes).expect("a file in the temporary directory");
        path.to_str().expect("a name in UTF-8").to_owned()
    }

    /// The directory it reads below.
    pub(crate) fn directory(&self) -> &Path {
        self.files.path()
    }
}

/// Serves what a desk takes; gives the URL, and what stops the server when it is dropped.
pub(crate) fn serve(desk: Arc<Desk>, tokens: Tokens) -> (String, DropGuard) {
    let listen = ([127, 0, 0, 1], 0).into();
    let options = Options { listen, tokens, hosts: Vec::new(), origins: Vec::new() };
    let stop = CancellationToken::new();
    let server = Server::bind(desk, options, stop.clone()).expect("a free port");
    let url = format!("http://{}", server.address().expect("an address"));
    tokio::spawn(server.run());
    (url, stop.drop_guard())
}

/// A toolbox for a server with room for one call at a time, however long it takes, and none to wait in.
pub(crate) fn narrow_toolbox(directory: &Path) -> Toolbox {
    let limits = Limits { server_calls: 1, server_queue: 0, server_quick_ms: 600_000, ..Limits::default() };
    let secrets = Secrets::new(Stance::Deny, &[]).expect("no rules");
    let root = Root::open(directory, Path::new("")).expect("a directory");
    let host = Host::new(Policy::below(vec![root], secrets), None, limits.spool_bytes);
    let session = Session::new(
        String::new(),
        Arc::<MemoryStore>::default(),
        Room::of(&limits),
        Arc::new(readstone_session::MemoryShelf::new(limits.shelf_bytes)),
    );
    Toolbox::new(host, session, limits, Arc::new(SystemClock::new(None)))
}
