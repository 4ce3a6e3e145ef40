//! Cancellation that wakes: one thread cancels a call, and everything that the call waits for hears it at once.

use std::fmt;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// Cancels a call. A clone is another handle on the same call; once cancelled, it stays cancelled.
#[derive(Clone, Default)]
pub struct CancelToken(Arc<Inner>);

#[derive(Default)]
struct Inner {
    cancelled: AtomicBool,
    wakers: Mutex<Wakers>,
}

#[derive(Default)]
struct Wakers {
    next: u64,
    waiting: Vec<(u64, Waker)>,
}

impl CancelToken {
    /// Cancels the call and wakes all that waits for it.
    ///
    /// A waker may take the lock of a [`Monitor`](crate::Monitor), so the caller must not hold one.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
        let waiting = std::mem::take(&mut self.0.lock().waiting);
        for (_, waker) in waiting {
            waker.wake();
        }
    }

    /// True once the call was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed)
    }

    /// Wakes `waker` when the call is cancelled, at once if it already is, until the answer is dropped.
    pub fn wake_on_cancel(&self, waker: Waker) -> WakeRegistration {
        let mut wakers = self.0.lock();
        let number = wakers.next;
        wakers.next += 1;
        wakers.waiting.push((number, waker));
        drop(wakers);
        // Looked at after the entry was made: a cancel in between has either seen the entry or is seen here.
        if self.0.cancelled.load(Ordering::SeqCst) {
            self.cancel();
        }
        WakeRegistration { token: self.clone(), number }
    }

    /// Ends when the call is cancelled.
    pub fn cancelled(&self) -> Cancelled {
        Cancelled { token: self.clone(), registration: None }
    }
}

impl fmt::Debug for CancelToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CancelToken").field(&self.is_cancelled()).finish()
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, Wakers> {
        self.wakers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A waker in the list of a token. Dropping it takes the waker out of the list.
#[derive(Debug)]
#[must_use = "the waker is forgotten when this is dropped"]
pub struct WakeRegistration {
    token: CancelToken,
    number: u64,
}

impl Drop for WakeRegistration {
    fn drop(&mut self) {
        self.token.0.lock().waiting.retain(|(number, _)| *number != self.number);
    }
}

/// The future of [`CancelToken::cancelled`].
#[derive(Debug)]
pub struct Cancelled {
    token: CancelToken,
    registration: Option<WakeRegistration>,
}

impl Future for Cancelled {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        // A task may move to another waker between two polls, so each poll registers again.
        let registration = self.token.wake_on_cancel(context.waker().clone());
        self.registration = Some(registration);
        if self.token.is_cancelled() { Poll::Ready(()) } else { Poll::Pending }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::task::Wake;

    use super::*;

    #[derive(Default)]
    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn counter() -> (Arc<Count>, Waker) {
        let count = Arc::new(Count::default());
        (Arc::clone(&count), Waker::from(count))
    }

    #[test]
    fn a_waker_is_woken_once_when_the_call_is_cancelled() {
        let (count, waker) = counter();
        let token = CancelToken::default();
        let registration = token.wake_on_cancel(waker);
        assert_eq!(count.0.load(Ordering::SeqCst), 0);
        token.clone().cancel();
        token.cancel();
        assert_eq!(count.0.load(Ordering::SeqCst), 1);
        drop(registration);
    }

    #[test]
    fn a_waker_that_comes_after_the_cancel_is_woken_at_once() {
        let (count, waker) = counter();
        let token = CancelToken::default();
        token.cancel();
        drop(token.wake_on_cancel(waker));
        assert_eq!(count.0.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_dropped_registration_is_not_woken_and_leaves_nothing_behind() {
        let (count, waker) = counter();
        let token = CancelToken::default();
        drop(token.wake_on_cancel(waker));
        assert!(token.0.lock().waiting.is_empty());
        token.cancel();
        assert_eq!(count.0.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn the_future_is_pending_until_the_cancel() {
        let (count, waker) = counter();
        let token = CancelToken::default();
        let mut future = Box::pin(token.cancelled());
        let mut context = Context::from_waker(&waker);
        assert!(future.as_mut().poll(&mut context).is_pending());
        assert!(future.as_mut().poll(&mut context).is_pending());
        assert_eq!(token.0.lock().waiting.len(), 1);
        token.cancel();
        assert_eq!(count.0.load(Ordering::SeqCst), 1);
        assert!(future.as_mut().poll(&mut context).is_ready());
    }
}
