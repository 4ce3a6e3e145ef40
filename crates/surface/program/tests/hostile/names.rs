//! Names that look like something else, and what a root is worth: the later rows P of `docs/hostile.md`.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use readstone_testkit::{Confined, Fixture, Run, World, tool};
use readstone_tools::Toolbox;
use serde_json::json;

const SECRET: &str = "the CANARY of the outside\n";

/// A root with a file in it, and a secret beside it.
fn world() -> World {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    world.file("root/inside.txt", "inside\n");
    world.file("outside/secret.txt", SECRET);
    world
}

/// Reads below a root.
fn read_below(world: &World, root: impl AsRef<OsStr>, address: impl AsRef<OsStr>) -> Run {
    let mut command = world.command();
    command.arg("--root").arg(root).args(["read", "--"]).arg(address);
    Confined::default().run(&command)
}

fn read(world: &World, address: impl AsRef<OsStr>) -> Run {
    read_below(world, "root", address)
}

fn check(run: &Run, exit: i32, code: &str) {
    let fits = run.code == Some(exit) && run.stderr.starts_with(&format!("{code}: ")) && run.stdout.is_empty();
    assert!(fits, "wanted {code} with {exit}, got {:?}\n{}\n{}", run.code, run.stderr, run.text());
}

fn check_holds(run: &Run, piece: &str) {
    assert!(run.code == Some(0) && run.text().contains(piece), "no {piece:?} in {:?}\n{}", run.text(), run.stderr);
}

#[test]
fn p15_an_existing_name_wins_over_a_selector_and_the_reply_says_so() {
    let world = world();
    world.file("root/a.txt", "one\ntwo\nthree\n");
    world.file("root/a.txt:1-2", "a name\n");
    world.file("root/b.zip:inner.txt", "no archive\n");
    world.file("root/c.db?q=SELECT 1", "no query\n");
    let literal = read(&world, "a.txt:1-2");
    check_holds(&literal, "1:a name");
    check_holds(&literal, "the whole address was taken as a name");
    check_holds(&read(&world, "a.txt:1-2:1"), "1:a name");
    check_holds(&read(&world, "a.txt:2-2"), "2:two");
    check_holds(&read(&world, "b.zip:inner.txt"), "1:no archive");
    check_holds(&read(&world, "c.db?q=SELECT 1"), "1:no query");
}

#[test]
fn p15_nothing_is_expanded_as_a_shell_would() {
    let world = world();
    for name in ["-rf", "~root", "$HOME", "$(id)", "`id`", "*", "{a,b}", "a b", "%41", "!!"] {
        check(&read(&world, name), 3, "source.not_found");
        world.file(Path::new("root").join(name), format!("I am {name}\n"));
        check_holds(&read(&world, name), &format!("1:I am {name}"));
    }
    world.file("root/~/x.txt", "a directory called tilde\n");
    check_holds(&read(&world, "~/x.txt"), "1:a directory called tilde");
}

#[test]
fn p16_a_path_is_never_percent_decoded() {
    let world = world();
    for address in ["%2e%2e%2foutside%2fsecret.txt", "..%2foutside%2fsecret.txt", "inside%2Etxt", "\\\\server\\x"] {
        check(&read(&world, address), 3, "source.not_found");
    }
}

#[test]
fn p16_a_file_url_is_decoded_once_and_names_this_machine() {
    let world = world();
    let root = world.path().join("root");
    let url = |rest: &str| format!("file://{}/{rest}", root.display());
    world.file("root/with space.txt", "space\n");
    world.file("root/%2e%2e", "percent\n");
    check_holds(&read(&world, url("with%20space.txt")), "1:space");
    check_holds(&read(&world, url("with%20space.txt:1-1")), "1:space");
    check_holds(&read(&world, url("%252e%252e")), "1:percent");
    check_holds(&read(&world, format!("FILE://LocalHost{}/inside.txt", root.display())), "1:inside");
    for rest in ["..%2foutside%2fsecret.txt", "%2e%2e/outside/secret.txt", "../outside/secret.txt", "%2e%2e%2f.."] {
        check(&read(&world, url(rest)), 4, "host.outside_root");
    }
    for wrong in ["file://host/x", "file://", "file://server", "file:///%zz", "file:///%", "file:///%4", "file:///%+1"]
    {
        check(&read(&world, wrong), 2, "address.bad_path");
    }
}

