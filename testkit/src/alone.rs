//! Tests that need a process of their own, because they change or measure the whole process.
//!
//! Crates that the testkit is built from cannot depend on it. Their tests include this file by its path.

use std::any::type_name;
use std::process::Command;

/// Environment variable that is set in the process which a test started for itself.
const ALONE: &str = "READSTONE_TEST_ALONE";

/// Returns true in a process that runs only `test`. Otherwise starts such a process, and panics if the test fails there.
///
/// A test begins with `if !alone(its_own_name) { return; }`.
///
/// # Panics
///
/// The test fails, or cannot be started.
#[expect(clippy::disallowed_methods, clippy::expect_used, reason = "a test that cannot start itself must stop")]
pub fn alone<Test: Fn()>(_: Test) -> bool {
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    // A type name begins with the crate, the name of a test does not.
    let (_, name) = type_name::<Test>().split_once("::").expect("a test is in a crate");
    let program = std::env::current_exe().expect("a test has a program");
    let output = Command::new(program).args(["--exact", name]).env(ALONE, "1").output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let passed = output.status.success() && said.contains("1 passed");
    assert!(passed, "{name} failed in a process of its own:\n{said}{}", String::from_utf8_lossy(&output.stderr));
    false
}
