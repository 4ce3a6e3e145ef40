//! Puts one entry into an archive: every other byte of it stays what it is.
//!
//! An entry is planned first. All that can be wrong with the archive, the name and the rules is found out then, and
//! nothing was written; a plan only copies.

mod stream;
mod wanted;

use std::cell::OnceCell;
use std::io;
use std::sync::Arc;

use readstone_base::{Blob, Budget, Fault};
use readstone_source::{Opening, Piece};

use super::error::Error;
use super::members::failed;
use super::{HEAD, denies, denies_shown, is_tar, length, names, secret, seven, tar, zip};
use crate::packed::{self, Inside};

pub(super) use stream::{Gzip, copy, deflated, set};
pub(super) use wanted::{Hit, Outcome, Search, Wanted};

/// What is to be put in.
#[derive(Clone, Copy, Debug)]
pub struct ArchiveEntry<'a> {
    /// The name inside the archive, as an address spells it: with escapes, or as the number of an entry.
    pub inner: &'a str,
    /// The bytes.
    pub content: &'a [u8],
    /// When they were made, in seconds since the epoch.
    pub modified: i64,
}

/// Where it is to be put.
#[derive(Clone, Copy, Debug)]
pub enum PutInto<'a> {
    /// A file that is there.
    There(&'a Piece),
    /// A new archive.
    New {
        /// Its address, as the caller spells it.
        path: &'a str,
        /// What it is.
        form: ArchiveForm,
    },
}

/// A kind of archive that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveForm {
    /// Zip.
    Zip,
    /// Tar.
    Tar,
    /// Tar inside gzip.
    TarGzip,
}

/// The kind that a new archive of this name is.
pub fn archive_form(name: &str) -> Option<ArchiveForm> {
    const ENDINGS: [(&str, ArchiveForm); 4] = [
        (".zip", ArchiveForm::Zip),
        (".tar", ArchiveForm::Tar),
        (".tar.gz", ArchiveForm::TarGzip),
        (".tgz", ArchiveForm::TarGzip),
    ];
    let name = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    let fits = |ending: &str| name.len() > ending.len() && name.ends_with(ending);
    ENDINGS.iter().find(|(ending, _)| fits(ending)).map(|(_, form)| *form)
}

/// What archive or compressed file the bytes are, by their content alone, in words: `zip archive`.
pub fn archive_kind(blob: &dyn Blob) -> io::Result<Option<&'static str>> {
    let head = blob.read_range(0, HEAD)?;
    if let Some(kind) = packed::kind(&head) {
        return Ok(Some(kind));
    }
    if zip::begins(&head) || zip::closes(blob)? {
        return Ok(Some("zip archive"));
    }
    if seven::begins(&head) {
        return Ok(Some("7z archive"));
    }
    Ok(is_tar(&head).then_some("tar archive"))
}

/// An archive as it will be with the entry in it.
#[derive(Debug)]
pub struct EntryPlan<'a> {
    name: String,
    /// The number by which the entry was chosen.
    number: Option<String>,
    replaced: Option<u64>,
    links: u64,
    /// The rule for secrets that speaks of an entry.
    secret: Option<String>,
    body: Body<'a>,
}

