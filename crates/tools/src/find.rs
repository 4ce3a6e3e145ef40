//! `find`: paths by globs, the newest first.

use std::collections::HashSet;
use std::time::Duration;

use readstone_base::{
    Budget, Count, Fault, Found, FoundNote, Hidden, Limits, Reply, Span, Stopped, TargetError, escape_name,
};
use readstone_search::{Entry, FindError, Finds, How, Page, Quest, World, entries, open_all};
use readstone_source::{Dots, Fresh, Git, Opening};
use readstone_view::Room;

use crate::call::{Call, Effect, Tool};
use crate::error::fault;
use crate::find_input::FindInput;
use crate::find_place::{Place, place};

/// The tool.
#[derive(Debug)]
pub(crate) struct Find;

impl Tool for Find {
    const NAME: &'static str = "find";
    const TITLE: &'static str = "Find files";
    const ABOUT: &'static str = "\
        Finds files and directories by name, the newest first, also inside archives. What it leaves out is counted, \
        never silent.\n\
        - Names come below a line `# DIRECTORY/`: a path is that directory and the name. Directories end with `/`.\n\
        - A reply that shows a part ends with `next: find skip=N`: the same call with that `skip` shows what \
        follows.\n\
        - For text inside files use `search`.";
    const EFFECT: Effect = Effect::Reads;
    type Input = FindInput;

    fn run(call: &Call<'_>, input: FindInput) -> Reply {
        match answer(call, &input) {
            Ok(found) => fitted(call, found, input.skip),
            Err(fault) => readstone_render::failure(Self::NAME, TargetError::of(&*fault)),
        }
    }
}

/// What is said where nothing is named.
const EMPTY: &str = "`paths` must contain non-empty globs or paths";
/// The shortest and the longest time to look, in seconds.
const SECONDS: (f64, f64) = (0.5, 60.0);

fn answer(call: &Call<'_>, input: &FindInput) -> Result<Found, Fault> {
    let limits = call.limits;
    let most = limit(input.limit, limits).map_err(fault)?;
    let skip = skip(input.skip).map_err(fault)?;
    let time = Time::of(input.timeout, limits, call.budget);
    let budget = call.budget.within(Duration::from_millis(time.milliseconds));
    let opening = Opening { budget: &budget, ..call.opening(Fresh::Keep) };
    let named = entries(&input.paths, &World { host: call.host, opening: &opening }, limits, EMPTY).map_err(fault)?;
    let (quest, missing) = quest(call, &named, &opening)?;
    let dots = if input.hidden { Dots::Show } else { Dots::Skip };
    let git = if input.gitignore { Git::Obey } else { Git::Pass };
    let how = How { host: call.host, opening: &opening, dots, git, threads: readstone_source::cores() };
    let finds = readstone_search::find(&quest, &how, Page { skip, most })?;
    if finds.walked.stopped == Some(Stopped::Cancelled) {
        let path = named.first().map(|entry| entry.text.clone()).unwrap_or_default();
        return Err(fault(readstone_host::Error::TimedOut { path }));
    }
    let mut found = Found {
        scope: named.iter().map(|entry| entry.text.clone()).collect(),
        missing,
        alone: quest.only_file().is_some(),
        hidden: hidden(&finds),
        ..Found::default()
    };
    note(&mut found, &finds, &time);
    let own = input.limit.is_some_and(|_| most < limits.find_paths);
    show(&mut found, finds, skip, if own { None } else { Some("find_paths") });
    bound(&mut found, call, skip);
    Ok(found)
}

/// How many paths are shown.
fn limit(asked: Option<f64>, limits: &Limits) -> Result<u64, FindError> {
    match asked {
        None => Ok(limits.find_paths),
        Some(number) if number > 0.0 && number.is_finite() => Ok(whole(number).clamp(1, limits.find_paths)),
        Some(_) => Err(FindError::BadLimit),
    }
}

/// How many results come before those that are shown.
fn skip(asked: Option<f64>) -> Result<u64, FindError> {
    match asked {
        None => Ok(0),
        Some(number) if number >= 0.0 && number.is_finite() => Ok(whole(number)),
        Some(_) => Err(FindError::BadSkip),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a number beyond the range becomes its end"
)]
fn whole(number: f64) -> u64 {
    number.floor() as u64
}

/// How long is looked, and who says so.
struct Time {
    milliseconds: u64,
    limit: Option<&'static str>,
}

impl Time {
    fn of(asked: Option<f64>, limits: &Limits, budget: &Budget) -> Self {
        let own = match asked {
            None => Self { milliseconds: limits.find_ms, limit: Some("find_ms") },
            Some(seconds) => {
                let seconds = seconds.max(SECONDS.0).min(SECONDS.1);
                Self { milliseconds: whole(seconds * 1_000.0), limit: None }
            }
        };
        // The call as a whole may have less.
        let left = budget.left().map(|left| u64::try_from(left.as_millis()).unwrap_or(u64::MAX));
        match left.filter(|left| *left < own.milliseconds) {
            Some(milliseconds) => Self { milliseconds, limit: Some("call_ms") },
            None => own,
        }
    }
}

