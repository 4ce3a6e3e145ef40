//! Line feeds in every unit, against counting them unit by unit.

use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use proptest::{collection, sample, test_runner};
use readstone_source::Newline;

fn config() -> test_runner::Config {
    test_runner::Config {
        cases: 1024,
        failure_persistence: None,
        rng_seed: test_runner::RngSeed::Fixed(0x50C1_0001),
        ..test_runner::Config::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn line_feeds_are_found_where_they_are(newline in newline(), bytes in bytes()) {
        let naive: Vec<usize> = feeds(newline, &bytes);
        assert_eq!(newline.count(&bytes), naive.len() as u64);
        assert_eq!(newline.find(&bytes), naive.first().copied());
        assert_eq!(newline.rfind(&bytes), naive.last().copied());
        for nth in 0..naive.len() as u64 + 2 {
            let right = naive.get(usize::try_from(nth).unwrap()).map(|at| at + newline.width());
            assert_eq!(newline.after_nth(&bytes, nth), right, "number {nth}");
        }
        assert_eq!(newline.after_nth(&bytes, u64::MAX), None);
    }
}

fn newline() -> impl Strategy<Value = Newline> {
    sample::select(vec![Newline::Byte, Newline::Utf16Le, Newline::Utf16Be, Newline::Utf32Le, Newline::Utf32Be])
}

/// Bytes in which line feeds of every kind stand, in and out of step.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![4 => Just(0), 3 => Just(b'\n'), 1 => Just(b'\r'), 1 => any::<u8>()];
    collection::vec(byte, 0..48)
}

fn feeds(newline: Newline, bytes: &[u8]) -> Vec<usize> {
    let units = bytes.chunks(newline.width()).enumerate();
    units.filter(|(_, unit)| *unit == newline.feed()).map(|(number, _)| number * newline.width()).collect()
}

#[test]
fn a_line_feed_and_a_carriage_return_are_as_wide_as_a_unit() {
    for newline in [Newline::Byte, Newline::Utf16Le, Newline::Utf16Be, Newline::Utf32Le, Newline::Utf32Be] {
        assert_eq!(newline.feed().len(), newline.width());
        assert_eq!(newline.carriage().len(), newline.width());
    }
}
