//! Files that are no files, files without bounds and directories without end: the rows F of `docs/hostile.md`.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::time::{Duration, SystemTime};

use readstone_testkit::{Confined, Fixture, Run, World, can_be_nobody};

/// Megabytes a bounded run may write to: 64, and what the program takes for itself.
const M64: u64 = 96;

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

fn read(world: &World, address: impl AsRef<OsStr>) -> Run {
    let mut command = world.command();
    command.args(["read", "--"]).arg(address);
    Confined::default().megabytes(M64).run(&command)
}

fn read_below(world: &World, root: &str, address: &str) -> Run {
    let mut command = world.command();
    command.args(["--root", root, "read", "--", address]);
    Confined::default().megabytes(M64).run(&command)
}

fn check(run: &Run, exit: i32, code: &str) {
    let fits = run.code == Some(exit) && run.stderr.starts_with(&format!("{code}: ")) && run.stdout.is_empty();
    assert!(fits, "wanted {code} with {exit}, got {:?}\n{}\n{}", run.code, run.stderr, brief(run));
}

fn check_holds(run: &Run, piece: &str) {
    let fits = run.code == Some(0) && run.text().contains(piece);
    assert!(fits, "no {piece:?} in {:?}\n{}", brief(run), run.stderr);
}

/// The beginning and the end of a reply, which may be long.
fn brief(run: &Run) -> String {
    let text = run.text();
    let end: Vec<char> = text.chars().rev().take(400).collect();
    text.chars().take(400).chain(['…']).chain(end.into_iter().rev()).collect()
}

#[test]
fn f01_a_fifo_is_refused_at_once_whatever_it_is_called() {
    let world = world();
    for name in ["fifo.txt", "fifo.db", "fifo.zip", "fifo.png"] {
        Fixture::fifo(&world.path().join(name));
        check(&read(&world, name), 4, "host.not_regular");
        check(&read(&world, format!("{name}:5-9")), 4, "host.not_regular");
        check(&read_below(&world, ".", name), 4, "host.not_regular");
    }
    check_holds(&read(&world, "."), "- fifo.db  (FIFO)");
    check(&read(&world, "nothing-like-it"), 3, "source.not_found");
}

#[test]
fn f01_a_fifo_in_the_place_of_ignore_rules_stops_neither_a_listing_nor_a_search() {
    for rules in [".gitignore", ".ignore", "sub/.gitignore", ".git/info/exclude"] {
        let world = world();
        world.file("sub/inside.txt", "inside\n");
        let place = world.path().join(rules);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        Fixture::fifo(&place);
        check_holds(&read_below(&world, ".", "."), "  - inside.txt");
        check_holds(&read_below(&world, ".", "inside.txt"), "1:inside");
        check(&read_below(&world, ".", "nothing-like-it"), 3, "source.not_found");
    }
}

#[test]
fn f01_a_device_in_the_place_of_ignore_rules_does_not_fill_the_memory() {
    let world = world();
    world.file("sub/inside.txt", "inside\n");
    Fixture::link("/dev/zero", &world.path().join(".gitignore"));
    check_holds(&read_below(&world, ".", "."), "  - inside.txt");
    check_holds(&read_below(&world, ".", "inside.txt"), "1:inside");
    check(&read_below(&world, ".", "nothing-like-it"), 3, "source.not_found");
}

#[test]
fn f02_a_fifo_with_an_endless_writer_is_refused_all_the_same() {
    let world = world();
    let path = world.path().join("fifo.txt");
    Fixture::fifo(&path);
    let mut writer = fs::OpenOptions::new().read(true).write(true).open(&path).unwrap();
    writer.write_all(&b"y\n".repeat(2_048)).unwrap();
    check(&read(&world, "fifo.txt"), 4, "host.not_regular");
    check(&read(&world, "fifo.txt:raw"), 4, "host.not_regular");
}

#[test]
fn f03_a_socket_is_refused() {
    let world = world();
    let _listener = UnixListener::bind(world.path().join("sock")).unwrap();
    check(&read(&world, "sock"), 4, "host.not_regular");
    check(&read_below(&world, ".", "sock"), 4, "host.not_regular");
    check_holds(&read(&world, "."), "- sock  (socket)");
}

