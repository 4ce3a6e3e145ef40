//! The time of a call.

use std::sync::Arc;
use std::time::Duration;

use readstone_base::{Budget, Fixed};

#[test]
fn what_is_left_of_a_call_is_the_nearer_of_its_deadlines() {
    let whole = Budget::new(Arc::new(Fixed(0)), Some(Duration::from_secs(20)));
    assert_eq!(whole.left(), Some(Duration::from_secs(20)));
    assert_eq!(whole.within(Duration::from_secs(5)).left(), Some(Duration::from_secs(5)));
    assert_eq!(whole.within(Duration::from_mins(1)).left(), Some(Duration::from_secs(20)));
    assert_eq!(whole.untimed().left(), None);
}
