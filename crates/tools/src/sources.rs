//! Where addresses with a scheme lead, as the configuration says.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_host::Environment;
use readstone_net::{Allow, Fetcher, NetPolicy, Web};
use readstone_resource::{Places, Router, standard};
use readstone_session::{Config, ConfigError, Reach};
use readstone_web::Pages;

/// The folder below the state directory that holds one folder for every session.
const SESSIONS: &str = "sessions";
/// The folder below the state directory that holds notes.
const MEMORY: &str = "memory";

/// Every scheme that a configuration allows, but for those that need an executor.
pub fn sources(config: &Config, environment: &Environment) -> Result<Router, ConfigError> {
    let beyond = &config.beyond;
    let directory = environment.directory().cloned().unwrap_or_default();
    let home = environment.home();
    let named = |path: &PathBuf| at(path, &directory, home.as_deref());
    let project = config.roots.first().map_or_else(|| directory.clone(), |root| directory.join(root));
    let state = environment.state_directory().filter(|_| !config.ephemeral);
    let places = Places {
        project,
        home: home.clone(),
        sessions: state.as_ref().map(|state| state.join(SESSIONS)),
        session: beyond.session_folder.as_ref().map(named),
        skills: beyond.skills.iter().map(named).collect(),
        rules: beyond.rules.iter().map(named).collect(),
        memory: beyond.memory.as_ref().map(named).or_else(|| state.map(|state| state.join(MEMORY))),
        vaults: beyond.vaults.iter().map(|(name, path)| (name.clone(), named(path))).collect(),
        stance: config.stance(),
        deny: config.deny.clone(),
    };
    Ok(standard(&places).with_web(Arc::new(Pages::new(Arc::new(fetcher(config)?)))))
}

/// The one fetcher, within what is allowed.
fn fetcher(config: &Config) -> Result<Fetcher, ConfigError> {
    let beyond = &config.beyond;
    let allow = beyond.allow_net.iter().map(|entry| entry.parse::<Allow>());
    let allow = allow.collect::<Result<_, _>>().map_err(|error| config.unusable("allow_net", error))?;
    let web = match beyond.web {
        Reach::Public => Web::Public,
        Reach::Listed => Web::Listed,
    };
    let policy = NetPolicy { web, allow, proxy: beyond.proxy.clone() };
    Fetcher::new(policy).map_err(|error| config.unusable("proxy", error))
}

/// A configured folder: below the home directory, or where the program was started.
fn at(path: &Path, directory: &Path, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(below), Some(home)) => home.join(below),
        (_, _) => directory.join(path),
    }
}
