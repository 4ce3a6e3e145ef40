//! What a section of a patch makes of a file.

use std::collections::HashMap;
use std::sync::Arc;

use readstone_base::{Backing, Fault, Hand, Kind, Page, Resolved, Span, Splice, Tag, Visible, Warning};
use readstone_edit::{
    Changed, GENERATED_BYTES, Hunk, Lines as _, Op, Place, Placed, Section, apply, arrange, carry, carry_spans,
    changes, differences, generated_marker, inverse, resolve, splices,
};
use readstone_host::{Held, Mask};
use readstone_session::Snapshot;
use readstone_source::Head;
use readstone_view::Sheet;

use super::aim::{Aim, Form};
use super::basis::{Basis, Hold, LinesOf};
use super::blocks::block_of;
use super::context::{Then, around, named};
use super::draft::{Content, Draft, Expected, Refusal};
use super::error::{Error, Why};
use super::guards::{refuse_replacements, refuse_unseen};
use super::preview::{Edited, Texts, beside, bytes_of, masked_warning, told, whole_inverse};
use super::undone::{has_made, kept};
use crate::call::Call;
use crate::error::fault;
use crate::lined::Lined;
use crate::since::recall;
use crate::structure::Characters;
use crate::target::bare;

/// What is done to the text there is.
pub(crate) struct Operations {
    /// Where, and which lines come.
    pub(crate) placed: Vec<Placed>,
    /// Blocks, as they were found.
    pub(crate) blocks: Vec<Resolved>,
    /// Whether they were carried over from another version, and who made this one.
    pub(crate) recovered: Option<Hand>,
    /// The lines of the text there is that the caller knows; all, where none are named.
    pub(crate) known: Option<Vec<Span>>,
}

/// Makes up the change that a section asks for.
pub(crate) fn edited<'a>(call: &Call<'_>, aim: &Aim, held: Held, section: &Section) -> Result<Draft<'a>, Refusal> {
    let Some(blob) = held.blob() else {
        return Err(fault(Error::NotFound { path: aim.path.clone(), near: Vec::new() }).into());
    };
    let basis = Basis::of(call, aim, blob)?;
    let lines = basis.lines(call, &aim.path)?;
    let operations = operations(call, (aim, &basis), &lines, section)?;
    drop(lines);
    change_lines(call, (aim, &basis), operations, (held, section.tag))
}

/// Makes up the change that operations make of a text.
pub(crate) fn change_lines<'a>(
    call: &Call<'_>,
    (aim, basis): (&Aim, &Basis),
    operations: Operations,
    (held, tag): (Held, Tag),
) -> Result<Draft<'a>, Refusal> {
    let lines = basis.lines(call, &aim.path)?;
    let mut operations = operations;
    copied_back(call, (aim, basis), &mut operations.placed, &lines)?;
    let splices = splices(&operations.placed, lines.all()).map_err(fault)?;
    refuse_replacements(aim, basis, &lines, &operations.placed)?;
    // Operations apart from each other can cancel out.
    let same = || basis.text().is_some_and(|text| apply(text, &splices) == **text);
    if splices.is_empty() || same() {
        let error = fault(Error::NoChange { path: aim.path.clone() });
        let named = named(&operations.placed, lines.all().count());
        return Err(Refusal { error, page: Some(around(call, (aim, basis), &lines, &named, None)) });
    }
    draft(call, (aim, basis), &lines, (operations, splices), (held, tag))
}

/// Rows that repeat a line as it was shown stand for the line as it is: what was spelled out in it stays what it was.
fn copied_back(
    call: &Call<'_>,
    (aim, basis): (&Aim, &Basis),
    placed: &mut [Placed],
    lines: &LinesOf<'_>,
) -> Result<(), Fault> {
    let late = |_| fault(readstone_host::Error::TimedOut { path: aim.path.clone() });
    for each in placed.iter_mut().filter(|each| each.body.iter().any(|row| row.contains(['\\', '<']))) {
        let Place::Lines(span) = each.place else { continue };
        let mut spelled = HashMap::new();
        for number in span.first..=span.last {
            // Each is read anew where the file is not at hand.
            call.budget.still_wanted().map_err(late)?;
            let Ok(bytes) = lines.whole(number) else { continue };
            let text = basis.coding.decode(&bytes).text;
            let shown = Visible::of(&text).text;
            if *shown != *text {
                spelled.insert(shown.into_owned(), text.into_owned());
            }
        }
        for row in &mut each.body {
            if let Some(text) = spelled.get(row) {
                row.clone_from(text);
            }
        }
    }
    Ok(())
}

