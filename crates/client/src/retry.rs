//! When a request is sent again, and until when.

use std::time::Duration;

use http::{HeaderMap, StatusCode, header};
use tokio::time::{Instant, timeout_at};

use crate::error::{Error, Transport};

/// How often and how patiently a request is sent again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Retries {
    /// How often at most.
    pub(crate) count: u32,
    /// The longest pause before it.
    pub(crate) longest: Duration,
}

/// The pause before the second attempt; each pause after it is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(100);

impl Default for Retries {
    fn default() -> Self {
        Self { count: 3, longest: Duration::from_secs(10) }
    }
}

impl Retries {
    /// The pause after so many attempts; `None` when they were enough.
    pub(crate) fn pause(self, attempts: u32, retry_after: Option<Duration>) -> Option<Duration> {
        if attempts > self.count {
            return None;
        }
        let doublings = attempts.saturating_sub(1);
        let growing = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(doublings));
        Some(retry_after.map_or(growing, |asked| asked.max(growing)).min(self.longest))
    }
}

/// When a request may be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// Whenever that may help.
    Freely,
    /// Only where it is certain that nothing was done.
    Undone,
}

/// Whether a request is worth sending again: the server had no room, or something behind it failed.
pub(crate) fn is_passing(status: StatusCode, repeat: Repeat) -> bool {
    match status {
        StatusCode::TOO_MANY_REQUESTS => true,
        StatusCode::BAD_GATEWAY => repeat == Repeat::Freely,
        _ => false,
    }
}

/// When the server asks to come back, where it says so in seconds; a date would need a clock that agrees with its own.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // A number too large to be one is a very long time.
    digits.then(|| Duration::from_secs(text.parse().unwrap_or(u64::from(u32::MAX))))
}

/// The end of a call's time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    time: Duration,
    /// `None` when it lies too far ahead to be told.
    end: Option<Instant>,
}

impl Deadline {
    /// So much time from now on.
    pub(crate) fn after(time: Duration) -> Self {
        Self { time, end: Instant::now().checked_add(time) }
    }

    /// Whether there is time left after a pause.
    pub(crate) fn allows(self, pause: Duration) -> bool {
        let resumed = Instant::now().checked_add(pause);
        self.end.is_none_or(|end| resumed.is_some_and(|resumed| resumed < end))
    }

    /// What comes of some work, unless the time ends first.
    pub(crate) async fn bound<T>(self, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        match self.end {
            Some(end) => timeout_at(end, work).await.unwrap_or(Err(Error::Transport(Transport::TimedOut(self.time)))),
            None => work.await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pauses(retries: Retries, retry_after: Option<u64>) -> Vec<u128> {
        let asked = retry_after.map(Duration::from_secs);
        (1..).map_while(|attempts| retries.pause(attempts, asked)).map(|pause| pause.as_millis()).take(40).collect()
    }

    #[test]
    fn pauses_double_up_to_the_longest_and_end() {
        let retries = Retries { count: 9, longest: Duration::from_secs(10) };
        assert_eq!(pauses(retries, None), [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
        assert_eq!(pauses(Retries { count: 0, ..retries }, None), []);
        assert_eq!(pauses(Retries { count: u32::MAX, longest: Duration::MAX }, None).len(), 40);
    }

    #[test]
    fn a_pause_is_as_long_as_asked_for_but_never_longer_than_the_longest() {
        let retries = Retries { count: 6, longest: Duration::from_secs(2) };
        assert_eq!(pauses(retries, Some(1)), [1_000, 1_000, 1_000, 1_000, 1_600, 2_000]);
        assert_eq!(pauses(retries, Some(3_600)), [2_000; 6]);
    }

    #[test]
    fn only_whole_seconds_tell_when_to_come_back() {
        let told = |text: &'static str| {
            let value = http::HeaderValue::from_static(text);
            retry_after(&HeaderMap::from_iter([(header::RETRY_AFTER, value)])).map(|pause| pause.as_secs())
        };
        assert_eq!([told("0"), told(" 17 ")], [Some(0), Some(17)]);
        assert_eq!(told("99999999999999999999999"), Some(u64::from(u32::MAX)));
        assert_eq!([told(""), told("-1"), told("+1"), told("1.5"), told("Wed, 21 Oct 2026 07:28:00 GMT")], [None; 5]);
        assert_eq!(retry_after(&HeaderMap::new()), None);
    }

    #[tokio::test]
    async fn a_time_without_end_has_no_end() {
        let endless = Deadline::after(Duration::MAX);
        assert!(endless.allows(Duration::MAX));
        assert_eq!(endless.bound(async { Ok(1) }).await.ok(), Some(1));
        assert!(!Deadline::after(Duration::ZERO).allows(Duration::ZERO));
        assert!(!Deadline::after(Duration::from_secs(5)).allows(Duration::MAX));
    }
}
