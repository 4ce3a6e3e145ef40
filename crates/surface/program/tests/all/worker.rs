//! The worker process: what becomes of it and of the call that it works for, on the program itself.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]
#![expect(clippy::disallowed_methods, reason = "processes are looked at from outside")]

pub(crate) mod kit;

use std::fs;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use kit::{
    ENDLESS, Halted, answer, check_error, check_page, children, cpu, long_rtf, only_worker, read, rtf, signal, speak,
    start, state, told, until, wait_for_end, wait_for_work, workers, world,
};
use readstone_testkit::{Race, Spoken, World, tool};

/// A server whose worker is warm.
fn warm(world: &World, variables: &[(&str, &str)]) -> (Spoken, u32) {
    let mut client = speak(world, variables);
    check_page(&read(&mut client, "one.rtf"), "It says one.");
    let worker = only_worker(&client);
    (client, worker)
}

#[test]
fn killed_before_it_hears_of_its_work_it_costs_nothing() {
    let world = world();
    let (mut client, worker) = warm(&world, &[]);
    let halted = Halted::new(worker);
    let id = start(&mut client, 1, "two.rtf");
    halted.wait_for_task();
    signal(worker, "KILL");
    check_page(&answer(&mut client, id), "It says two.");
    assert_ne!(only_worker(&client), worker);
    assert_eq!(children(client.pid()).len(), 1);
}

#[test]
fn killed_in_the_middle_of_a_conversion_it_costs_that_call_alone() {
    let world = world();
    let mut client = speak(&world, &[("READSTONE_CALL_MS", "120000")]);
    // A conversion may be done before it is seen; not every time.
    let killed = (0..8).any(|round| {
        let name = format!("long{round}.rtf");
        world.file(&name, long_rtf(&name, 300_000));
        check_page(&read(&mut client, "x.db?q=SELECT 7"), "| 7 |");
        let worker = only_worker(&client);
        let before = cpu(worker);
        let id = start(&mut client, round, &name);
        until("work on a document", || (cpu(worker) >= before + 3).then_some(()));
        signal(worker, "KILL");
        let reply = answer(&mut client, id);
        let is_killed = reply["result"]["isError"] == true;
        if is_killed {
            check_error(&reply, "document.crashed", "signal 9 ended it");
        }
        is_killed
    });
    assert!(killed, "no conversion could be caught");
    check_page(&read(&mut client, "two.rtf"), "It says two.");
    check_page(&read(&mut client, "a.txt"), "hello");
    assert_eq!(children(client.pid()).len(), 1);
}

#[test]
fn killed_in_the_middle_of_a_query_it_costs_that_call_alone() {
    let world = world();
    let mut client = speak(&world, &[("READSTONE_CALL_MS", "120000")]);
    let id = start(&mut client, 1, ENDLESS);
    let worker = wait_for_work(&client);
    signal(worker, "ABRT");
    check_error(&answer(&mut client, id), "database.crashed", "the work on it broke down: signal 6 ended it");
    check_page(&read(&mut client, "x.db?q=SELECT 7"), "| 7 |");
    check_page(&read(&mut client, "two.rtf"), "It says two.");
}

#[test]
fn killed_while_it_rests_it_costs_nothing_and_is_buried_by_the_next_call() {
    let world = world();
    let (mut client, worker) = warm(&world, &[]);
    signal(worker, "KILL");
    wait_for_end(worker);
    check_page(&read(&mut client, "two.rtf"), "It says two.");
    let fresh = only_worker(&client);
    assert_ne!(fresh, worker);
    assert_eq!(children(client.pid()), [fresh], "the dead are not buried");
}

#[test]
fn killed_as_it_is_taken_it_costs_nothing() {
    let world = world();
    let (mut client, _) = warm(&world, &[]);
    for round in 0..50 {
        let name = format!("fresh{round}.rtf");
        world.file(&name, rtf(&name));
        signal(only_worker(&client), "KILL");
        check_page(&read(&mut client, &name), &name);
    }
}

#[test]
fn one_warm_worker_does_one_call_after_the_other() {
    let world = world();
    let (mut client, worker) = warm(&world, &[]);
    let pages =
        [("two.rtf", "It says two."), ("page.html", "# Title"), ("x.db?q=SELECT 7", "| 7 |"), ("three.rtf", "three")];
    for (address, words) in pages {
        check_page(&read(&mut client, address), words);
        assert_eq!(workers(&client), [worker], "{address}");
    }
    // What the document is to blame for costs no worker.
    world.file("bad.rtf", "{\\rtf1");
    read(&mut client, "bad.rtf");
    read(&mut client, "x.db?q=SELECT nothing");
    check_page(&read(&mut client, "x.db?q=SELECT 8"), "| 8 |");
    assert_eq!(workers(&client), [worker]);
}

