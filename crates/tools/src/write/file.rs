//! A whole file.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use readstone_base::{Backing, Change, Done, Fault, Kind, Page, Span, Tag, Upshot, Version, Warning};
use readstone_edit::{GENERATED_BYTES, Pasted, differences, generated_marker, unpasted};
use readstone_host::{Held, Mask};
use readstone_session::Guard;
use readstone_source::{Coding, Head};
use readstone_view::Sheet;

use super::WriteInput;
use super::place::{Target, unfit};
use crate::call::Call;
use crate::change::{
    ChangeError, Content, Draft, Expected, Form, Reversal, Texts, aim, bytes_of, form_of, kept, masked_warning, told,
    version_now, whole_inverse,
};
use crate::error::{Error, fault};
use crate::lined::Lined;
use crate::structure::Characters;
use crate::target::bare;

/// The change that a write makes of a file.
pub(super) fn draft<'a>(call: &Call<'_>, input: &WriteInput, target: &Target) -> Result<Draft<'a>, Fault> {
    let held = target.host.hold(&target.real, call.budget).map_err(|error| fault(error.named(&target.path)))?;
    let old = Old::of(call, target, &held)?;
    conditional(call, input, (&target.path, Some(held.real())), old.as_ref().map(|old| old.version))?;
    if held.mask().is_some_and(|mask| mask.count() > 0) {
        return Err(fault(readstone_host::Error::MaskedLine { path: target.path.clone() }));
    }
    let mut change = Change::new(if old.is_some() { Done::Update } else { Done::Create });
    let text = text(call, input, target, &mut change)?;
    if let Some(old) = &old {
        guard(call, (target, &held), old, &mut change)?;
    }
    let made = Made::of(call, target, &text, old.as_ref())?;
    let bytes = Arc::new(made.bytes);
    // Of a git configuration, credentials that come are masked as those are that were there.
    let mask = held.mask().map(|_| Mask::of(Arc::clone(&bytes)));
    let shown = mask.as_ref().map_or(&bytes, Mask::shown).clone();
    tell(call, &mut change, (old.as_ref(), input.dry_run), (&shown, &*made.coding));
    change.warnings.extend(mask.as_ref().and_then(masked_warning));
    let unchanged = old.as_ref().is_some_and(|old| old.bytes.as_deref() == Some(&*bytes));
    change.summary = Some(if unchanged {
        Upshot::Same
    } else {
        let encoding = Some(made.coding.name()).filter(|name| *name != "utf-8");
        let ends = made.crlf.then_some("CRLF");
        Upshot::Written { size: bytes.len() as u64, lines: Some(made.lines), encoding, ends }
    });
    // An attribute of Rust begins alike.
    let script = old.is_none() && bytes.starts_with(b"#!") && !bytes.starts_with(b"#![");
    if script {
        change.warnings.push(Warning::Executable);
    }
    if held.links() > 0 && !unchanged {
        change.warnings.push(Warning::LinksBroken { count: held.links() });
    }
    let undo = match &old {
        None => Some(Vec::new()),
        Some(old) => old.bytes.as_ref().map(|old| whole_inverse(old, &bytes)),
    };
    let undo = if unchanged { Reversal::Itself } else { kept(undo, target.secret.as_deref(), &mut change) };
    let version = readstone_source::version_of(&shown);
    let editable = bytes.len() as u64 <= call.limits.edit_bytes;
    let page = Page {
        tool: "write",
        address: input.path.clone(),
        path: Some(target.path.clone()),
        version: Some(version),
        editable,
        encoding: Some(made.coding.name()),
        change: Some(change),
        ..bare(made.kind, Sheet::default())
    };
    let backing = Backing { path: held.real().to_owned(), bytes: Some(shown), known: Vec::new() };
    let backing = (editable && target.secret.is_none()).then_some(backing);
    let expected = old.map_or(Expected::Nothing, |old| Expected::Version(old.version));
    let known = if made.known > 0 { vec![Span::new(1, made.known)] } else { Vec::new() };
    let content = if script { Content::Script(bytes) } else { Content::Whole(bytes) };
    Ok(Draft { page, held, expected, content, backing, known, undo, undo_path: None })
}

/// The text that is written, without what was pasted with it.
fn text(call: &Call<'_>, input: &WriteInput, target: &Target, change: &mut Change) -> Result<String, Fault> {
    let (text, stripped) = match unpasted(&input.content, &|path, tag| is_minted(call, path, tag)) {
        Some(Pasted { path, part: Some(remark), .. }) if is_same(call, &path, target) => {
            let why = format!(
                "{remark} says that the content is a part of this file; the text of all of it is written, a part is changed \
                 by edit"
            );
            return Err(fault(Error::BadInput(why)));
        }
        Some(pasted) => (pasted.text, Some(pasted.lines)),
        None => (input.content.clone(), None),
    };
    change.warnings.extend(stripped.map(|lines| Warning::Stripped { lines }));
    Ok(text)
}

