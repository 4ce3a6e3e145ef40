//! Calls side by side.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use readstone_base::{Blob, Budget, Fixed, Quota, Stamp};

use super::kit::{Dice, World, gzip, prose, tar};
use super::zip_writer::{Item, zip};

/// Bytes that keep a reader waiting while they are held.
#[derive(Debug)]
struct Slow {
    bytes: Vec<u8>,
    stamp: Stamp,
    hold: AtomicBool,
    waiting: AtomicBool,
}

impl Blob for Slow {
    fn len(&self) -> Option<u64> {
        Some(self.bytes.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        while offset > 1 << 20 && self.hold.load(Ordering::Relaxed) {
            self.waiting.store(true, Ordering::Relaxed);
            thread::sleep(Duration::from_millis(1));
        }
        let rest = self.bytes.get(offset as usize..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }

    fn stamp(&self) -> io::Result<Option<Stamp>> {
        Ok(Some(self.stamp))
    }
}

fn budget() -> Budget {
    Budget::new(Arc::new(Fixed(0)), None)
}

#[test]
fn a_call_that_waits_for_another_can_be_cancelled() {
    let mut dice = Dice(7);
    let noise: Vec<u8> = (0..6 << 20).map(|_| dice.next() as u8).collect();
    let packed = gzip(&tar(&[("a", b"first"), ("noise", &noise), ("z", b"last")]));
    let mut world = World::new("w.tar.gz", packed.clone());
    let stamp = world.file.stamp;
    let blob = Arc::new(Slow { bytes: packed, stamp, hold: AtomicBool::new(false), waiting: AtomicBool::new(false) });
    world.instead = Some(Arc::clone(&blob) as Arc<dyn Blob>);
    assert_eq!(world.text("a"), "first");
    blob.hold.store(true, Ordering::Relaxed);
    let second = budget();
    thread::scope(|scope| {
        let first = scope.spawn(|| world.enter(Some("z")).is_ok());
        while !blob.waiting.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(1));
        }
        let waits = scope.spawn(|| world.enter_within(Some("z"), &second).err().map(|fault| fault.code()));
        thread::sleep(Duration::from_millis(50));
        second.cancel_token().cancel();
        // Without a way out it would wait for as long as the first is held.
        for _ in 0..500 {
            if waits.is_finished() {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
        let ended = waits.is_finished();
        blob.hold.store(false, Ordering::Relaxed);
        assert!(ended);
        assert_eq!(waits.join().unwrap(), Some("archive.cancelled"));
        assert!(first.join().unwrap());
    });
}

#[test]
fn memory_is_shared_while_entries_are_unpacked() {
    let text = prose(3, 900_000);
    let quota = Arc::new(Quota::new(1 << 20));
    let files = [
        ("m.zip", zip(&[Item::deflated("big", &text), Item::deflated("small", b"small")]), "big"),
        ("m.gz", gzip(&text), ""),
        ("m.tar.gz", gzip(&tar(&[("big", &text)])), "big"),
    ];
    for (name, bytes, tail) in files {
        let world = World::new(name, bytes);
        let tail = Some(tail).filter(|tail| !tail.is_empty());
        let call = budget().sharing(Arc::clone(&quota));
        let held = quota.take(1 << 20, &budget()).unwrap();
        if name == "m.zip" {
            assert!(world.enter_within(Some("small"), &call).is_ok());
        }
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(50));
                call.cancel_token().cancel();
            });
            let fault = world.enter_within(tail, &call).err().map(|fault| fault.code());
            assert_eq!(fault, Some("archive.cancelled"), "{name}");
        });
        drop(held);
        let call = budget().sharing(Arc::clone(&quota));
        let got = world.enter_within(tail, &call).unwrap();
        // Nothing of it is held on to, whatever was reached.
        call.cancel_token().cancel();
        assert!(quota.take(1 << 20, &call).is_ok(), "{name}");
        drop(got);
    }
}
