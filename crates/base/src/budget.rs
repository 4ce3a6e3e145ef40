//! The budget of a call: its deadline, its cancel token, and its progress.

use std::sync::Arc;
use std::time::Duration;

use crate::cancel::CancelToken;
use crate::clock::Clock;
use crate::convoy::convoy;
use crate::monitor::Monitor;
use crate::progress::Progress;
use crate::quota::{Lent, Quota};

/// Travels with a call; long work asks it before every step whether to go on.
#[derive(Clone, Debug)]
pub struct Budget {
    clock: Arc<dyn Clock>,
    /// The deadline of the call and, if it is nearer, of this part of the call.
    deadline: Option<Duration>,
    cancel: CancelToken,
    progress: Arc<Progress>,
    gate: Option<Arc<dyn Gate>>,
    memory: Option<Arc<Quota>>,
}

/// Where calls that run side by side make way for each other.
pub trait Gate: Send + Sync + std::fmt::Debug {
    /// Lets a call go on, perhaps after a while, or ends it. It is passed before every step of long work.
    fn pass(&self, budget: &Budget, step: Step) -> Result<(), Stopped>;

    /// Notes that a call works on nothing while it waits for somebody else.
    fn leave(&self) {}

    /// Lets a call that waited for somebody else go on, perhaps after a while, or ends it.
    fn come_back(&self, _budget: &Budget) -> Result<(), Stopped> {
        Ok(())
    }
}

/// How much work lies behind a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A little, as every call does.
    Light,
    /// Enough to keep others waiting.
    Heavy,
}

/// Why a call had to stop before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The caller asked for it.
    Cancelled,
    /// The time of the call is used up.
    Deadline,
}

impl Budget {
    /// A budget that ends `time` from now; no time means no deadline.
    pub fn new(clock: Arc<dyn Clock>, time: Option<Duration>) -> Self {
        let deadline = time.map(|time| clock.elapsed().saturating_add(time));
        Self { clock, deadline, cancel: CancelToken::default(), progress: Arc::default(), gate: None, memory: None }
    }

    /// The same call, sharing memory with others.
    #[must_use]
    pub fn sharing(self, memory: Arc<Quota>) -> Self {
        Self { memory: Some(memory), ..self }
    }

    /// Takes memory that is shared, waiting for it if need be. Whoever holds some must not ask for more: two calls that
    /// wait for each other wait for ever.
    pub fn lend(&self, bytes: u64) -> Result<Option<Lent>, Stopped> {
        self.memory.as_ref().map(|memory| memory.take(bytes, self)).transpose()
    }

    /// The same call behind a gate.
    #[must_use]
    pub fn behind(self, gate: Arc<dyn Gate>) -> Self {
        Self { gate: Some(gate), ..self }
    }

    /// The same call with a nearer deadline, for a part of the work that has its own limit.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        let own = self.clock.elapsed().saturating_add(time);
        let deadline = Some(self.deadline.map_or(own, |whole| whole.min(own)));
        Self { deadline, ..self.clone() }
    }

    /// The same call without its deadline, for waiting on the caller's own input.
    #[must_use]
    pub fn untimed(&self) -> Self {
        Self { deadline: None, ..self.clone() }
    }

    /// Whether the work may go on with its next step.
    pub fn check(&self) -> Result<(), Stopped> {
        self.still_wanted()?;
        self.pass(Step::Light)
    }

    /// Whether the work may go on with a step that takes long by itself.
    pub fn check_heavy(&self) -> Result<(), Stopped> {
        self.still_wanted()?;
        self.pass(Step::Heavy)
    }

    fn pass(&self, step: Step) -> Result<(), Stopped> {
        match &self.gate {
            Some(gate) => gate.pass(self, step),
            None => Ok(()),
        }
    }

    /// The budgets of the thread that this call runs on and of those that help it. Only the first asks the gate; while it
    /// waits there, so do the helpers, before their own next step.
    pub fn shared_out(&self) -> (Self, Self) {
        convoy(self)
    }

    pub(crate) fn has_gate(&self) -> bool {
        self.gate.is_some()
    }

    /// Notes that the call works on nothing from now on.
    pub(crate) fn leave(&self) {
        if let Some(gate) = &self.gate {
            gate.leave();
        }
    }

    /// Lets the call work again, perhaps after a while.
    pub(crate) fn come_back(&self) -> Result<(), Stopped> {
        self.gate.as_ref().map_or(Ok(()), |gate| gate.come_back(self))
    }

    /// Waits for somebody else; meanwhile the call keeps nobody from working.
    pub fn waiting<T>(&self, wait: impl FnOnce() -> T) -> Result<T, Stopped> {
        self.leave();
        let done = wait();
        self.come_back()?;
        Ok(done)
    }

    /// Waits for `time`, or until the call ends.
    pub fn sleep(&self, time: Duration) -> Result<(), Stopped> {
        Monitor::new(()).wait_at_most(time, self, |()| None::<()>).map(drop)
    }

    /// Whether the call is neither cancelled nor late.
    pub fn still_wanted(&self) -> Result<(), Stopped> {
        if self.cancel.is_cancelled() {
            return Err(Stopped::Cancelled);
        }
        match self.deadline {
            Some(deadline) if self.clock.elapsed() >= deadline => Err(Stopped::Deadline),
            Some(_) | None => Ok(()),
        }
    }

    /// How much time is left before the deadline; none means there is no deadline.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_sub(self.clock.elapsed()))
    }

    /// Cancels the call from another thread, and wakes what waits for it.
    pub fn cancel_token(&self) -> &CancelToken {
        &self.cancel
    }

    /// Where this call reports how far it is.
    pub fn progress(&self) -> &Arc<Progress> {
        &self.progress
    }

    /// The clock of this call.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }
}
