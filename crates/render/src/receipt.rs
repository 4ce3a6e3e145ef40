//! The account of a page for programs.

use readstone_base::{Block, Change, Count, Hits, Page, Role, Rows, Shown, Target, TargetError, estimate_tokens};

use crate::summary::summary;
use crate::{change, notes, web};

/// The account of a page that is shown as `text`.
pub(crate) fn of_page(page: &Page, text: &str) -> Target {
    let coverage = &page.coverage;
    let tokens_shown = estimate_tokens(text);
    let shown = Shown { unit: coverage.unit, ranges: coverage.shown.clone(), context: coverage.context.clone() };
    let editable = page.version.filter(|_| page.editable);
    Target {
        address: page.address.clone(),
        kind: Some(page.kind.name()),
        path: page.path.clone(),
        tag: editable.and_then(|_| page.tag()).map(|tag| tag.to_string()),
        version: page.version.map(|version| version.to_string()),
        encoding: page.encoding,
        shown: Some(shown),
        matches: page.blocks.iter().find_map(matches),
        total: coverage.total,
        cut_by: coverage.cut_by,
        next: coverage.next.as_ref().map(|next| next.argument.clone()),
        next_start_byte: coverage.next_start_byte,
        cuts: cuts(page),
        tokens_shown,
        tokens_total: tokens_total(page, tokens_shown),
        notes: page
            .web
            .iter()
            .flat_map(web::told)
            .chain(page.notes.iter().map(|note| notes::words(note, page)))
            .chain(page.change.iter().flat_map(|change| change.warnings.iter().map(change::words)))
            .collect(),
        resolved_from: page.guess.as_ref().map(|guess| guess.asked.clone()),
        hidden: coverage.hidden.clone(),
        summary: coverage.summary,
        web: page.web.clone(),
        artifact: page.artifact.clone(),
        change: page.change.clone().map(|change| Change { told: summary(page), ..change }),
        error: None,
    }
}

/// How many matches a block shows, and of how many.
fn matches(block: &Block) -> Option<(u64, Count)> {
    block.hits().map(|hits| (shown_matches(hits), hits.matches))
}

/// How many matches are shown.
pub(crate) fn shown_matches(hits: &Hits) -> u64 {
    hits.rows.iter().filter(|row| row.role == Role::Match).count() as u64
}

/// The account of a target that failed.
pub(crate) fn of_failure(address: &str, error: &TargetError, text: &str) -> Target {
    Target {
        address: address.to_owned(),
        tokens_shown: estimate_tokens(text),
        error: Some(error.clone()),
        ..Target::default()
    }
}

fn cuts(page: &Page) -> Vec<readstone_base::Cut> {
    let rows = page.blocks.iter().filter_map(Block::rows);
    rows.flat_map(Rows::iter).filter_map(|row| row.cut.cloned()).collect()
}

/// The cost of the whole: its bytes at the rate of those shown, and the numbers before its lines.
fn tokens_total(page: &Page, tokens_shown: u64) -> Option<u64> {
    if page.coverage.complete {
        return Some(tokens_shown);
    }
    let total = page.coverage.total.bytes?;
    let shown: u64 = page.blocks.iter().map(content_bytes).sum();
    let tokens: u64 = page.blocks.iter().map(content_tokens).sum();
    let text = match shown {
        // Too little to tell the script by.
        0..256 => total.div_ceil(4),
        shown => u64::try_from(u128::from(tokens) * u128::from(total) / u128::from(shown)).unwrap_or(u64::MAX),
    };
    let numbers = page.coverage.total.lines.unwrap_or(total / 40).saturating_mul(2);
    Some(text.saturating_add(numbers).max(tokens_shown))
}

fn content_tokens(block: &Block) -> u64 {
    match block {
        Block::Rows(rows) => rows.iter().map(|row| estimate_tokens(row.text)).sum(),
        Block::Raw(raw) => estimate_tokens(&raw.text),
        Block::Dump(rows) => rows.iter().map(|row| 3 * row.bytes.len() as u64).sum(),
        Block::Tree(_) | Block::Head(_) | Block::Grid(_) | Block::Records(_) | Block::Files(_) | Block::Hits(_) => 0,
    }
}

fn content_bytes(block: &Block) -> u64 {
    match block {
        Block::Rows(rows) => (rows.text_len() + rows.len()) as u64,
        Block::Raw(raw) => raw.bytes.as_ref().map_or(raw.text.len(), Vec::len) as u64,
        Block::Dump(rows) => rows.iter().map(|row| row.bytes.len() as u64).sum(),
        Block::Tree(_) | Block::Head(_) | Block::Grid(_) | Block::Records(_) | Block::Files(_) | Block::Hits(_) => 0,
    }
}
