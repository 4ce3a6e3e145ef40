//! Drivers: the ways to make a call, each of which must give the same answer.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

use readstone_base::{Fixed, Reply};
use readstone_host::{Environment, Host, Policy, Root, Secrets};
use readstone_session::{Config, MemoryShelf, Room, Session, Store};
use readstone_tools::Toolbox;
use serde_json::Value;

use super::Form;
use super::call::Call;
use super::surface::{STATE, Surface};
use crate::world::{NOW, Run, SEED, World};

/// What came of a call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    /// All text.
    pub(super) text: String,
    /// The wire form: status, parts, receipt.
    pub(super) wire: Value,
}

/// The library, set up as the program sets it up with the world and the home as its roots.
pub(super) fn library(world: &World, home: &Path, store: Arc<dyn Store>) -> Result<Toolbox, String> {
    let root = world.path();
    let variables = world.variables().iter().map(|(name, value)| ((*name).into(), value.into()));
    let environment = Environment::new(root.to_owned(), std::iter::once(("HOME".into(), home.into())).chain(variables));
    let mut config = Config::load(&environment, None).map_err(|error| error.to_string())?;
    if config.roots.is_empty() {
        config.set_roots(vec![root.to_owned(), home.to_owned()]);
    }
    let secrets = Secrets::new(config.stance(), &config.deny)?;
    let open = |named| Root::open(root, named).map_err(|error| error.to_string());
    let policy = match config.roots.as_slice() {
        [] => Policy::anywhere(root.to_owned(), secrets),
        roots => Policy::below(roots.iter().map(|named| open(named)).collect::<Result<_, _>>()?, secrets),
    };
    let session = Session::new(
        "case".to_owned(),
        store,
        Room::of(&config.limits),
        Arc::new(MemoryShelf::new(config.limits.shelf_bytes)),
    );
    let host = Host::new(policy, environment.home(), config.limits.spool_bytes);
    let sources = readstone_tools::sources(&config, &environment).map_err(|error| error.to_string())?;
    let toolbox = Toolbox::new(host, session, config.limits, Arc::new(Fixed(NOW))).with_writing(config.writing);
    Ok(toolbox.with_sources(Arc::new(sources)).with_seed(readstone_tools::fixed_seed(SEED.as_bytes())))
}

/// Makes a call through the library.
pub(super) fn ask(toolbox: &Toolbox, call: &Call, form: Form) -> (Reply, Answer) {
    let reply = toolbox.call(&call.tool, &call.input, &toolbox.budget());
    let answer = Answer { text: reply.text(), wire: form(&reply) };
    (reply, answer)
}

/// The roots of a page that configures none.
pub(super) fn roots(world: &World, home: &Path) -> Vec<std::ffi::OsString> {
    let config = home.join(".config/readstone/config.toml");
    let configured = super::recipe::read(&config).is_ok_and(|text| String::from_utf8_lossy(&text).contains("roots"));
    if configured {
        return Vec::new();
    }
    ["--root".into(), world.path().into(), "--root".into(), home.into()].to_vec()
}

/// Runs a call on the command line; none where it cannot be said there.
fn run(world: &World, home: &Path, call: &Call, surface: Surface) -> Option<Run> {
    let form = (surface == Surface::Data).then_some("--json");
    let arguments = call.arguments()?;
    let (tool, rest) = arguments.split_first()?;
    let mut command = world.command();
    command.env("HOME", home).env(STATE, surface.state(home));
    command.args(roots(world, home)).arg(tool).args(form).args(rest);
    Some(match call.fed() {
        Some(text) => Run::fed(&mut command, text.as_bytes()),
        None => Run::of(command.stdin(Stdio::null())),
    })
}

/// Makes a call through the command line, as text, and says where it differs from the library.
pub(super) fn words(world: &World, home: &Path, call: &Call, reply: &Reply) -> Result<(), String> {
    run(world, home, call, Surface::Words).map_or(Ok(()), |run| check_plain(&run, reply, &reply.text()))
}

/// Makes a call through the command line, as JSON, and says where it differs from the library.
pub(super) fn data(world: &World, home: &Path, call: &Call, answer: &Answer) -> Result<(), String> {
    let Some(json) = run(world, home, call, Surface::Data) else {
        return Ok(());
    };
    let wire: Value = serde_json::from_slice(&json.stdout)
        .map_err(|error| format!("the command line gives no JSON ({error}): {}{}", json.text(), json.stderr))?;
    if wire == answer.wire {
        return Ok(());
    }
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
    Err(format!(
        "the receipt of the command line differs from the library's\n{}",
        super::compare::diff(&pretty(&answer.wire), &pretty(&wire))
    ))
}

fn check_plain(run: &Run, reply: &Reply, text: &str) -> Result<(), String> {
    use readstone_base::{Part, Status};
    let verbatim = |part: &Part| match part {
        Part::Text(text) => text.as_bytes().to_vec(),
        Part::Verbatim(raw) => raw.bytes.clone().unwrap_or_else(|| raw.text.as_bytes().to_vec()),
        // Among words a picture is only named.
        Part::Image(image) if reply.parts.len() == 1 => image.bytes.clone(),
        Part::Image(_) => Vec::new(),
    };
    let (code, stdout) = match reply.status {
        Status::Ok => (i32::from(found_nothing(reply)), reply.parts.iter().flat_map(verbatim).collect()),
        Status::Error(class) => (i32::from(class.exit_code()), Vec::new()),
    };
    if run.code != Some(code) {
        return Err(format!("the command line exits with {:?} instead of {code}: {}", run.code, run.stderr));
    }
    if run.stdout != stdout {
        let expected = String::from_utf8_lossy(&stdout).into_owned();
        return Err(format!(
            "the command line prints something else than the library\n{}",
            super::compare::diff(&expected, &run.text())
        ));
    }
    match reply.status {
        Status::Error(_) if run.stderr != text => Err(format!(
            "the command line complains in other words than the library\n{}",
            super::compare::diff(text, &run.stderr)
        )),
        Status::Ok | Status::Error(_) => Ok(()),
    }
}

/// Whether a call looked for something and found nothing, which a program says by its exit code.
fn found_nothing(reply: &Reply) -> bool {
    let receipt = &reply.receipt;
    receipt.targets.is_empty() && receipt.found.as_ref().is_some_and(|found| found.paths.is_empty())
}
