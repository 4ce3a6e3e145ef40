//! Long chains of edits by the tags and numbers of the replies alone: nothing is read again, and no wrong line is touched.

use std::collections::BTreeMap;

use readstone_base::{Change, DiffSign};

use super::model::{Hunk, Place, SCRIPTS, Script, Sheet, written};
use super::stand::{Stand, change};

/// Numbers that look like chance and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most
    }
}

/// A caller that knows of a file only what replies told it: which text stands on which line.
struct Caller {
    tag: String,
    lines: BTreeMap<u64, String>,
    next: u64,
}

impl Caller {
    fn line(&mut self) -> String {
        self.next += 1;
        format!("line {}", self.next)
    }

    /// One or two operations, far enough apart not to collide.
    fn operations(&mut self, dice: &mut Dice, first: u64) -> Vec<Hunk> {
        let known: Vec<u64> = self.lines.keys().copied().filter(|line| *line > first).collect();
        let count = if known.len() > 40 { 1 + dice.below(3) } else { 1 };
        let share = known.len() / count;
        let mut hunks = Vec::new();
        for part in 0..count {
            let at = part * share + dice.below(share.saturating_sub(3).max(1));
            let line = usize::try_from(known[at]).unwrap();
            let rows: Vec<String> = (0..=dice.below(3)).map(|_| self.line()).collect();
            // What is far longer than it was becomes shorter, and the other way round.
            let kind = if known.len() > 120 { 2 + dice.below(2) } else { dice.below(6) };
            let last = line + dice.below(3).min(known.len() - 1 - at);
            let place = match kind {
                0 => Place::Before(line),
                1 => Place::After(line),
                2 if known.len() > 10 => Place::Delete(line, last),
                3 | 4 => Place::Replace(line, last),
                _ => Place::Tail,
            };
            if place == Place::Tail && part + 1 < count {
                continue;
            }
            let body = if let Place::Delete(..) = place { Vec::new() } else { rows };
            hunks.push(Hunk { place, body });
        }
        hunks
    }

    /// Takes in a reply.
    fn learn(&mut self, change: &Change) {
        let gone = |line: u64| change.rows.iter().any(|row| row.sign == DiffSign::Gone(line));
        let by = |line: u64| change.shifts.iter().rev().find(|shift| line > shift.after).map_or(0, |shift| shift.by);
        let stays = self.lines.iter().filter(|(line, _)| !gone(**line));
        let mut lines: BTreeMap<u64, String> =
            stays.map(|(line, text)| (line.checked_add_signed(by(*line)).unwrap(), text.clone())).collect();
        for row in &change.rows {
            if let DiffSign::New(line) = row.sign {
                let before = lines.insert(line, row.text.clone());
                assert_eq!(before, None, "two lines have one number: {change:?}");
            }
        }
        self.lines = lines;
    }
}

fn chain(script: Script, end: &'static str, seed: u64) {
    let stand = Stand::new();
    let first = Sheet::opening(script).count();
    let texts = Sheet::opening(script).chain((1..=60).map(|number| format!("line {number}")));
    let mut sheet = Sheet::of(script, texts.clone(), end);
    if seed.is_multiple_of(2) {
        sheet.lines.last_mut().unwrap().end = "";
    }
    stand.file("a", sheet.bytes());
    let lines = (1..).zip(texts).collect();
    let mut caller = Caller { tag: stand.tag("a"), lines, next: 60 };
    let mut dice = Dice(seed);
    for step in 0..1_000 {
        let hunks = caller.operations(&mut dice, first as u64);
        let target = stand.edited("a", &caller.tag, &written(&hunks));
        caller.learn(change(&target));
        caller.tag = target.tag.clone().unwrap();
        sheet = sheet.edited(&hunks);
        assert!(stand.bytes("a") == sheet.bytes(), "{} step {step}: {hunks:?}", script.name);
        let texts: Vec<Vec<u8>> = caller.lines.values().map(|text| script.encode(text)).collect();
        assert!(
            caller.lines.keys().copied().eq(1..=sheet.lines.len() as u64)
                && texts.iter().eq(sheet.lines.iter().map(|line| &line.text)),
            "{} step {step}: what the caller knows is what there is",
            script.name
        );
        assert!(change(&target).warnings.is_empty(), "{:?}", change(&target).warnings);
    }
}

#[test]
fn a_thousand_edits_of_utf_8_follow_from_one_read() {
    chain(SCRIPTS[0], "\n", 1);
}

#[test]
fn a_thousand_edits_of_utf_16_follow_from_one_read() {
    chain(SCRIPTS[1], "\r\n", 2);
}

#[test]
fn a_thousand_edits_of_windows_1252_follow_from_one_read() {
    chain(SCRIPTS[5], "\r\n", 3);
}

#[test]
fn a_thousand_edits_of_shift_jis_follow_from_one_read() {
    chain(SCRIPTS[7], "\n", 4);
}

#[test]
fn hundreds_of_changes_are_taken_back_one_by_one() {
    let stand = Stand::new();
    stand.file("a", "0\nlast");
    let mut tag = stand.tag("a");
    let mut versions = vec![stand.bytes("a")];
    for step in 1..=300 {
        let operations =
            if step % 3 == 0 { format!("insert head:\n+{step}\n") } else { format!("replace 1:\n+{step}\n") };
        tag = stand.edited("a", &tag, &operations).tag.unwrap();
        versions.push(stand.bytes("a"));
    }
    versions.pop();
    while let Some(before) = versions.pop() {
        let reply = stand.undo(&serde_json::json!({}));
        assert!(stand.bytes("a") == before, "{}", reply.text());
    }
}
