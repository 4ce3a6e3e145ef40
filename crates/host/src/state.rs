//! Files of Readstone's own: its configuration and what it remembers.

use std::io::{self, Read as _};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// A configuration file larger than this is not one.
const MOST_CONFIG_BYTES: u64 = 1024 * 1024;

/// The text of a configuration file; `None` when there is none.
pub fn read_config(path: &Path) -> io::Result<Option<String>> {
    let opened = std::fs::OpenOptions::new().read(true).custom_flags(nonblocking()).open(path);
    let file = match opened {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let facts = file.metadata()?;
    if !facts.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    if facts.len() > MOST_CONFIG_BYTES {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is too large for a configuration"));
    }
    let mut text = String::new();
    file.take(MOST_CONFIG_BYTES).read_to_string(&mut text)?;
    Ok(Some(text))
}

/// The text of a file with tokens.
#[derive(Debug)]
pub struct Secret {
    /// The text.
    pub text: String,
    /// Whether others than its owner may read it.
    pub exposed: bool,
}

/// Reads a file with tokens.
pub fn read_secret(path: &Path) -> io::Result<Secret> {
    use std::os::unix::fs::PermissionsExt as _;
    let file = std::fs::OpenOptions::new().read(true).custom_flags(nonblocking()).open(path)?;
    let facts = file.metadata()?;
    if !facts.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let mut text = String::new();
    file.take(MOST_CONFIG_BYTES).read_to_string(&mut text)?;
    Ok(Secret { text, exposed: facts.permissions().mode() & 0o077 != 0 })
}

/// The bytes of a file that the user named, or of standard input, up to so many.
pub fn read_input(path: Option<&Path>, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match path {
        None => io::stdin().lock().take(most).read_to_end(&mut bytes)?,
        Some(path) => {
            let file = std::fs::OpenOptions::new().read(true).open(path)?;
            if file.metadata()?.is_dir() {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
            }
            file.take(most).read_to_end(&mut bytes)?
        }
    };
    Ok(bytes)
}

fn nonblocking() -> i32 {
    i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or(0)
}

/// Makes a directory for the user alone, where it is missing.
pub fn make_state_folder(directory: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)
}

/// Makes a directory and an empty file in it, both for the user alone, where they are missing; gives the file's path.
pub fn prepare_state_file(directory: &Path, name: &str) -> io::Result<PathBuf> {
    make_state_folder(directory)?;
    let path = directory.join(name);
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(false).mode(0o600).custom_flags(nonblocking());
    if !options.open(&path)?.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    Ok(path)
}
