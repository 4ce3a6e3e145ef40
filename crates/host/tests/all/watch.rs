//! What a watch over a directory lets pass, against the rules themselves.

#![expect(clippy::unwrap_used, reason = "a test stops where its files cannot be made")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use proptest::prelude::{Just, ProptestConfig, Strategy, prop_oneof, proptest};
use proptest::{collection, sample, test_runner};
use readstone_base::Budget;
use readstone_host::{DEFAULT_SECRETS, Error, Host, Policy, Root, Secrets, Stance, SystemClock};

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

/// A host below a root of its own, which has these files.
fn below(root: &Path, files: &[&str], deny: &[&str], stance: Stance) -> Host {
    for file in files {
        let path = root.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "text").unwrap();
    }
    let deny: Vec<String> = deny.iter().map(|glob| (*glob).to_owned()).collect();
    let roots = vec![Root::open(Path::new("/"), root).unwrap()];
    Host::new(Policy::below(roots, Secrets::new(stance, &deny).unwrap()), None, 0)
}

fn is_denied(host: &Host, path: impl AsRef<Path>) -> bool {
    matches!(
        host.open(path.as_ref(), &Budget::new(Arc::new(SystemClock::new(None)), None)),
        Err(Error::DeniedSecret { .. })
    )
}

#[test]
fn a_rule_holds_for_every_spelling_of_a_path_and_for_all_that_a_directory_holds() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    std::os::unix::fs::symlink("priv/a.txt", root.join("link")).unwrap();
    let of_the_file = ["priv/a.txt", "./priv/a.txt", "a.txt"];
    let of_the_directory = ["priv", "priv/", "**/priv", "priv/**"];
    for deny in of_the_file.into_iter().chain(of_the_directory) {
        let host = below(&root, &["priv/a.txt", "priv/deep/b.txt", "open.txt"], &[deny], Stance::Warn);
        let whole = root.join("priv/a.txt");
        for spelled in ["priv/a.txt", "./priv/a.txt", "priv//a.txt", "priv/../priv/a.txt", "priv/deep/../a.txt", "link"]
        {
            assert!(is_denied(&host, spelled), "{deny}: {spelled}");
        }
        assert!(is_denied(&host, &whole) && !host.may_name(&whole), "{deny}");
        assert!(!host.watch(&root.join("priv")).may_name("a.txt".as_ref()), "{deny}");
        assert!(!is_denied(&host, "open.txt"), "{deny}");
        assert_eq!(is_denied(&host, "priv/deep/b.txt"), of_the_directory.contains(&deny), "{deny}");
    }
}

#[test]
fn what_lies_in_a_directory_that_is_called_like_a_secret_is_one_but_not_below_a_root_that_is() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap().join("prod.env");
    let host = below(&root, &["x/.env/prod", "notes.txt"], &[], Stance::Deny);
    assert!(is_denied(&host, "x/.env/prod") && is_denied(&host, "x/.env"));
    assert!(!host.watch(&root.join("x/.env")).may_name("prod".as_ref()));
    assert!(!is_denied(&host, "notes.txt") && !is_denied(&host, "."));
    assert!(host.watch(&root).may_name("notes.txt".as_ref()));
}

#[test]
fn a_rule_that_can_match_nothing_is_refused() {
    for glob in ["", "/", "./", "~/private"] {
        assert!(Secrets::new(Stance::Deny, &[glob.to_owned()]).is_err(), "{glob}");
    }
}
