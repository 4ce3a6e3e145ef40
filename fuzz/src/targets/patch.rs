//! Any text as a patch of any other: nothing panics, what is applied can be undone, and what is carried over to another
//! version lands on lines with the same text.

use std::io;
use std::ops::Range;

use readstone_base::{Failure as _, Span};
use readstone_edit::{
    LineAt, Lines, Place, Script, apply, arrange, carry, differences, inverse, parse, resolve, splices, unpasted,
};

use crate::text_at_start;

pub(crate) fn run(input: &[u8]) {
    let input = text_at_start(input);
    let mut texts = input.splitn(3, '\0');
    let (Some(patch), Some(then), Some(now)) = (texts.next(), texts.next(), texts.next()) else { return };
    let _ = unpasted(patch, &|_, _| true);
    let patch = match parse(patch) {
        Ok(patch) => patch,
        Err(error) => {
            assert!(!error.code().is_empty() && error.next().len() <= 3);
            return;
        }
    };
    let (text, other) = (Text::of(then), Text::of(now));
    for section in patch.sections {
        let count = text.count();
        let mut block = |line| Ok(Span::new(line, (line + 1).min(count)));
        let Ok((placed, _)) = resolve("a", section.hunks, count, &mut block) else { continue };
        let Ok(placed) = arrange("a", placed, count) else { continue };
        let splices = splices(&placed, &text).expect("what is arranged can be applied");
        let done = apply(then.as_bytes(), &splices);
        let undo = inverse(&splices, &|range| text.bytes(range)).expect("a text at hand");
        assert_eq!(apply(&done, &undo), then.as_bytes());
        let (old, new) = (text.texts(), other.texts());
        let _ = differences(&old, &new);
        let Some(carried) = carry(&placed, &old, &new) else { continue };
        for (before, after) in placed.iter().zip(&carried) {
            if let (Place::Lines(before), Place::Lines(after)) = (before.place, after.place) {
                assert_eq!(before.count(), after.count());
                for (one, two) in (before.first..=before.last).zip(after.first..=after.last) {
                    assert_eq!(old[one as usize - 1], new[two as usize - 1], "another line");
                }
            }
        }
    }
}

struct Text<'a> {
    bytes: &'a str,
    starts: Vec<usize>,
}

impl<'a> Text<'a> {
    fn of(bytes: &'a str) -> Self {
        let mut starts = vec![0];
        starts.extend(bytes.match_indices('\n').map(|(at, _)| at + 1));
        if starts.last() != Some(&bytes.len()) {
            starts.push(bytes.len());
        }
        Self { bytes, starts }
    }

    fn texts(&self) -> Vec<&'a str> {
        self.starts.windows(2).map(|pair| trimmed(&self.bytes[pair[0]..pair[1]])).collect()
    }
}

fn trimmed(line: &str) -> &str {
    line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line))
}

impl Lines for Text<'_> {
    fn count(&self) -> u64 {
        self.starts.len() as u64 - 1
    }

    fn line(&self, number: u64) -> io::Result<LineAt> {
        let (start, end) = (self.starts[number as usize - 1], self.starts[number as usize]);
        let text = trimmed(&self.bytes[start..end]).len();
        Ok(LineAt { start: start as u64, text_end: (start + text) as u64, end: end as u64 })
    }

    fn bytes(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
        Ok(self.bytes.as_bytes()[range.start as usize..range.end as usize].to_vec())
    }

    fn script(&self) -> &dyn Script {
        self
    }
}

impl Script for Text<'_> {
    fn mark(&self) -> u64 {
        0
    }

    fn feed(&self) -> Vec<u8> {
        b"\n".to_vec()
    }

    fn encode(&self, text: &str) -> Result<Vec<u8>, char> {
        Ok(text.as_bytes().to_vec())
    }

    fn encoding(&self) -> &str {
        "utf-8"
    }
}