/// The operations on the lines that there are.
fn operations(
    call: &Call<'_>,
    (aim, basis): (&Aim, &Basis),
    lines: &LinesOf<'_>,
    section: &Section,
) -> Result<Operations, Refusal> {
    let versions = call.session.versions(&aim.real, section.tag);
    let known = recall(call, &aim.real, section.tag);
    // A tag means what this session was shown last under it, or else what others were, by its full hash; it decides alone
    // only where nobody remembers.
    let meant = match &known {
        Some(known) => known.version == basis.version,
        None => versions.iter().all(|version| *version == basis.version),
    };
    let current = basis.tag() == section.tag && meant;
    if current {
        let text = basis.characters();
        let (placed, blocks) = placed(call, aim, section, (lines.all().count(), &text))
            .map_err(|error| refused(call, (aim, basis), lines, error))?;
        let shown = known.filter(|known| known.version == basis.version).map(|known| known.shown);
        refuse_unseen(call, aim, (section, &placed, lines.all()), shown.as_deref())?;
        return Ok(Operations { placed, blocks, recovered: None, known: shown });
    }
    let shared = versions.len() > 1 || (!versions.is_empty() && basis.tag() == section.tag);
    let why = if shared { Why::Ambiguous } else { Why::Unknown };
    match known.filter(|_| versions.len() <= 1) {
        Some(Snapshot { bytes: Some(bytes), shown, .. }) => {
            let then = match aim.form {
                Form::Text => Some(bytes),
                // What was shown as a notebook and is none now, or the other way round, has other lines.
                Form::Notebook => {
                    let text = readstone_formats::to_text(&bytes, call.limits).ok().map(|made| made.text.into_bytes());
                    match (text, &basis.hold) {
                        (Some(text), Hold::Made { .. }) => Some(text),
                        (None, Hold::Whole(_) | Hold::Large) => Some(bytes),
                        (Some(_), Hold::Whole(_) | Hold::Large) | (None, Hold::Made { .. }) => None,
                    }
                }
            };
            match then {
                Some(bytes) => carried(call, (aim, basis), lines, section, &Past { bytes, shown }),
                None => Err(stale(call, (aim, basis), lines, (section, Why::Unknown), None)),
            }
        }
        Some(_) | None => Err(stale(call, (aim, basis), lines, (section, why), None)),
    }
}

/// A text that the caller saw.
struct Past {
    bytes: Vec<u8>,
    shown: Vec<Span>,
}

/// Operations on lines of a text that is no longer there, carried over to where these lines are now.
fn carried(
    call: &Call<'_>,
    (aim, basis): (&Aim, &Basis),
    lines: &LinesOf<'_>,
    section: &Section,
    past: &Past,
) -> Result<Operations, Refusal> {
    let beginning = Head { bytes: &past.bytes, samples: &[], size: past.bytes.len() as u64 };
    let coding = readstone_formats::coding_of(&beginning).unwrap_or_else(|| Arc::clone(&basis.coding));
    let then = Lined::of(&past.bytes, &*coding);
    let text = Characters::of(&*coding, &past.bytes).text;
    let (placed, blocks) = placed(call, aim, section, (then.count(), &text)).map_err(fault)?;
    // Where the lines were, others are now: a look at these would not help.
    if refuse_unseen(call, aim, (section, &placed, &then), Some(&past.shown)).is_err() {
        return Err(stale(call, (aim, basis), lines, (section, Why::Unshown), None));
    }
    let same_coding = coding.name() == basis.coding.name();
    let texts = match lines {
        LinesOf::Whole(now) if same_coding => Some((then.texts(), now.texts())),
        LinesOf::Whole(_) | LinesOf::Large(_) => None,
    };
    let moved = texts.as_ref().and_then(|(then, now)| Some((carry(&placed, then, now)?, differences(then, now))));
    let Some((moved, changed)) = moved else {
        let then = Then { lines: &then, coding: &*coding };
        return Err(stale(call, (aim, basis), lines, (section, Why::Changed), Some((&then, &placed))));
    };
    let hand = if has_made(call, (&aim.path, basis.version))? { Hand::Session } else { Hand::Other };
    let mut known = carry_spans(&past.shown, &changed);
    // Who was shown this version too knows what it was shown of both.
    known.extend(call.session.shown(&aim.real, &basis.version).unwrap_or_default());
    Ok(Operations { placed: moved, blocks, recovered: Some(hand), known: Some(known) })
}

