//! From configuration to a toolbox.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_host::{Environment, Host, Policy, Root, Secrets, Stance, SystemClock, Workers};
use readstone_mcp::{McpScheme, McpServer};
use readstone_session::{Config, ConfigError, MemoryShelf, MemoryStore, Room, Served, Session, SqliteStore, Store};
use readstone_tools::{Access, Toolbox, fixed_seed, sources};

use crate::args::Common;
use crate::worker;

/// The configuration in force for a command.
pub(crate) fn config(common: &Common, environment: &Environment) -> Result<Config, ConfigError> {
    let mut config = Config::load(environment, common.config.as_deref())?;
    if !common.root.is_empty() {
        config.set_roots(common.root.clone());
    }
    if !common.allow_net.is_empty() {
        config.allow_net(common.allow_net.clone());
    }
    if common.ephemeral {
        config.set_ephemeral();
    }
    Ok(config)
}

/// The toolbox of the command line.
pub(crate) fn toolbox(config: &Config, environment: &Environment) -> Result<Toolbox, ConfigError> {
    let host = host(config, environment)?.with_stdin();
    let store: Arc<dyn Store> = match state(config, environment) {
        Some(directory) => Arc::new(SqliteStore::new(directory)),
        None => Arc::new(MemoryStore::brief()),
    };
    assemble(config, environment, host, store)
}

/// The toolbox of a server, which never reads its own standard input. Without roots it reads nothing.
pub(crate) fn server_toolbox(
    config: &Config,
    environment: &Environment,
    store: Arc<dyn Store>,
) -> Result<Toolbox, ConfigError> {
    let secrets = Secrets::new(Stance::Deny, &[]).map_err(|what| config.unusable("deny", what))?;
    let host = match config.roots.as_slice() {
        [] => Host::new(Policy::below(Vec::new(), secrets), environment.home(), config.limits.spool_bytes),
        _ => host(config, environment)?,
    };
    assemble(config, environment, host, store)
}

fn assemble(
    config: &Config,
    environment: &Environment,
    host: Host,
    store: Arc<dyn Store>,
) -> Result<Toolbox, ConfigError> {
    let name = host.policy().place().display().to_string();
    let session =
        Session::new(name, store, Room::of(&config.limits), Arc::new(MemoryShelf::new(config.limits.shelf_bytes)));
    let clock = SystemClock::new(fixed_time(environment)?);
    let sources = sources(config, environment)?.with(Arc::new(McpScheme::new(servers(config), environment)));
    let toolbox = Toolbox::new(host, session, config.limits.clone(), Arc::new(clock))
        .with_pictures(config.image)
        .with_writing(config.writing)
        .with_sources(Arc::new(sources))
        .with_access(if config.beyond.reaches_out() { Access::Remote } else { Access::Local });
    let toolbox = match environment.get("READSTONE_SEED") {
        Some(seed) => toolbox.with_seed(fixed_seed(seed.as_encoded_bytes())),
        None => toolbox,
    };
    let workers = Workers::of_this_program(vec![worker::COMMAND.into()], &config.limits);
    let workers = workers.map_err(|error| ConfigError::new("the program", error.to_string()))?;
    Ok(toolbox.with_workshop(Arc::new(workers)))
}

/// The MCP servers whose resources are read.
fn servers(config: &Config) -> Vec<McpServer> {
    let server = |(name, served): (&String, &Served)| McpServer {
        name: name.clone(),
        command: served.command.clone(),
        env: served.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
        cwd: served.directory.clone(),
        url: served.url.clone(),
    };
    config.beyond.mcp.iter().map(server).collect()
}

fn host(config: &Config, environment: &Environment) -> Result<Host, ConfigError> {
    let secrets = Secrets::new(config.stance(), &config.deny).map_err(|what| config.unusable("deny", what))?;
    let directory = directory(environment)?;
    let policy = match config.roots.as_slice() {
        [] => Policy::anywhere(directory, secrets),
        _ => Policy::below(open_roots(&directory, config)?, secrets),
    };
    Ok(Host::new(policy, environment.home(), config.limits.spool_bytes))
}

/// The working directory.
pub(crate) fn directory(environment: &Environment) -> Result<PathBuf, ConfigError> {
    let gone = || ConfigError::new("the working directory", "it does not exist any more");
    environment.directory().cloned().ok_or_else(gone)
}

/// A name for the place of work.
pub(crate) fn place(config: &Config, environment: &Environment) -> String {
    let first = config.roots.first().or_else(|| environment.directory());
    first.map(|place| place.display().to_string()).unwrap_or_default()
}

fn open_roots(directory: &Path, config: &Config) -> Result<Vec<Root>, ConfigError> {
    let open = |root: &PathBuf| Root::open(directory, root).map_err(|error| config.unusable("roots", error));
    config.roots.iter().map(open).collect()
}

/// Where a program keeps what it remembers, if it remembers anything.
fn state(config: &Config, environment: &Environment) -> Option<PathBuf> {
    environment.state_directory().filter(|_| !config.ephemeral)
}

/// Where a server keeps texts.
pub(crate) fn store(config: &Config, environment: &Environment) -> Arc<dyn Store> {
    match state(config, environment) {
        Some(directory) => Arc::new(SqliteStore::new(directory)),
        None => Arc::<MemoryStore>::default(),
    }
}

/// A time of day that stands still, so that ages do not change between two runs.
fn fixed_time(environment: &Environment) -> Result<Option<i64>, ConfigError> {
    let Some(text) = environment.get("READSTONE_NOW") else {
        return Ok(None);
    };
    let seconds = text.to_str().and_then(|text| text.parse().ok());
    seconds.map(Some).ok_or_else(|| ConfigError::new("READSTONE_NOW", "it must be seconds since 1970"))
}
