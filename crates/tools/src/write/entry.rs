//! An entry of an archive.

use std::path::Path;
use std::sync::Arc;

use readstone_base::{Change, Done, EntryBefore, Fault, Kind, Page, Splice, Tag, Upshot, Version, Warning};
use readstone_formats::{ArchiveEntry, PutInto, archive_form, plan_entry};
use readstone_host::{Mask, is_git_config};
use readstone_source::{Alone, Body, Fresh, Node, Piece};
use readstone_view::Sheet;

use super::WriteInput;
use super::file::{Old, conditional};
use super::place::{Target, unfit};
use crate::call::Call;
use crate::change::{Content, Draft, Expected, kept, version_now};
use crate::error::fault;
use crate::target::bare;

/// The change that a write of an entry makes of its archive.
pub(super) fn draft<'a>(
    call: &Call<'_>,
    input: &'a WriteInput,
    target: &Target,
    inner: &'a str,
) -> Result<Draft<'a>, Fault> {
    let held = target.host.hold(&target.real, call.budget).map_err(|error| fault(error.named(&target.path)))?;
    let old = Old::of(call, target, &held)?;
    if input.if_tag.is_some() {
        conditional(call, input, (&input.path, None), entry_version(call, &input.path)?)?;
    }
    let entry = ArchiveEntry { inner, content: input.content.as_bytes(), modified: call.budget.clock().wall() };
    let opening = call.opening(Fresh::Keep);
    let plan = if let Some(blob) = held.blob() {
        let stamp = blob.stamp_when_opened().map_err(|cause| readstone_formats::unreadable(&target.path, cause))?;
        let name = target.path.rsplit('/').next().unwrap_or(&target.path).to_owned();
        let piece = Piece { blob: Arc::clone(blob), path: target.path.clone(), name, stamp, beside: Arc::new(Alone) };
        plan_entry(PutInto::There(&piece), &entry, &opening)?
    } else {
        let form = archive_form(&target.path);
        let form = form.ok_or_else(|| unfit(&target.path, "a new archive is a .zip, .tar, .tar.gz or .tgz"))?;
        plan_entry(PutInto::New { path: &target.path, form }, &entry, &opening)?
    };
    let address = format!("{}:{}", target.path, plan.address());
    if held.mask().map_or(0, Mask::count) + masked_now(call, &address)? > 0 {
        return Err(fault(readstone_host::Error::MaskedLine { path: address }));
    }
    let mut change = Change::new(if plan.is_created() { Done::Create } else { Done::Update });
    // No edit takes the tag of an entry, so it stands where only a condition looks for it.
    let tag = Tag::of(&readstone_source::version_of(input.content.as_bytes()));
    let before = match plan.replaced() {
        Some(size) => EntryBefore::Entry(size),
        None if old.is_some() => EntryBefore::Archive,
        None => EntryBefore::Nothing,
    };
    change.summary = Some(Upshot::Entry { size: input.content.len() as u64, tag, before });
    if plan.links() > 0 {
        change.warnings.push(Warning::LinkedEntries { count: plan.links() });
    }
    if held.links() > 0 {
        change.warnings.push(Warning::LinksBroken { count: held.links() });
    }
    change.before = old.as_ref().map(|old| old.version);
    let undo = match &old {
        None => Some(Vec::new()),
        // All of it, for what the new archive shares with it is not at hand.
        Some(old) => old.bytes.as_ref().map(|bytes| vec![Splice { range: 0..u64::MAX, bytes: bytes.to_vec() }]),
    };
    // What is called like a secret is one, also inside an archive, and its bytes may stand in the old one as they are.
    let undo = kept(undo, target.secret.as_deref().or_else(|| plan.secret()), &mut change);
    let page = Page {
        tool: "write",
        address: input.path.clone(),
        path: Some(address),
        change: Some(change),
        ..bare(Kind::Archive, Sheet::default())
    };
    let expected = old.map_or(Expected::Nothing, |old| Expected::Version(old.version));
    let content = Content::Made(Box::new(move |sink| plan.write(sink)));
    let undo_path = Some(target.path.clone());
    Ok(Draft { page, held, expected, content, backing: None, known: Vec::new(), undo, undo_path })
}

/// How many credentials are masked in an entry that is there.
fn masked_now(call: &Call<'_>, address: &str) -> Result<u64, Fault> {
    if !is_git_config(Path::new(address)) {
        return Ok(0);
    }
    match readstone_source::locate_exactly(call.host, address, &call.opening(Fresh::Keep)) {
        Ok(Node { body: Body::File { blob, .. }, .. }) => Ok(blob.masked()),
        Ok(_) => Ok(0),
        Err(error) if error.class() == readstone_base::Class::Missing => Ok(0),
        Err(error) => Err(error),
    }
}

/// The version of an entry that is there; none when it is not.
fn entry_version(call: &Call<'_>, address: &str) -> Result<Option<Version>, Fault> {
    let node = match readstone_source::locate_exactly(call.host, address, &call.opening(Fresh::Keep)) {
        Ok(node) => node,
        Err(error) if error.class() == readstone_base::Class::Missing => return Ok(None),
        Err(error) => return Err(error),
    };
    let Body::File { blob, .. } = &node.body else { return Ok(None) };
    version_now(call, address, &**blob).map(Some)
}
