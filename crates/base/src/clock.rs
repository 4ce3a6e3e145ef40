//! The clock is an input, so that the same world gives the same reply.

use std::time::Duration;

/// Tells the time of day and the time that has passed.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// Seconds since the Unix epoch; negative before it.
    fn wall(&self) -> i64;

    /// Time passed since some fixed moment, never going back.
    fn elapsed(&self) -> Duration;
}

/// A clock that stands still, for tests and for replies that must not change.
#[derive(Clone, Copy, Debug)]
pub struct Fixed(
    /// Seconds since the Unix epoch.
    pub i64,
);

impl Clock for Fixed {
    fn wall(&self) -> i64 {
        self.0
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}