#[test]
fn p17_twins_open_their_own_file_and_a_third_spelling_is_ambiguous() {
    let world = world();
    let (composed, split) = ("caf\u{E9} 1.txt", "cafe\u{301} 1.txt");
    world.file(Path::new("root").join(composed), "composed\n");
    world.file(Path::new("root").join(split), "split\n");
    check_holds(&read(&world, composed), "1:composed");
    check_holds(&read(&world, split), "1:split");
    let third = read(&world, "caf\u{E9}\u{A0}1.txt");
    check(&third, 3, "source.ambiguous");
    assert!(third.stderr.contains(composed) && third.stderr.contains(split), "{}", third.stderr);
    world.file("root/payroll.txt", "latin\n");
    world.file("root/p\u{430}yroll.txt", "cyrillic\n");
    check_holds(&read(&world, "payroll.txt"), "1:latin");
    check_holds(&read(&world, "p\u{430}yroll.txt"), "1:cyrillic");
}

#[test]
fn p18_a_root_may_be_a_link_and_must_exist() {
    let world = world();
    Fixture::link("root", &world.path().join("door"));
    check_holds(&read_below(&world, "door", "inside.txt"), "1:inside");
    check_holds(&read_below(&world, "door", world.path().join("door/inside.txt")), "1:inside");
    check_holds(&read_below(&world, "door", world.path().join("root/inside.txt")), "1:inside");
    check(&read_below(&world, "door", "../outside/secret.txt"), 4, "host.outside_root");
    check(&read_below(&world, "gone", "inside.txt"), 2, "config.bad_value");
    check(&read_below(&world, "root/inside.txt", "inside.txt"), 2, "config.bad_value");
    check(&read_below(&world, "\x1b[31mgone", "inside.txt"), 2, "config.bad_value");
    check_holds(&read_below(&world, "/", world.path().join("root/inside.txt")), "1:inside");
}

#[test]
fn p18_a_root_is_held_open_whatever_happens_to_its_name() {
    let world = world();
    let (root, moved) = (world.path().join("root"), world.path().join("moved"));
    let toolbox = Toolbox::for_directory(&root).unwrap();
    let read = |path: &str| toolbox.call("read", &json!({ "path": path }), &toolbox.budget()).text();
    fs::rename(&root, &moved).unwrap();
    // Another directory that takes the name is not the root.
    world.file("root/inside.txt", SECRET);
    world.file("root/other.txt", SECRET);
    assert!(read("inside.txt").contains("1:inside"), "{}", read("inside.txt"));
    let other = read("other.txt");
    assert!(other.starts_with("source.not_found: ") && !other.contains("CANARY"), "{other}");
    fs::remove_dir_all(&moved).unwrap();
    let gone = read("inside.txt");
    assert!(gone.starts_with("source.not_found: ") && !gone.contains("CANARY"), "{gone}");
}

#[test]
fn p18_a_working_directory_that_is_gone_is_not_the_root_of_the_system() {
    let world = world();
    for root in ["--root .", "--root=./", ""] {
        for address in [".", "etc/passwd", "proc/version"] {
            let script = format!("mkdir gone && cd gone && rmdir ../gone && exec \"$0\" {root} read {address}");
            let mut shell = tool("sh");
            shell.current_dir(world.path()).args(["-c", &script, env!("CARGO_BIN_EXE_readstone")]);
            let run = Confined::default().run(&shell);
            assert!(matches!(run.code, Some(2 | 3)), "{root} {address}: {:?} {:.300}", run.code, run.text());
        }
    }
}

