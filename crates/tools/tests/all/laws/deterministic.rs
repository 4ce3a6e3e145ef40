//! The same call on the same world gives the same reply.

use proptest::prelude::proptest;

use super::make;
use super::stand::{NAME, Stand};

proptest! {
    #![proptest_config(make::config(48))]

    #[test]
    fn the_same_call_gives_the_same_reply(file in make::file(), limits in make::limits(), tail in selector()) {
        let address = format!("{NAME}{tail}");
        let stand = Stand::with(&file.0, &limits);
        let input = serde_json::json!({ "paths": [address, NAME, "missing"] });
        let first = stand.call(&input);
        let again = stand.call(&input);
        let fresh = Stand::with(&file.0, &limits).call(&input);
        for other in [&again, &fresh] {
            assert_eq!(first.text(), other.text());
            assert_eq!(format!("{:?}", first.receipt), format!("{:?}", other.receipt));
        }
    }
}

fn selector() -> impl proptest::prelude::Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "", ":raw", ":2-5", ":-3", ":b10+100", ":1-2,4-9", ":3:40", ":hex", ":=3-", ":-3:raw",
    ])
}
