//! What an address asks for, taken apart.

use std::path::{Component, Path, PathBuf};

use readstone_address::{Reading, Selector};
use readstone_base::{Fault, Percent, unescape_name};
use readstone_source::{Finding, Nature, Scheme, Sourced};

use crate::error::Error;
use crate::near::missing;

/// Bytes of a path that can be one; each may be spelled with three signs.
const LONGEST: usize = 16 * 1024;

/// What stands behind the scheme, and what of the address is still to be followed then.
#[derive(Clone, Debug)]
pub(crate) struct Asked<'a> {
    /// The scheme.
    scheme: &'a dyn Scheme,
    /// The whole address without its tail.
    pub(crate) address: &'a str,
    /// What stands behind the scheme; empty when the list is asked for.
    pub(crate) path: &'a str,
    /// What is still to be followed.
    pub(crate) tail: Option<String>,
}

impl<'a> Asked<'a> {
    /// What a reading of an address asks for.
    pub(crate) fn of(scheme: &'a dyn Scheme, rest: &'a str, reading: &'a Reading) -> Self {
        let address = reading.place.as_str();
        // A list has no name that its selector could stand behind.
        let part = rest.strip_prefix(':').filter(|part| !part.is_empty() && Selector::parse(part).is_ok());
        match part.filter(|_| reading.tail.is_none()) {
            Some(part) => Self { scheme, address, path: "", tail: Some(part.to_owned()) },
            None => Self { scheme, address, path: rest, tail: reading.tail.clone() },
        }
    }

    /// Whether no other way to read the address is tried behind this one.
    pub(crate) fn is_last(&self) -> bool {
        self.tail.is_some() || readstone_address::readings(self.address).is_ok_and(|all| all.len() == 1)
    }

    /// The address of something in this scheme.
    pub(crate) fn at(&self, path: &str) -> String {
        format!("{}://{path}", self.scheme.name())
    }

    /// Something that was found.
    pub(crate) fn found(&self, path: &str, found: Finding, nature: Nature) -> Sourced {
        let tail = self.tail.clone();
        Sourced { path: self.at(path), found, tail, nature, notes: Vec::new(), web: None, host: None }
    }

    /// That the address is not of the right form.
    pub(crate) fn bad(&self, why: &'static str) -> Fault {
        Box::new(Error::BadAddress { address: self.address.to_owned(), why, form: self.scheme.form() })
    }

    /// What the world refused, of the address as it was spelled.
    pub(crate) fn refused(&self, error: readstone_host::Error) -> Fault {
        if error.is_outside() {
            return Box::new(Error::LeadsOut { address: self.address.to_owned() });
        }
        Box::new(error.named(self.address))
    }

    /// That a folder is not there.
    pub(crate) fn no_folder(&self, why: &'static str) -> Fault {
        Box::new(Error::NoFolder { address: self.address.to_owned(), why })
    }

    /// The paths that a text can stand for: as it was shown, as it is, and with its percent-encoding taken away. One that
    /// only its encoding makes unfit is a name as it is; when nothing is called so, [`Asked::unfit`] says what it would be.
    pub(crate) fn paths(&self, text: &str) -> Result<Vec<PathBuf>, Fault> {
        if text.len() > LONGEST {
            return Err(missing(self, "", Vec::new));
        }
        let shown = unescape_name(text).map(PathBuf::from);
        let plain = Some(PathBuf::from(text));
        let mut all: Vec<_> = [shown, plain].into_iter().flatten().collect();
        if let Some(why) = all.iter().find_map(|path| unfit(path)) {
            return Err(self.bad(why));
        }
        let decoded = decode(text).filter(|other| other != text).map(PathBuf::from);
        all.extend(decoded.filter(|path| unfit(path).is_none()));
        Ok(all)
    }

    /// Why what stands behind the scheme cannot be a path once its percent-encoding is taken away.
    pub(crate) fn unfit(&self) -> Option<Fault> {
        let short = Some(self.path).filter(|path| path.len() <= LONGEST)?;
        Some(self.bad(unfit(Path::new(&decode(short)?))?))
    }

    /// The names that a text can stand for; a name has no slash.
    pub(crate) fn names(&self, text: &str) -> Result<Vec<PathBuf>, Fault> {
        let mut names = self.paths(text)?;
        let literal = text.contains('/');
        names.retain(|name| !name.to_string_lossy().contains('/') && name.as_os_str() != ".");
        if literal || text.is_empty() || names.is_empty() { Err(self.bad("it has no name")) } else { Ok(names) }
    }
}

/// Why a path cannot lead anywhere below a folder.
fn unfit(path: &Path) -> Option<&'static str> {
    let text = path.to_string_lossy();
    if text.contains('\0') {
        return Some("it holds a NUL character");
    }
    path.components().find_map(|part| match part {
        Component::ParentDir => Some("'..' leads out of it"),
        Component::RootDir | Component::Prefix(_) => Some("its path begins with a slash"),
        Component::CurDir | Component::Normal(_) => None,
    })
}

/// A text with its percent-encoding taken away once; `None` when there is none, or a broken one.
pub(crate) fn decode(text: &str) -> Option<String> {
    Percent::of(text).exact()
}
