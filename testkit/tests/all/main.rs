//! The programs of the testkit.
//!
//! Cargo builds the programs of a package for its integration tests. So `cargo test --workspace` makes them too, and
//! `.ci/run` does not compile the library once more for them.

use std::process::Command;

#[test]
#[expect(clippy::disallowed_methods, reason = "the programs are run as their scripts run them")]
fn programs_that_are_given_nothing_to_run_say_how_they_are_called() {
    let programs = [
        (env!("CARGO_BIN_EXE_hostile"), "hostile PROGRAM [WORD]\n"),
        (env!("CARGO_BIN_EXE_soak"), "soak PROGRAM [CALLS]\n"),
    ];
    for (program, usage) in programs {
        let output = Command::new(program).output().unwrap();
        assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(2), usage));
    }
}
