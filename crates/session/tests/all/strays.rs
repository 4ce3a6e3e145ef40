//! Variables that begin like those of the program and are not settings.

#![expect(clippy::expect_used, reason = "a test stops where it cannot go on")]

use std::path::PathBuf;

use readstone_host::Environment;
use readstone_session::Config;

/// The warning of a program that starts with these variables.
fn warning(names: &[&str]) -> Option<String> {
    let variables = names.iter().map(|name| ((*name).into(), "tcp://10.0.0.1:7333".into()));
    let environment = Environment::new(PathBuf::from("/"), variables);
    Config::load(&environment, None).expect("they keep nothing from starting").warning()
}

#[test]
fn without_stray_variables_there_is_no_warning() {
    assert_eq!(warning(&["HOME_OF_READSTONE", "READSTONE_TOKEN", "READSTONE_SEED", "READSTONE_PROXY"]), None);
}

#[test]
fn a_misspelled_setting_is_named_with_the_one_that_comes_near() {
    let near = "READSTONE_PAGE_LINE (did you mean READSTONE_PAGE_LINES?) is not a setting and is ignored";
    assert_eq!(warning(&["READSTONE_PAGE_LINE"]).as_deref(), Some(near));
    let token = "READSTONE_TOKENS (did you mean READSTONE_TOKEN?) is not a setting and is ignored";
    assert_eq!(warning(&["READSTONE_TOKENS"]).as_deref(), Some(token));
}

#[test]
fn dozens_of_variables_are_counted_and_a_misspelled_setting_comes_first() {
    let of_cluster = [
        "READSTONE_PORT",
        "READSTONE_PORT_7333_TCP",
        "READSTONE_PORT_7333_TCP_ADDR",
        "READSTONE_PORT_7333_TCP_PORT",
        "READSTONE_PORT_7333_TCP_PROTO",
        "READSTONE_SERVICE_HOST",
        "READSTONE_SERVICE_PORT",
        "READSTONE_SERVICE_PORT_HTTP",
    ];
    let counted = "READSTONE_PORT, READSTONE_PORT_7333_TCP, READSTONE_PORT_7333_TCP_ADDR and 5 more are not settings \
                   and are ignored";
    assert_eq!(warning(&of_cluster).as_deref(), Some(counted));
    let mut all = of_cluster.to_vec();
    all.push("READSTONE_SECRET");
    let first = "READSTONE_SECRET (did you mean READSTONE_SECRETS?), READSTONE_PORT, READSTONE_PORT_7333_TCP and 6 more \
                 are not settings and are ignored";
    assert_eq!(warning(&all).as_deref(), Some(first));
    let two = "READSTONE_PORT and READSTONE_SERVICE_HOST are not settings and are ignored";
    assert_eq!(warning(&["READSTONE_PORT", "READSTONE_SERVICE_HOST"]).as_deref(), Some(two));
}

#[test]
fn a_stray_name_stays_on_the_line_of_the_warning() {
    let said = warning(&["READSTONE_A\nB\u{1b}[31m"]).unwrap_or_default();
    assert!(said.ends_with("is not a setting and is ignored") && !said.contains(['\n', '\u{1b}']), "{said:?}");
}
