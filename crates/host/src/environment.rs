//! The environment of the process, read once at the start.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What the process was started with.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
    directory: Option<PathBuf>,
    program: Option<PathBuf>,
}

impl Environment {
    /// The environment of this process.
    #[expect(clippy::disallowed_methods, reason = "this is where the environment is read")]
    pub fn of_process() -> Self {
        let variables = std::env::vars_os().collect();
        Self { variables, directory: std::env::current_dir().ok(), program: std::env::current_exe().ok() }
    }

    /// An environment made by hand, for tests and for embedding.
    pub fn new(directory: PathBuf, variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Self { variables: variables.into_iter().collect(), directory: Some(directory), program: None }
    }

    /// A variable that is set and not empty.
    pub fn get(&self, name: &str) -> Option<&OsString> {
        self.variables.get(&OsString::from(name)).filter(|value| !value.is_empty())
    }

    /// Whether a variable is set, be it to nothing.
    pub fn is_set(&self, name: &str) -> bool {
        self.variables.contains_key(&OsString::from(name))
    }

    /// The variables whose names begin with `prefix`, without it, in order; a value that is not text is absent.
    pub fn with_prefix(&self, prefix: &str) -> Vec<(String, Option<String>)> {
        let strip = |name: &OsString| Some(name.to_str()?.strip_prefix(prefix)?.to_owned());
        let pair = |(name, value): (&OsString, &OsString)| Some((strip(name)?, value.to_str().map(str::to_owned)));
        self.variables.iter().filter_map(pair).collect()
    }

    /// The working directory.
    pub fn directory(&self) -> Option<&PathBuf> {
        self.directory.as_ref()
    }

    /// The program that runs.
    pub fn program(&self) -> Option<&PathBuf> {
        self.program.as_ref()
    }

    /// The path by which `PATH` finds the program that runs. It lasts longer than the path of the program itself where a link
    /// leads to one of several versions.
    pub fn program_on_path(&self) -> Option<PathBuf> {
        let program = self.program.as_ref()?;
        let name = program.file_name()?;
        let directories = self.get("PATH").map(std::env::split_paths).into_iter().flatten();
        let found = directories.filter(|directory| directory.is_absolute()).map(|directory| directory.join(name));
        let found = found.into_iter().find(|path| path.exists())?;
        (found.canonicalize().ok()? == program.canonicalize().ok()?).then_some(found)
    }

    /// True if a directory, by its path without links, is the user's home directory. `HOME` may lead there by links.
    pub fn is_home(&self, directory: &Path) -> bool {
        let real = |home: &PathBuf| home.canonicalize().is_ok_and(|home| home == directory);
        self.home().is_some_and(|home| home == directory || real(&home))
    }

    /// The user's home directory.
    pub fn home(&self) -> Option<PathBuf> {
        self.get("HOME").map(PathBuf::from).filter(|home| home.is_absolute())
    }

    /// Where the user's configuration of Readstone stands.
    pub fn config_file(&self) -> Option<PathBuf> {
        Some(self.base("XDG_CONFIG_HOME", ".config")?.join("readstone/config.toml"))
    }

    /// Where Readstone keeps what it remembers.
    pub fn state_directory(&self) -> Option<PathBuf> {
        Some(self.base("XDG_STATE_HOME", ".local/state")?.join("readstone"))
    }

    fn base(&self, variable: &str, below_home: &str) -> Option<PathBuf> {
        let named = self.get(variable).map(PathBuf::from).filter(|path| path.is_absolute());
        named.or_else(|| Some(self.home()?.join(below_home)))
    }
}