#[test]
fn f04_a_device_is_refused_by_what_it_is_and_not_by_its_path() {
    let world = world();
    for device in ["/dev/zero", "/dev/full", "/dev/urandom", "/dev/tty", "/dev/null", "/dev/stdin"] {
        check(&read(&world, device), 4, "host.not_regular");
        Fixture::link(device, &world.path().join("innocent.txt"));
        check(&read(&world, "innocent.txt"), 4, "host.not_regular");
    }
    for (name, kind, major, minor) in [("zero", "c", 1, 5), ("disk", "b", 7, 0)] {
        let path = world.path().join(name);
        // Only root may make a device; the links above have said the same already.
        if Fixture::device(&path, kind, major, minor) {
            check(&read_below(&world, ".", name), 4, "host.not_regular");
            check(&read_below(&world, ".", &format!("{name}:hex")), 4, "host.not_regular");
        }
    }
}

#[test]
fn f06_a_file_that_says_it_is_empty_is_read_to_its_end() {
    let world = world();
    check_holds(&read(&world, "/proc/cpuinfo"), "1:processor");
    check_holds(&read(&world, "/proc/cpuinfo:2-3"), "2:");
    check_holds(&read_below(&world, "/proc", "cpuinfo"), "1:processor");
    check_holds(&read_below(&world, "/proc", "version:raw"), "Linux");
    check_holds(&read(&world, "/sys/kernel/mm/transparent_hugepage/enabled"), "1:");
    // It may be closed to us, it may have nothing to say, it may speak; it must not keep us waiting.
    let kernel = read(&world, "/proc/kmsg");
    assert!(matches!(kernel.code, Some(0 | 4 | 7 | 9)), "{:?} {}", kernel.code, kernel.stderr);
}

#[test]
fn f06_windows_into_processes_are_always_closed() {
    let world = world();
    let read = |root: Option<&str>, address: &str| {
        let mut command = world.command();
        command.env("SECRET", "CANARY").args(root.map(|root| ["--root", root]).into_iter().flatten());
        Confined::default().run(command.args(["read", address]))
    };
    Fixture::link("/proc/self/environ", &world.path().join("link"));
    Fixture::link("/proc/self", &world.path().join("myself"));
    for address in ["/proc/self/environ", "/proc/self/mem", "/proc/self/maps", "/proc/self/auxv"] {
        check(&read(None, address), 4, "host.denied_secret");
    }
    for address in ["link", "myself/environ", "/proc/thread-self/environ", "/proc/../proc/self/environ:raw"] {
        check(&read(None, address), 4, "host.denied_secret");
    }
    for address in ["self/environ", "self/mem", "self/cmdline", "self/task/../environ", "thread-self/environ"] {
        check(&read(Some("/proc"), address), 4, "host.denied_secret");
    }
    check(&read(Some("/proc/self"), "environ"), 4, "host.denied_secret");
    // These may be closed by the system before a rule can speak.
    for address in ["/proc/1/environ", "/proc/self/fd/0"] {
        assert_eq!(read(None, address).code, Some(4), "{address}");
    }
}

#[test]
fn f07_a_loop_of_links_is_called_one() {
    let world = world();
    Fixture::link("loop_b", &world.path().join("loop_a"));
    Fixture::link("loop_a", &world.path().join("loop_b"));
    Fixture::link(world.path().join("self"), &world.path().join("self"));
    for address in ["loop_a", "loop_a/x.txt", "self", "self:1-5"] {
        for run in [read(&world, address), read_below(&world, ".", address)] {
            check(&run, 3, "host.not_found");
            assert!(run.stderr.contains("loop"), "{}", run.stderr);
        }
    }
}

#[test]
fn f08_a_cycle_of_directories_shows_each_file_once() {
    let world = world();
    world.file("a/b/once.txt", "once\n");
    Fixture::link("..", &world.path().join("a/b/cycle"));
    Fixture::link(".", &world.path().join("here"));
    Fixture::link(world.path(), &world.path().join("a/top"));
    let listing = read(&world, ".");
    check_holds(&listing, "- here -> .");
    assert_eq!(listing.text().matches("once.txt").count(), 0, "{}", listing.text());
    assert_eq!(read(&world, "a").text().matches("once.txt").count(), 1);
    check_holds(&read(&world, "once.txt"), "resolved to 'a/b/once.txt'");
    check_holds(&read(&world, "a/b/cycle/b/cycle/b/once.txt"), "1:once");
}

