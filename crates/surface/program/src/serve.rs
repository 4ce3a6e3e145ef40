//! The commands that serve.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use readstone_base::{Class, Failure, Fault, plain_words};
use readstone_desk::{Desk, Receipts};
use readstone_host::{Environment, hide_process, raise_file_limit, random_seed, read_secret};
use readstone_http::{Options, Server, Tokens};
use readstone_mcp::StdioSession;
use readstone_session::{Config, ConfigError, Room, Sessions};
use readstone_tools::{Effect, Profile};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::args::{Common, McpArguments, ServeArguments, ServerArguments};
use crate::{cli, install, log, roots, setup};

/// A server that cannot start or go on.
#[derive(Debug)]
struct CannotServe(String);

impl fmt::Display for CannotServe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CannotServe {}

impl Failure for CannotServe {
    fn code(&self) -> &'static str {
        "surface.cannot_serve"
    }

    fn class(&self) -> Class {
        Class::Request
    }
}

fn cannot(what: impl fmt::Display) -> Fault {
    Box::new(CannotServe(what.to_string()))
}

/// `readstone mcp`.
pub(crate) fn run_mcp(arguments: &McpArguments, common: &Common, environment: &Environment) -> Result<(), Fault> {
    if let Some(client) = &arguments.print_config {
        return install::print_config(client, (arguments, common), environment);
    }
    let mut config = setup::config(common, environment).map_err(boxed)?;
    if !arguments.directories.is_empty() {
        config.set_roots(common.root.iter().chain(&arguments.directories).cloned().collect());
    }
    log::start(arguments.server.log.as_deref().unwrap_or("warn"));
    let finder = config.roots.is_empty().then(|| roots::finder(&arguments.server, &config, environment));
    warn(&config);
    let desk = desk(&arguments.server, &config, environment)?;
    let session = session(arguments, &setup::place(&config, environment), environment);
    let runtime = readstone_desk::single_runtime().map_err(cannot)?;
    let served = runtime.block_on(async {
        let stop = stop_on_signals().map_err(cannot)?;
        readstone_mcp::serve_stdio(desk, finder, session, stop).await.map_err(cannot)
    });
    // What is still being read does not hold up the end.
    runtime.shutdown_background();
    served
}

/// The variable with the session of Claude Code, which is the same when that is resumed.
const CLAUDE_SESSION: &str = "CLAUDE_CODE_SESSION_ID";

/// The session of a server on standard input and output.
fn session(arguments: &McpArguments, place: &str, environment: &Environment) -> StdioSession {
    if let Some(name) = arguments.session.clone() {
        return StdioSession { name, chosen: true };
    }
    let of_client = environment.get(CLAUDE_SESSION).and_then(|name| StdioSession::of_client(name.to_str()?));
    of_client.unwrap_or_else(|| StdioSession { name: own_session(place), chosen: false })
}

/// A name that no other start has. The number of the process is not one: in containers it is the same every time.
fn own_session(place: &str) -> String {
    let chance = random_seed().first_chunk().map_or(0, |bytes| u128::from_be_bytes(*bytes));
    format!("stdio {chance:032x} {place}")
}

/// `readstone serve`.
pub(crate) fn run_http(arguments: &ServeArguments, common: &Common, environment: &Environment) -> Result<(), Fault> {
    let config = config(common, environment)?;
    check_names(arguments)?;
    let (tokens, warnings) = tokens(arguments, environment)?;
    let options = Options {
        listen: address(&arguments.listen)?,
        tokens,
        hosts: arguments.allow_host.clone(),
        origins: arguments.allow_origin.clone(),
    };
    log::start(arguments.server.log.as_deref().unwrap_or("info"));
    warn(&config);
    for warning in warnings {
        tracing::warn!("{warning}");
    }
    if !options.tokens.is_open() {
        hide_process();
    }
    raise_file_limit();
    let desk = desk(&arguments.server, &config, environment)?;
    let runtime = readstone_desk::runtime().map_err(cannot)?;
    let served = runtime.block_on(async {
        let stop = stop_on_signals().map_err(cannot)?;
        let server = Server::bind(desk, options, stop).map_err(cannot)?;
        let address = server.address().map_err(cannot)?;
        cli::print(format!("listening on http://{address}\n").as_bytes()).map_err(cannot)?;
        tracing::info!(%address, "serving");
        server.run().await;
        tracing::info!("stopped");
        Ok(())
    });
    runtime.shutdown_background();
    served
}

/// Logs which variables were ignored.
fn warn(config: &Config) {
    if let Some(warning) = config.warning() {
        tracing::warn!("{warning}");
    }
}

