//! Any entry put into any archive: it can be read back, all others are what they were, and once more changes nothing.

use readstone_base::{Class, Span};
use readstone_formats::{ArchiveEntry, PutInto, archive_form, plan_entry};
use readstone_source::Content;

use crate::{Got, Seen, World, text_and_bytes};

/// The kinds of archives that are written.
const NAMES: [&str; 4] = ["a.zip", "a.tar", "a.tgz", "a"];
/// How other formats begin.
const OTHERS: [&str; 8] = ["PK", "BZh", "7z", "SQLite", "%PDF", "Rar!", "{\\rtf", "\\x"];

pub(crate) fn run(input: &[u8]) {
    let Some((pick, rest)) = input.split_first() else { return };
    let Some((inner, rest)) = text_and_bytes(rest) else { return };
    let Some((content, bytes)) = text_and_bytes(rest) else { return };
    let name = NAMES[usize::from(*pick) % NAMES.len()];
    let entry = ArchiveEntry { inner, content: content.as_bytes(), modified: 1_800_000_000 };
    let before = World::new(name, bytes);
    let Some((called, shown, made)) = put(&before, &entry) else { return };
    // A new tar archive begins with the name of its entry; one that begins like another format is taken for that.
    if bytes.is_empty() && OTHERS.iter().any(|other| called.starts_with(other)) {
        return;
    }
    let after = World::new(name, &made);
    // What looks like an archive itself is entered at once, and may be a broken one.
    if let Err(fault) = after.enter(Some(&shown)) {
        assert_ne!(fault.class(), Class::Missing, "{shown:?} cannot be found again: {fault}");
    }
    if let Seen::Bytes(bytes, rest) = after.seen(Some(&shown)) {
        assert_eq!((bytes.as_slice(), rest), (entry.content, None), "{shown:?}");
    }
    for other in names(&before).iter().filter(|other| **other != called) {
        let seen = before.seen(Some(other));
        // A directory may have one more.
        if !matches!(seen, Seen::Rows(_)) {
            assert_eq!(after.seen(Some(other)), seen, "{other:?} beside {shown:?}");
        }
    }
    let again = ArchiveEntry { inner: &shown, ..entry };
    let (.., twice) = put(&after, &again).expect("what was put in can be replaced");
    assert!(twice == made, "{shown:?} put in twice");
}

/// The name of the entry, its address, and the archive with it; nothing when it is refused.
fn put(world: &World, entry: &ArchiveEntry<'_>) -> Option<(String, String, Vec<u8>)> {
    let form = archive_form(&world.piece.name).filter(|_| world.piece.blob.is_empty());
    let into = form.map_or(PutInto::There(&world.piece), |form| PutInto::New { path: &world.piece.path, form });
    let plan = match plan_entry(into, entry, &world.opening()) {
        Ok(plan) => plan,
        Err(fault) => {
            assert_ne!(fault.class(), Class::Bug, "{fault}");
            return None;
        }
    };
    let mut bytes = Vec::new();
    plan.write(&mut bytes).ok()?;
    Some((plan.name().to_owned(), plan.address().to_owned(), bytes))
}

/// The names of the first entries.
fn names(world: &World) -> Vec<String> {
    let Ok(Got::Content(reached)) = world.enter(None) else { return Vec::new() };
    let Content::Listing(listing) = &reached.content else { return Vec::new() };
    let rows = listing.rows(Span::new(1, 8), world.budget()).unwrap_or_default();
    rows.into_iter().filter(|row| row.marks.is_empty()).map(|row| row.name).collect()
}
