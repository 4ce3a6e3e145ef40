//! From configuration to a toolbox.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_host::{Environment, Host, Policy, Root, Secrets, SystemClock};
use readstone_session::{Config, ConfigError, MemoryStore, Session, SqliteStore, Store};
use readstone_tools::Toolbox;

use crate::args::Common;

/// The configuration in force for a command.
pub(crate) fn config(common: &Common, environment: &Environment) -> Result<Config, ConfigError> {
    let mut config = Config::load(environment, common.config.as_deref())?;
    if !common.root.is_empty() {
        config.set_roots(common.root.clone());
    }
    if common.ephemeral {
        config.set_ephemeral();
    }
    Ok(config)
}

/// The toolbox of the command line.
pub(crate) fn toolbox(config: &Config, environment: &Environment) -> Result<Toolbox, ConfigError> {
    let secrets = Secrets::new(config.stance(), &config.deny).map_err(|what| ConfigError::new("deny", what))?;
    let gone = || ConfigError::new("the working directory", "it does not exist any more");
    let directory = environment.directory().cloned().ok_or_else(gone)?;
    let policy = match config.roots.as_slice() {
        [] => Policy::anywhere(directory, secrets),
        roots => Policy::below(open_roots(&directory, roots)?, secrets),
    };
    let name = policy.place().display().to_string();
    let host = Host::new(policy, environment.home(), config.limits.spool_bytes).with_stdin();
    let session = Session::new(name, store(config, environment), config.limits.snapshot_bytes);
    let clock = SystemClock::new(fixed_time(environment)?);
    Ok(Toolbox::new(host, session, config.limits.clone(), Arc::new(clock)))
}

fn open_roots(directory: &Path, roots: &[PathBuf]) -> Result<Vec<Root>, ConfigError> {
    let open =
        |root: &PathBuf| Root::open(directory, root).map_err(|error| ConfigError::new("roots", error.to_string()));
    roots.iter().map(open).collect()
}

fn store(config: &Config, environment: &Environment) -> Box<dyn Store> {
    match environment.state_directory().filter(|_| !config.ephemeral) {
        Some(directory) => Box::new(SqliteStore::new(directory)),
        None => Box::<MemoryStore>::default(),
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
