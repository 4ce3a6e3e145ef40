//! Any text in any language: an outline is made or not, its lines nest, and it survives being written down.
#![no_main]

use libfuzzer_sys::fuzz_target;
use readstone_outline::{Outline, block_at, languages, outline};

fuzz_target!(|input: (u8, &str)| {
    let (pick, text) = input;
    let all: Vec<_> = languages().collect();
    let Some(language) = all.get(usize::from(pick) % all.len()).copied() else {
        return;
    };
    let mut asked = 0;
    let mut stop = || {
        asked += 1;
        asked > 100_000
    };
    if let Ok(outline) = outline(language, text, &mut stop) {
        for item in &outline.items {
            assert!(item.lines.first <= item.start && item.start <= item.head && item.head <= item.lines.last);
            assert!(item.parent.is_none_or(|parent| outline.items[parent].lines.last >= item.lines.last));
        }
        assert_eq!(Outline::from_bytes(&outline.to_bytes()), Some(outline));
    }
    let _ = block_at(language, text, 1 + u64::from(pick), &mut stop);
});
