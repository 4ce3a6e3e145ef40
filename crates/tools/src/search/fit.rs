//! Which matches are shown: all files get their first before any gets its second, until the reply is full.

use readstone_address::{Select, Selector, join};
use readstone_base::{Block, Count, HitRow, Hits, Next, Page, Role, Span, Spot};

use super::Job;
use super::page::Leaf;

/// Whether one thing was searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// One, whose own line says all there is to say.
    Alone,
    /// Several.
    Several,
}

/// Matches that fit.
pub(super) struct Fitted {
    /// How many there are.
    pub(super) matches: u64,
    /// The limit that left something out.
    pub(super) cut_by: Option<&'static str>,
}

/// Bytes of a page beside its rows, about: a line before them and one behind them, both with its name.
fn frame(page: &Page) -> u64 {
    const WORDS: u64 = 40;
    const LEAST: u64 = 80;
    let name = page.path.as_ref().unwrap_or(&page.address).len() as u64;
    (WORDS + 2 * name).max(LEAST)
}

/// Shortens pages so that all of them fit into some bytes, and removes those that do not fit at all. Pages that were
/// shortened before can be shortened further.
pub(super) fn fit(leaves: &mut Vec<Leaf>, job: &Job<'_>, form: Form, (room, name): (u64, &'static str)) -> Fitted {
    let limits = job.call.limits;
    let sizes: Vec<(u64, Vec<u64>)> =
        leaves.iter().map(|leaf| (frame(&leaf.page), steps(&leaf.page, limits.search_after))).collect();
    let mut taken = vec![0_usize; leaves.len()];
    let mut room = room.saturating_sub(LAST_LINE.min(room / 3));
    let (mut all, mut cut_by) = (0, None);
    let most = sizes.iter().map(|(_, sizes)| sizes.len()).max().unwrap_or(0);
    'rounds: for round in 0..most {
        for (index, (taken, (frame, sizes))) in taken.iter_mut().zip(&sizes).enumerate() {
            let Some(size) = sizes.get(round) else { continue };
            // The first match of the first file is always shown.
            let needed = size + if round == 0 { *frame } else { 0 };
            if (needed > room && (round, index) != (0, 0)) || all == limits.search_all_matches {
                cut_by = Some(if needed > room { name } else { "search_all_matches" });
                break 'rounds;
            }
            room = room.saturating_sub(needed);
            *taken += 1;
            all += 1;
        }
    }
    let shown = taken.iter().take_while(|taken| **taken > 0).count();
    leaves.truncate(shown);
    for (leaf, taken) in leaves.iter_mut().zip(taken) {
        shorten(&mut leaf.page, taken, limits.search_after);
        leaf.page.coverage.next = next(leaf);
        if form == Form::Alone {
            leaf.page.coverage.cut_by = leaf.page.coverage.cut_by.or(cut_by.take());
        }
    }
    Fitted { matches: all, cut_by }
}

/// Bytes of the line at the end of a reply, about; it may take a third of a small reply.
const LAST_LINE: u64 = 400;

fn hits_of(page: &mut Page) -> Option<&mut Hits> {
    page.blocks.iter_mut().find_map(|block| if let Block::Hits(hits) = block { Some(hits) } else { None })
}

fn rows_of(page: &Page) -> &[HitRow] {
    page.blocks.iter().find_map(Block::hits).map(|hits| hits.rows.as_slice()).unwrap_or_default()
}

/// What each match costs beside those before it, with the lines around it.
fn steps(page: &Page, after: u64) -> Vec<u64> {
    let rows = rows_of(page);
    let size = |rows: &[HitRow]| rows.iter().map(|row| row.text.len() as u64 + LABEL).sum::<u64>();
    let count = rows.iter().filter(|row| row.role == Role::Match).count();
    let ends = (1..=count).map(|matches| end(rows, matches, after));
    let mut before = 0;
    ends.map(|end| {
        let step = size(rows.get(before..end).unwrap_or_default());
        before = end;
        step
    })
    .collect()
}

/// Bytes before the text of a row, about.
const LABEL: u64 = 9;

/// How many rows show the first matches and the lines around them.
fn end(rows: &[HitRow], matches: usize, after: u64) -> usize {
    let nth = |number: usize| rows.iter().enumerate().filter(|(_, row)| row.role == Role::Match).nth(number);
    let Some((last, row)) = matches.checked_sub(1).and_then(nth) else { return 0 };
    let Some((next, _)) = nth(matches) else { return rows.len() };
    let reach = line(row).saturating_add(after);
    (last + 1..next).find(|at| rows.get(*at).is_none_or(|row| line(row) > reach)).unwrap_or(next)
}

fn line(row: &HitRow) -> u64 {
    match row.spot {
        Spot::Line(number) => number,
        Spot::Cell(_) => 0,
    }
}

/// Leaves the first matches and the lines around them.
fn shorten(page: &mut Page, matches: usize, after: u64) {
    let Some(hits) = hits_of(page) else { return };
    let end = end(&hits.rows, matches, after);
    hits.rows.truncate(end);
    let (mut shown, mut beside) = (Vec::new(), Vec::new());
    for row in &hits.rows {
        if let Spot::Line(number) = row.spot {
            let spans = if row.role == Role::Match { &mut shown } else { &mut beside };
            Span::extend(spans, number);
        }
    }
    page.coverage.shown = shown;
    page.coverage.context = beside;
}

/// The call that shows the matches that are left out.
fn next(leaf: &Leaf) -> Option<Next> {
    let hits =
        leaf.page.blocks.iter().find_map(|block| if let Block::Hits(hits) = block { Some(hits) } else { None })?;
    let shown = hits.rows.iter().filter(|row| row.role == Role::Match);
    let count = shown.clone().count();
    let more = match hits.matches {
        Count::Exactly(all) => all > count as u64,
        // What was looked at in pieces may hold more, and nobody knows where.
        Count::AtLeast(least) => least > count as u64 || leaf.page.coverage.cut_by.is_some(),
    };
    if !more {
        return None;
    }
    let path = leaf.page.path.clone().unwrap_or_default();
    let argument = if let Some(rows) = &leaf.rows {
        rows.behind(count)?
    } else {
        let last = shown.map(line).next_back().unwrap_or(0);
        join(&path, &Selector { select: behind(leaf.within.as_deref(), last)?, ..Selector::default() })
    };
    Some(Next { tool: "search", argument })
}

/// The lines behind one, of those that were asked for.
fn behind(within: Option<&[Span]>, last: u64) -> Option<Select> {
    let Some(within) = within else { return Some(Select::From(last + 1)) };
    let rest = within.iter().filter(|span| span.last > last);
    let rest: Vec<Span> = rest.map(|span| Span::new(span.first.max(last + 1), span.last)).collect();
    match rest.as_slice() {
        [] => None,
        [Span { first, last: u64::MAX }] => Some(Select::From(*first)),
        [one] => Some(Select::Range(*one)),
        _ => Some(Select::Many(rest)),
    }
}