fn config(common: &Common, environment: &Environment) -> Result<Config, Fault> {
    let mut config = setup::config(common, environment).map_err(boxed)?;
    let directory = setup::directory(environment).map_err(boxed)?;
    config.default_root(&directory).map_err(boxed)?;
    Ok(config)
}

fn boxed(error: ConfigError) -> Fault {
    Box::new(error)
}

/// A desk with the tools that the arguments pick. One whose configuration names no root reads nothing.
pub(crate) fn desk(server: &ServerArguments, config: &Config, environment: &Environment) -> Result<Arc<Desk>, Fault> {
    let profile = Profile::called(&server.profile).unwrap_or(Profile::Default);
    let most = if server.read_only { Effect::Reads } else { Effect::Writes };
    let tools = profile.pick(&server.tools, most).map_err(cannot)?;
    if tools.is_empty() {
        return Err(cannot(format!("{} change things, and --read-only leaves none of them", server.tools.join(", "))));
    }
    let store = setup::store(config, environment);
    let shelf = Arc::new(readstone_session::MemoryShelf::new(config.limits.shelf_bytes));
    let sessions = Sessions::new(Arc::clone(&store), Room::of(&config.limits), shelf, config.limits.server_sessions);
    let toolbox = setup::server_toolbox(config, environment, store).map_err(boxed)?;
    let receipts = if server.receipts || config.receipts { Receipts::Included } else { Receipts::Omitted };
    Ok(Desk::for_clients(toolbox.with_tools(tools), sessions, config.clients.clone(), receipts))
}

fn address(text: &str) -> Result<SocketAddr, Fault> {
    let local = text.strip_prefix("localhost").map(|rest| format!("127.0.0.1{rest}"));
    let bad = |_| cannot(format!("--listen takes an address and a port such as 127.0.0.1:7333, not {text}"));
    local.as_deref().unwrap_or(text).parse().map_err(bad)
}

/// Names and origins that could never be met are mistakes.
fn check_names(arguments: &ServeArguments) -> Result<(), Fault> {
    let host = |name: &&String| name.is_empty() || name.contains(['/', '*', ' ']);
    if let Some(name) = arguments.allow_host.iter().find(host) {
        return Err(cannot(format!("--allow-host takes a name such as files.example, not {name:?}")));
    }
    let origin = |origin: &&String| {
        let site = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
        site.is_none_or(|site| site.is_empty() || site.contains(['/', '*', ' ']))
    };
    match arguments.allow_origin.iter().find(origin) {
        Some(name) => Err(cannot(format!("--allow-origin takes an origin such as https://app.example, not {name:?}"))),
        None => Ok(()),
    }
}

/// The tokens of a file or of the environment; never of the command line, which other users see.
fn tokens(arguments: &ServeArguments, environment: &Environment) -> Result<(Tokens, Vec<&'static str>), Fault> {
    let mut warnings = Vec::new();
    let tokens = if let Some(path) = &arguments.token_file {
        let failed =
            |what: &dyn fmt::Display| cannot(format!("the token file {} cannot be used: {what}", path.display()));
        let secret = read_secret(path).map_err(|error| failed(&plain_words(&error)))?;
        if secret.exposed {
            warnings.push("others may read the token file; chmod 600 makes it yours alone");
        }
        Tokens::parse(&secret.text).map_err(|error| failed(&error))?
    } else if environment.is_set("READSTONE_TOKEN") {
        // A variable that is set to nothing is a mistake, not a wish for an open server.
        let text = environment.get("READSTONE_TOKEN").map_or("", |token| token.to_str().unwrap_or("\u{FFFD}"));
        Tokens::parse(text).map_err(|error| cannot(format!("READSTONE_TOKEN cannot be used: {error}")))?
    } else {
        Tokens::default()
    };
    if tokens.are_weak() {
        warnings.push("a token has fewer than 16 characters and can be guessed");
    }
    Ok((tokens, warnings))
}

/// Cancelled at the first SIGTERM, SIGINT or SIGHUP; a second one ends the process at once.
fn stop_on_signals() -> io::Result<CancellationToken> {
    let stop = CancellationToken::new();
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    let told = stop.clone();
    tokio::spawn(async move {
        for told_before in [false, true] {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
                _ = hang_up.recv() => {}
            }
            if told_before {
                end_at_once();
            }
            told.cancel();
        }
    });
    Ok(stop)
}

#[expect(clippy::exit, reason = "whoever asks twice does not want to wait")]
fn end_at_once() {
    std::process::exit(130);
}