/// What a file is before it is written.
pub(super) struct Old {
    pub(super) version: Version,
    /// Its bytes, where they are few enough to be kept.
    pub(super) bytes: Option<Arc<Vec<u8>>>,
    head: Vec<u8>,
    coding: Option<Arc<dyn Coding>>,
}

impl Old {
    /// Looks at what is there; none when nothing is.
    pub(super) fn of(call: &Call<'_>, target: &Target, held: &Held) -> Result<Option<Self>, Fault> {
        let Some(blob) = held.blob() else { return Ok(None) };
        let failed = |cause| readstone_formats::unreadable(&target.path, cause);
        let loaded = readstone_source::load(Arc::clone(blob), call.limits.undo_bytes).map_err(failed)?;
        let version = match loaded.version {
            Some(version) => version,
            None => version_now(call, &target.path, &**blob)?,
        };
        let coding =
            readstone_formats::coding_of(&Head { bytes: &loaded.head, samples: &loaded.samples, size: loaded.size });
        let beginning = loaded.head.get(..loaded.head.len().min(GENERATED_BYTES)).unwrap_or_default().to_vec();
        let bytes = loaded.version.map(|_| loaded.head);
        Ok(Some(Self { version, bytes, head: beginning, coding }))
    }
}

impl Old {
    /// Whether all lines end with CRLF.
    fn is_crlf(&self) -> bool {
        let (Some(bytes), Some(coding)) = (&self.bytes, &self.coding) else { return false };
        let text = Characters::of(&**coding, bytes).text;
        let pairs = text.matches("\r\n").count();
        pairs > 0 && pairs == text.matches('\n').count()
    }
}

/// Refuses a write unless what is there is what the caller thinks.
pub(super) fn conditional(
    call: &Call<'_>,
    input: &WriteInput,
    (path, real): (&str, Option<&Path>),
    now: Option<Version>,
) -> Result<(), Fault> {
    let Some(asked) = &input.if_tag else { return Ok(()) };
    let asked = asked.trim().trim_start_matches('#');
    let tag = now.as_ref().map(Tag::of);
    let other = |asked: String| Err(fault(ChangeError::OtherVersion { path: path.to_owned(), asked, now: tag }));
    if asked.eq_ignore_ascii_case("new") {
        return match tag {
            None => Ok(()),
            Some(now) => Err(fault(ChangeError::Exists { path: path.to_owned(), now })),
        };
    }
    if let Ok(version) = asked.parse::<Version>() {
        return if now == Some(version) { Ok(()) } else { other(format!("the version {version}")) };
    }
    // Two versions can have one tag: it means what this session was shown last under it, or else what others were.
    let meant = |wanted: Tag| {
        let Some(real) = real else { return true };
        match call.session.recall(real, wanted) {
            Some(known) => now == Some(known.version),
            None => call.session.versions(real, wanted).into_iter().all(|version| now == Some(version)),
        }
    };
    match asked.parse::<Tag>() {
        Ok(wanted) if tag == Some(wanted) && meant(wanted) => Ok(()),
        Ok(wanted) if tag == Some(wanted) => other(format!("#{wanted} of the version that was shown")),
        Ok(wanted) => other(format!("#{wanted}")),
        Err(()) => Err(unfit(path, "if_tag takes a tag of four hex digits, a full version, or `new`")),
    }
}

/// Whether this session showed a file under a tag.
fn is_minted(call: &Call<'_>, path: &str, tag: Tag) -> bool {
    aim(call, path).is_ok_and(|aim| call.session.recall(&aim.real, tag).is_some())
}

/// Whether a path is that of the file to be written.
fn is_same(call: &Call<'_>, path: &str, target: &Target) -> bool {
    aim(call, path).is_ok_and(|aim| aim.real == target.real)
}

