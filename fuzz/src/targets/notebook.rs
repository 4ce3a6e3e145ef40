//! Any text as the edit of any notebook: an unchanged text gives the same bytes, a changed one gives a sound notebook.

use readstone_base::{Failure as _, Limits};
use readstone_formats::{new_notebook, notebook_cells, to_notebook_within, to_text};

use crate::text_and_bytes;

pub(crate) fn run(input: &[u8]) {
    let Some((text, bytes)) = text_and_bytes(input) else { return };
    // Few lines of outputs, so that they are cut.
    let limits = Limits { output_lines: 3, output_bytes: 64, ..Limits::default() };
    let sound = round(bytes, &limits).is_some();
    match to_notebook_within(text, bytes, &limits) {
        // Outputs are left as they are, be they sound or not.
        Ok(changed) => assert!(!sound || round(&changed, &limits).is_some(), "what was changed is sound"),
        Err(error) => assert!(error.next().len() <= 3, "{error}"),
    }
    if let Ok(fresh) = new_notebook(text) {
        let shown = round(&fresh, &limits).expect("what is new is sound");
        assert_eq!(new_notebook(&shown).ok(), Some(fresh), "{shown}");
    }
}

/// The text of a notebook, which gives it back as it is.
fn round(bytes: &[u8], limits: &Limits) -> Option<String> {
    let shown = to_text(bytes, limits).ok()?.text;
    let back = to_notebook_within(&shown, bytes, limits).expect("its own text is taken");
    assert!(back == bytes, "{shown:?}");
    let _ = notebook_cells(&shown);
    Some(shown)
}