#[test]
fn f08_ignore_rules_without_end_do_not_make_a_listing_or_a_search_endless() {
    let world = world();
    let rules = (0..15_000).map(|number| format!("*{number}x?*y{number}*z*\n")).collect::<Vec<_>>().concat();
    for number in 0..30 {
        world.file(format!("one/{number}/.gitignore"), &rules);
        world.file(format!("one/{number}/file-{number}.txt"), "found\n");
    }
    check_holds(&read_below(&world, "one", "."), "  - file-7.txt");
    check_holds(&read_below(&world, "one", "file-7.txt"), "1:found");
    world.file("two/.gitignore", rules.repeat(40));
    world.file("two/sub/deep.txt", "found\n");
    check_holds(&read_below(&world, "two", "."), "  - deep.txt");
    check_holds(&read_below(&world, "two", "deep.txt"), "1:found");
}

#[test]
fn f09_what_cannot_be_read_is_named_and_the_rest_is_shown() {
    if !can_be_nobody() {
        return;
    }
    let world = world();
    world.file("tree/readable.txt", "open\n");
    world.file("tree/unreadable.txt", "closed\n");
    world.file("tree/unreadable_dir/inside.txt", "closed\n");
    world.file("tree/unsearchable/inside.txt", "closed\n");
    let (tree, program) = (world.path().join("tree"), world.path().join("program"));
    fs::copy(env!("CARGO_BIN_EXE_readstone"), &program).unwrap();
    Fixture::mode(world.path(), 0o755);
    for (name, mode) in [("unreadable.txt", 0), ("unreadable_dir", 0), ("unsearchable", 0o744)] {
        Fixture::mode(&tree.join(name), mode);
    }
    let read = |address: &str| {
        let mut command = readstone_testkit::tool(program.to_str().unwrap());
        Confined::default().nobody().run(command.current_dir(world.path()).args(["read", address]))
    };
    let listing = read("tree");
    check_holds(&listing, "- readable.txt  5 B");
    check_holds(&listing, "- unreadable.txt  (not readable)");
    check_holds(&listing, "- unreadable_dir/  (not readable)");
    check_holds(&listing, "- unsearchable/  (not readable)");
    check_holds(&listing, "3 unreadable");
    for address in ["tree/unreadable.txt", "tree/unreadable_dir", "tree/unreadable_dir/inside.txt"] {
        check(&read(address), 4, "host.io");
    }
    check_holds(&read("tree/readable.txt"), "1:open");
    // The temporary directory must be able to go.
    Fixture::mode(&tree.join("unreadable_dir"), 0o755);
}

#[test]
fn f10_a_directory_of_many_entries_is_listed_in_bounds() {
    let world = world();
    for (name, count) in [("some", 3_000), ("many", 100_000)] {
        fs::create_dir(world.path().join(name)).unwrap();
        for number in 0..count {
            fs::File::create(world.path().join(name).join(format!("entry-{number:07}"))).unwrap();
        }
        let page = read(&world, name);
        check_holds(&page, &format!(" of {count}; limit page_"));
        assert!(page.stdout.len() < 64 * 1024, "{} bytes", page.stdout.len());
        let last = read(&world, format!("{name}:{count}-"));
        check_holds(&last, "- entry-");
        assert!(!last.text().contains("next: "), "{}", last.text());
    }
    check_holds(&read(&world, "."), "… 99988 more: read many");
    check(&read(&world, "nothing-like-it"), 3, "source.not_found");
}

#[test]
fn f11_a_tree_deeper_than_a_path_can_be_is_listed_and_searched() {
    let world = world();
    Fixture::deep(&world.path().join("deep"), "d2345678", 600);
    check_holds(&read(&world, "deep"), "- d2345678/");
    check_holds(&read(&world, format!("deep/{}", "d2345678/".repeat(400))), "- d2345678/");
    check(&read(&world, format!("deep/{}", "d2345678/".repeat(600))), 2, "host.bad_path");
    check(&read(&world, "nothing-like-it"), 3, "source.not_found");
    check(&read_below(&world, ".", "bottom.txt"), 3, "source.not_found");
}

#[test]
fn f16_a_terabyte_of_holes_costs_nothing() {
    let world = world();
    let head = (1..=5_000).map(|number| format!("line {number}\n")).collect::<Vec<_>>().concat();
    let (terabyte, path) = (1 << 40, world.path().join("sparse_1t.txt"));
    Fixture::sparse(&path, head.as_bytes(), terabyte, b"");
    check_holds(&read(&world, "sparse_1t.txt"), "1:line 1\n2:line 2\n");
    check_holds(&read(&world, "sparse_1t.txt:4000-4001"), "4000:line 4000\n");
    check_holds(&read(&world, "sparse_1t.txt:4990-"), "5000:line 5000\n");
    check_holds(&read(&world, "sparse_1t.txt:1000000-"), "there is no line 1000000: the file has 5001 lines");
    check_holds(&read(&world, "sparse_1t.txt:b549755813888+100"), "next: read ");
    check_holds(&read(&world, "sparse_1t.txt:hex:b549755813888+32"), " 00 00 00 00 00");
    assert!(read(&world, "sparse_1t.txt:raw").text().starts_with("line 1\nline 2\n"));
}

