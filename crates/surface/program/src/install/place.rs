//! Where the files of a client are on this machine.

use std::path::{Path, PathBuf};

use readstone_base::Fault;
use readstone_host::Environment;

use super::clients::{Client, Location, Place};
use super::error::cannot;
use super::file::Files;

/// The settings of the user, or those of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    User,
    Project,
}

/// The file with the servers of a client.
pub(super) fn servers(client: &Client, scope: Scope, files: &Files<'_>) -> Result<Option<PathBuf>, Fault> {
    match (scope, &client.user, client.project) {
        (Scope::User, Some(location), _) => of_user(location, files).map(Some),
        (Scope::Project, _, Some(name)) => Ok(Some(of_project(name, files.environment)?)),
        (Scope::User, None, _) => Ok(None),
        (Scope::Project, _, None) => {
            Err(cannot(format!("{} has no file for a project: leave out --project", client.title)))
        }
    }
}

/// The file of another setting.
pub(super) fn other(place: &Place, scope: Scope, servers: &Path, files: &Files<'_>) -> Result<PathBuf, Fault> {
    match (place, scope) {
        (Place::Same, _) => Ok(servers.to_owned()),
        (Place::Other(_, project), Scope::Project) if !project.is_empty() => of_project(project, files.environment),
        (Place::Other(location, _), _) => of_user(location, files),
    }
}

fn of_project(name: &str, environment: &Environment) -> Result<PathBuf, Fault> {
    let directory = environment.directory().ok_or_else(|| cannot("the working directory does not exist any more"))?;
    Ok(directory.join(name))
}

fn of_user(location: &Location, files: &Files<'_>) -> Result<PathBuf, Fault> {
    let environment = files.environment;
    if let Some((variable, rest)) = location.moved
        && let Some(moved) = environment.get(variable)
    {
        let moved = environment.directory().map_or_else(|| PathBuf::from(moved), |directory| directory.join(moved));
        return Ok(if rest.is_empty() { moved } else { moved.join(rest) });
    }
    let template = if cfg!(target_os = "macos") {
        location.mac
    } else if cfg!(windows) {
        location.windows
    } else {
        location.linux
    };
    let path = expand(template, environment)?;
    let instead = location.instead.map(|name| path.with_file_name(name));
    match instead {
        Some(instead) if files.read(&instead)?.is_some() => Ok(instead),
        Some(_) | None => Ok(path),
    }
}

fn expand(template: &str, environment: &Environment) -> Result<PathBuf, Fault> {
    let home = || environment.home().ok_or_else(|| cannot("the variable HOME is not set: name the file with --file"));
    let (place, rest) = template.split_once('/').unwrap_or((template, ""));
    let named = |name: &str| environment.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let place = match place {
        "@config" => match named("XDG_CONFIG_HOME") {
            Some(directory) => directory,
            None => home()?.join(".config"),
        },
        "@appdata" => match named("APPDATA") {
            Some(directory) => directory,
            None => home()?.join("AppData/Roaming"),
        },
        _ => home()?,
    };
    Ok(place.join(rest))
}
