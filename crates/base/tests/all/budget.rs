//! The time of a call.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::time::Duration;

use readstone_base::{Budget, Fixed, Gate, Step, Stopped};

#[test]
fn what_is_left_of_a_call_is_the_nearer_of_its_deadlines() {
    let whole = Budget::new(Arc::new(Fixed(0)), Some(Duration::from_secs(20)));
    assert_eq!(whole.left(), Some(Duration::from_secs(20)));
    assert_eq!(whole.within(Duration::from_secs(5)).left(), Some(Duration::from_secs(5)));
    assert_eq!(whole.within(Duration::from_mins(1)).left(), Some(Duration::from_secs(20)));
    assert_eq!(whole.untimed().left(), None);
}

/// Lets nobody pass until it is told to, and counts who comes.
#[derive(Debug)]
struct Bar {
    came: AtomicUsize,
    shut: Barrier,
    open: Barrier,
}

impl Gate for Bar {
    fn pass(&self, _: &Budget, _: Step) -> Result<(), Stopped> {
        self.came.fetch_add(1, Ordering::SeqCst);
        self.shut.wait();
        self.open.wait();
        Ok(())
    }
}

#[test]
fn while_a_call_waits_at_its_gate_its_helpers_wait_too() {
    let bar = Arc::new(Bar { came: AtomicUsize::new(0), shut: Barrier::new(2), open: Barrier::new(2) });
    let call = Budget::new(Arc::new(Fixed(0)), None).behind(Arc::clone(&bar) as Arc<dyn Gate>);
    let (lead, helper) = call.shared_out();
    assert_eq!(helper.check(), Ok(()), "nobody waits");
    let went_on = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        scope.spawn(|| lead.check());
        bar.shut.wait();
        let helping = scope.spawn(|| {
            let passed = helper.check();
            went_on.fetch_add(1, Ordering::SeqCst);
            passed
        });
        // However long it had, it did not go on.
        (0..10_000).for_each(|_| std::thread::yield_now());
        assert_eq!(went_on.load(Ordering::SeqCst), 0);
        bar.open.wait();
        assert_eq!(helping.join().unwrap(), Ok(()));
    });
    assert_eq!(bar.came.load(Ordering::SeqCst), 1, "helpers do not ask the gate");
}

#[test]
fn a_helper_that_waits_ends_with_its_call() {
    let bar = Arc::new(Bar { came: AtomicUsize::new(0), shut: Barrier::new(2), open: Barrier::new(2) });
    let call = Budget::new(Arc::new(Fixed(0)), None).behind(Arc::clone(&bar) as Arc<dyn Gate>);
    let (lead, helper) = call.shared_out();
    std::thread::scope(|scope| {
        scope.spawn(|| lead.check());
        bar.shut.wait();
        call.stopper().store(true, Ordering::Relaxed);
        assert_eq!(helper.check(), Err(Stopped::Cancelled));
        bar.open.wait();
    });
}
