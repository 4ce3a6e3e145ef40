//! The time of a call.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::time::Duration;

use readstone_base::{Budget, CallMutex, Fixed, Gate, Quota, Step, Stopped};

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
        call.cancel_token().cancel();
        assert_eq!(helper.check(), Err(Stopped::Cancelled));
        bar.open.wait();
    });
}

/// A clock that runs.
#[derive(Debug)]
struct Running(std::time::Instant);

impl readstone_base::Clock for Running {
    fn wall(&self) -> i64 {
        0
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

#[expect(clippy::disallowed_methods, reason = "the clock of these tests")]
fn running() -> Budget {
    Budget::new(Arc::new(Running(std::time::Instant::now())), None)
}

#[test]
fn a_sleeping_call_wakes_when_it_is_cancelled() {
    let call = running();
    std::thread::scope(|scope| {
        let sleeper = scope.spawn(|| call.sleep(Duration::from_mins(10)));
        call.cancel_token().cancel();
        assert_eq!(sleeper.join().unwrap(), Err(Stopped::Cancelled));
    });
}

#[test]
fn a_call_sleeps_no_longer_than_it_may_last() {
    let call = running();
    assert_eq!(call.sleep(Duration::from_millis(1)), Ok(()));
    assert_eq!(call.within(Duration::from_millis(1)).sleep(Duration::from_mins(10)), Err(Stopped::Deadline));
}

#[test]
fn a_call_that_waits_for_memory_gets_it_or_ends_when_it_is_cancelled() {
    let quota = Arc::new(Quota::new(10));
    let (holder, waiter) = (running(), running());
    let held = quota.take(8, &holder).unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| quota.take(5, &waiter).map(drop));
        waiter.cancel_token().cancel();
        assert_eq!(waiting.join().unwrap(), Err(Stopped::Cancelled));
        let waiting = scope.spawn(|| quota.take(5, &holder).map(drop));
        drop(held);
        assert_eq!(waiting.join().unwrap(), Ok(()));
    });
}

#[test]
fn a_value_is_lent_to_one_call_at_a_time() {
    let shared = CallMutex::<u32>::default();
    let (holder, waiter) = (running(), running());
    let mut held = shared.lock(&holder).unwrap();
    *held += 1;
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| shared.lock(&waiter).map(drop));
        waiter.cancel_token().cancel();
        assert_eq!(waiting.join().unwrap(), Err(Stopped::Cancelled));
        let waiting = scope.spawn(|| shared.lock(&holder).map(|value| *value));
        drop(held);
        assert_eq!(waiting.join().unwrap(), Ok(1));
    });
}
