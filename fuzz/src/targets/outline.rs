//! Any text in any language: an outline is made or not, its lines nest, and it survives being written down.

use readstone_outline::{Language, Outline, block_at, outline};

use crate::text_and_bytes;

pub(crate) fn run(input: &[u8]) {
    let Some((name, bytes)) = text_and_bytes(input) else { return };
    let (Some(language), Ok(text)) = (Language::named(name), std::str::from_utf8(bytes)) else { return };
    let mut asked = 0;
    let mut stop = || {
        asked += 1;
        asked > 2_000
    };
    if let Ok(outline) = outline(language, text, &mut stop) {
        for item in &outline.items {
            assert!(item.lines.first <= item.start && item.start <= item.head && item.head <= item.lines.last);
            assert!(item.parent.is_none_or(|parent| outline.items[parent].lines.last >= item.lines.last));
        }
        assert_eq!(Outline::from_bytes(&outline.to_bytes()), Some(outline));
    }
    let lines = text.lines().count() as u64;
    for line in [1, lines / 2, lines, lines + 1] {
        let _ = block_at(language, text, line, &mut stop);
    }
}