#[derive(Debug)]
enum Body<'a> {
    Zip(zip::Rewrite<'a>),
    Tar(tar::Rewrite<'a>),
    TarGzip(tar::Rewrite<'a>, Around),
}

/// What stands round a tar archive that is compressed.
#[derive(Debug)]
struct Around {
    gzip: Gzip,
    /// What stands behind the compressed bytes, in the file there is.
    behind: Option<(Arc<dyn Blob>, std::ops::Range<u64>)>,
    budget: Budget,
}

impl EntryPlan<'_> {
    /// The name of the entry, as it is shown.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What an address says to mean the entry: its name, or its number where it was chosen by that, since others may have
    /// the same name.
    pub fn address(&self) -> &str {
        self.number.as_ref().unwrap_or(&self.name)
    }

    /// Whether the entry is new.
    pub fn is_created(&self) -> bool {
        self.replaced.is_none()
    }

    /// The size of what the entry held before.
    pub fn replaced(&self) -> Option<u64> {
        self.replaced
    }

    /// How many hard links of the archive lead to the entry, and to what it holds from now on.
    pub fn links(&self) -> u64 {
        self.links
    }

    /// The rule for secrets that speaks of an entry of the archive there is, or of the new one.
    pub fn secret(&self) -> Option<&str> {
        self.secret.as_deref()
    }

    /// Writes the whole archive. What goes wrong while the old one is read is carried inside the error: see
    /// [`crate::unreadable`].
    pub fn write(&self, sink: &mut dyn io::Write) -> io::Result<()> {
        match &self.body {
            Body::Zip(rewrite) => rewrite.write(sink),
            Body::Tar(rewrite) => rewrite.write(sink),
            Body::TarGzip(rewrite, around) => {
                let mut packer = around.gzip.begin(sink)?;
                rewrite.write(&mut packer)?;
                packer.finish()?;
                match &around.behind {
                    Some((blob, range)) => copy(&**blob, range.clone(), sink, &around.budget),
                    None => Ok(()),
                }
            }
        }
    }
}

/// Plans to put an entry into an archive. The entry keeps its place, its name, its mode and what else is said of it when
/// it was there; a new one is the last. Archives that cannot be changed without a doubt are refused.
pub fn plan_entry<'a>(
    into: PutInto<'_>,
    entry: &ArchiveEntry<'a>,
    opening: &Opening<'_>,
) -> Result<EntryPlan<'a>, Fault> {
    let path = match into {
        PutInto::There(piece) => &piece.path,
        PutInto::New { path, .. } => path,
    };
    let wanted = Wanted::new(path, entry.inner).map_err(Error::boxed)?;
    let job = Job { path, wanted, entry, opening, secret: OnceCell::new() };
    match into {
        PutInto::There(piece) => job.put_into_file(piece),
        PutInto::New { form, .. } => job.put_into_new(form),
    }
}

/// What is at hand while an entry is planned.
pub(super) struct Job<'j, 'a> {
    /// The address of the archive.
    pub(super) path: &'j str,
    pub(super) wanted: Wanted,
    pub(super) entry: &'j ArchiveEntry<'a>,
    pub(super) opening: &'j Opening<'j>,
    /// The rule for secrets that speaks of an entry, once one was seen.
    secret: OnceCell<String>,
}

