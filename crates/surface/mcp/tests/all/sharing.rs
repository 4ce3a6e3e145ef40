//! What calls share: copies of what was read, and servers that several wait for.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use readstone_base::Class;
use readstone_source::Fresh;

use crate::stand::{Counter, Stand, budget, ends, text};

const MINUTE: Duration = Duration::from_mins(1);

#[test]
fn a_part_of_what_was_shown_is_a_part_of_the_copy() {
    let Some(mut stand) = Stand::new("good") else { return };
    let first = stand.text("demo/demo://now");
    stand.asked("demo");
    // The readings of an address with a selector, one after the other.
    assert_eq!(stand.refusal("demo/demo://now:1-5").class(), Class::Missing);
    let again = stand.open_with("demo/demo://now", Some("1-5")).unwrap();
    assert_eq!((text(&again), again.tail.as_deref()), (first.clone(), Some("1-5")));
    // A selector beside the address.
    stand.fresh = Fresh::Keep;
    assert_eq!(stand.text("DEMO/demo://now"), first);
    assert_eq!(stand.asked("demo"), [""; 0]);
    stand.fresh = Fresh::Ask;
    assert_ne!(stand.text("demo/demo://now"), first);
}

#[test]
fn a_whole_is_asked_for_anew_in_every_form() {
    let Some(stand) = Stand::new("good") else { return };
    let first = stand.text("demo/demo://now");
    let raw = text(&stand.open_with("demo/demo://now", Some("raw")).unwrap());
    assert_ne!(raw, first);
    assert_eq!(text(&stand.open_with("demo/demo://now", Some("raw:1-5")).unwrap()), raw);
}

#[test]
fn a_copy_that_is_too_old_is_not_used() {
    let Some(stand) = Stand::new("good") else { return };
    let first = stand.text("demo/demo://now");
    let seconds = i64::try_from(stand.limits.web_seconds).unwrap();
    let after = |late| text(&stand.open_under(&budget(MINUTE, late), "demo/demo://now", Some("1")).unwrap());
    assert_eq!(after(seconds - 60), first);
    assert_ne!(after(seconds + 1), first);
}

#[test]
fn a_name_that_ends_like_a_selector_is_asked_for_unless_the_shorter_one_is_held() {
    let Some(stand) = Stand::new("good") else { return };
    assert_eq!(stand.text("demo/demo://colon:5-6"), "with a colon\n");
    stand.open("demo/demo://docs/startup.md");
    stand.asked("demo");
    assert_eq!(stand.text("demo/demo://colon:5-6"), "with a colon\n");
    assert_eq!(stand.asked("demo"), ["resources/read demo://colon:5-6"]);
    for spelled in ["demo://docs/startup.md:1", "demo://docs/startup.md:raw:2-", "demo://docs/startup.md:@Startup"] {
        assert_eq!(stand.refusal(&format!("demo/{spelled}")).class(), Class::Missing);
        assert_eq!(stand.asked("demo"), [""; 0], "{spelled}");
    }
}

#[test]
fn a_call_that_waits_takes_no_turns_from_calls_that_compute() {
    let Some(stand) = Stand::new("good") else { return };
    let counter = Arc::new(Counter::default());
    let hurried = budget(Duration::from_millis(300), 0).behind(Arc::<Counter>::clone(&counter));
    stand.open("demo/demo://docs/startup.md");
    let fault = stand.open_under(&hurried, "demo/demo://never", None).unwrap_err();
    assert_eq!(fault.code(), "mcp.timeout");
    let counts = [&counter.light, &counter.heavy, &counter.left, &counter.back];
    assert_eq!(counts.map(|count| count.load(Ordering::Relaxed)), [0, 0, 1, 1]);
}

#[test]
fn the_deadline_of_one_call_cancels_its_question_and_leaves_the_server_to_others() {
    let Some(stand) = Stand::new("good") else { return };
    std::thread::scope(|scope| {
        let patient = scope.spawn(|| stand.text("demo/demo://wait"));
        stand.until_it_waits("demo");
        // A call that ends before its question is sent has nothing to cancel; another one has.
        let told = (0..50).any(|_| {
            let hurried = budget(Duration::from_millis(200), 0);
            let fault = stand.open_under(&hurried, "demo/demo://never", None).unwrap_err();
            assert_eq!(fault.code(), "mcp.timeout");
            stand.text("demo/demo://cancelled") != "0\n"
        });
        assert!(told);
        stand.let_go("demo");
        assert_eq!(patient.join().unwrap(), "at last\n");
    });
    assert_eq!(stand.starts("demo").len(), 1);
    // Nobody else waits for it now.
    let hurried = budget(Duration::from_millis(200), 0);
    assert!(stand.open_under(&hurried, "demo/demo://never", None).is_err());
    assert!(ends(stand.starts("demo")[0]));
}

#[test]
fn a_server_that_answers_nobody_any_more_is_ended_and_those_who_wait_ask_another() {
    let Some(mut stand) = Stand::new("hangs-once") else { return };
    stand.limits.fetch_ms = 60_000;
    std::thread::scope(|scope| {
        let patient = scope.spawn(|| stand.text("demo/demo://docs/startup.md"));
        stand.until_it_waits("demo");
        let hurried = budget(Duration::from_millis(200), 0);
        assert!(stand.open_under(&hurried, "demo/demo://docs/features.md", None).is_err());
        assert_eq!(patient.join().unwrap(), "# Startup\n");
    });
    assert_eq!(stand.starts("demo").len(), 2);
    assert!(ends(stand.starts("demo")[0]));
}
