//! Measurements; run them with `--release -- --ignored --nocapture`.

#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "measurements are printed")]

use std::time::Instant;

use super::kit::{World, gzip, prose, tar};
use super::zip_writer::{Item, zip};

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1000.0
}

#[test]
#[ignore = "takes long"]
fn a_200_mb_archive_is_unpacked_about_as_fast_as_without_points() {
    let texts: Vec<Vec<u8>> = (0..200).map(|n| prose(n, 1 << 20)).collect();
    let names: Vec<String> = (0..200).map(|n| format!("dir/f{n:03}.txt")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().zip(&texts).map(|(name, text)| (name.as_str(), &text[..])).collect();
    let packed = gzip(&tar(&files));
    let start = Instant::now();
    let mut inflate = zlib_rs::Inflate::new(false, 15);
    let mut output = vec![0; 256 * 1024];
    let mut at = 10;
    while let Ok(status) = inflate.decompress(&packed[at..], &mut output, zlib_rs::InflateFlush::NoFlush) {
        at = 10 + inflate.total_in() as usize;
        if status == zlib_rs::Status::StreamEnd {
            break;
        }
    }
    println!("{} MB packed, {} MB unpacked", packed.len() >> 20, inflate.total_out() >> 20);
    println!("zlib-rs alone: {:.1} ms", milliseconds(start));
    let world = World::new("big.tar.gz", packed);
    let start = Instant::now();
    assert_eq!(world.bytes("dir/f190.txt").0, texts[190]);
    println!("first entry (f190): {:.1} ms", milliseconds(start));
    for name in [3, 77, 150, 189] {
        let start = Instant::now();
        assert_eq!(world.bytes(&names[name]).0, texts[name]);
        println!("another entry: {:.2} ms", milliseconds(start));
    }
    let start = Instant::now();
    assert_eq!(world.names(Some("dir")).len(), 200);
    println!("listing: {:.1} ms", milliseconds(start));
}

#[test]
#[ignore = "takes long"]
fn one_entry_of_5_000_takes_less_than_a_millisecond() {
    let body = prose(1, 100_000);
    let items: Vec<Item> = (0..5_000)
        .map(|n| {
            if n == 2_500 {
                Item::deflated("d/small.txt", &body[..4096])
            } else {
                Item::stored(format!("d/file{n:05}.bin"), &body)
            }
        })
        .collect();
    let world = World::new("big.zip", zip(&items));
    for _ in 0..3 {
        let start = Instant::now();
        assert_eq!(world.bytes("d/small.txt").0.len(), 4096);
        println!("one entry: {:.3} ms, {} bytes read", milliseconds(start), world.read());
    }
}

#[test]
#[ignore = "takes long"]
fn a_million_entries_take_less_than_56_mb() {
    let mut central = Vec::new();
    let base = Item::stored("x", b"");
    let mut bytes = base.local();
    for n in 0..1_000_000_u32 {
        let item = Item { name: format!("dir{:03}/file{n:07}.txt", n % 1000).into_bytes(), ..base.clone() };
        central.extend(item.central(0));
    }
    let end = super::zip_writer::end(1_000_000_u32 as u16, central.len(), bytes.len(), b"");
    bytes.extend(central);
    bytes.extend(end);
    let world = World::new("million.zip", bytes);
    let start = Instant::now();
    assert_eq!(world.names(None).len(), 1000);
    println!("first listing: {:.1} ms", milliseconds(start));
    let start = Instant::now();
    assert_eq!(world.names(Some("dir500")).len(), 1000);
    println!("second listing: {:.1} ms", milliseconds(start));
    let start = Instant::now();
    assert_eq!(world.text("dir007/file0000007.txt"), "");
    println!("one entry: {:.3} ms", milliseconds(start));
    let cost = world.shelf.cost();
    println!("kept: {} MB", cost >> 20);
    assert!(cost < 56 << 20);
}
