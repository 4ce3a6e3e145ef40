//! Any text as an address: it is read without panic, and what is read prints as text that means the same.

use readstone_address::{Selector, join, readings};
use readstone_base::Failure;

use crate::text_at_start;

pub(crate) fn run(input: &[u8]) {
    let text = text_at_start(input);
    check_selector(text);
    let Ok(readings) = readings(text) else { return };
    assert!(!readings.is_empty(), "no reading at all");
    for reading in readings {
        let place = reading.place.as_str();
        assert!(!place.is_empty() && !place.contains('\0'), "{place:?} cannot be opened");
        match reading.selector() {
            Ok(selector) => {
                let address = join(place, &selector);
                assert!(address.len() <= place.len() + 1 + selector.to_string().len());
            }
            Err(error) => assert!(error.to_string().len() < 8_000 && error.next().len() <= 3),
        }
    }
}

fn check_selector(text: &str) {
    if let Ok(selector) = Selector::parse(text) {
        let again = selector.to_string();
        assert_eq!(Selector::parse(&again), Ok(selector), "{text:?} became {again:?}");
    }
}
