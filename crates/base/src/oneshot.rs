//! A channel for one value, whose receiver waits no longer than its call.

use std::sync::Arc;
use std::time::Duration;

use crate::budget::{Budget, Stopped};
use crate::monitor::Monitor;

/// Sends the value.
#[derive(Debug)]
pub struct OneshotSender<T>(Arc<Monitor<Slot<T>>>);

/// Waits for the value.
#[derive(Debug)]
pub struct OneshotReceiver<T>(Arc<Monitor<Slot<T>>>);

#[derive(Debug)]
enum Slot<T> {
    Empty,
    Full(T),
    /// The sender is gone, or its value was taken.
    Closed,
}

/// The sender went away without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SenderGone;

/// A channel for one value.
pub fn oneshot<T>() -> (OneshotSender<T>, OneshotReceiver<T>) {
    let slot = Monitor::new(Slot::Empty);
    (OneshotSender(Arc::clone(&slot)), OneshotReceiver(slot))
}

impl<T> OneshotSender<T> {
    /// Sends the value. It is dropped when no receiver takes it.
    pub fn send(self, value: T) {
        self.0.change(|slot| *slot = Slot::Full(value));
    }
}

impl<T> Drop for OneshotSender<T> {
    fn drop(&mut self) {
        self.0.change(|slot| {
            if matches!(slot, Slot::Empty) {
                *slot = Slot::Closed;
            }
        });
    }
}

impl<T: Send + 'static> OneshotReceiver<T> {
    /// Waits for the value until the call ends.
    pub fn wait(&self, budget: &Budget) -> Result<Result<T, SenderGone>, Stopped> {
        self.0.wait(budget, take)
    }

    /// Waits for the value no longer than `time`; `None` when that time was over first.
    pub fn wait_at_most(&self, time: Duration, budget: &Budget) -> Result<Option<Result<T, SenderGone>>, Stopped> {
        self.0.wait_at_most(time, budget, take)
    }
}

fn take<T>(slot: &mut Slot<T>) -> Option<Result<T, SenderGone>> {
    match std::mem::replace(slot, Slot::Closed) {
        Slot::Full(value) => Some(Ok(value)),
        Slot::Closed => Some(Err(SenderGone)),
        Slot::Empty => {
            *slot = Slot::Empty;
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Fixed;

    #[test]
    fn the_value_arrives_and_a_sender_that_goes_is_noticed() {
        let budget = Budget::new(Arc::new(Fixed(0)), None);
        let (sender, receiver) = oneshot();
        assert_eq!(receiver.wait_at_most(Duration::from_millis(1), &budget), Ok(None));
        let sending = std::thread::spawn(move || sender.send(7));
        assert_eq!(receiver.wait(&budget), Ok(Ok(7)));
        sending.join().unwrap();
        let (sender, receiver) = oneshot::<u8>();
        drop(sender);
        assert_eq!(receiver.wait(&budget), Ok(Err(SenderGone)));
        budget.cancel_token().cancel();
        let (_sender, receiver) = oneshot::<u8>();
        assert_eq!(receiver.wait(&budget), Err(Stopped::Cancelled));
    }
}
