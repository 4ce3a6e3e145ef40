//! The host as a judge of names: which entries of archives are withheld, and which are masked.

use std::io;
use std::path::Path;
use std::sync::Arc;

use readstone_base::Blob;
use readstone_host::{Host, is_git_config};

use crate::opening::Judge;

impl Judge for Host {
    fn denies(&self, name: &Path) -> Option<String> {
        self.denies_name(name)
    }

    fn warns(&self, name: &Path) -> Option<String> {
        self.warns_of_name(name)
    }

    fn is_key_file(&self, name: &Path) -> bool {
        self.policy().is_key_file(&[name])
    }

    fn masks(&self, name: &Path) -> bool {
        is_git_config(name)
    }

    fn shown(&self, name: &Path, blob: Arc<dyn Blob>) -> io::Result<Arc<dyn Blob>> {
        Self::shown(self, name, blob)
    }
}
