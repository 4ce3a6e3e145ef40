//! A file for programs: its bytes by a literal path, without pages.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_base::{Blob, Budget, Fault, unescape_name};
use readstone_host::{Object, Opened};

use crate::call::Call;
use crate::error::{Error, fault};
use crate::toolbox::Toolbox;

/// An open file.
#[derive(Clone, Debug)]
pub struct OpenFile {
    path: String,
    blob: Arc<dyn Blob>,
}

impl Toolbox {
    /// Opens the file at an absolute path, taken literally.
    pub fn open_file(&self, path: &str, budget: &Budget) -> Result<OpenFile, Fault> {
        let (blob, _) = open(&self.hand(budget), path)?;
        let count = blob.masked();
        if count > 0 {
            return Err(fault(readstone_host::Error::Masked { path: path.to_owned(), count }));
        }
        Ok(OpenFile { path: path.to_owned(), blob })
    }
}

impl OpenFile {
    /// How many bytes it has.
    pub fn size(&self) -> u64 {
        self.blob.len().unwrap_or(0)
    }

    /// Bytes from `start` to `end`; fewer when the file has become shorter.
    pub fn bytes(&self, start: u64, end: u64) -> Result<Vec<u8>, Fault> {
        self.blob.read_range(start, end).map_err(|cause| fault(readstone_host::Error::from_io(&self.path, cause)))
    }
}

/// Opens a file by its absolute path; gives its bytes and its path without links.
pub(crate) fn open(call: &Call<'_>, path: &str) -> Result<(Arc<dyn Blob>, PathBuf), Fault> {
    if path.is_empty() || path.contains('\0') {
        return Err(fault(Error::BadInput("path must be one: not empty, without NUL".to_owned())));
    }
    if !path.starts_with('/') {
        return Err(fault(Error::RelativePath { path: path.to_owned() }));
    }
    match open_named(call, path).map_err(|error| fault(error.named(path)))? {
        Opened { object: Object::File { blob, .. }, real, .. } => Ok((blob, real)),
        Opened { object: Object::Directory(_), .. } => Err(fault(Error::NotAFile { path: path.to_owned() })),
    }
}

/// A name is taken as it stands, or with the escapes of our replies in it.
fn open_named(call: &Call<'_>, path: &str) -> Result<Opened, readstone_host::Error> {
    match (call.host.open(Path::new(path), call.budget), unescape_name(path)) {
        (Err(error), Some(name)) if error.is_missing() => {
            call.host.open(Path::new(&name), call.budget).map_err(|_| error)
        }
        (opened, _) => opened,
    }
}
