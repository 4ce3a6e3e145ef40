//! Any pattern in any text: a search of many lines finds exactly those lines that match one by one.

use std::sync::Arc;

use readstone_base::{Blob, Budget, Count, Failure as _, Fixed, Limits, Memory, Role};
use readstone_formats::utf8;
use readstone_search::{Case, Extent, Look, Pattern, Scanner};
use readstone_source::Lines;

use crate::text_and_bytes;

pub(crate) fn run(input: &[u8]) {
    let Some((pick, rest)) = input.split_first() else { return };
    let Some((text, bytes)) = text_and_bytes(rest) else { return };
    let mut limits = Limits { search_pattern_bytes: 1 << 20, ..Limits::default() };
    if pick & 2 != 0 {
        limits.search_span_bytes = 64;
    }
    let case = if pick & 1 == 0 { Case::Exact } else { Case::Fold };
    let pattern = match Pattern::new(text, case, &limits) {
        Ok(pattern) => pattern,
        Err(error) => {
            assert!(error.next().len() <= 3, "{error}");
            return;
        }
    };
    search(&pattern, bytes, &limits);
}

fn search(pattern: &Pattern, bytes: &[u8], limits: &Limits) {
    let budget = Budget::new(Arc::new(Fixed(0)), None);
    let blob: Arc<dyn Blob> = Arc::new(Memory::new(bytes.to_vec()));
    let mut scanner = Scanner::new(pattern, limits);
    let look = scanner.look(&*blob, &budget).expect("bytes at hand");
    assert_eq!(scanner.look(&*blob, &budget).expect("bytes at hand"), look, "another thing the second time");
    let lines = Lines { blob: Arc::clone(&blob), coding: utf8() };
    let scanned = scanner.hits(&lines, None, 10, &budget).expect("bytes at hand");
    let shown = scanned.hits.rows.iter().filter(|row| row.role == Role::Match).count() as u64;
    // Anything but plain text may be taken as another encoding, or as none.
    let plain = |sign: char| !sign.is_control() || matches!(sign, '\n' | '\r' | '\t');
    let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| text.chars().all(plain)) else { return };
    if scanned.extent != Extent::Whole || text.starts_with('\u{feff}') {
        return;
    }
    let Count::Exactly(count) = scanned.hits.matches else { panic!("all was looked at: {:?}", scanned.hits.matches) };
    assert_eq!(look, if count > 0 { Look::Match } else { Look::NoMatch(Extent::Whole) });
    assert!(shown <= count && (shown > 0 || count == 0), "{shown} of {count} are shown");
    if !pattern.spans_lines() {
        let one_by_one = text.split_inclusive('\n').filter(|line| pattern.find(bare(line)).is_some()).count();
        assert_eq!(count, one_by_one as u64);
        assert_eq!(shown, count.min(10));
    }
}

fn bare(line: &str) -> &str {
    line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line))
}
