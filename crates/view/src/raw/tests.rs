use std::sync::Arc;

use readstone_address::Selector;
use readstone_base::{Budget, Fixed, Limits, Memory, ReplySize};
use readstone_source::{Coding, Decoded, LineIndex, Newline};

use super::show;
use crate::room::{Ask, Room};
use crate::text::Text;

/// UTF-8 as the formats decode it.
#[derive(Debug)]
struct Utf8;

impl Coding for Utf8 {
    fn name(&self) -> &'static str {
        "utf-8"
    }

    fn mark(&self) -> u64 {
        0
    }

    fn newline(&self) -> Newline {
        Newline::Byte
    }

    fn decode<'a>(&self, bytes: &'a [u8]) -> Decoded<'a> {
        let replaced = if std::str::from_utf8(bytes).is_ok() { Vec::new() } else { vec![0] };
        Decoded { text: String::from_utf8_lossy(bytes), replaced }
    }

    fn resync(&self, bytes: &[u8]) -> usize {
        bytes.iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count()
    }

    fn boundary(&self, bytes: &[u8], most: usize) -> usize {
        let most = most.min(bytes.len());
        let continues = |at: usize| bytes.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
        (most.saturating_sub(3)..=most).rev().find(|at| !continues(*at)).unwrap_or(most)
    }

    fn encode(&self, text: &str) -> Result<Vec<u8>, char> {
        Ok(text.as_bytes().to_vec())
    }
}

/// Numbers that look random and are the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn text(&mut self) -> Vec<u8> {
        let parts: [&[u8]; 8] =
            [b"plain text", b"\n", b"\r\n", "ä漢🙂".as_bytes(), b"\xFF\xC3", b"\n\n", b"a \"quoted\" \\ word", b"\t"];
        let count = self.below(60);
        (0..count).flat_map(|_| parts[usize::try_from(self.below(8)).unwrap()].to_vec()).collect()
    }

    fn selector(&mut self) -> String {
        let (first, more) = (1 + self.below(12), self.below(12));
        match self.below(4) {
            0 => "raw".to_owned(),
            1 => format!("{first}-:raw"),
            2 => format!("{first}-{}:raw", first + more),
            _ => format!("{first}-{},{}-{}:raw", first + more, first + more + 2, first + more + 5),
        }
    }
}

fn page(bytes: &[u8], selector: &Selector, limits: &Limits, room: Room) -> String {
    let budget = Budget::new(Arc::new(Fixed(0)), None);
    let mut index = LineIndex::new(Newline::Byte, bytes.len() as u64);
    let blob = Arc::new(Memory::new(bytes.to_vec()));
    let mut text = Text { blob, coding: Arc::new(Utf8), size: bytes.len() as u64, index: &mut index };
    let ask = Ask { path: "file", selector, limits, room, budget: &budget };
    format!("{:?}", show(&mut text, &ask).unwrap())
}

#[test]
fn many_lines_at_once_make_the_same_page_as_one_after_another() {
    let mut chance = Chance(7);
    for _ in 0..4_000 {
        let (bytes, selector) = (chance.text(), Selector::parse(&chance.selector()).unwrap());
        let limits = Limits {
            page_bytes: 20 + chance.below(600),
            page_lines: 1 + chance.below(20),
            range_lines: 1 + chance.below(20),
            range_line_bytes: chance.below(60),
            ..Limits::default()
        };
        let json = if chance.below(2) == 0 { u64::MAX } else { chance.below(500) };
        let client = ReplySize { json, ..ReplySize::UNBOUNDED };
        let at_once = page(&bytes, &selector, &limits, Room { client, ..Room::default() });
        // Where tokens are counted, each line is measured alone.
        let one_by_one = page(&bytes, &selector, &limits, Room { client, tokens: Some(u64::MAX), ..Room::default() });
        assert_eq!(at_once, one_by_one, "{selector:?} {limits:?} {:?}", String::from_utf8_lossy(&bytes));
    }
}
