//! Spans, tags and tokens: the small arithmetic.

use std::collections::BTreeSet;

use proptest::prelude::proptest;
use proptest::{collection, test_runner};
use readstone_base::{LIMITS, Limits, Span, Tag, estimate_tokens};

fn config() -> test_runner::Config {
    test_runner::Config {
        cases: 512,
        failure_persistence: None,
        rng_seed: test_runner::RngSeed::Fixed(0xBA5E_0003),
        ..test_runner::Config::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn merged_spans_cover_the_same_and_never_touch(spans in collection::vec((0_u64..60, 0_u64..12), 0..12)) {
        let spans: Vec<Span> = spans.into_iter().map(|(first, more)| Span::new(first, first + more)).collect();
        let positions = |spans: &[Span]| spans.iter().flat_map(|span| span.first..=span.last).collect::<BTreeSet<_>>();
        let merged = Span::merge(spans.clone());
        assert_eq!(positions(&merged), positions(&spans));
        assert!(merged.windows(2).all(|pair| pair[0].last + 1 < pair[1].first), "{merged:?}");
        assert_eq!(merged.iter().map(|span| span.count()).sum::<u64>(), positions(&spans).len() as u64);
    }

    #[test]
    fn growing_spans_hold_every_position(positions in collection::btree_set(0_u64..60, 0..30)) {
        let mut spans = Vec::new();
        for position in &positions {
            Span::extend(&mut spans, *position);
        }
        assert_eq!(spans, Span::merge(positions.iter().map(|position| Span::new(*position, *position)).collect()));
        assert!(positions.iter().all(|position| spans.iter().any(|span| span.contains(*position))));
    }

    #[test]
    fn a_tag_parses_back(number in proptest::num::u16::ANY) {
        let tag: Tag = format!("{number:04X}").parse().unwrap();
        assert_eq!((tag.number(), tag.to_string()), (number, format!("{number:04X}")));
    }

    #[test]
    fn a_longer_text_costs_no_fewer_tokens(text in "\\PC{0,40}", more in "\\PC{0,10}") {
        assert!(estimate_tokens(&(text.clone() + &more)) >= estimate_tokens(&text));
    }
}

#[test]
fn open_ends_do_not_overflow() {
    let open = Span::new(3, u64::MAX);
    assert_eq!(Span::merge(vec![open, Span::new(1, 2), Span::new(9, 12)]), [Span::new(1, u64::MAX)]);
    assert_eq!(Span::new(0, u64::MAX).count(), u64::MAX);
    let mut spans = vec![Span::new(1, u64::MAX)];
    Span::extend(&mut spans, u64::MAX);
    assert_eq!(Span::merge(spans), [Span::new(1, u64::MAX)]);
}

#[test]
fn what_is_no_tag_is_refused() {
    for text in ["", "0A1", "0A1B2", "0A1G", "+A1B", "٠٠٠٠", " 0A1"] {
        assert!(text.parse::<Tag>().is_err(), "{text:?}");
    }
}

#[test]
fn every_limit_has_a_default_below_its_ceiling() {
    let mut limits = Limits::default();
    for limit in LIMITS {
        assert_eq!(limits.get(limit.name), Some(limit.default), "{}", limit.name);
        assert!(limit.default <= limit.ceiling, "{}", limit.name);
        assert_eq!(limits.set(limit.name, limit.ceiling), Ok(()), "{}", limit.name);
        assert!(limits.set(limit.name, limit.ceiling + 1).is_err(), "{}", limit.name);
        let beside = ["context_before", "context_after", "search_before", "search_after"].contains(&limit.name);
        assert_eq!(limits.set(limit.name, 0).is_ok(), beside, "{}", limit.name);
    }
    assert!(limits.set("no_such_limit", 1).is_err());
}