/// Refuses to write over what is not meant to be written by hand.
fn guard(call: &Call<'_>, (target, held): (&Target, &Held), old: &Old, change: &mut Change) -> Result<(), Fault> {
    let failed = |cause| readstone_formats::unreadable(&target.path, cause);
    if readstone_formats::is_database(&old.head) {
        return Err(unfit(&target.path, "it is a database; DATABASE:TABLE writes a row of it"));
    }
    let kind = match held.blob() {
        Some(blob) => readstone_formats::archive_kind(&**blob).map_err(failed)?,
        None => None,
    };
    if let Some(kind) = kind {
        let why = match readstone_formats::archive_form(&target.path) {
            Some(_) => format!("it is a {kind}; ARCHIVE:NAME writes an entry of it"),
            None => format!("it is a {kind}, which text would destroy"),
        };
        return Err(unfit(&target.path, &why));
    }
    if old.coding.is_none() || readstone_formats::is_signed(&old.head) {
        return Err(unfit(&target.path, "it is not text, and text would destroy it"));
    }
    let words = match &old.coding {
        Some(coding) => Characters::of(&**coding, &old.head).text.into_owned(),
        None => String::new(),
    };
    if let Some(marker) = generated_marker(&words) {
        if call.writing.generated == Guard::Refuse {
            let why = format!(
                "it says that it is generated ({marker}), so a change would be lost; change what it is made from. The setting \
                 write_generated = \"allow\" lets it pass"
            );
            return Err(unfit(&target.path, &why));
        }
        change.warnings.push(Warning::Generated { marker });
    }
    Ok(())
}

/// The new bytes of a file.
struct Made {
    bytes: Vec<u8>,
    coding: Arc<dyn Coding>,
    kind: Kind,
    /// Lines of the content.
    lines: u64,
    /// Lines of what `read` shows of it, which the caller knows.
    known: u64,
    /// Whether its lines were given the ends that the file had.
    crlf: bool,
}

impl Made {
    fn of(call: &Call<'_>, target: &Target, text: &str, old: Option<&Old>) -> Result<Self, Fault> {
        let lines = text.lines().count() as u64;
        if form_of(&target.path) == Form::Notebook && !is_json(text) {
            let failed = |why: readstone_formats::NotebookError| unfit(&target.path, &why.to_string());
            let before = old.and_then(|old| old.bytes.as_ref()).filter(|bytes| !bytes.is_empty());
            let bytes = match before {
                Some(before) => readstone_formats::to_notebook_within(text, before, call.limits).map_err(failed)?,
                None => readstone_formats::new_notebook(text).map_err(failed)?,
            };
            return Ok(Self {
                bytes,
                coding: readstone_formats::utf8(),
                kind: Kind::Notebook,
                lines,
                known: lines,
                crlf: false,
            });
        }
        if form_of(&target.path) == Form::Notebook {
            let odd = |why: readstone_formats::NotebookError| unfit(&target.path, &why.to_string());
            readstone_formats::to_text(text.as_bytes(), call.limits).map_err(odd)?;
        }
        // Of the JSON of a notebook, other lines are shown than were written.
        let known = if form_of(&target.path) == Form::Notebook { 0 } else { lines };
        // A file stays in its encoding; a new one, or one that was never in another, is in UTF-8.
        let coding = old.and_then(|old| old.coding.clone()).unwrap_or_else(readstone_formats::utf8);
        let mark = usize::try_from(coding.mark()).unwrap_or(0);
        let mark = old.and_then(|old| old.head.get(..mark)).unwrap_or_default();
        let bare = text.strip_prefix('\u{FEFF}').filter(|_| !mark.is_empty()).unwrap_or(text);
        // So do its line ends, where all of them are CRLF and the content says nothing else.
        let crlf = old.is_some_and(Old::is_crlf) && !bare.contains('\r');
        let ended = if crlf { Cow::Owned(bare.replace('\n', "\r\n")) } else { Cow::Borrowed(bare) };
        let encoded = coding.encode(&ended).map_err(|letter| {
            let code = u32::from(letter);
            let name = coding.name();
            unfit(&target.path, &format!("it is in {name}, which has no {letter:?} (U+{code:04X})"))
        })?;
        Ok(Self { bytes: [mark, &encoded].concat(), coding, kind: Kind::Text, lines, known, crlf })
    }
}

fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{') && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// What is said of the lines that came and went.
fn tell(call: &Call<'_>, change: &mut Change, (old, dry): (Option<&Old>, bool), (bytes, coding): (&[u8], &dyn Coding)) {
    let Some(old) = old else { return };
    change.before = Some(old.version);
    let (Some(before), Some(then)) = (&old.bytes, &old.coding) else { return };
    let (before, after) = (Lined::of(before, &**then), Lined::of(bytes, coding));
    let places = differences(&before.texts(), &after.texts());
    let most = bytes_of(call.limits.diff_line_chars);
    let told = told(call, &places, &Texts { before: (&before, &**then), after: (&after, coding), most });
    (change.added, change.removed, change.first_changed) = (told.added, told.removed, told.first_changed);
    // Whoever wrote it all knows it; only what is not done is worth a look.
    if dry {
        (change.rows, change.shifts) = (told.rows, told.shifts);
    }
}
