//! Any bytes as a database: every address in it ends in rows or a failure, the same each time.

use std::panic;
use std::sync::Once;

use crate::{World, text_and_bytes};

/// How often a call looks at its clock before its time is up.
const STEPS: u64 = 2_000;

/// A binding to SQLite panics where a name in a schema is no UTF-8, and takes its own panic for a refusal. Here it would be
/// taken for a finding.
static PASSED_OVER: Once = Once::new();

pub(crate) fn run(input: &[u8]) {
    PASSED_OVER.call_once(|| {
        let found = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let refusal =
                info.payload_as_str().is_some_and(|words| words.starts_with("received non-utf8 string as authorizer"));
            if !refusal {
                found(info);
            }
        }));
    });
    let Some((tail, bytes)) = text_and_bytes(input) else { return };
    // A beginning that mutations would only break.
    let mut file = b"SQLite format 3\0".to_vec();
    file.extend_from_slice(bytes);
    let world = World::new("d.db", &file).within(STEPS);
    let tables = world.seen(None);
    let found = world.seen(Some(tail));
    let again = World::new("d.db", &file).within(STEPS);
    assert_eq!(again.seen(None), tables);
    assert_eq!(again.seen(Some(tail)), found, "{tail:?}");
}
