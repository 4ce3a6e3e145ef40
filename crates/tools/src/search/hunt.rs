//! The hunt: through all that is to be searched, in its order, until enough is found.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_base::{Blob, Class, Count, Fault, Found, FoundNote, Hidden, Kind, Stopped, WebNote, escape_name};
use readstone_formats::is_called_web_page;
use readstone_search::{Certain, Extent, Globs, Look, Scanner, Seek, Sought, seek};
use readstone_source::{Dots, Keep, Node, Trunk, Walk};

use super::page::{self, Made};
use super::scope::{Scope, Tree};
use super::table::TableText;
use super::text::{self, Text};
use super::{Job, inside};

/// Something that holds a match.
#[derive(Debug)]
pub(super) enum Thing {
    /// A file below a directory.
    File(FileThing),
    /// A text that was opened.
    Text(Box<Text>),
    /// A table.
    Table(Box<TableText>),
}

impl Thing {
    pub(super) fn address(&self) -> &str {
        match self {
            Self::Text(text) => &text.address,
            Self::Table(table) => &table.address,
            Self::File(file) => &file.address,
        }
    }

    /// What of it is not searched.
    pub(super) fn in_part(&self) -> Option<Hidden> {
        match self {
            Self::Text(text) => text.in_part(),
            Self::File(_) | Self::Table(_) => None,
        }
    }

    /// What tells it from any other, however that is called.
    fn key(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.key(),
            Self::Table(table) => table.address.clone().into_bytes(),
            Self::File(FileThing { address, real: None }) => address.clone().into_bytes(),
            Self::File(FileThing { real: Some(real), .. }) => text::key(real.as_os_str().as_bytes(), Kind::Text),
        }
    }
}

/// A file below a directory that was searched.
#[derive(Debug)]
pub(super) struct FileThing {
    /// The address that opens it.
    pub(super) address: String,
    /// Its path without links, where it is a file of the host.
    pub(super) real: Option<PathBuf>,
}

/// What a hunt has come to.
pub(super) struct Hunt<'a> {
    pub(super) job: &'a Job<'a>,
    pub(super) scanner: Scanner<'a>,
    skip: u64,
    files: usize,
    /// How many things with matches there are.
    count: u64,
    things: Vec<Thing>,
    seen: std::collections::HashSet<Vec<u8>>,
    named: Named,
    /// Whether one text or table alone is searched.
    alone: bool,
    tally: Tally,
    notes: Vec<FoundNote>,
    late: bool,
}

/// How many things were named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    One,
    Several,
}

/// What was left out.
#[derive(Default)]
pub(super) struct Tally {
    hidden: Vec<Hidden>,
    unsearched: Vec<Hidden>,
    looked: u64,
}

impl Tally {
    /// Counts something that was not searched.
    pub(super) fn unsearched(&mut self, reason: &'static str, count: u64, address: Option<String>) {
        add(&mut self.unsearched, reason, count, address);
    }

    /// Counts something that rules left out.
    pub(super) fn hidden(&mut self, reason: &'static str, count: u64) {
        add(&mut self.hidden, reason, count, None);
    }
}

fn add(list: &mut Vec<Hidden>, reason: &'static str, count: u64, address: Option<String>) {
    if count == 0 {
        return;
    }
    match list.iter_mut().find(|known| known.reason == reason) {
        Some(known) => known.count += count,
        None => list.push(Hidden { reason, count, address }),
    }
}

impl<'a> Hunt<'a> {
    pub(super) fn new(job: &'a Job<'a>, skip: u64, named: Named) -> Self {
        let files = usize::try_from(job.call.limits.search_files).unwrap_or(usize::MAX);
        Self {
            job,
            scanner: Scanner::new(job.pattern, job.call.limits),
            skip,
            files,
            count: 0,
            things: Vec::new(),
            seen: std::collections::HashSet::new(),
            named,
            alone: false,
            tally: Tally::default(),
            notes: Vec::new(),
            late: false,
        }
    }

    /// With so many things, the next page is known to have something.
    fn enough(&self) -> u64 {
        self.skip.saturating_add(self.files as u64).saturating_add(1)
    }

    /// Whether no more need be found.
    pub(super) fn has_enough(&self) -> bool {
        self.count >= self.enough() || self.late
    }