#[test]
fn p19_a_guess_stays_below_the_root_and_says_what_it_is() {
    let world = world();
    world.file("root/one/same.txt", "first\n");
    world.file("root/two/same.txt", "second\n");
    world.file("root/deep/below/only.txt", "only\n");
    let two = read(&world, "same.txt");
    check(&two, 3, "source.ambiguous");
    assert!(two.stderr.contains("one/same.txt") && two.stderr.contains("two/same.txt"), "{}", two.stderr);
    let guess = read(&world, "only.txt");
    check_holds(&guess, "1:only");
    let notice = "[Path 'only.txt' not found; resolved to 'deep/below/only.txt' via suffix match]\n";
    assert!(guess.text().starts_with(notice), "{}", guess.text());
    let outside = read(&world, "secret.txt");
    check(&outside, 3, "source.not_found");
    assert!(!outside.stderr.contains("outside/"), "{}", outside.stderr);
}

#[test]
fn p19_nothing_denied_or_ignored_is_guessed_or_named() {
    let world = world();
    world.file("root/keys/id_ed25519", SECRET);
    world.file("root/keys/.env", SECRET);
    world.file("root/.gitignore", "built/\n*.tmp\n");
    world.file("root/built/product.txt", "ignored\n");
    world.file("root/sub/draft.tmp", "ignored\n");
    for (missing, hidden) in [
        ("id_ed25519", "keys/id_ed25519"),
        ("id_ed25518", "keys/id_ed25519"),
        ("ID_ED25519", "keys/id_ed25519"),
        (".env", "keys/.env"),
        ("keys/.enw", "keys/.env"),
        ("product.txt", "built/product.txt"),
        ("draft.tmp", "sub/draft.tmp"),
    ] {
        let run = read(&world, missing);
        check(&run, 3, "source.not_found");
        assert!(!run.stderr.contains(hidden), "{missing}: {}", run.stderr);
    }
    check(&read(&world, "keys/id_ed25519"), 4, "host.denied_secret");
}

#[test]
fn p20_the_outside_is_silent_about_what_exists() {
    let world = world();
    let absolute = world.path().join("elsewhere/thing.txt").display().to_string();
    let root = world.path().join("root");
    Fixture::link("../elsewhere/thing.txt", &root.join("link"));
    Fixture::link("../elsewhere", &root.join("dir"));
    let addresses =
        ["../elsewhere/thing.txt", absolute.as_str(), "link", "dir/thing.txt", "dir", "../elsewhere/thing.txt:5"];
    let before: Vec<String> = addresses.iter().map(|address| read(&world, address).stderr).collect();
    world.file("elsewhere/thing.txt", SECRET);
    let after: Vec<String> = addresses.iter().map(|address| read(&world, address).stderr).collect();
    assert_eq!(before, after);
    for (address, said) in addresses.iter().zip(&after) {
        assert!(said.starts_with("host.outside_root: "), "{address}: {said}");
        let told = !address.contains("elsewhere") && said.contains("elsewhere");
        assert!(!told, "the error tells where {address} leads: {said}");
    }
}

#[test]
fn p20_the_home_directory_outside_is_not_told() {
    let world = world();
    let said = read(&world, "~/secret.txt").stderr;
    assert!(said.starts_with("host.outside_root: '~/secret.txt'"), "{said}");
}

#[test]
fn p22_a_link_that_ends_like_a_format_goes_through_the_same_opener() {
    let world = world();
    for name in ["x.zip", "x.tar.gz", "x.db", "x.sqlite", "x.png", "x.ipynb", "x.pdf", "x.xlsx"] {
        Fixture::link("../outside/secret.txt", &world.path().join("root").join(name));
        for tail in ["", ":inner/x", ":table:1", ":raw", ":hex", "?q=SELECT 1", ":1-2"] {
            check(&read(&world, format!("{name}{tail}")), 4, "host.outside_root");
        }
    }
}
