//! Drivers: the ways to make a call, each of which must give the same answer.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

use readstone_base::{Fixed, Reply};
use readstone_host::{Environment, Host, Policy, Root, Secrets};
use readstone_session::{Config, MemoryShelf, MemoryStore, Room, Session};
use readstone_tools::Toolbox;
use serde_json::Value;

use super::Form;
use crate::world::{NOW, Run, SEED, World};

/// A call as a page writes it.
#[derive(Debug)]
pub(super) struct Call {
    /// The tool.
    pub(super) tool: String,
    /// Its input.
    pub(super) input: Value,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    /// All text.
    pub(super) text: String,
    /// The wire form: status, parts, receipt.
    pub(super) wire: Value,
}

impl Call {
    /// Reads `tool ADDRESS` or `tool {JSON}`.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let (tool, rest) = line.trim_end_matches('\n').split_once(' ').ok_or("a call is a tool and its input")?;
        let input = if rest.starts_with('{') {
            serde_json::from_str(rest).map_err(|error| format!("the input is no JSON: {error}"))?
        } else {
            serde_json::json!({ "path": rest })
        };
        Ok(Self { tool: tool.to_owned(), input })
    }

    /// The arguments of the command line, where it can say this call at all.
    fn arguments(&self) -> Option<Vec<String>> {
        let mut flags = vec![self.tool.clone()];
        let mut addresses = Vec::new();
        for (name, value) in self.input.as_object()? {
            match (name.as_str(), value) {
                ("path", Value::String(path)) => addresses.insert(0, path.clone()),
                ("paths", Value::Array(paths)) => {
                    addresses.extend(paths.iter().filter_map(Value::as_str).map(str::to_owned));
                }
                ("raw", Value::Bool(raw)) => flags.extend(raw.then(|| "--raw".to_owned())),
                (
                    "start_line" | "end_line" | "start_byte" | "max_bytes" | "max_lines" | "max_tokens",
                    Value::Number(number),
                ) => flags.extend([format!("--{}", name.replace('_', "-")), number.as_u64()?.to_string()]),
                _ => return None,
            }
        }
        // Without an address the command line explains itself instead.
        let called = !addresses.is_empty();
        flags.push("--".to_owned());
        flags.extend(addresses);
        called.then_some(flags)
    }
}

/// The library, set up as the program sets it up with the world and the home as its roots.
pub(super) fn library(world: &World, home: &Path) -> Result<Toolbox, String> {
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
        Arc::<MemoryStore>::default(),
        Room::of(&config.limits),
        Arc::new(MemoryShelf::new(config.limits.shelf_bytes)),
    );
    let host = Host::new(policy, environment.home(), config.limits.spool_bytes);
    let sources = readstone_tools::sources(&config, &environment).map_err(|error| error.to_string())?;
    let toolbox = Toolbox::new(host, session, config.limits, Arc::new(Fixed(NOW)));
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

/// Makes a call through the command line, as text and as JSON, and says where it differs from the library.
pub(super) fn compare(world: &World, home: &Path, call: &Call, reply: &Reply, answer: &Answer) -> Result<(), String> {
    let Some(arguments) = call.arguments() else {
        return Ok(());
    };
    let (tool, rest) = arguments.split_first().ok_or("a call without a tool")?;
    let run = |form: Option<&str>| {
        let mut command = world.command();
        command.env("HOME", home).stdin(Stdio::null()).args(roots(world, home)).arg(tool);
        Run::of(command.args(form).args(rest))
    };
    check_plain(&run(None), reply, &answer.text)?;
    let json = run(Some("--json"));
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
        Status::Ok => (0, reply.parts.iter().flat_map(verbatim).collect()),
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