    /// Searches through one of the things that were named. Of several, one that cannot be searched is named.
    pub(super) fn through(&mut self, scope: Scope) -> Result<(), Fault> {
        if self.has_enough() {
            return Ok(());
        }
        let address = scope.address.clone();
        match inside::through(self, scope) {
            Err(error) if self.named == Named::Several && error.class() != Class::Request => {
                self.notes.push(FoundNote::Failed { address, why: error.to_string() });
                Ok(())
            }
            other => other,
        }
    }

    /// Notes what has no pages of files when it alone was named: then nothing is skipped.
    pub(super) fn take_alone(&mut self) {
        if self.named == Named::One {
            self.alone = true;
            self.skip = 0;
        }
    }

    /// Searches a text that was named. Alone, it need not be looked through beforehand.
    pub(super) fn take(&mut self, text: Text) {
        self.take_alone();
        if let Some(why) = text.web.iter().flat_map(|web| &web.notes).find_map(not_all) {
            self.notes.push(FoundNote::Failed { address: text.address.clone(), why });
        }
        if self.alone {
            self.push(Thing::Text(Box::new(text)));
        } else {
            self.look(text);
        }
    }

    /// Looks whether a text holds a match.
    pub(super) fn look(&mut self, text: Text) {
        if self.has_enough() || self.is_late() {
            return;
        }
        self.tally.looked += 1;
        // Where its lines are known already, or some of them are meant, the first match is all that is wanted.
        let looked = if text.coding.is_some() || text.within.is_some() {
            page::text_page(self.job, &text, 1).map(|made| match made {
                Made::Page(_) => Look::Match,
                Made::Nothing(extent) => Look::NoMatch(extent),
                Made::Binary => Look::Binary,
                Made::Stopped => Look::Stopped(Stopped::Deadline),
            })
        } else {
            let failed = |cause| readstone_formats::unreadable(&text.address, cause);
            self.scanner.look(&*text.blob, self.job.call.budget).map_err(failed)
        };
        match looked {
            Ok(Look::Match) => self.push(Thing::Text(Box::new(text))),
            Ok(Look::NoMatch(extent)) => {
                if let Some(Hidden { reason, count, address }) = text.in_part() {
                    self.tally.unsearched(reason, count, address);
                }
                if extent == Extent::InPieces {
                    self.note_pieces(text.address);
                }
            }
            Ok(Look::Binary) => self.tally.unsearched("binary", 1, Some(text.address)),
            Ok(Look::Stopped(_)) => self.late = true,
            Err(_) => self.tally.unsearched("unreadable", 1, Some(text.address)),
        }
    }

    fn note_pieces(&mut self, address: String) {
        self.notes.push(FoundNote::InPieces { address, limit: "search_span_bytes" });
    }

    /// Whether the time is over.
    pub(super) fn is_late(&mut self) -> bool {
        self.late |= self.job.call.budget.check().is_err();
        self.late
    }

    /// Adds something that holds a match.
    pub(super) fn push(&mut self, thing: Thing) {
        if !self.seen.insert(thing.key()) {
            return;
        }
        self.count += 1;
        if self.count > self.skip && self.things.len() < self.files {
            self.things.push(thing);
        }
    }

    pub(super) fn tally(&mut self) -> &mut Tally {
        &mut self.tally
    }

    pub(super) fn note(&mut self, note: FoundNote) {
        self.notes.push(note);
    }

    /// Searches the files below a directory.
    pub(super) fn tree(&mut self, tree: &Tree) {
        if self.has_enough() {
            return;
        }
        let call = self.job.call;
        let trunk = Trunk { directory: &tree.directory, path: &tree.shown, real: &tree.real };
        let levels = tree.globs.as_ref().and_then(Globs::levels);
        let keep = Keep { dots: Dots::Show, git: self.job.git, levels };
        let walk = Walk { host: call.host, trunk, budget: call.budget, keep, threads: readstone_source::cores() };
        // What was found already may be found again.
        let enough = (self.enough() - self.count).saturating_add(self.seen.len() as u64);
        let enough = usize::try_from(enough).unwrap_or(usize::MAX);
        let wish = Seek { pattern: self.job.pattern, limits: call.limits, globs: tree.globs.as_ref(), enough };
        let sought = seek(&walk, &wish);
        self.gather(tree, &sought);
        self.count_out(tree, sought);
    }

