//! The hunt: through all that is to be searched, in its order, until enough is found.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_base::{Blob, Count, Fault, Found, FoundNote, Hidden, Span, escape_name};
use readstone_search::{Certain, Extent, Globs, Look, Scanner, Seek, Sought, seek};
use readstone_source::{Dots, Keep, Node, Trunk, Walk};

use super::scope::{Scope, Tree};
use super::table::TableText;
use super::text::Text;
use super::{Job, inside};

/// Something that holds a match.
#[derive(Debug)]
pub(super) enum Thing {
    /// A file below a directory.
    File(FileThing),
    /// A text that was opened.
    Text(Box<Text>),
    /// A table.
    Table(TableText),
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
    seen: std::collections::HashSet<String>,
    alone: Alone,
    tally: Tally,
    notes: Vec<FoundNote>,
    late: bool,
}

/// Whether one text alone is searched, and which lines of it.
enum Alone {
    Nothing,
    One(Option<Vec<Span>>),
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
    pub(super) fn new(job: &'a Job<'a>, skip: u64, files: usize) -> Self {
        Self {
            job,
            scanner: Scanner::new(job.pattern, job.call.limits),
            skip,
            files,
            count: 0,
            things: Vec::new(),
            seen: std::collections::HashSet::new(),
            alone: Alone::Nothing,
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

    /// Searches through one of the things that were named.
    pub(super) fn through(&mut self, scope: Scope) -> Result<(), Fault> {
        if self.has_enough() {
            self.alone = Alone::Several;
            return Ok(());
        }
        inside::through(self, scope)
    }

    /// Notes that one text is searched, and these lines of it; it need not be looked through beforehand.
    pub(super) fn take_alone(&mut self, text: Text, within: Option<Vec<Span>>) {
        self.alone = match self.alone {
            Alone::Nothing => Alone::One(within),
            Alone::One(_) | Alone::Several => Alone::Several,
        };
        self.push(Thing::Text(Box::new(text)));
    }

    /// Notes that more than one text is searched.
    pub(super) fn take_several(&mut self) {
        self.alone = Alone::Several;
    }

    /// Looks whether a text holds a match.
    pub(super) fn look(&mut self, text: Text) {
        if self.has_enough() || self.is_late() {
            return;
        }
        self.tally.looked += 1;
        match self.scanner.look(&*text.blob, self.job.call.budget) {
            Ok(Look::Match) => self.push(Thing::Text(Box::new(text))),
            Ok(Look::NoMatch(Extent::Whole)) => {}
            Ok(Look::NoMatch(Extent::InPieces)) => self.note_pieces(text.address),
            Ok(Look::Binary) => self.tally.unsearched("binary", 1, None),
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
        if !self.seen.insert(thing.address().to_owned()) {
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
        let enough = usize::try_from(self.enough() - self.count).unwrap_or(usize::MAX);
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
        self.tally.unsearched("documents, archives or databases", closed, closed_path.map(address));
        self.tally.unsearched("unreadable", unreadable + walked.unreadable, None);
        self.tally.unsearched("links", links, None);
        self.tally.unsearched("pipes, sockets or devices", special, None);
        self.tally.hidden("ignored", walked.ignored);
        self.tally.hidden("denied", walked.denied);
        if let Some(path) = in_pieces {
            self.note_pieces(tree.address(&path));
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
        matches!(self.alone, Alone::One(_))
    }

    /// The lines that were asked for.
    pub(super) fn within(&self) -> Option<&[Span]> {
        match &self.alone {
            Alone::One(within) => within.as_deref(),
            Alone::Nothing | Alone::Several => None,
        }
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
    if is_web_page(&address) { format!("{address}:source") } else { address }
}

pub(super) fn is_web_page(address: &str) -> bool {
    let name = address.to_ascii_lowercase();
    [".html", ".htm", ".xhtml"].iter().any(|end| name.ends_with(end))
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
