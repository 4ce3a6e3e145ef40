//! A convoy: the threads of one call, which go on and wait together.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::budget::{Budget, Gate, Step, Stopped};
use crate::monitor::Monitor;

/// What the threads of a call know of each other.
#[derive(Debug)]
struct Convoy {
    /// The budget of the call itself.
    call: Budget,
    /// Whether the call waits at its gate.
    waits: AtomicBool,
    /// How many helpers sleep until the call goes on.
    sleepers: Arc<Monitor<usize>>,
}

/// The thread that the call runs on: the only one that its gate knows.
#[derive(Debug)]
struct Lead(Arc<Convoy>);

/// A thread that helps it.
#[derive(Debug)]
struct Helper(Arc<Convoy>);

/// Looks at a call that waits before its helpers go to sleep; most waits are shorter.
const PATIENCE: usize = 256;

/// The budgets of the thread that a call runs on and of those that help it: while it waits at its gate, so do they.
pub(crate) fn convoy(call: &Budget) -> (Budget, Budget) {
    if !call.has_gate() {
        return (call.clone(), call.clone());
    }
    let waits = AtomicBool::new(false);
    let convoy = Arc::new(Convoy { call: call.clone(), waits, sleepers: Monitor::new(0) });
    let lead = call.clone().behind(Arc::new(Lead(Arc::clone(&convoy))));
    (lead, call.clone().behind(Arc::new(Helper(convoy))))
}

impl Convoy {
    /// Does what may last, while the helpers wait.
    fn halt<T>(&self, wait: impl FnOnce(&Budget) -> T) -> T {
        self.waits.store(true, Ordering::SeqCst);
        let done = wait(&self.call);
        self.waits.store(false, Ordering::SeqCst);
        if *self.sleepers.lock() > 0 {
            self.sleepers.notify_all();
        }
        done
    }
}

impl Gate for Lead {
    fn pass(&self, _: &Budget, step: Step) -> Result<(), Stopped> {
        self.0.halt(|call| match step {
            Step::Light => call.check(),
            Step::Heavy => call.check_heavy(),
        })
    }

    fn leave(&self) {
        self.0.call.leave();
    }

    fn come_back(&self, _: &Budget) -> Result<(), Stopped> {
        self.0.halt(Budget::come_back)
    }
}

impl Gate for Helper {
    fn pass(&self, budget: &Budget, _: Step) -> Result<(), Stopped> {
        let waits = || self.0.waits.load(Ordering::SeqCst);
        if (0..PATIENCE).any(|_| !waits()) {
            return Ok(());
        }
        *self.0.sleepers.lock() += 1;
        let woken = self.0.sleepers.wait(budget, |_| (!waits()).then_some(()));
        *self.0.sleepers.lock() -= 1;
        woken
    }
}