/// The operations of a section on a text.
fn placed(
    call: &Call<'_>,
    aim: &Aim,
    section: &Section,
    (count, text): (u64, &str),
) -> Result<(Vec<Placed>, Vec<Resolved>), readstone_edit::Error> {
    let mut look = |line| block_of(call, aim, text, line);
    let (placed, blocks) = resolve(&aim.path, section.hunks.clone(), count, &mut look)?;
    Ok((arrange(&aim.path, placed, count)?, blocks))
}

/// A refusal of an operation, with what is there around the line it names.
fn refused(
    call: &Call<'_>,
    (aim, basis): (&Aim, &Basis),
    lines: &LinesOf<'_>,
    error: readstone_edit::Error,
) -> Refusal {
    let anchor = error.anchor().map(|line| Span::new(line, line));
    let page = anchor.map(|anchor| around(call, (aim, basis), lines, &[anchor], None));
    Refusal { error: fault(error), page }
}

/// A refusal of operations on a version that is not there, with what is there around the lines they name.
fn stale(
    call: &Call<'_>,
    (aim, basis): (&Aim, &Basis),
    lines: &LinesOf<'_>,
    (section, why): (&Section, Why),
    then: Option<(&Then<'_>, &[Placed])>,
) -> Refusal {
    let count = lines.all().count();
    let spans = match then {
        Some((_, placed)) => named(placed, count),
        None => named_by(section, count),
    };
    let error = fault(Error::Stale { path: aim.path.clone(), tag: section.tag, why });
    let page = around(call, (aim, basis), lines, &spans, then.map(|(then, _)| then));
    Refusal { error, page: Some(page) }
}

/// The lines that the operations of a section name, as far as a text of so many lines has them.
fn named_by(section: &Section, count: u64) -> Vec<Span> {
    let span = |hunk: &Hunk| match hunk.op {
        Op::Replace(span) | Op::Delete(span) => span,
        Op::ReplaceBlock(line) | Op::DeleteBlock(line) | Op::Before(line) | Op::After(line) | Op::AfterBlock(line) => {
            Span::new(line, line)
        }
        Op::Head => Span::new(1, 1),
        Op::Tail => Span::new(count, count),
    };
    let within = |span: Span| Span::new(span.first.clamp(1, count.max(1)), span.last.clamp(1, count.max(1)));
    Span::merge(section.hunks.iter().map(span).map(within).collect())
}

/// The words that say that a program made the file.
fn marker(basis: &Basis) -> Option<String> {
    let bytes = basis.bytes()?;
    let head = bytes.get(..bytes.len().min(GENERATED_BYTES)).unwrap_or_default();
    generated_marker(&basis.coding.decode(head).text)
}

/// The change, with all that is said of it.
fn draft<'a>(
    call: &Call<'_>,
    (aim, basis): (&Aim, &Basis),
    lines: &LinesOf<'_>,
    (operations, splices): (Operations, Vec<Splice>),
    (held, tag): (Held, Tag),
) -> Result<Draft<'a>, Refusal> {
    let count = lines.all().count();
    let most = bytes_of(call.limits.diff_line_chars);
    let sides = Edited { lines, coding: &*basis.coding, placed: &operations.placed, most };
    let places = changes(&operations.placed, count, &|line| sides.line(line));
    let New { content, bytes, undo, masked } = New::of(call, (aim, basis), splices, held.mask())?;
    let mut change = match held.mask().zip(bytes.as_ref()) {
        // Rows that come may hold credentials too.
        Some((mask, bytes)) => {
            let coding = &*basis.coding;
            let (before, after) = (Lined::of(mask.shown(), coding), Lined::of(bytes, coding));
            told(call, &places, &Texts { before: (&before, coding), after: (&after, coding), most })
        }
        None => told(call, &places, &sides),
    };
    change.warnings.extend(masked);
    change.before = Some(basis.version);
    change.blocks = operations.blocks;
    change.warnings.extend(operations.recovered.map(|by| Warning::Recovered { tag, by }));
    change.warnings.extend(marker(basis).map(|marker| Warning::Generated { marker }));
    if held.links() > 0 {
        change.warnings.push(Warning::LinksBroken { count: held.links() });
    }
    // Whoever brought a tag that this session knows nothing of was shown the file elsewhere.
    let all = || vec![Span::new(1, count.max(1))];
    let mut known = carry_spans(&operations.known.unwrap_or_else(all), &places);
    known.extend(places.iter().filter_map(Changed::came).chain(beside(&change)));
    let undo = kept(undo, aim.secret.as_deref(), &mut change);
    let version = bytes.as_ref().map(|bytes| readstone_source::version_of(bytes));
    let kind = if let Hold::Made { .. } = basis.hold { Kind::Notebook } else { Kind::Text };
    let page = Page {
        tool: "edit",
        address: aim.path.clone(),
        path: Some(aim.path.clone()),
        version,
        editable: true,
        encoding: Some(basis.coding.name()),
        change: Some(change),
        ..bare(kind, Sheet::default())
    };
    let path = aim.real.clone();
    let backing = aim.secret.is_none().then_some(Backing { path, bytes, known: Vec::new() });
    let expected = Expected::Version(basis.version);
    Ok(Draft { page, held, expected, content, backing, known, undo, undo_path: None })
}

