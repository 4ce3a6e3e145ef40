//! Others who change the same file.

use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use readstone_base::{Blob, Budget, Class, Failure as _};
use readstone_host::{Durable, Error, Host, Mode, New, Policy, Secrets, Stance, SystemClock};

use super::{Desk, budget, bytes, facts, prepare, still};

#[test]
fn w11_a_file_that_was_replaced_before_the_swap_is_left_alone() {
    let desk = Desk::new();
    desk.file("a.txt", "old");
    let prepared = desk.prepare("a.txt", "ours").unwrap();
    let theirs = desk.file("theirs", "old");
    std::fs::rename(theirs, desk.path("a.txt")).unwrap();
    let error = prepared.swap(&still("old")).unwrap_err();
    assert_eq!((error.code(), error.class()), ("host.changed", Class::Stale));
    assert_eq!((desk.text("a.txt").as_str(), desk.everything("")), ("old", vec!["a.txt".to_owned()]));
}

#[test]
fn w11_a_file_that_was_changed_in_place_goes_back() {
    let desk = Desk::new();
    for theirs in ["new", "old and more", "", "ol"] {
        let path = desk.file("a.txt", "old");
        let inode = facts(&path).ino();
        let prepared = desk.prepare("a.txt", "ours").unwrap();
        desk.file("a.txt", theirs);
        assert!(matches!(prepared.swap(&still("old")), Err(Error::Changed { .. })));
        assert_eq!((desk.text("a.txt").as_str(), facts(&path).ino()), (theirs, inode));
        assert_eq!(desk.everything(""), ["a.txt"]);
    }
}

#[test]
fn a_file_that_is_gone_is_not_made_again() {
    let desk = Desk::new();
    let path = desk.file("a.txt", "old");
    let prepared = desk.prepare("a.txt", "ours").unwrap();
    std::fs::remove_file(path).unwrap();
    assert!(matches!(prepared.swap(&still("old")), Err(Error::Changed { .. })));
    assert_eq!(desk.everything(""), [""; 0]);
}

#[test]
fn a_file_that_cannot_be_compared_goes_back() {
    let desk = Desk::new();
    desk.file("a.txt", "old");
    let prepared = desk.prepare("a.txt", "ours").unwrap();
    let error = prepared.swap(&|_| Err(io::Error::other("no answer"))).unwrap_err();
    assert!(matches!(error, Error::Write { .. }), "{error}");
    assert_eq!((desk.text("a.txt").as_str(), desk.everything("")), ("old", vec!["a.txt".to_owned()]));
}

#[test]
fn a_version_that_somebody_saves_over_ours_stays_and_no_other_is_lost() {
    let desk = Desk::new();
    desk.file("a.txt", "changed in place");
    let prepared = desk.prepare("a.txt", "ours").unwrap();
    let save = |_: &dyn Blob| {
        let theirs = desk.file("theirs", "saved");
        std::fs::rename(theirs, desk.path("a.txt"))?;
        Ok(false)
    };
    let error = prepared.swap(&save).unwrap_err();
    let Error::NotPutBack { kept, .. } = &error else { panic!("{error}") };
    assert_eq!((desk.text("a.txt").as_str(), desk.text(kept).as_str()), ("saved", "changed in place"));
    assert_eq!(desk.everything("").len(), 2);
}

#[test]
fn a_version_that_somebody_wrote_into_ours_stays() {
    let desk = Desk::new();
    desk.file("a.txt", "old");
    let swapped = desk.prepare("a.txt", "ours").unwrap().swap(&still("old")).unwrap();
    desk.file("a.txt", "ours and theirs");
    let error = swapped.back().unwrap_err();
    let Error::NotPutBack { kept, .. } = &error else { panic!("{error}") };
    assert_eq!((desk.text("a.txt").as_str(), desk.text(kept).as_str()), ("ours and theirs", "old"));
}

#[test]
fn an_old_version_comes_back_where_somebody_removed_the_new_one() {
    let desk = Desk::new();
    let path = desk.file("a.txt", "changed in place");
    let prepared = desk.prepare("a.txt", "ours").unwrap();
    let remove = |_: &dyn Blob| std::fs::remove_file(&path).map(|()| false);
    assert!(matches!(prepared.swap(&remove), Err(Error::Changed { .. })));
    assert_eq!((desk.text("a.txt").as_str(), desk.everything("")), ("changed in place", vec!["a.txt".to_owned()]));
}

#[test]
fn a_file_that_is_held_is_waited_for_and_then_locked() {
    let desk = Desk::new();
    desk.file("a.txt", "old");
    std::os::unix::fs::symlink("a.txt", desk.path("b.txt")).unwrap();
    let held = desk.hold("a.txt").unwrap();
    let short = Budget::new(Arc::new(SystemClock::new(None)), Some(Duration::from_millis(30)));
    // W19: another name of the same file is the same file.
    for name in ["a.txt", "b.txt", "./a.txt"] {
        let error = desk.host.hold(Path::new(name), &short).unwrap_err();
        assert_eq!((error.code(), error.class()), ("host.locked", Class::Outside), "{name}: {error}");
    }
    // Whoever reads it meanwhile is not hindered, and keeps no lock.
    let read = Arc::clone(held.blob().unwrap());
    drop(held);
    drop(desk.host.hold(Path::new("a.txt"), &budget()).unwrap());
    assert_eq!(bytes(read.as_ref()).unwrap(), b"old");
}

