//! What a watch over a directory lets pass, against the rules themselves.

use std::path::{Path, PathBuf};

use proptest::prelude::{Just, ProptestConfig, Strategy, prop_oneof, proptest};
use proptest::{collection, sample, test_runner};
use readstone_host::{DEFAULT_SECRETS, Host, Policy, Secrets, Stance};

/// Names that rules for secrets speak of, and names that come near them.
#[rustfmt::skip]
const NAMES: [&str; 24] = [
    ".env",
    ".ENV",
    ".env.local",
    ".env.example",
    "prod.env",
    "x.enva",
    "id_rsa",
    "Id_RSA",
    "id_rsa.pub",
    "a.pem",
    "a.PEM",
    ".pem",
    "pem",
    ".ssh",
    ".SSH",
    "config",
    ".aws",
    "credentials",
    "credentials.json",
    ".kube",
    "notes.txt",
    "etc",
    "shadow",
    "proc",
];

fn path() -> impl Strategy<Value = PathBuf> {
    collection::vec(sample::select(&NAMES[..]), 1..5)
        .prop_map(|parts| Path::new("/").join(parts.iter().collect::<PathBuf>()))
}

/// A rule of an operator.
fn glob() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => sample::select(&NAMES[..]).prop_map(str::to_owned),
        2 => sample::select(&NAMES[..]).prop_map(|name| format!("*{name}")),
        2 => sample::select(&NAMES[..]).prop_map(|name| format!("{name}*")),
        1 => sample::select(&NAMES[..]).prop_map(|name| format!("?{name}?")),
        1 => sample::select(&NAMES[..]).prop_map(|name| format!("{{x,{name}}}")),
        1 => sample::select(&NAMES[..]).prop_map(|name| format!("[.a-z]{name}")),
        2 => Just("**".to_owned()),
        1 => Just("*".to_owned()),
    ];
    let start = prop_oneof![3 => Just("**/"), 1 => Just("/"), 1 => Just("")];
    (start, collection::vec(part, 1..4)).prop_map(|(start, parts)| format!("{start}{}", parts.join("/")))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 512,
        failure_persistence: None,
        rng_seed: test_runner::RngSeed::Fixed(0x50C1_0004),
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_watch_names_what_the_rules_allow(paths in collection::vec(path(), 24), globs in collection::vec(glob(), 0..3)) {
        for stance in [Stance::Deny, Stance::Warn] {
            let secrets = Secrets::new(stance, &globs).unwrap();
            let host = Host::new(Policy::anywhere("/".into(), secrets), None, 0);
            for path in &paths {
                let watch = host.watch(path.parent().unwrap());
                assert_eq!(watch.may_name(path.file_name().unwrap()), host.may_name(path), "{}", path.display());
            }
        }
    }
}

#[test]
fn every_usual_secret_is_seen_by_a_watch() {
    let host = Host::new(Policy::anywhere("/".into(), Secrets::new(Stance::Deny, &[]).unwrap()), None, 0);
    for glob in DEFAULT_SECRETS {
        let path = PathBuf::from(glob.replace("**", "any/where").replace('*', "thing"));
        let path = Path::new("/").join(path);
        let watch = host.watch(path.parent().unwrap());
        assert!(!watch.may_name(path.file_name().unwrap()), "{glob}: {}", path.display());
    }
}