/// What will be there.
struct New<'a> {
    content: Content<'a>,
    /// Its bytes as they are shown, where they are at hand.
    bytes: Option<Arc<Vec<u8>>>,
    /// What undoes it; none when that is too much to be held.
    undo: Option<Vec<Splice>>,
    masked: Option<Warning>,
}

impl New<'_> {
    fn of(
        call: &Call<'_>,
        (aim, basis): (&Aim, &Basis),
        splices: Vec<Splice>,
        mask: Option<&Mask>,
    ) -> Result<Self, Fault> {
        let failed = |cause| readstone_formats::unreadable(&aim.path, cause);
        let of_blob = |range: std::ops::Range<u64>| basis.blob.read_range(range.start, range.end);
        let goes: u64 = splices.iter().map(|splice| splice.range.end - splice.range.start).sum();
        let undone =
            || (goes <= call.limits.undo_bytes).then(|| inverse(&splices, &of_blob).map_err(failed)).transpose();
        if let Some(mask) = mask {
            let made = Mask::of(apply(mask.original(), &splices));
            if !mask.survives(&splices, &made) {
                return Err(fault(readstone_host::Error::MaskedLine { path: aim.path.clone() }));
            }
            let (content, bytes) = (Content::Whole(Arc::clone(made.original())), Some(Arc::clone(made.shown())));
            return Ok(Self { content, bytes, undo: undone()?, masked: masked_warning(&made) });
        }
        match &basis.hold {
            Hold::Whole(bytes) => {
                let new = Arc::new(apply(bytes, &splices));
                let undo = undone()?;
                Ok(Self { content: Content::Whole(Arc::clone(&new)), bytes: Some(new), undo, masked: None })
            }
            Hold::Made { original, text } => {
                let new = apply(text, &splices);
                let new = String::from_utf8_lossy(&new);
                let unfit = |why: readstone_formats::NotebookError| {
                    fault(Error::Unfit { path: aim.path.clone(), why: why.to_string() })
                };
                let new = Arc::new(readstone_formats::to_notebook_within(&new, original, call.limits).map_err(unfit)?);
                let undo = Some(whole_inverse(original, &new));
                Ok(Self { content: Content::Whole(Arc::clone(&new)), bytes: Some(new), undo, masked: None })
            }
            Hold::Large => {
                let undo = undone()?;
                let content = Content::Spliced { blob: Arc::clone(&basis.blob), size: basis.size, splices };
                Ok(Self { content, bytes: None, undo, masked: None })
            }
        }
    }
}
