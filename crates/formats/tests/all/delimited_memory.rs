//! Files far larger than memory may be, each test in a process of its own.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

use std::io;
use std::sync::Arc;

use readstone_base::Blob;
use readstone_source::{Entered, Value};

use crate::alone::alone;
use crate::delimited::stand::Stand;

/// Kilobytes of memory that this process has, or had at most.
fn kilobytes(of: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(of)).unwrap();
    line.split_ascii_whitespace().nth(1).unwrap().parse().unwrap()
}

/// A beginning, many bytes that are all the same, and an end.
#[derive(Debug)]
struct Huge {
    before: &'static [u8],
    filler: u64,
    behind: &'static [u8],
}

impl Blob for Huge {
    fn len(&self) -> Option<u64> {
        Some((self.before.len() + self.behind.len()) as u64 + self.filler)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let room = usize::try_from(self.len().unwrap().saturating_sub(offset)).unwrap();
        let count = room.min(buffer.len());
        let buffer = buffer.get_mut(..count).unwrap_or_default();
        buffer.fill(b'x');
        let behind = self.before.len() as u64 + self.filler;
        for (start, part) in [(0, self.before), (behind, self.behind)] {
            for (byte, at) in part.iter().zip(start..) {
                let place = at.checked_sub(offset).and_then(|at| buffer.get_mut(usize::try_from(at).ok()?));
                if let Some(place) = place {
                    *place = *byte;
                }
            }
        }
        Ok(count)
    }
}

/// Rows of a hundred thousand bytes, each with its number.
#[derive(Debug)]
struct Many {
    rows: u64,
}

const ROW: u64 = 100_000;

impl Blob for Many {
    fn len(&self) -> Option<u64> {
        Some(self.rows * ROW)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let room = usize::try_from(self.len().unwrap().saturating_sub(offset)).unwrap();
        let count = room.min(buffer.len());
        let buffer = buffer.get_mut(..count).unwrap_or_default();
        buffer.fill(b'x');
        for row in offset / ROW..=(offset + count as u64) / ROW {
            let number = format!("\n{row:06},");
            for (byte, at) in number.bytes().zip(row * ROW..) {
                let place = at.checked_sub(offset).and_then(|at| buffer.get_mut(usize::try_from(at).ok()?));
                if let Some(place) = place {
                    *place = byte;
                }
            }
        }
        Ok(count)
    }
}

/// How many megabytes more were held at most while something was done.
fn grown(work: impl FnOnce()) -> u64 {
    let before = kilobytes("VmRSS:");
    work();
    kilobytes("VmHWM:").saturating_sub(before) / 1024
}

#[test]
fn one_field_of_two_hundred_megabytes_takes_little_memory() {
    if !alone(one_field_of_two_hundred_megabytes_takes_little_memory) {
        return;
    }
    let grown = grown(|| {
        let huge = Huge { before: b"id,big,end\n1,\"", filler: 200_000_000, behind: b"\",=1+1\n2,b,c\n" };
        let stand = Stand::of("huge_field.csv", Arc::new(huge));
        let (table, seen, more) = stand.table("?limit=20&offset=0");
        assert_eq!((seen.rows.len(), more, table.total()), (2, false, Some(2)));
        let big = seen.rows.first().and_then(|row| row.cells.get(1)).unwrap();
        assert!(matches!(big, Value::Bare { head, length: 200_000_000 } if head.len() == 4_096));
        assert_eq!(stand.text("?row=1&column=end").0, "=1+1");
        let Ok(Entered::Piece { piece, .. }) = stand.enter(Some("?row=1&column=big")).unwrap() else { panic!() };
        assert_eq!(piece.blob.len(), Some(200_000_000));
        assert_eq!(piece.blob.read_range(199_999_990, 200_000_010).unwrap(), b"xxxxxxxxxx");
    });
    assert!(grown < 48, "{grown} MB");
}

#[test]
fn later_pages_of_a_large_file_begin_near_their_rows() {
    if !alone(later_pages_of_a_large_file_begin_near_their_rows) {
        return;
    }
    let grown = grown(|| {
        let stand = Stand::of("many.csv", Arc::new(Many { rows: 13_000 }));
        // Counting ends before the file does; later pages take it up.
        assert_eq!(stand.table("?limit=1").0.total(), None);
        for offset in [12_990, 6_000, 1, 12_345] {
            let rows = stand.rows(&format!("?limit=1&offset={offset}"));
            assert_eq!(rows.first().and_then(|row| row.first()), Some(&format!("{:06}", offset + 1)));
        }
        assert_eq!(stand.rows("?limit=1&offset=99999").len(), 0);
        assert_eq!(stand.table("?limit=1").0.total(), Some(12_999));
    });
    assert!(grown < 48, "{grown} MB");
}

#[test]
fn one_string_of_two_hundred_megabytes_takes_little_memory() {
    if !alone(one_string_of_two_hundred_megabytes_takes_little_memory) {
        return;
    }
    let grown = grown(|| {
        let huge = Huge { before: b"{\"a\": 1,\n\"big\": \"", filler: 200_000_000, behind: b"\",\n\"z\": [2]}" };
        let stand = Stand::of("huge.json", Arc::new(huge));
        assert_eq!(stand.text("/z/0").0, "2");
        let fault = stand.fails("/big");
        assert_eq!(fault.code(), "json.limit");
        assert_eq!(fault.next().first().unwrap().argument, "d/huge.json:=16+200000002");
    });
    assert!(grown < 48, "{grown} MB");
}
