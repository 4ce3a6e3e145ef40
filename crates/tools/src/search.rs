//! `search`: what matches a pattern, in files, trees and whatever else has text.

mod fit;
mod hunt;
mod inside;
mod page;
mod scope;
mod table;
mod text;

use readstone_base::{Count, Fault, Found, FoundNote, Reply, Span, TargetError};
use readstone_search::{Case, Pattern};
use readstone_source::Git;

use crate::call::{Call, Effect, Tool};
use crate::error::{Error, fault};
use crate::search_input::SearchInput;
use hunt::{Hunt, Thing};

/// The tool.
#[derive(Debug)]
pub struct Search;

impl Tool for Search {
    const NAME: &'static str = "search";
    const ABOUT: &'static str = "Searches text for a regular expression (Rust syntax; a literal brace or parenthesis is escaped, as in \
        `interface\\{\\}`), line by line unless the pattern holds `\\n`. `paths` are files, directories, globs such as \
        `src/**/*.ts`, or any other address that `read` takes: `a.zip:src`, `report.pdf`, `app.db:users`, `https://host/page`, \
        `readstone://`; behind one file also lines, `a.rs:50-100`. Matching lines come as `*LINE:TEXT`, lines around them as \
        ` LINE:TEXT`, under `# PATH#TAG` (`¶PATH#TAG` for one file); `edit` takes that tag. Files are searched whole, in any \
        encoding; what was not searched is counted at the end. 20 files a reply: `skip=20` shows the next. To find files by name use `find`.";
    const EFFECT: Effect = Effect::Reads;
    type Input = SearchInput;

    fn run(call: &Call<'_>, input: SearchInput) -> Reply {
        answer(call, &input).unwrap_or_else(|fault| readstone_render::failure(Self::NAME, TargetError::of(&*fault)))
    }
}

/// What a search is for, and how it goes about it.
pub(crate) struct Job<'a> {
    call: &'a Call<'a>,
    pattern: &'a Pattern,
    git: Git,
    /// Bytes of text in the reply.
    room: u64,
}

fn answer(call: &Call<'_>, input: &SearchInput) -> Result<Reply, Fault> {
    let case = if input.i { Case::Fold } else { Case::Exact };
    let pattern = Pattern::new(&input.pattern, case, call.limits).map_err(fault)?;
    let skip = skipped(input.skip)?;
    let git = if input.gitignore { Git::Obey } else { Git::Pass };
    let room = input.max_tokens.map_or(u64::MAX, |tokens| tokens.saturating_mul(BYTES_A_TOKEN));
    let job = Job { call, pattern: &pattern, git, room: room.min(call.limits.page_bytes) };
    let scopes = scope::scopes(call, &input.paths)?;
    let mut found = Found { scope: input.paths.clone(), missing: scopes.missing, ..Found::default() };
    found.notes.extend(pattern.repaired().map(|pattern| FoundNote::Repaired { pattern: pattern.to_owned() }));
    let files = usize::try_from(call.limits.search_files).unwrap_or(usize::MAX);
    let mut hunt = Hunt::new(&job, skip, files);
    for scope in scopes.list {
        hunt.through(scope)?;
    }
    found.alone = hunt.is_alone();
    hunt.tell(&mut found);
    Ok(finish(&job, hunt, found, skip))
}

/// Bytes of text that a token stands for, at least.
const BYTES_A_TOKEN: u64 = 3;

/// How many results are passed over.
fn skipped(skip: Option<f64>) -> Result<u64, Fault> {
    let skip = skip.unwrap_or(0.0);
    if !skip.is_finite() || skip < 0.0 {
        return Err(fault(Error::BadInput("Skip must be a non-negative number".to_owned())));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it was just checked to be positive")]
    Ok(skip.floor() as u64)
}

/// Makes the pages of what was found, as many as fit.
fn finish(job: &Job<'_>, hunt: Hunt<'_>, mut found: Found, skip: u64) -> Reply {
    let most = if found.alone { job.call.limits.search_matches } else { job.call.limits.search_file_matches };
    let total = hunt.total();
    let within = hunt.within().map(<[Span]>::to_vec);
    let mut pages = Vec::new();
    let mut gone = 0;
    for thing in hunt.into_things() {
        match page::page(job, &thing, (within.as_deref(), most)) {
            Ok(Some(page)) => pages.push(page),
            // It changed since it was looked at.
            Ok(None) => gone += 1,
            Err(error) => {
                gone += 1;
                found.notes.push(FoundNote::Failed { address: thing.address().to_owned(), why: error.to_string() });
            }
        }
    }
    let made = (pages.len() + gone) as u64;
    let form = if found.alone { fit::Form::Alone(within.as_deref()) } else { fit::Form::Several };
    let fitted = fit::fit(pages, job, form);
    let shown = fitted.pages.len() as u64;
    // What did not fit comes first on the next page.
    let left = made - gone as u64 - shown;
    let passed = skip + made - left;
    found.shown = (shown > 0).then(|| Span::new(skip + 1, passed));
    found.total = if found.alone { Count::Exactly(shown) } else { total };
    found.next_skip = (passed < found.total.number() && !found.alone).then_some(passed);
    found.cut_by = found.cut_by.or(fitted.cut_by);
    if found.next_skip.is_some() && found.cut_by.is_none() {
        found.cut_by = Some("search_files");
    }
    found.matches = fitted.matches;
    readstone_render::found("search", &fitted.pages, found)
}

impl Thing {
    fn address(&self) -> &str {
        match self {
            Self::Text(text) => &text.address,
            Self::Table(table) => &table.address,
            Self::File(file) => &file.address,
        }
    }
}