/// Opens what is named; gives what is to be looked for, and what is missing.
fn quest(call: &Call<'_>, named: &[Entry], opening: &Opening<'_>) -> Result<(Quest, Vec<String>), Fault> {
    let (places, missing) = open_all(named, |entry| place(call, entry, opening))?;
    let mut quest = Quest::default();
    for place in places {
        match place {
            Place::Directory { shown, directory, real, glob } => quest.below(&shown, directory, real, glob),
            Place::Listing { address, glob } => quest.inside(&address, glob),
            Place::File(file) => quest.file(file),
        }
    }
    Ok((quest, missing))
}

fn hidden(finds: &Finds) -> Vec<Hidden> {
    let walked = &finds.walked;
    let counts = [("ignored", walked.ignored), ("denied", walked.denied), ("unreadable", walked.unreadable)];
    let counts = counts.into_iter().filter(|(_, count)| *count > 0);
    counts.map(|(reason, count)| Hidden { reason, count, address: None }).collect()
}

/// What must be said of the walk.
fn note(found: &mut Found, finds: &Finds, time: &Time) {
    let walked = &finds.walked;
    let known = walked.stopped.is_none() && !walked.cut;
    found.total = if known { Count::Exactly(finds.total) } else { Count::AtLeast(finds.total) };
    if walked.stopped == Some(Stopped::Deadline) {
        found.cut_by = time.limit;
        found.notes.push(FoundNote::TimedOut { after: time.milliseconds, count: finds.total });
    }
    if walked.cut {
        found.notes.push(FoundNote::NotWalked { address: None });
    }
    if walked.bad_rules > 0 {
        let file = walked.bad_rules_in.as_ref().map(|file| escape_name(file.as_os_str())).unwrap_or_default();
        found.notes.push(FoundNote::BadRules { count: walked.bad_rules, file });
    }
}

/// The paths, which of all they are, and the call that shows what follows.
fn show(found: &mut Found, finds: Finds, skip: u64, limit: Option<&'static str>) {
    let shown = finds.paths.len() as u64;
    if shown > 0 {
        found.shown = Some(Span::new(skip + 1, skip + shown));
        found.next_skip = Some(skip + shown).filter(|next| *next < finds.total);
    }
    found.cut_by = found.cut_by.or(limit.filter(|_| found.next_skip.is_some()));
    found.paths = finds.paths;
}

/// How often a reply is made again to fit its client.
const MOST_TRIES: u32 = 8;

/// The reply. How large it is for its client is known only when it is worded.
fn fitted(call: &Call<'_>, mut found: Found, skip: Option<f64>) -> Reply {
    let most = call.client.reply;
    let skip = whole(skip.unwrap_or(0.0));
    for _ in 0..MOST_TRIES {
        let reply = readstone_render::found(Find::NAME, &[], found.clone());
        let size = readstone_render::reply_size(&reply, most);
        let Some(limit) = size.exceeds(most).filter(|_| found.paths.len() > 1) else {
            return reply;
        };
        let count = size.scale_down(found.paths.len() as u64, most);
        keep_first(&mut found, count, (skip, limit));
    }
    readstone_render::found(Find::NAME, &[], found)
}

/// Leaves out the last paths where all of them are too long for a page.
fn bound(found: &mut Found, call: &Call<'_>, skip: u64) {
    let (most, limit) = Room { client: call.client.reply, ..Room::default() }.page_bytes(call.limits);
    let (mut groups, mut bytes) = (HashSet::new(), 0_u64);
    let fits = |path: &&String| {
        let bare = path.strip_suffix('/').unwrap_or(path);
        let start = bare.rfind('/').map_or(0, |at| at + 1);
        let group = if groups.insert(path.get(..start).unwrap_or_default().to_owned()) { start + 3 } else { 0 };
        bytes += (path.len() - start + 1 + group) as u64;
        bytes <= most
    };
    let count = found.paths.iter().take_while(fits).count() as u64;
    keep_first(found, count, (skip, limit));
}

/// Keeps the first paths, at least one of them; the others come next.
fn keep_first(found: &mut Found, count: u64, (skip, limit): (u64, &'static str)) {
    let count = count.max(1);
    if count < found.paths.len() as u64 {
        found.paths.truncate(usize::try_from(count).unwrap_or(usize::MAX));
        let next = skip + count;
        found.shown = Some(Span::new(skip + 1, next));
        found.next_skip = Some(next);
        found.cut_by = Some(limit);
    }
}