impl<'a> Job<'_, 'a> {
    fn put_into_file(&self, piece: &Piece) -> Result<EntryPlan<'a>, Fault> {
        let head = piece.blob.read_range(0, HEAD).map_err(failed(self.path))?;
        let form = archive_form(&piece.name);
        if let (true, Some(form)) = (head.is_empty(), form) {
            return self.put_into_new(form);
        }
        if let Some(inside) = packed::inside(&head, piece, self.opening)? {
            return self.put_into_packed(piece, inside);
        }
        if zip::begins(&head) {
            return self.put_into_zip(piece);
        }
        if seven::begins(&head) {
            return Err(self.refuse("entries of 7z archives are read, not written"));
        }
        // An archive without entries is nothing but its end.
        let blank = form == Some(ArchiveForm::Tar) && is_blank(&head);
        if is_tar(&head) || blank {
            let (outcome, rewrite) = tar::rewrite(self, &piece.blob)?;
            return self.plan(outcome, Body::Tar(rewrite));
        }
        if zip::ends(piece, self.opening)? {
            return self.put_into_zip(piece);
        }
        Err(self.refuse("it is no archive"))
    }

    fn put_into_zip(&self, piece: &Piece) -> Result<EntryPlan<'a>, Fault> {
        let length = length(&piece.blob, self.opening).map_err(failed(self.path))?;
        let (outcome, rewrite) = zip::rewrite(self, &piece.blob, length)?;
        self.plan(outcome, Body::Zip(rewrite))
    }

    fn put_into_packed(&self, piece: &Piece, inside: Inside) -> Result<EntryPlan<'a>, Fault> {
        let (inner, trail) = match inside {
            Inside::Gzip(inner, trail) => (inner, trail),
            Inside::Other(how) => {
                return Err(self.refuse(format!("what is packed with {how} is read, not written")));
            }
        };
        let head = inner.blob.read_range(0, HEAD).map_err(failed(self.path))?;
        let blank = archive_form(&piece.name) == Some(ArchiveForm::TarGzip) && is_blank(&head);
        if !is_tar(&head) && !blank {
            return Err(self.refuse("it holds one compressed file, and no archive"));
        }
        let gzip = Gzip::like(&*piece.blob, self.entry.modified).map_err(failed(self.path))?;
        let (outcome, rewrite) = tar::rewrite(self, &inner.blob)?;
        let end = length(&piece.blob, self.opening).map_err(failed(self.path))?;
        let behind = trail.behind();
        let behind = (behind > 0).then(|| (Arc::clone(&piece.blob), end.saturating_sub(behind)..end));
        let around = Around { gzip, behind, budget: self.opening.budget.clone() };
        self.plan(outcome, Body::TarGzip(rewrite, around))
    }

    fn put_into_new(&self, form: ArchiveForm) -> Result<EntryPlan<'a>, Fault> {
        let outcome = self.choose(Search::<()>::new(&self.wanted, self.opening.judge))?.without_place();
        let body = match form {
            ArchiveForm::Zip => Body::Zip(zip::Rewrite::first(self, outcome.name())?),
            ArchiveForm::Tar => Body::Tar(tar::Rewrite::first(self, outcome.name())),
            ArchiveForm::TarGzip => {
                let around = Around { gzip: Gzip::fresh(), behind: None, budget: self.opening.budget.clone() };
                Body::TarGzip(tar::Rewrite::first(self, outcome.name()), around)
            }
        };
        self.plan(outcome, body)
    }

    fn plan(&self, outcome: Outcome<()>, body: Body<'a>) -> Result<EntryPlan<'a>, Fault> {
        self.opening.budget.check().map_err(|why| Error::Stopped { address: self.path.to_owned(), why }.boxed())?;
        let name = names::show(outcome.name());
        let number = self.wanted.number_unless(outcome.name());
        let (replaced, links) = match outcome {
            Outcome::Replace(hit, links) => (Some(hit.size), links),
            Outcome::Create(_) => (None, 0),
        };
        let secret = self.secret.get().cloned().or_else(|| secret(self.opening.judge, name.as_bytes()));
        Ok(EntryPlan { name, number, replaced, links, secret, body })
    }

    /// What is to be done, once every entry was seen; refused where a rule withholds the name.
    pub(super) fn choose<T>(&self, search: Search<'_, T>) -> Result<Outcome<T>, Fault> {
        if let Some(rule) = search.secret() {
            self.secret.get_or_init(|| rule.to_owned());
        }
        let outcome = search.outcome(self.path).map_err(Error::boxed)?;
        let judge = self.opening.judge;
        let shown = names::show(outcome.name());
        // A compressed file has a name of its own inside.
        let inner = packed::inner_name(&shown);
        let packed = inner != shown && packed::begins(self.entry.content);
        let rule = denies(judge, outcome.name()).or_else(|| denies_shown(judge, &inner).filter(|_| packed));
        match rule {
            Some(rule) => Err(Error::Denied { address: format!("{}:{shown}", self.path), rule }.boxed()),
            None => Ok(outcome),
        }
    }

    /// The failure of an archive that is not written to.
    pub(super) fn refuse(&self, what: impl Into<String>) -> Fault {
        Error::unwritable(self.path, None, what).boxed()
    }

    /// The failure of an entry that is not written.
    pub(super) fn refuse_entry(&self, name: &[u8], what: &str) -> Fault {
        Error::unwritable(self.path, Some(&names::show(name)), what).boxed()
    }

    /// The failure of an archive that is damaged.
    pub(super) fn corrupt(&self, what: impl Into<String>) -> Fault {
        Error::corrupt(self.path, what).boxed()
    }

    /// The failure of an entry that is larger than can be written.
    pub(super) fn too_big(&self, what: impl Into<String>) -> Fault {
        Error::Limit { address: self.path.to_owned(), what: what.into() }.boxed()
    }
}

fn is_blank(head: &[u8]) -> bool {
    head.iter().all(|byte| *byte == 0)
}