#[test]
fn a_lock_lasts_until_the_change_is_finished() {
    let desk = Desk::new();
    desk.file("a.txt", "old");
    let short = || Budget::new(Arc::new(SystemClock::new(None)), Some(Duration::from_millis(20)));
    let swapped = desk.prepare("a.txt", "new").unwrap().swap(&still("old")).unwrap();
    assert!(matches!(desk.host.hold(Path::new("a.txt"), &short()), Err(Error::Locked { .. })));
    swapped.finish().unwrap();
    assert_eq!(bytes(desk.hold("a.txt").unwrap().blob().unwrap().as_ref()).unwrap(), b"new");
}

#[test]
fn a_lock_of_another_program_is_heeded() {
    let desk = Desk::new();
    let path = desk.file("a.txt", "old");
    #[expect(clippy::disallowed_methods, reason = "another program opens the file")]
    let theirs = std::fs::File::open(path).unwrap();
    rustix::fs::flock(&theirs, rustix::fs::FlockOperation::LockExclusive).unwrap();
    let short = Budget::new(Arc::new(SystemClock::new(None)), Some(Duration::from_millis(20)));
    assert!(matches!(desk.host.hold(Path::new("a.txt"), &short), Err(Error::Locked { .. })));
    drop(theirs);
    desk.write("a.txt", "new").unwrap();
}

/// Adds one to the number in a file.
fn count(desk: &Desk) -> Result<(), Error> {
    let held = desk.host.hold(Path::new("number"), &budget())?;
    let seen = bytes(held.blob().unwrap().as_ref()).unwrap();
    let number: u32 = std::str::from_utf8(&seen).unwrap().parse().unwrap();
    let text = (number + 1).to_string();
    let mut write = |sink: &mut dyn io::Write| sink.write_all(text.as_bytes());
    let prepared = held.prepare(New { write: &mut write, mode: Mode::Usual, durable: Durable::No })?;
    prepared.swap(&|blob| Ok(bytes(blob)? == seen))?.finish()?;
    Ok(())
}

#[test]
fn w10_changes_from_many_threads_are_all_there() {
    const THREADS: u32 = 6;
    const EACH: u32 = 60;
    let desk = Desk::new();
    desk.file("number", "0");
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| (0..EACH).for_each(|_| count(&desk).unwrap()));
        }
    });
    assert_eq!(desk.text("number"), (THREADS * EACH).to_string());
    assert_eq!(desk.everything(""), ["number"]);
}

#[test]
fn w10_one_of_many_makes_a_new_file() {
    let desk = Desk::new();
    let held: Vec<_> = (0..8).map(|_| desk.hold("new/a.txt").unwrap()).collect();
    let prepared: Vec<_> =
        held.into_iter().enumerate().map(|(at, held)| prepare(held, &at.to_string(), Mode::Usual).unwrap()).collect();
    let made = prepared.into_iter().map(|prepared| prepared.swap(&|_| Ok(true))?.finish());
    let outcomes: Vec<_> = made.collect();
    assert!(outcomes[0].is_ok());
    assert!(outcomes[1..].iter().all(|outcome| matches!(outcome, Err(Error::Changed { .. }))));
    assert_eq!((desk.text("new/a.txt").as_str(), desk.everything("new").len()), ("0", 1));
}

/// Saves as editors do: a new file over the old one, without a look at locks. Each save carries on what it found.
fn save(desk: &Desk, round: u32) {
    let temporary = desk.file(&format!("editor-{round}"), &format!("editor {round}"));
    std::fs::rename(temporary, desk.path("a.txt")).unwrap();
}

#[test]
fn w11_a_save_of_an_editor_is_never_replaced_unseen() {
    let desk = Desk::new();
    desk.file("a.txt", "editor start");
    let (mut replaced, mut stale) = (Vec::new(), 0);
    std::thread::scope(|scope| {
        let editor = scope.spawn(|| (0..600).for_each(|round| save(&desk, round)));
        while !editor.is_finished() {
            let held = match desk.hold("a.txt") {
                Ok(held) => held,
                Err(Error::Changed { .. }) => continue,
                Err(error) => panic!("{error}"),
            };
            let seen = bytes(held.blob().unwrap().as_ref()).unwrap();
            let Ok(prepared) = prepare(held, "ours", Mode::Usual) else { panic!("it can be prepared") };
            match prepared.swap(&|blob| Ok(bytes(blob)? == seen)) {
                Ok(swapped) => {
                    swapped.finish().unwrap();
                    replaced.push(seen);
                }
                Err(Error::Changed { .. } | Error::NotPutBack { .. }) => stale += 1,
                Err(error) => panic!("{error}"),
            }
        }
    });
    // Nothing but what was seen can have been replaced; what the editor saved last is there, or was seen.
    let last = desk.text("a.txt");
    let seen_last = replaced.iter().any(|seen| seen == b"editor 599");
    assert!(last == "editor 599" || (last == "ours" && seen_last), "{last} after {stale} refusals");
}

#[test]
fn w11_a_file_that_is_replaced_while_it_is_opened_has_its_own_name_and_no_other() {
    let desk = Desk::new();
    desk.file("number", "0");
    std::os::unix::fs::symlink("number", desk.path("link")).unwrap();
    let host = Host::new(
        Policy::anywhere(desk.directory.path().to_owned(), Secrets::new(Stance::Warn, &[]).unwrap()),
        None,
        0,
    );
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| (0..2_000).for_each(|_| count(&desk).unwrap()));
        while !writer.is_finished() {
            for name in ["number", "link"] {
                // Where nothing is refused, the system is asked which name an open file has, and says what it has by then.
                let opened = host.open(Path::new(name), &budget()).unwrap();
                assert_eq!(opened.real, desk.path("number"), "{name}");
            }
        }
    });
}
