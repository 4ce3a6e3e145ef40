//! The copy of a resource: parts of what was shown are parts of it.

use readstone_address::{Mode, Place, Select, Selector, readings};
use readstone_source::{Drawer, Fresh, version_of};
use rmcp::model::ResourceContents;

use super::reading::Call;

/// What is kept for an address.
#[derive(Debug)]
pub(super) enum Found {
    /// The resource, of which a part is asked for.
    Copy(Vec<ResourceContents>),
    /// The address without what may be its selector.
    Shorter,
    /// Nothing that will do.
    Nothing,
}

/// Bytes before a copy: the second in which it was made.
const SECOND: usize = 8;

/// Keeps what an address leads to.
pub(super) fn keep(call: &Call<'_>, address: &str, contents: &[ResourceContents]) {
    let Ok(body) = serde_json::to_vec(contents) else { return };
    // One that is so large that little else could be kept is not kept.
    if (SECOND + body.len()) as u64 > call.opening.limits.kept_bytes / 2 {
        return;
    }
    let mut bytes = call.budget.clock().wall().to_le_bytes().to_vec();
    bytes.extend_from_slice(&body);
    call.opening.beyond.drawers.put(Drawer::Pages, &name(address), &bytes);
}

/// Looks for the copy of what an address leads to. Asked for as a whole, it is never taken from there.
pub(super) fn find(call: &Call<'_>, address: &str) -> Found {
    let copy = young(call, address);
    let literal = call.reading.tail.is_none() && call.reading.since.is_none();
    match copy.as_deref().and_then(|copy| serde_json::from_slice(copy).ok()) {
        Some(contents) if asks_for_part(call) => Found::Copy(contents),
        None if literal && is_held_shorter(call, address) => Found::Shorter,
        Some(_) | None => Found::Nothing,
    }
}

/// Whether less than the whole is asked for, in the address or beside it.
fn asks_for_part(call: &Call<'_>) -> bool {
    let whole = |tail: &str| {
        let bare = |selector: Selector| match selector.mode {
            Mode::Raw | Mode::Hex | Mode::Source => selector.select == Select::All,
            Mode::Plain | Mode::Conflicts | Mode::Everything | Mode::Outline => false,
        };
        Selector::parse(tail).is_ok_and(bare)
    };
    let part = call.reading.tail.as_deref().is_some_and(|tail| !whole(tail));
    part || call.opening.beyond.fresh == Fresh::Keep
}

/// Whether there is a copy for one of the ways to read an address as a shorter one with something behind it.
fn is_held_shorter(call: &Call<'_>, address: &str) -> bool {
    let shorter = readings(address).unwrap_or_default().into_iter().filter_map(|reading| match reading.place {
        Place::Url(place) => Some(place).filter(|place| place.len() < address.len()),
        Place::Path(_) | Place::Stdin => None,
    });
    shorter.into_iter().any(|place| young(call, &place).is_some())
}

/// The copy of an address, while it may be used.
fn young(call: &Call<'_>, address: &str) -> Option<Vec<u8>> {
    let bytes = call.opening.beyond.drawers.get(Drawer::Pages, &name(address))?;
    let (second, body) = bytes.split_first_chunk::<SECOND>()?;
    let age = call.budget.clock().wall().saturating_sub(i64::from_le_bytes(*second));
    let longest = i64::try_from(call.opening.limits.web_seconds).unwrap_or(i64::MAX);
    (0..=longest).contains(&age).then(|| body.to_vec())
}

/// What a copy is called: nothing of the address can be read from it.
fn name(address: &str) -> String {
    version_of(format!("mcp {address}").as_bytes()).to_string()
}