#[test]
fn side_by_side_all_are_answered_by_no_more_workers_than_there_may_be() {
    let world = world();
    for number in 0..8 {
        let name = format!("long{number}.rtf");
        world.file(&name, long_rtf(&name, 20_000));
    }
    let mut client = speak(&world, &[("READSTONE_WORKERS", "2"), ("READSTONE_CALL_MS", "120000")]);
    let (server, most) = (client.pid(), Arc::new(AtomicUsize::new(0)));
    let seen = Arc::clone(&most);
    let watch = Race::start(move |_| {
        seen.fetch_max(children(server).len(), Ordering::Relaxed);
    });
    let ids: Vec<u64> = (0..8).map(|number| start(&mut client, number, &format!("long{number}.rtf"))).collect();
    let mut answers = Vec::new();
    while answers.len() < ids.len() {
        answers.extend(client.receive().filter(|message| message["id"].as_u64().is_some_and(|id| ids.contains(&id))));
    }
    watch.finish();
    for (number, id) in ids.iter().enumerate() {
        let answer = answers.iter().find(|answer| answer["id"] == *id).unwrap();
        check_page(answer, &format!("Line 0 of the **long** document long{number}.rtf"));
    }
    let most = most.load(Ordering::Relaxed);
    assert!((1..=2).contains(&most), "{most} processes at once");
    assert!(children(client.pid()).iter().all(|pid| state(*pid) != Some('Z')));
}

#[test]
fn what_was_converted_is_not_converted_again_under_another_name() {
    let world = world();
    let (mut client, worker) = warm(&world, &[]);
    world.file("copy/other.rtf", rtf("one"));
    let _halted = Halted::new(worker);
    for address in ["copy/other.rtf", "one.rtf", "one.rtf:1-1"] {
        check_page(&read(&mut client, address), "It says one.");
    }
    assert_eq!((workers(&client), state(worker)), (vec![worker], Some('T')));
}

/// The soft and the hard limit of a process that `/proc` has under this name.
fn limits(worker: u32, name: &str) -> Vec<String> {
    let table = told(worker, "limits");
    let line = table.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.split_whitespace().take(2).map(str::to_owned).collect()
}

