//! Embed: a program of its own that reads and changes files through the toolbox. `docs/embedding.md` explains its parts,
//! and `cargo test` runs it.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use std::error::Error;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use readstone_address::Reading;
use readstone_base::{Budget, Class, Fault, Memory, Part, Reply, Status, TargetError};
use readstone_host::{Environment, Host, Policy, Root, Secrets, SystemClock, Workers, work_for_parent};
use readstone_session::{Config, MemoryShelf, Room, Session, SqliteStore};
use readstone_source::{Alone, Finding, Opening, Piece, Scheme, Sourced};
use readstone_tools::{Effect, Profile, Toolbox, sources, work};
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn Error>>;

// docs: simple
/// A toolbox for one directory, which remembers what it showed while the process lives.
fn simple(directory: &Path) -> Outcome<Toolbox> {
    let toolbox = Toolbox::for_directory(directory)?;
    let reply = toolbox.call("read", &json!({ "path": "notes.txt:2-3" }), &toolbox.budget());
    println!("{}", reply.text());
    Ok(toolbox)
}
// end

// docs: failure
/// Calls a tool; what failed is an error here.
fn call(toolbox: &Toolbox, tool: &str, input: &Value) -> Result<Reply, TargetError> {
    let reply = toolbox.call(tool, input, &toolbox.budget());
    match (reply.status, reply.receipt.error.clone()) {
        (Status::Error(_), Some(error)) => Err(error),
        // Several targets in one call: each that failed carries its own error, and the others are there.
        (Status::Ok | Status::Error(_), _) => Ok(reply),
    }
}

/// What a program can do about a failure.
fn advise(error: &TargetError) -> String {
    let next: Vec<String> = error.next.iter().map(|next| format!("{} {}", next.tool, next.argument)).collect();
    match error.class {
        Class::Missing | Class::Stale => format!("{}: try {}", error.code, next.join(" or ")),
        Class::Request
        | Class::Denied
        | Class::TooBig
        | Class::Broken
        | Class::Outside
        | Class::Stopped
        | Class::Bug => format!("{}: {}", error.code, error.message),
    }
}
// end

// docs: pages
/// All of a file: every page names the next one, and verbatim pages joined are the file.
fn whole(toolbox: &Toolbox, path: &str) -> Result<String, TargetError> {
    let mut text = String::new();
    let mut address = Some(format!("{path}:raw"));
    while let Some(here) = address {
        let page = call(toolbox, "read", &json!({ "path": here }))?;
        text.push_str(&page.text());
        address = page.receipt.targets.first().and_then(|target| target.next.clone());
    }
    Ok(text)
}
// end

// docs: change
/// Replaces one line under the tag of the version that shows it, and gives the tag of the new version.
fn replace_line(toolbox: &Toolbox, path: &str, line: u64, text: &str) -> Outcome<String> {
    let tag_of = |reply: &Reply| reply.receipt.targets.first().and_then(|target| target.tag.clone());
    let shown = call(toolbox, "read", &json!({ "path": format!("{path}:{line}-{line}") })).map_err(told)?;
    let tag = tag_of(&shown).ok_or("it cannot be edited")?;
    let input = format!("¶{path}#{tag}\nreplace {line}..{line}:\n+{text}\n");
    let changed = call(toolbox, "edit", &json!({ "input": input })).map_err(told)?;
    tag_of(&changed).ok_or_else(|| "it has no tag".into())
}

fn told(TargetError { code, message, .. }: TargetError) -> Box<dyn Error> {
    format!("{code}: {message}").into()
}
// end

// docs: parts
/// What a model is sent: texts, and pictures with their media type.
fn for_a_model(reply: &Reply) -> Vec<(&'static str, Vec<u8>)> {
    let part = |part: &Part| match part {
        Part::Text(text) => ("text/plain", text.clone().into_bytes()),
        Part::Verbatim(raw) => ("text/plain", raw.text.clone().into_bytes()),
        Part::Image(image) => (image.mime, image.bytes.clone()),
    };
    reply.parts.iter().map(part).collect()
}
// end

// docs: whole
/// A toolbox as the program has it: settings of a file, roots, a store on disk, workers, the web and internal addresses.
fn configured(environment: &Environment, root: &Path, state: &Path) -> Outcome<Toolbox> {
    let mut config = Config::load(environment, None)?;
    config.set_roots(vec![root.to_owned()]);
    let limits = config.limits.clone();
    let secrets = Secrets::new(config.stance(), &config.deny)?;
    let policy = Policy::below(vec![Root::open(root, Path::new(""))?], secrets);
    let host = Host::new(policy, environment.home(), limits.spool_bytes);
    let store = Arc::new(SqliteStore::new(state.to_owned()));
    let shelf = Arc::new(MemoryShelf::new(limits.shelf_bytes));
    let session = Session::new("my agent".to_owned(), store, Room::of(&limits), shelf);
    let workers = Workers::of_this_program(vec![WORKER.into()], &limits)?;
    let sources = sources(&config, environment)?.with(Arc::new(Greeting));
    Ok(Toolbox::new(host, session, limits, Arc::new(SystemClock::new(None)))
        .with_workshop(Arc::new(workers))
        .with_sources(Arc::new(sources))
        .with_pictures(config.image)
        .with_writing(config.writing)
        .with_tools(Profile::Default.pick(&[], Effect::Writes)?))
}
// end

