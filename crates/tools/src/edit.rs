//! `edit`: a patch of numbered lines, applied to all the files it names or to none.

use readstone_base::{Change, Done, Fault, Kind, Limits, Outcome, Page, Reply, ReplySize, TargetError, Warning};
use readstone_edit::{Section, parse};
use readstone_render::{Changed, changed};
use readstone_view::Sheet;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::call::{Call, Effect, Tool};
use crate::change::{Aim, ChangeError, Draft, Refusal, Unmade, Why, aim, commit, edited, hold_all, withheld};
use crate::error::{Error, fault};
use crate::target::bare;
use crate::write::{only_shown, told};

/// How often a patch is made up anew when a file changed in between.
const MOST_TRIES: usize = 4;

/// Rows of diffs in one reply, and what a file gets of them at least.
const ROWS_IN_ALL: u64 = 240;
const FEWEST_ROWS: u64 = 3;

/// The description of `input`: the patch language.
const PATCH: &str = "\
    The patch, such as\n\
    ¶src/a.ts#0A3B\n\
    replace 4..5:\n\
    +const x = 1;\n\
    insert after 9:\n\
    +log(x);\n\
    - A section begins with the header `¶PATH#TAG` as `read`, `search`, `write` or an earlier `edit` showed it; \
    several files are several sections.\n\
    - Further operations: `delete 4..6`, `insert before 4:`, `insert head:`, `insert tail:`; `replace block 12:`, \
    `delete block 12`, `insert after block 12:` mean the whole declaration or statement that begins on line 12.\n\
    - Rows `+TEXT` are the final text, indentation included; `+` alone is a blank line.\n\
    - All numbers mean the version of the tag, whatever the other operations do.";

/// The input of `edit`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EditInput {
    #[schemars(description = PATCH)]
    pub(crate) input: String,
    /// Only show what would be done.
    #[serde(default)]
    pub(crate) dry_run: bool,
}

/// The tool.
#[derive(Debug)]
pub(crate) struct Edit;

impl Tool for Edit {
    const NAME: &'static str = "edit";
    const TITLE: &'static str = "Edit lines";
    const ABOUT: &'static str = "\
        Changes numbered lines of several files at once, all or none, under the tags that `read` or `search` showed. \
        It never overwrites unseen changes.\n\
        - The reply has the new tag, the changed rows with their new numbers and how later lines moved, so the next \
        edit needs no read.\n\
        - Lines that no reply showed (also those folded into a row `A-B:`) are refused: read them first.\n\
        - Only the named lines change; encoding, line endings and everything else of the file stay.\n\
        - If the file changed in between, the edit is carried over where that is certain, else refused with what is \
        there now.\n\
        - `write` makes new files.";
    const EFFECT: Effect = Effect::Writes;
    type Input = EditInput;

    fn run(call: &Call<'_>, input: EditInput) -> Reply {
        match answer(call, &input) {
            Ok(reply) => reply,
            Err(error) => readstone_render::failure(Self::NAME, TargetError::of(&*error)),
        }
    }
}

fn answer(call: &Call<'_>, input: &EditInput) -> Result<Reply, Fault> {
    let size = input.input.len() as u64;
    if size > call.limits.write_bytes {
        let limit = (call.limits.write_bytes, "write_bytes");
        return Err(fault(ChangeError::TooLarge { what: "the patch".to_owned(), size, limit }));
    }
    let patch = parse(&input.input).map_err(fault)?;
    let (files, most) = (patch.sections.len() as u64, call.limits.targets);
    if files > most {
        let why = format!("{files} files in one patch are too many; the limit targets is {most}");
        return Err(fault(Error::BadInput(why)));
    }
    // Files of one patch share the room for their rows.
    let rows = (ROWS_IN_ALL / patch.sections.len().max(1) as u64).max(FEWEST_ROWS);
    let rows = call.limits.diff_lines.min(rows);
    let mut all = Vec::new();
    for tries in 1..=MOST_TRIES {
        let drafts = fitting_drafts(call, &patch.sections, rows);
        all = match settle(call, input, drafts) {
            Settled::Told(all) => all,
            Settled::Again(_) if tries < MOST_TRIES => continue,
            Settled::Again(index) => restless(&patch.sections, index),
        };
        break;
    }
    if patch.bare_rows > 0 {
        warn(&mut all, &Warning::BareRows { count: patch.bare_rows });
    }
    Ok(changed("edit", &all))
}

/// What every section makes of its file, with as many rows of diffs as the client takes. They are chosen before anything
/// is written, because the session notes which lines the reply shows.
fn fitting_drafts<'a>(
    call: &Call<'_>,
    sections: &[Section],
    mut rows: u64,
) -> Vec<(String, Result<Draft<'a>, Refusal>)> {
    let files = sections.len() as u64;
    let slack = ReplySize { bytes: 400 + 16 * files, rows: 8, json: 500 + 16 * files };
    let most = call.client.reply.minus(slack);
    loop {
        let limits = Limits { diff_lines: rows, ..call.limits.clone() };
        let drafts = drafts(&Call { limits: &limits, ..*call }, sections);
        if !most.is_bounded() || rows <= 1 {
            return drafts;
        }
        let size = readstone_render::reply_size(&changed("edit", &drafts.iter().map(shown).collect::<Vec<_>>()), most);
        if size.exceeds(most).is_none() {
            return drafts;
        }
        rows = size.scale_down(rows, most).max(1);
    }
}