    /// Takes the files that were found, and looks into those of which the text must be made.
    fn gather(&mut self, tree: &Tree, sought: &Sought) {
        for candidate in &sought.files {
            if self.has_enough() {
                return;
            }
            let address = tree.address(&candidate.path);
            match candidate.certain {
                Certain::Yes => {
                    let real = (!tree.is_internal()).then(|| tree.real.join(&candidate.path));
                    self.push(Thing::File(FileThing { address: as_text(address), real }));
                }
                Certain::Unknown => inside::made(self, &address),
            }
        }
    }

    fn count_out(&mut self, tree: &Tree, sought: Sought) {
        let Sought { looked, binary, closed, closed_path, unreadable, links, special, in_pieces, walked, .. } = sought;
        self.tally.looked += looked;
        self.late |= walked.stopped.is_some();
        if self.count >= self.enough() {
            return;
        }
        let address = |path: PathBuf| tree.address(&path);
        self.tally.unsearched("binary", binary, None);
        self.tally.unsearched(inside::CLOSED, closed, closed_path.map(address));
        self.tally.unsearched("unreadable", unreadable + walked.unreadable, None);
        self.tally.unsearched("links", links, None);
        self.tally.unsearched("pipes/sockets/devices", special, None);
        self.tally.hidden("ignored", walked.ignored);
        self.tally.hidden("denied", walked.denied);
        if let Some(path) = in_pieces {
            self.note_pieces(tree.address(&path));
        }
        if walked.cut {
            let address = if tree.shown.is_empty() { "." } else { &tree.shown }.to_owned();
            self.notes.push(FoundNote::NotWalked { address: Some(address) });
        }
        if walked.bad_rules > 0 {
            let file = walked.bad_rules_in.map(|path| tree.address(&path)).unwrap_or_default();
            self.notes.push(FoundNote::BadRules { count: walked.bad_rules, file });
        }
    }

    /// Says what was left out. When enough was found before all was searched, nothing is said of the rest.
    pub(super) fn tell(&mut self, found: &mut Found) {
        found.notes.append(&mut self.notes);
        if self.late {
            found.cut_by = Some("call_ms");
            found.notes.push(FoundNote::NotAllSearched { files: self.tally.looked });
        }
        if self.count < self.enough() {
            found.hidden.append(&mut self.tally.hidden);
            found.unsearched.append(&mut self.tally.unsearched);
        }
    }

    pub(super) fn is_alone(&self) -> bool {
        self.alone
    }

    pub(super) fn skip(&self) -> u64 {
        self.skip
    }

    /// How many things with matches are known.
    pub(super) fn total(&self) -> Count {
        let seen = self.count.min(self.enough());
        if self.has_enough() { Count::AtLeast(seen) } else { Count::Exactly(seen) }
    }

    pub(super) fn into_things(self) -> Vec<Thing> {
        self.things
    }
}

/// The address under which the lines of a file are those of the file: a web page is read as its text otherwise.
pub(super) fn as_text(address: String) -> String {
    if is_called_web_page(&address) { format!("{address}:source") } else { address }
}

impl Tree {
    /// The address of something below it.
    pub(super) fn address(&self, path: &Path) -> String {
        let name = escape_name(path.as_os_str());
        match self.shown.as_str() {
            "" | "." => name,
            shown if shown.ends_with('/') => format!("{shown}{name}"),
            shown => format!("{shown}/{name}"),
        }
    }

    /// Whether it is opened by an address with a scheme.
    pub(super) fn is_internal(&self) -> bool {
        self.shown.contains("://")
    }
}

/// A node and its bytes as a text.
pub(super) fn text_of(node: &Node, blob: &Arc<dyn Blob>) -> Text {
    Text::of(node, Arc::clone(blob))
}

/// Why what was fetched is not what was asked for, or not all of it.
fn not_all(note: &WebNote) -> Option<String> {
    match note {
        WebNote::Status { code, reason } => Some(format!("HTTP {code} {reason}")),
        WebNote::Cut { limit, .. } | WebNote::Late { limit, .. } => Some(format!("not all of it came; limit {limit}")),
        WebNote::Short { why } => Some(format!("not all of it came: {why}")),
        WebNote::Redirected { .. }
        | WebNote::Downgraded
        | WebNote::Charset { .. }
        | WebNote::UnknownCharset { .. }
        | WebNote::OtherType { .. }
        | WebNote::MainText { .. }
        | WebNote::TakenFrom { .. }
        | WebNote::Fragment { .. }
        | WebNote::LeadsOn { .. }
        | WebNote::NoPart
        | WebNote::LeftOut { .. }
        | WebNote::Said(_) => None,
    }
}