// docs: worker
/// The word with which this program starts itself as a worker.
const WORKER: &str = "--worker";

/// Works for the parent process, when that is what this process is for. The first thing in `main`.
fn is_worker(arguments: &[OsString]) -> Outcome<bool> {
    let [_, word, memory] = arguments else { return Ok(false) };
    if word != WORKER {
        return Ok(false);
    }
    work_for_parent(memory.to_string_lossy().parse()?, work)?;
    Ok(true)
}
// end

// docs: budget
/// Reads with two seconds of time, on another thread; `stop` ends it sooner.
fn read_aside(toolbox: &Toolbox, path: &str) -> (thread::JoinHandle<Reply>, Budget) {
    let budget = toolbox.budget().within(Duration::from_secs(2));
    let (toolbox, theirs, input) = (toolbox.clone(), budget.clone(), json!({ "path": path }));
    (thread::spawn(move || toolbox.call("read", &input, &theirs)), budget)
}

/// Ends a call from any thread.
fn stop(budget: &Budget) {
    budget.cancel_token().cancel();
}
// end

// docs: scheme
/// `greet://NAME`: a scheme of this program's own.
#[derive(Debug)]
struct Greeting;

impl Scheme for Greeting {
    fn name(&self) -> &'static str {
        "greet"
    }

    fn form(&self) -> &'static str {
        "greet://NAME"
    }

    fn open(&self, rest: &str, reading: &Reading, _: &Opening<'_>) -> Result<Sourced, Fault> {
        let blob = Arc::new(Memory::new(format!("Hello, {rest}.\n").into_bytes()));
        let (path, name) = (format!("greet://{rest}"), rest.to_owned());
        let piece = Piece { blob, path: path.clone(), name, stamp: None, beside: Arc::new(Alone) };
        Ok(Sourced::fixed(path, Finding::Piece(piece), reading))
    }
}
// end

fn main() -> Outcome<()> {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if is_worker(&arguments)? {
        return Ok(());
    }
    let place = tempfile::tempdir()?;
    let (root, state) = (place.path().join("files"), place.path().join("state"));
    std::fs::create_dir(&root)?;
    std::fs::write(root.join("notes.txt"), "one\ntwo\nthree\n")?;
    std::fs::write(root.join("page.html"), "<!doctype html><html><body><h1>Title</h1><p>Text.</p></body></html>\n")?;
    check(&in_memory(&root)?)?;
    check(&with_everything(&root, &state)?)
}

/// What holds of the toolbox for one directory.
fn in_memory(root: &Path) -> Outcome<Vec<(&'static str, bool)>> {
    let toolbox = simple(root)?;
    let tag = replace_line(&toolbox, "notes.txt", 2, "2nd")?;
    let shown = call(&toolbox, "read", &json!({ "path": "notes.txt" })).map_err(told)?;
    let missing = call(&toolbox, "read", &json!({ "path": "nothing.md" })).err().ok_or("it is not there")?;
    println!("{}", advise(&missing));
    Ok(vec![
        ("the line was replaced", whole(&toolbox, "notes.txt").map_err(told)? == "one\n2nd\nthree\n"),
        (
            "the new tag is that of the file",
            shown.receipt.targets.first().and_then(|target| target.tag.clone()) == Some(tag),
        ),
        ("a missing path has a code", missing.code == "source.not_found"),
    ])
}

/// What holds of the toolbox with everything.
fn with_everything(root: &Path, state: &Path) -> Outcome<Vec<(&'static str, bool)>> {
    let environment = Environment::new(root.to_owned(), []);
    let toolbox = configured(&environment, root, state)?;
    let greeting = call(&toolbox, "read", &json!({ "path": "greet://you" })).map_err(told)?;
    let page = call(&toolbox, "read", &json!({ "path": "page.html" })).map_err(told)?;
    let notes = call(&toolbox, "read", &json!({ "path": "notes.txt" })).map_err(told)?;
    let (reading, budget) = read_aside(&toolbox, "notes.txt");
    stop(&budget);
    let reply = reading.join().map_err(|_| "the thread ended")?;
    Ok(vec![
        ("the scheme of this program is read", greeting.text().contains("1:Hello, you.")),
        ("a worker made text of the page", page.text().contains("1:# Title")),
        ("it is text for a model", for_a_model(&page).iter().all(|(mime, _)| *mime == "text/plain")),
        ("a stopped call ends with a reply", matches!(reply.status, Status::Ok | Status::Error(Class::Stopped))),
        ("a file is read", notes.text().contains("2:2nd")),
        ("what is remembered lies in the state directory", state.join("sessions.sqlite").exists()),
    ])
}

fn check(claims: &[(&str, bool)]) -> Outcome<()> {
    for (claim, holds) in claims {
        if !holds {
            return Err(format!("this does not hold: {claim}").into());
        }
        println!("ok: {claim}");
    }
    Ok(())
}