/// A draft as the reply shows it.
fn shown((address, draft): &(String, Result<Draft<'_>, Refusal>)) -> Changed {
    match draft {
        Ok(draft) => Changed::Done(Box::new(draft.page.clone())),
        Err(Refusal { error, page }) => {
            let (error, page) = (TargetError::of(&**error), page.clone());
            Changed::Refused { address: address.clone(), error, page }
        }
    }
}

/// What every section makes of its file.
fn drafts<'a>(call: &Call<'_>, sections: &[Section]) -> Vec<(String, Result<Draft<'a>, Refusal>)> {
    let mut aims: Vec<Result<Aim, Fault>> = sections.iter().map(|section| aim(call, &section.path)).collect();
    let there: Vec<&Aim> = aims.iter().flatten().collect();
    let mut held = hold_all(call, &there).into_iter();
    let mut drafts = Vec::with_capacity(sections.len());
    for (section, aim) in sections.iter().zip(aims.drain(..)) {
        let late = || fault(readstone_host::Error::TimedOut { path: section.path.clone() });
        let made = aim.map_err(Refusal::from).and_then(|aim| match held.next() {
            Some(_) if call.budget.still_wanted().is_err() => Err(late().into()),
            Some(held) => edited(call, &aim, held?, section),
            None => Err(fault(ChangeError::NotFound { path: aim.path, near: Vec::new() }).into()),
        });
        drafts.push((section.path.clone(), made));
    }
    drafts
}

/// What became of a patch.
enum Settled {
    Told(Vec<Changed>),
    /// This file changed in between.
    Again(usize),
}

/// Makes the changes, unless one of them is refused or the caller only wants to see them.
fn settle(call: &Call<'_>, input: &EditInput, drafts: Vec<(String, Result<Draft<'_>, Refusal>)>) -> Settled {
    let refused = drafts.iter().any(|(_, draft)| draft.is_err());
    if refused || input.dry_run {
        let effect = if refused { Outcome::Withheld } else { Outcome::Shown };
        return Settled::Told(drafts.into_iter().map(|(path, draft)| unmade(path, draft, effect)).collect());
    }
    let (paths, drafts): (Vec<_>, Vec<_>) =
        drafts.into_iter().filter_map(|(path, draft)| Some((path, draft.ok()?))).unzip();
    match commit(call, drafts) {
        Ok(made) => Settled::Told(paths.into_iter().zip(made).map(|(path, made)| done(path, made)).collect()),
        Err(Unmade { again: true, failed, .. }) => Settled::Again(failed.first().map_or(0, |(index, _)| *index)),
        Err(unmade) => {
            let failed = unmade.failed;
            let one =
                |(index, (address, page)): (usize, (String, Page))| match failed.iter().find(|(at, _)| *at == index) {
                    Some((_, error)) => Changed::Refused { address, error: TargetError::of(&**error), page: None },
                    None => Changed::Done(Box::new(page)),
                };
            Settled::Told(paths.into_iter().zip(unmade.pages).enumerate().map(one).collect())
        }
    }
}

fn done(address: String, made: Result<Page, Fault>) -> Changed {
    match made {
        Ok(page) => Changed::Done(Box::new(page)),
        Err(error) => Changed::Refused { address, error: TargetError::of(&*error), page: None },
    }
}

/// A change that is not made.
fn unmade(address: String, draft: Result<Draft<'_>, Refusal>, effect: Outcome) -> Changed {
    match draft {
        Ok(Draft { page, .. }) if effect == Outcome::Withheld => told(withheld(page)),
        Ok(Draft { page, .. }) => told(only_shown(page)),
        Err(Refusal { error, page }) => Changed::Refused { address, error: TargetError::of(&*error), page },
    }
}

/// A file that changed whenever it was to be changed.
fn restless(sections: &[Section], index: usize) -> Vec<Changed> {
    let one = |(at, section): (usize, &Section)| {
        let (address, tag) = (section.path.clone(), section.tag);
        if at == index {
            let error = ChangeError::Stale { path: address.clone(), tag, why: Why::Restless };
            return Changed::Refused { address, error: TargetError::of(&error), page: None };
        }
        let change = Change { effect: Outcome::Withheld, ..Change::new(Done::Update) };
        Changed::Done(Box::new(Page { address, change: Some(change), ..bare(Kind::Text, Sheet::default()) }))
    };
    sections.iter().enumerate().map(one).collect()
}

/// Adds a warning to the first of the changes.
fn warn(all: &mut [Changed], warning: &Warning) {
    let change = all.iter_mut().find_map(|one| match one {
        Changed::Done(page) => page.change.as_mut(),
        Changed::Refused { page, .. } => page.as_mut().and_then(|page| page.change.as_mut()),
    });
    if let Some(change) = change {
        change.warnings.insert(0, warning.clone());
    }
}
