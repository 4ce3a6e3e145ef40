//! Long listings.

use readstone_base::Span;

use super::kit::{Got, World, gzip, tar};
use super::zip_writer::{Item, zip};

#[test]
fn a09_following_pages_shows_each_of_20_000_entries_once() {
    let items: Vec<Item> = (0..20_000).map(|n| Item::stored(format!("f{:05}.txt", (n * 7919) % 20_000), b"")).collect();
    let world = World::new("many.zip", zip(&items));
    let mut seen = Vec::new();
    let mut first = 1;
    loop {
        let Ok(Got::List { listing, .. }) = world.enter(Some(&format!("{first}-"))) else { panic!("no listing") };
        assert_eq!(listing.total(), Some(20_000));
        let rows = listing.rows(Span::new(first, first + 499), &world.budget).unwrap();
        first += rows.len() as u64;
        if rows.is_empty() {
            break;
        }
        seen.extend(rows.into_iter().map(|row| row.name));
    }
    let expected: Vec<String> = (0..20_000).map(|n| format!("f{n:05}.txt")).collect();
    assert_eq!(seen, expected);
}

#[test]
fn directories_are_listed_without_what_lies_below_them() {
    let names: Vec<String> = (0..3_000).map(|n| format!("d{}/e{}/f{n}", n % 30, n % 7)).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    for world in [World::new("t.tar", tar(&files)), World::new("t.tar.gz", gzip(&tar(&files)))] {
        assert_eq!(world.names(None).len(), 30);
        assert_eq!(world.names(Some("d3")).len(), 7);
        assert_eq!(world.names(Some("d3/e3")).len(), names.iter().filter(|name| name.starts_with("d3/e3/")).count());
        assert_eq!(world.fails("d3/e9"), "archive.not_found");
    }
}

#[test]
fn a_file_and_a_directory_of_one_name_are_both_shown() {
    let world =
        World::new("b.zip", zip(&[Item::stored("a", b"file"), Item::stored("a/b", b"b"), Item::stored("a b", b"")]));
    assert_eq!(world.names(None), ["a", "a", "a b"]);
    assert_eq!(world.text("a"), "file");
    assert_eq!(world.names(Some("a/")), ["b"]);
}
