//! Waiting for descriptors: until one is ready, the call is cancelled, or its time is over.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::task::{Wake, Waker};
use std::time::Duration;

use readstone_base::{Budget, CancelToken, Stopped, WakeRegistration};
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::io::Errno;

/// Waits for descriptors on behalf of one call. Cancelling one of its tokens ends the wait at once.
#[derive(Debug)]
pub struct DescriptorWait {
    bell: Arc<Bell>,
    _registrations: Vec<WakeRegistration>,
}

/// A descriptor that becomes readable when a token is cancelled, and stays so.
#[derive(Debug)]
struct Bell(OwnedFd);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        // A counter that is full is readable too.
        let _ = rustix::io::write(&self.0, &1_u64.to_ne_bytes());
    }
}

/// What a wait is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// Bytes can be read, or the other side has closed.
    Read,
    /// Bytes can be written, or the other side has closed.
    Write,
}

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited {
    /// The descriptor is ready.
    Ready,
    /// The time of the wait is over.
    TimedOut,
    /// A token was cancelled, or the call is over.
    Stopped,
}

impl DescriptorWait {
    /// A wait that any of these tokens ends.
    pub fn new(tokens: &[&CancelToken]) -> io::Result<Self> {
        let bell = Arc::new(Bell(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?));
        let register = |token: &&CancelToken| token.wake_on_cancel(Waker::from(Arc::clone(&bell)));
        let registrations = tokens.iter().map(register).collect();
        Ok(Self { bell, _registrations: registrations })
    }

    /// Waits until the descriptor is ready; `time` is the longest wait, beside the time of the call.
    pub fn until(
        &self,
        fd: impl AsFd,
        readiness: Readiness,
        time: Option<Duration>,
        budget: &Budget,
    ) -> io::Result<Waited> {
        let wanted = match readiness {
            Readiness::Read => PollFlags::IN,
            Readiness::Write => PollFlags::OUT,
        };
        let part = time.map(|time| budget.within(time));
        loop {
            if budget.still_wanted().is_err() {
                return Ok(Waited::Stopped);
            }
            let left = part.as_ref().unwrap_or(budget).left();
            let timeout = left.map(|left| Timespec::try_from(left).unwrap_or(LONGEST));
            let mut both = [PollFd::new(&fd, wanted), PollFd::new(&self.bell.0, PollFlags::IN)];
            match poll(&mut both, timeout.as_ref()) {
                Ok(0) if budget.still_wanted() == Err(Stopped::Deadline) => return Ok(Waited::Stopped),
                Ok(0) if time.is_some() => return Ok(Waited::TimedOut),
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => {
                    let [fd, bell] = both;
                    let rung = !bell.revents().is_empty();
                    return Ok(if rung && fd.revents().is_empty() { Waited::Stopped } else { Waited::Ready });
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// A time beyond every deadline, for one that the system cannot express.
const LONGEST: Timespec = Timespec { tv_sec: 86_400, tv_nsec: 0 };

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;
    use crate::clock::SystemClock;

    fn budget(time: Option<Duration>) -> Budget {
        Budget::new(Arc::new(SystemClock::new(None)), time)
    }

    #[test]
    fn a_descriptor_that_is_ready_ends_the_wait() {
        let (reader, mut writer) = io::pipe().unwrap();
        let budget = budget(None);
        let wait = DescriptorWait::new(&[budget.cancel_token()]).unwrap();
        assert_eq!(wait.until(&writer, Readiness::Write, None, &budget).unwrap(), Waited::Ready);
        writer.write_all(b"x").unwrap();
        assert_eq!(wait.until(&reader, Readiness::Read, None, &budget).unwrap(), Waited::Ready);
    }

    #[test]
    fn a_cancel_from_another_thread_ends_the_wait() {
        let (reader, _writer) = io::pipe().unwrap();
        let budget = budget(None);
        let wait = DescriptorWait::new(&[budget.cancel_token()]).unwrap();
        let token = budget.cancel_token().clone();
        let canceller = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            token.cancel();
        });
        assert_eq!(wait.until(&reader, Readiness::Read, None, &budget).unwrap(), Waited::Stopped);
        canceller.join().unwrap();
    }

    #[test]
    fn a_wait_ends_with_its_own_time_or_with_the_call() {
        let (reader, _writer) = io::pipe().unwrap();
        let short = Duration::from_millis(10);
        let whole = budget(None);
        let wait = DescriptorWait::new(&[whole.cancel_token()]).unwrap();
        assert_eq!(wait.until(&reader, Readiness::Read, Some(short), &whole).unwrap(), Waited::TimedOut);
        assert_eq!(wait.until(&reader, Readiness::Read, None, &budget(Some(short))).unwrap(), Waited::Stopped);
    }
}
