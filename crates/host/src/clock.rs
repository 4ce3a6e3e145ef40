//! The clock of the machine.

use std::time::{Duration, Instant, SystemTime};

use readstone_base::Clock;

/// The real clock, with the time of day held still where one was given.
#[derive(Debug)]
pub struct SystemClock {
    started: Instant,
    wall: Option<i64>,
}

impl SystemClock {
    /// The machine's clock; `wall` replaces its time of day.
    #[expect(clippy::disallowed_methods, reason = "this is where the clock is read")]
    pub fn new(wall: Option<i64>) -> Self {
        Self { started: Instant::now(), wall }
    }
}

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is where the clock is read")]
    fn wall(&self) -> i64 {
        let now = || match SystemTime::now().duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_secs()).unwrap_or(i64::MAX),
            Err(before) => -i64::try_from(before.duration().as_secs()).unwrap_or(i64::MAX),
        };
        self.wall.unwrap_or_else(now)
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}