fn open_files(worker: u32) -> Vec<String> {
    let files = fs::read_dir(format!("/proc/{worker}/fd")).unwrap();
    let mut names: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The threads of a process: the name of each, and whether it and its children can gain no rights.
fn threads(worker: u32) -> Vec<(String, bool)> {
    let tasks = fs::read_dir(format!("/proc/{worker}/task")).unwrap();
    let thread = |task: fs::DirEntry| {
        let text = fs::read_to_string(task.path().join("status")).unwrap();
        let line =
            |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim().to_owned();
        (line("Name:"), line("NoNewPrivs:") == "1")
    };
    tasks.map(|task| thread(task.unwrap())).collect()
}

#[test]
fn it_has_nothing_and_can_get_nothing() {
    let world = world();
    let (_client, worker) = warm(&world, &[("SECRET_TOKEN", "CANARY"), ("READSTONE_WORKER_MEMORY", "100000000")]);
    assert_eq!(told(worker, "environ"), "");
    assert_eq!(fs::read_link(format!("/proc/{worker}/cwd")).unwrap().to_str(), Some("/"));
    // What whoever runs the tests left open is passed on by everybody; nothing of the server's own is.
    let link = |pid: &str, file: &str| fs::read_link(format!("/proc/{pid}/fd/{file}")).ok();
    for file in open_files(worker).iter().filter(|file| !["0", "1", "2"].contains(&file.as_str())) {
        assert_eq!(link(&worker.to_string(), file), link("self", file), "{file}");
    }
    assert_eq!(limits(worker, "Max open files"), ["1", "1"]);
    assert_eq!(limits(worker, "Max core file size"), ["0", "0"]);
    let most: u64 = limits(worker, "Max address space")[1].parse().unwrap();
    assert!((100_000_000..600_000_000).contains(&most), "{most}");
    let seconds: u64 = limits(worker, "Max cpu time")[0].parse().unwrap();
    assert!((15..30).contains(&seconds), "{seconds}");
    assert!(threads(worker).contains(&("work".to_owned(), true)), "{:?}", threads(worker));
}

#[test]
fn every_thread_of_it_is_shut_in() {
    let world = world();
    let (_client, worker) = warm(&world, &[]);
    assert!(threads(worker).iter().all(|(_, shut)| *shut), "{:?}", threads(worker));
}

#[test]
fn it_has_no_file_that_the_server_was_given() {
    let world = world();
    let inner = world.command();
    let mut outer = tool("sh");
    outer.args(["-c", "exec 7</etc/hostname; exec \"$@\"", "sh"]).arg(inner.get_program()).args(["mcp", "--root", "."]);
    outer.current_dir(world.path()).env("HOME", world.path());
    let mut client = Spoken::spawn(&mut outer);
    client.open("2025-11-25");
    check_page(&read(&mut client, "one.rtf"), "It says one.");
    assert_eq!(open_files(only_worker(&client)), ["0", "1", "2"]);
}

/// A frame as a server sends it.
fn frame(content: &[u8]) -> Vec<u8> {
    [&u32::try_from(content.len()).unwrap().to_le_bytes(), content].concat()
}

/// A piece of work as a server sends it.
fn task(what: &str, ask: &str) -> Vec<u8> {
    let numbers = [5_u64.to_le_bytes(), (what.len() as u64).to_le_bytes()].concat();
    frame(&[b"T", numbers.as_slice(), what.as_bytes(), ask.as_bytes()].concat())
}

#[test]
fn started_by_hand_it_ends_quietly_whatever_it_is_told() {
    let world = world();
    let ask =
        r#"{"form":"Rtf","wish":{"first":1,"last":1,"enough":1},"bounds":{"text_bytes":1,"parts_bytes":1,"depth":1}}"#;
    let truncated = frame(&[0; 200])[..100].to_vec();
    let inputs: Vec<(&str, Vec<u8>)> = vec![
        ("nothing", Vec::new()),
        ("a piece of a length", vec![1, 0]),
        ("a length alone", vec![255; 4]),
        ("noise", (0..100_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect()),
        ("words", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n".to_vec()),
        ("an empty frame", frame(b"")),
        ("a frame cut short", truncated),
        ("an answer to nothing", frame(b"n")),
        ("a task without a name", frame(b"T")),
        ("a name that is too long", frame(b"T\0\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff")),
        ("an unknown task", task("sing", "")),
        ("a task that makes no sense", task("document", "{]")),
        ("another one", task("query", r#"{"path":"x","name":"x","tail":"q=","limits":[["x",1]],"now":0}"#)),
        ("a task and then nothing", task("document", ask)),
        ("a task and then noise", [task("document", ask), vec![7; 100]].concat()),
        ("two tasks", [task("sing", ""), task("picture", "null")].concat()),
    ];
    for (what, input) in inputs {
        let run = world.run_with_input(["__worker", "1000000"], &input);
        assert!(matches!(run.code, Some(0 | 1)), "{what}: {:?} {}", run.code, run.stderr);
        assert_eq!(run.stderr, "", "{what}");
        assert!(run.stdout.len() < 4096, "{what}: {}", run.text());
    }
}

#[test]
fn started_by_hand_with_too_little_it_ends_quietly() {
    let world = world();
    for arguments in [vec!["__worker"], vec!["__worker", "much"], vec!["__worker", "1", "2"], vec!["__worker", "-1"]] {
        let run = world.run(&arguments);
        assert_eq!((run.code, run.stdout.len()), (Some(2), 0), "{arguments:?} {}", run.stderr);
    }
    for memory in ["0", "1", "18446744073709551615"] {
        let run = world.run(["__worker", memory]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{memory}");
    }
}

#[test]
fn whatever_stands_in_the_place_of_the_program_the_worker_is_the_program() {
    let home = tempfile::tempdir().unwrap();
    let program = home.path().join("readstone");
    fs::copy(env!("CARGO_BIN_EXE_readstone"), &program).unwrap();
    let world = World::new(&program);
    for name in ["one", "two", "three"] {
        world.file(format!("{name}.rtf"), rtf(name));
    }
    let mut client = speak(&world, &[]);
    fs::rename(&program, home.path().join("old")).unwrap();
    check_page(&read(&mut client, "one.rtf"), "It says one.");
    fs::write(&program, "#!/bin/sh\necho CANARY\n").unwrap();
    let worker = only_worker(&client);
    signal(worker, "KILL");
    wait_for_end(worker);
    check_page(&read(&mut client, "two.rtf"), "It says two.");
    fs::remove_file(home.path().join("old")).unwrap();
    let worker = only_worker(&client);
    signal(worker, "KILL");
    wait_for_end(worker);
    check_page(&read(&mut client, "three.rtf"), "It says three.");
}

#[test]
fn the_command_line_leaves_no_worker_behind() {
    let world = world();
    let mut child =
        world.command().args(["read", ENDLESS]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let worker = until("a worker", || children(child.id()).into_iter().find(|pid| cpu(*pid) >= 10));
    signal(worker, "KILL");
    assert_eq!(child.wait().unwrap().code(), Some(7));
    wait_for_end(worker);
    let run = world.read("one.rtf");
    assert!(run.code == Some(0) && run.text().contains("It says one."), "{} {}", run.text(), run.stderr);
}
