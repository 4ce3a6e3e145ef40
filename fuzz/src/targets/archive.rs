//! Any bytes as an archive: all that is listed can be asked for, what is read twice is the same, and in any order.

use readstone_base::{Class, Mark, Span};
use readstone_source::Content;

use crate::{Got, World, all, text_and_bytes};

/// The name of the file.
const NAME: &str = "a";

pub(crate) fn run(input: &[u8]) {
    let Some((tail, bytes)) = text_and_bytes(input) else { return };
    let world = World::new(NAME, bytes);
    visit(&world, Some(tail).filter(|tail| !tail.is_empty()));
    for address in listed(&world) {
        let tail = address.strip_prefix("a:").expect("what is listed lies in the archive");
        if let Err(fault) = world.enter(Some(tail)) {
            assert_ne!(fault.class(), Class::Missing, "{tail:?} is listed: {fault}");
            continue;
        }
        visit(&world, Some(tail));
    }
}

/// The addresses of the first entries.
fn listed(world: &World) -> Vec<String> {
    let Ok(Got::Content(reached)) = world.enter(None) else { return Vec::new() };
    let Content::Listing(listing) = &reached.content else { return Vec::new() };
    let Ok(rows) = listing.rows(Span::new(1, 8), world.budget()) else { return Vec::new() };
    let address = |row: &readstone_base::TreeRow| {
        let own = row.marks.iter().find_map(|mark| match mark {
            Mark::SameName(address) | Mark::UnsafeName(address) => Some(Some(address.clone())),
            Mark::LongName(address) => Some(address.clone()),
            Mark::Encrypted | Mark::Unsupported(_) | Mark::Overlaps | Mark::Damaged => None,
        });
        own.unwrap_or_else(|| Some(listing.address(&reached.path, &row.name)))
    };
    rows.iter().filter_map(address).filter(|address| address.starts_with("a:")).collect()
}

/// Reads what a tail leads to, from its beginning and from its middle, now and again.
fn visit(world: &World, tail: Option<&str>) {
    let seen = world.seen(tail);
    assert_eq!(world.seen(tail), seen, "{tail:?} is another thing the second time");
    let Ok(Got::Bytes(piece, _)) = world.enter(tail) else { return };
    let Ok(bytes) = all(&*piece.blob) else { return };
    if let Some(length) = piece.blob.len() {
        assert!(bytes.len() as u64 == length || bytes.len() >= 1_000_000, "{} of {length} bytes", bytes.len());
    }
    let middle = bytes.len() / 2;
    let end = bytes.len().min(middle + 1_000);
    let part = piece.blob.read_range(middle as u64, end as u64).expect("it was read before");
    assert_eq!(part, bytes[middle..end], "{tail:?} from its middle");
    assert_eq!(piece.blob.read_range(0, 10).expect("it was read before"), bytes[..bytes.len().min(10)]);
}
