//! Which matches are shown: all files get their first before any gets its second, until the reply is full.

use readstone_address::{Select, Selector, join};
use readstone_base::{Block, Count, HitRow, Hits, Next, Page, Role, Span, Spot};

use super::Job;

/// Whether one thing was searched.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form<'a> {
    /// One; the rest is reached by its lines, of which these were asked for.
    Alone(Option<&'a [Span]>),
    /// Several; the rest of each is reached by naming it.
    Several,
}

/// Pages that fit.
pub(super) struct Fitted {
    pub(super) pages: Vec<Page>,
    /// Matches on them.
    pub(super) matches: u64,
    /// The limit that left something out.
    pub(super) cut_by: Option<&'static str>,
}

/// Bytes of a page beside its rows, about.
const FRAME: u64 = 80;

/// Shortens pages so that all of them fit; those that do not fit at all are left out.
pub(super) fn fit(mut pages: Vec<Page>, job: &Job<'_>, form: Form<'_>) -> Fitted {
    let limits = job.call.limits;
    let sizes: Vec<Vec<u64>> = pages.iter().map(|page| steps(page, limits.search_after)).collect();
    let mut taken = vec![0_usize; pages.len()];
    let mut room = job.room.saturating_sub(LAST_LINE);
    let (mut all, mut cut_by) = (0, None);
    let most = sizes.iter().map(Vec::len).max().unwrap_or(0);
    'rounds: for round in 0..most {
        for (index, (taken, sizes)) in taken.iter_mut().zip(&sizes).enumerate() {
            let Some(size) = sizes.get(round) else { continue };
            // The first match of the first file is always shown.
            let needed = size + if round == 0 { FRAME } else { 0 };
            if (needed > room && (round, index) != (0, 0)) || all == limits.search_all_matches {
                cut_by = Some(if needed > room { "page_bytes" } else { "search_all_matches" });
                break 'rounds;
            }
            room = room.saturating_sub(needed);
            *taken += 1;
            all += 1;
        }
    }
    let shown = taken.iter().take_while(|taken| **taken > 0).count();
    pages.truncate(shown);
    for (page, taken) in pages.iter_mut().zip(taken) {
        shorten(page, taken, limits.search_after);
        lead_on(page, form);
    }
    Fitted { pages, matches: all, cut_by }
}

/// Bytes of the line at the end of a reply, about.
const LAST_LINE: u64 = 400;

fn hits_of(page: &mut Page) -> Option<&mut Hits> {
    page.blocks.iter_mut().find_map(|block| match block {
        Block::Hits(hits) => Some(hits),
        Block::Rows(_)
        | Block::Raw(_)
        | Block::Dump(_)
        | Block::Tree(_)
        | Block::Head(_)
        | Block::Grid(_)
        | Block::Records(_)
        | Block::Files(_) => None,
    })
}

fn rows_of(page: &Page) -> &[HitRow] {
    let rows = page.blocks.iter().find_map(|block| if let Block::Hits(hits) = block { Some(&hits.rows) } else { None });
    rows.map(Vec::as_slice).unwrap_or_default()
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

/// Says which call shows the matches that are left out.
fn lead_on(page: &mut Page, form: Form<'_>) {
    let Some(hits) = hits_of(page) else { return };
    let shown = hits.rows.iter().filter(|row| row.role == Role::Match).count() as u64;
    let more = match hits.matches {
        Count::Exactly(all) => all > shown,
        Count::AtLeast(_) => true,
    };
    if !more {
        page.coverage.next = None;
        return;
    }
    let last = hits.rows.iter().filter(|row| row.role == Role::Match).map(line).next_back().unwrap_or(0);
    let path = page.path.clone().unwrap_or_default();
    let lines = page.kind != readstone_base::Kind::Table;
    let argument = match form {
        Form::Several => Some(path),
        Form::Alone(within) if lines => {
            Some(join(&path, &Selector { select: behind(within, last), ..Selector::default() }))
        }
        // Rows of a table lead on by themselves.
        Form::Alone(_) => page.coverage.next.take().map(|next| next.argument),
    };
    page.coverage.next = argument.map(|argument| Next { tool: "search", argument });
}

/// The lines behind one, of those that were asked for.
fn behind(within: Option<&[Span]>, last: u64) -> Select {
    let rest = within.unwrap_or_default().iter().filter(|span| span.last > last);
    let rest: Vec<Span> = rest.map(|span| Span::new(span.first.max(last + 1), span.last)).collect();
    match rest.as_slice() {
        [] | [Span { last: u64::MAX, .. }] => Select::From(rest.first().map_or(last + 1, |span| span.first)),
        [one] => Select::Range(*one),
        _ => Select::Many(rest),
    }
}
