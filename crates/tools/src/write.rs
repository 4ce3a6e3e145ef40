//! `write`: a whole file, an entry of an archive, a row of a database, or the resolution of a merge conflict.

mod conflict;
mod entry;
mod file;
mod place;
mod row;

use readstone_base::{Fault, Outcome, Page, Reply, TargetError};
use readstone_render::{Changed, changed};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::call::{Call, Effect, Tool};
use crate::change::{ChangeError, Draft, commit};
use crate::error::fault;
use place::{Place, place};

/// How often a write is made up anew when a file changed in between.
const MOST_TRIES: usize = 4;

/// The description of `path`: what can be written.
const PATH: &str = "\
    What to write.\n\
    - `dir/name` a file, `local://name` a scratch file of the session, `x.ipynb` a notebook from its text as `read` \
    shows it\n\
    - `archive.zip:dir/name` (also .tar, .tar.gz, .tgz) one entry; the others stay as they are\n\
    - `data.db:table` inserts a row, `data.db:table:KEY` changes the named columns of one, with empty content \
    deletes it\n\
    - `conflict://ID`, as `read path:conflicts` numbers them, or `conflict://*` for all: replaces the conflict by \
    the content, or by a side: `@ours`, `@theirs`, `@base`, `@both`";

/// The input of `write`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WriteInput {
    #[schemars(description = PATH)]
    pub(crate) path: String,
    /// All of the content; of a row a JSON5 object, or nothing to delete it.
    pub(crate) content: String,
    /// Write only if this is the tag, or the full version, of what is there; `new`: only if nothing is.
    #[serde(default)]
    pub(crate) if_tag: Option<String>,
    /// Only show what would be done.
    #[serde(default)]
    pub(crate) dry_run: bool,
}

/// The tool.
#[derive(Debug)]
pub(crate) struct Write;

impl Tool for Write {
    const NAME: &'static str = "write";
    const TITLE: &'static str = "Write a file";
    const ABOUT: &'static str = "\
        Makes or replaces a file, an entry of an archive, a row of a database or a notebook, and resolves merge \
        conflicts.\n\
        - Missing directories are made.\n\
        - To change parts of a file that is there, use `edit`.\n\
        - The reply has the tag for the next `edit`.";
    const EFFECT: Effect = Effect::Writes;
    type Input = WriteInput;

    fn run(call: &Call<'_>, input: WriteInput) -> Reply {
        match answer(call, &input) {
            Ok(all) => changed(Self::NAME, &all),
            Err(error) => readstone_render::failure(Self::NAME, TargetError::of(&*error)),
        }
    }
}

fn answer(call: &Call<'_>, input: &WriteInput) -> Result<Vec<Changed>, Fault> {
    let size = input.content.len() as u64;
    if size > call.limits.write_bytes {
        let limit = (call.limits.write_bytes, "write_bytes");
        return Err(fault(ChangeError::TooLarge { what: "the content".to_owned(), size, limit }));
    }
    match place(call, &input.path)? {
        Place::File(target) => repeated(call, input, &mut || Ok(vec![file::draft(call, input, &target)?])),
        Place::Entry { target, inner } => {
            repeated(call, input, &mut || Ok(vec![entry::draft(call, input, &target, &inner)?]))
        }
        Place::Row { target, tail } => Ok(vec![told(row::write(call, input, &target, &tail)?)]),
        Place::Conflicts(which) => {
            let all = repeated(call, input, &mut || conflict::drafts(call, input, &which))?;
            if !input.dry_run {
                conflict::forget(call, &which);
            }
            Ok(all)
        }
    }
}

/// Makes up changes and makes them, again when a file changed in between.
fn repeated<'a>(
    call: &Call<'_>,
    input: &WriteInput,
    make: &mut dyn FnMut() -> Result<Vec<Draft<'a>>, Fault>,
) -> Result<Vec<Changed>, Fault> {
    let mut tries = 1;
    loop {
        let drafts = make()?;
        if input.dry_run {
            return Ok(drafts.into_iter().map(|draft| told(only_shown(draft.page))).collect());
        }
        // What is there already need not be written.
        if drafts.iter().all(Draft::is_idle) {
            return Ok(drafts.into_iter().map(|draft| told(draft.known_already(call))).collect());
        }
        match commit(call, drafts) {
            Ok(done) => return done.into_iter().map(|page| page.map(told)).collect(),
            Err(unmade) if unmade.again && tries < MOST_TRIES => tries += 1,
            Err(unmade) => return Err(unmade.error()),
        }
    }
}

/// What is said of something that was done.
pub(crate) fn told(page: Page) -> Changed {
    Changed::Done(Box::new(page))
}

/// A page of something that is not done.
pub(crate) fn only_shown(mut page: Page) -> Page {
    page.editable = false;
    if let Some(change) = &mut page.change {
        change.effect = Outcome::Shown;
    }
    page
}
