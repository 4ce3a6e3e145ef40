//! `search`: what matches a pattern, in files, trees and whatever else has text.

mod fit;
mod hunt;
mod inside;
mod page;
mod scope;
mod table;
mod text;

use readstone_base::{Count, Fault, Found, FoundNote, Hidden, Page, Reply, Span, Stopped, TargetError};
use readstone_search::{Case, Extent, FindError, Pattern};
use readstone_source::Git;
use readstone_view::Room;

use crate::call::{Access, Call, Effect, Tool};
use crate::error::{Error, fault};
use crate::search_input::SearchInput;
use crate::shown;
use hunt::{Hunt, Named};
use page::{Leaf, Made};
use scope::{Unfit, is_member};

/// The tool.
#[derive(Debug)]
pub(crate) struct Search;

impl Tool for Search {
    const NAME: &'static str = "search";
    const TITLE: &'static str = "Search text";
    const ABOUT: &'static str = "\
        Searches by regular expression in whole files of any encoding, archives, PDFs, databases and web pages. It \
        counts what it did not search.\n\
        - Matching lines come as `*LINE:TEXT`, lines around them as ` LINE:TEXT`, under `# PATH#TAG` (`¶PATH#TAG` \
        for one file). `edit` takes that tag.\n\
        - A reply has at most 20 files: `skip=20` shows the next.\n\
        - To find files by name use `find`.";
    const EFFECT: Effect = Effect::Reads;
    const ACCESS: Access = Access::Remote;
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
    /// Bytes of text in the reply, and what sets their number.
    room: (u64, &'static str),
}

fn answer(call: &Call<'_>, input: &SearchInput) -> Result<Reply, Fault> {
    let case = if input.i { Case::Fold } else { Case::Exact };
    let pattern = Pattern::new(&input.pattern, case, call.limits).map_err(fault)?;
    let skip = skipped(input.skip)?;
    if input.max_tokens == Some(0) {
        return Err(fault(Error::BadInput("max_tokens must be at least 1 for this call".to_owned())));
    }
    let git = if input.gitignore { Git::Obey } else { Git::Pass };
    let tokens = input.max_tokens.map_or(u64::MAX, |tokens| tokens.saturating_mul(BYTES_A_TOKEN));
    let page = Room { client: call.client.reply, ..Room::default() }.page_bytes(call.limits);
    let room = if tokens < page.0 { (tokens, "max_tokens") } else { page };
    let job = Job { call, pattern: &pattern, git, room };
    let scopes = scope::scopes(call, &input.paths)?;
    let (scope, missing, notes) = (input.paths.clone(), scopes.missing, scopes.notes);
    let mut found = Found { scope, missing, notes, ..Found::default() };
    found.notes.extend(pattern.repaired().map(|pattern| FoundNote::Repaired { pattern: pattern.to_owned() }));
    let named = if scopes.list.len() == 1 { Named::One } else { Named::Several };
    let mut hunt = Hunt::new(&job, skip, named);
    for scope in scopes.list {
        hunt.through(scope)?;
    }
    if call.budget.still_wanted() == Err(Stopped::Cancelled) {
        let path = input.paths.first().cloned().unwrap_or_default();
        return Err(fault(readstone_host::Error::TimedOut { path }));
    }
    found.alone = hunt.is_alone();
    hunt.tell(&mut found);
    finish(&job, hunt, found)
}

/// Bytes of text that a token stands for, at least.
const BYTES_A_TOKEN: u64 = 3;

/// Results up to here are held while those behind them are looked for.
const MOST_SKIPPED: u64 = 100_000;

/// How many results are passed over.
fn skipped(skip: Option<f64>) -> Result<u64, Fault> {
    let skip = skip.unwrap_or(0.0);
    if !skip.is_finite() || skip < 0.0 {
        return Err(fault(FindError::BadSkip));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it was just checked to be positive")]
    let skip = skip.floor() as u64;
    if skip > MOST_SKIPPED {
        return Err(fault(FindError::FarSkip { most: MOST_SKIPPED }));
    }
    Ok(skip)
}

/// Makes the pages of what was found, as many as fit.
fn finish(job: &Job<'_>, hunt: Hunt<'_>, mut found: Found) -> Result<Reply, Fault> {
    let limits = job.call.limits;
    let most = if found.alone { limits.search_matches } else { limits.search_file_matches };
    let (total, skip) = (hunt.total(), hunt.skip());
    let (mut leaves, mut made) = (Vec::new(), 0);
    for thing in hunt.into_things() {
        made += 1;
        let (address, in_part) = (thing.address().to_owned(), thing.in_part());
        match page::page(job, thing, most) {
            Ok(Made::Page(leaf)) => leaves.push(*leaf),
            Ok(Made::Binary) if found.alone && is_member(job.call, &address) => {
                return Err(fault(Unfit::Member { path: address }));
            }
            Ok(other) => {
                tell_of(&mut found, address, &other);
                found.unsearched.extend(in_part);
            }
            Err(error) if found.alone => return Err(error),
            Err(error) => found.notes.push(FoundNote::Failed { address, why: error.to_string() }),
        }
    }
    for leaf in leaves.iter().filter(|leaf| leaf.extent == Extent::InPieces) {
        let address = leaf.page.address.clone();
        found.notes.push(FoundNote::InPieces { address, limit: "search_span_bytes" });
    }
    let form = if found.alone { fit::Form::Alone } else { fit::Form::Several };
    let held = Held { leaves, form, skip, made, total };
    let (leaves, reply) = held.fitted(job, &found);
    for leaf in &leaves {
        shown::keep(job.call, &leaf.page);
    }
    Ok(reply)
}

/// Pages with matches, before they are fitted into the reply.
struct Held {
    leaves: Vec<Leaf>,
    form: fit::Form,
    /// The number of results to skip, and the number of results after those that were opened.
    skip: u64,
    made: u64,
    total: Count,
}

/// How often a reply is made again to fit its client.
const MOST_TRIES: u32 = 8;

impl Held {
    /// The reply, and the pages that it shows whole. How large it is for its client is known only when it is worded, so one that came
    /// out too large is made again with less.
    fn fitted(mut self, job: &Job<'_>, found: &Found) -> (Vec<Leaf>, Reply) {
        let most = job.call.client.reply;
        let held = self.leaves.len();
        let stopped: Vec<_> = self.leaves.iter().map(|leaf| leaf.page.coverage.cut_by).collect();
        let (mut room, mut tries) = (job.room, 1);
        loop {
            for (leaf, stopped) in self.leaves.iter_mut().zip(&stopped) {
                leaf.page.coverage.cut_by = *stopped;
            }
            let fitted = fit::fit(&mut self.leaves, job, self.form, room);
            let reply = self.reply(found.clone(), &fitted, held);
            let size = readstone_render::reply_size(&reply, most);
            let Some(limit) = size.exceeds(most) else {
                return (self.leaves, reply);
            };
            if tries == MOST_TRIES || fitted.matches <= 1 {
                // Lines are cut out of this reply, so none of them counts as shown.
                return (Vec::new(), reply);
            }
            room = (size.scale_down(room.0.min(size.bytes), most), limit);
            tries += 1;
        }
    }

    fn reply(&self, mut found: Found, fitted: &fit::Fitted, held: usize) -> Reply {
        let shown = self.leaves.len();
        // What did not fit comes first on the next page.
        let passed = self.skip + self.made - (held - shown) as u64;
        found.shown = (shown > 0).then(|| Span::new(self.skip + 1, passed));
        found.total = if found.alone { Count::Exactly(shown as u64) } else { self.total };
        found.next_skip = (passed < found.total.number() && !found.alone).then_some(passed);
        found.cut_by = found.cut_by.or(fitted.cut_by);
        if found.next_skip.is_some() && found.cut_by.is_none() {
            found.cut_by = Some("search_files");
        }
        found.matches = fitted.matches;
        let pages: Vec<&Page> = self.leaves.iter().map(|leaf| &leaf.page).collect();
        readstone_render::found("search", &pages, found)
    }
}

/// Says why something has no page: nothing is said of what changed since it was looked at.
fn tell_of(found: &mut Found, address: String, made: &Made) {
    match made {
        Made::Page(_) | Made::Nothing(Extent::Whole) => {}
        Made::Nothing(Extent::InPieces) => {
            found.notes.push(FoundNote::InPieces { address, limit: "search_span_bytes" });
        }
        Made::Binary => found.unsearched.push(Hidden { reason: "binary", count: 1, address: Some(address) }),
        Made::Stopped => {
            found.cut_by = Some("call_ms");
            found.notes.push(FoundNote::NotAllSearched { files: 0 });
        }
    }
}