#[test]
fn f16_the_tail_of_a_file_of_holes_is_found() {
    let world = world();
    Fixture::sparse(&world.path().join("both.txt"), b"first\n", 1 << 40, b"\nlast but one\nlast\n");
    check_holds(&read(&world, "both.txt:-2"), ":last but one\n");
    Fixture::sparse(&world.path().join("sparse_head.txt"), b"one\ntwo\n", 1 << 40, b"");
    // The last line begins behind `two` and is all hole: its beginning is found without reading a terabyte.
    let tail = read(&world, "sparse_head.txt:-2");
    check_holds(&tail, "two\n");
}

#[test]
fn f16_holes_that_claim_to_be_something_are_bounded_too() {
    let world = world();
    Fixture::sparse(&world.path().join("8g.png"), b"\x89PNG\r\n\x1a\n", 1 << 33, b"");
    let run = read(&world, "8g.png");
    assert_eq!(run.code, Some(5), "{}", run.stderr);
    assert!(run.stderr.contains("image_file_bytes") && run.stderr.contains("next: read 8g.png:hex"), "{}", run.stderr);
    Fixture::sparse(&world.path().join("1g.zip"), b"PK\x03\x04", 1 << 30, b"");
    Fixture::sparse(&world.path().join("1t.db"), b"SQLite format 3\0", 1 << 40, b"");
    for name in ["1g.zip", "1t.db"] {
        let run = read(&world, name);
        assert_eq!(run.code, Some(7), "{}", run.stderr);
        assert!(run.stderr.contains(&format!("next: read {name}:hex")), "{}", run.stderr);
        check_holds(&read(&world, format!("{name}:hex")), "00000000: ");
    }
    Fixture::sparse(&world.path().join("nothing.txt"), b"", 1 << 40, b"");
    check_holds(&read(&world, "nothing.txt"), "1.0 TB");
}

#[test]
fn f17_a_line_of_300_megabytes_is_cut_and_can_be_followed() {
    let world = world();
    Fixture::long_line(&world.path().join("bigline"), 300 * 1024 * 1024);
    let page = read(&world, "bigline");
    check_holds(&page, "[cut: line 1 is 314572800 bytes; its first 2000 are shown]");
    check_holds(&page, "next: read bigline:=2000+314570800");
    assert!(page.stdout.len() < 64 * 1024, "{} bytes", page.stdout.len());
    check_holds(&read(&world, "bigline:=2000-"), "next: read bigline:");
    check_holds(&read(&world, "bigline:b200000000+1000"), "next: read bigline:b");
    check_holds(&read(&world, "bigline:1:250000000"), "1:xxxx");
    check_holds(&read(&world, "bigline:2"), "there is no line 2: the file has 1 line");
    check_holds(&read(&world, "bigline:-1"), "xxxx");
    check_holds(&read(&world, "bigline:conflicts"), "no unresolved conflict");
}

#[test]
fn f17_a_line_of_6_megabytes_says_how_long_it_is() {
    let world = world();
    Fixture::long_line(&world.path().join("oneline_6m.txt"), 6_000_000);
    let page = read(&world, "oneline_6m.txt");
    check_holds(&page, "[cut: line 1 is 6000000 bytes; its first 2000 are shown");
    check_holds(&page, "next: read oneline_6m.txt:=2000");
}

#[test]
fn f22_times_far_from_now_are_shown() {
    let world = world();
    let (epoch, year) = (SystemTime::UNIX_EPOCH, Duration::from_hours(24 * 365));
    let times =
        [("future", epoch + year * 130), ("far", epoch + year * 272), ("past", epoch - year * 20), ("first", epoch)];
    for (name, time) in times {
        let path = world.file(Path::new("times").join(name), "x\n");
        fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
    }
    let listing = read(&world, "times");
    for row in ["- future  2 B  in the future", "- far  2 B  in the future", "- past  2 B  76y", "- first  2 B  56y"] {
        check_holds(&listing, row);
    }
    for (name, _) in times {
        check_holds(&read(&world, format!("times/{name}")), "1:x");
    }
}
