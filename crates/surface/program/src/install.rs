//! `readstone install` and `readstone uninstall`: our entry in the configuration of a client, and nothing else changed there.

mod added;
mod change;
mod clients;
mod error;
mod file;
mod item;
mod json;
mod order;
mod place;
mod print;
mod toml;
mod wish;

use std::path::{Path, PathBuf};

use readstone_base::Fault;
use readstone_host::Environment;
use readstone_session::Config;
use serde_json::Value;

use crate::args::{Common, InstallArguments, McpArguments, PlaceArguments, UninstallArguments};
use crate::{cli, paint, setup};
use change::{Aim, Change, Refusal, Task, starts_us};
use clients::{Client, Extra, Format};
use error::cannot;
use file::{Files, backup_of};
use order::Order;
use place::Scope;
use wish::{Content, Owner, Wish, lookup};

pub(crate) use clients::names;

/// The wishes of one call by file; the file of the servers comes first.
type Plan = Vec<(PathBuf, Vec<Wish>)>;

/// `readstone install`.
pub(crate) fn run_install(
    arguments: &InstallArguments,
    common: &Common,
    environment: &Environment,
) -> Result<(), Fault> {
    let config = setup::config(common, environment).map_err(|error| Box::new(error) as Fault)?;
    let order = order(arguments, common, (environment, &config))?;
    let extras: Vec<&Extra> = [
        arguments.extras.approve.then_some(&order.client.approve),
        arguments.extras.prefer.then_some(&order.client.prefer),
    ]
    .into_iter()
    .flatten()
    .collect();
    order.check_roots()?;
    let files = Files::new(environment)?;
    if arguments.trial.print || !matches!(order.client.format, Format::Json | Format::Toml) {
        return show(&order, &arguments.place, &extras, &files);
    }
    if order.lacks_root() {
        let what = "starts servers outside of any project, so it must be named: add --root DIR";
        return Err(cannot(format!("{} {what}", order.client.title)));
    }
    let path = main_file(&order, &arguments.place, &files)?;
    let changes = plan_changes(&order, &path, &extras, &files);
    let changes = match changes {
        Ok(changes) => changes,
        Err(Refusal::Other(fault)) => return Err(fault),
        Err(Refusal::Text(what)) => {
            show(&order, &arguments.place, &extras, &files)?;
            return Err(cannot(format!("{what}; nothing was written: add the lines above by hand")));
        }
    };
    if arguments.trial.dry_run {
        return dry_run(&changes);
    }
    let mut lines = Vec::new();
    for change in changes.iter().filter(|change| change.is_needed()) {
        let done = if change.had_ours() { ("changed", "in") } else { ("added", "to") };
        let copy = change.add(&files, order.scope)?;
        lines.push(format!("{} {} {} {}", done.0, order.name, done.1, change.path.display()));
        lines.extend(copy.map(|copy| format!("the file as it was before: {}", copy.display())));
    }
    if lines.is_empty() {
        lines.push(format!("{} is already in {}: nothing was changed", order.name, path.display()));
    }
    lines.extend(extras.iter().map(|extra| order.words(extra)).filter(|words| !words.is_empty()));
    lines.extend(remark(&order));
    lines.push(format!("next: {}", order.client.next));
    say(&lines)
}

/// `readstone uninstall`.
pub(crate) fn run_uninstall(
    arguments: &UninstallArguments,
    common: &Common,
    environment: &Environment,
) -> Result<(), Fault> {
    let config = setup::config(common, environment).map_err(|error| Box::new(error) as Fault)?;
    let server = crate::args::ServerArguments::default();
    let base = OrderBase { common, environment, config: &config, server: &server };
    let order = base.order(&arguments.client, &arguments.place)?;
    if !matches!(order.client.format, Format::Json | Format::Toml) {
        return say(&[format!("{} is configured by hand: remove the entry {} there", order.client.title, order.name)]);
    }
    let files = Files::new(environment)?;
    let path = main_file(&order, &arguments.place, &files)?;
    let plan = plan(&order, &path, &[&order.client.approve, &order.client.prefer], &files)?;
    let installed = plan.first().is_some_and(|(path, wishes)| has_entry(&files, path, wishes));
    let mut changes = Vec::new();
    for (path, mut wishes) in plan {
        // Names of the client's own tools are only looked for where we were installed.
        wishes.retain(|wish| installed || wish.owner != Owner::Together);
        let task = Task { format: order.client.format, aim: Aim::Remove, installed, known: &wishes };
        let change = Change::plan(&files, &path, &task, &wishes).map_err(|refusal| match refusal {
            Refusal::Text(what) => cannot(format!("{what}; nothing was written")),
            Refusal::Other(fault) => fault,
        })?;
        changes.push((change, wishes));
    }
    if arguments.dry_run {
        return dry_run(&changes.into_iter().map(|(change, _)| change).collect::<Vec<_>>());
    }
    let mut lines = Vec::new();
    for (change, wishes) in &changes {
        if change.is_needed() {
            change.remove(&files)?;
            lines.push(format!("removed {} from {}", order.name, change.path.display()));
            let copy = backup_of(&change.path);
            lines.extend(
                files.read(&copy)?.map(|_| format!("the file as it was before the installation: {}", copy.display())),
            );
        }
        lines.extend(wishes.iter().filter_map(|wish| left(change, wish)));
    }
    if lines.is_empty() {
        return say(&[format!("{} is not in {}: nothing was changed", order.name, path.display())]);
    }
    lines.push(format!("next: restart {}", order.client.title));
    say(&lines)
}

/// `readstone mcp --print-config`, which was the way before there was `install`.
pub(crate) fn print_config(
    client: &str,
    (arguments, common): (&McpArguments, &Common),
    environment: &Environment,
) -> Result<(), Fault> {
    let config = setup::config(common, environment).map_err(|error| Box::new(error) as Fault)?;
    let base = OrderBase { common, environment, config: &config, server: &arguments.server };
    let place = PlaceArguments::default();
    let order = Order { session: arguments.session.as_deref(), ..base.order(client, &place)? };
    show(&order, &place, &[], &Files::new(environment)?)
}

/// The parts that every order has.
struct OrderBase<'a> {
    common: &'a Common,
    environment: &'a Environment,
    config: &'a Config,
    server: &'a crate::args::ServerArguments,
}

impl<'a> OrderBase<'a> {
    fn order(&self, client: &str, place: &'a PlaceArguments) -> Result<Order<'a>, Fault> {
        let client: &'static Client = clients::find(client)
            .ok_or_else(|| cannot(format!("there is no client {client}; readstone install --help names them")))?;
        let name = place.name.as_deref().unwrap_or("readstone");
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        if name.is_empty() || !name.bytes().all(allowed) {
            return Err(cannot("--name takes letters, digits, _ and -: clients make names of tools from it"));
        }
        let scope = if place.project && !place.user { Scope::Project } else { Scope::User };
        let Self { common, environment, config, server } = *self;
        Ok(Order { client, scope, name, command: None, web: None, session: None, server, common, environment, config })
    }
}

fn order<'a>(
    arguments: &'a InstallArguments,
    common: &'a Common,
    (environment, config): (&'a Environment, &'a Config),
) -> Result<Order<'a>, Fault> {
    let base = OrderBase { common, environment, config, server: &arguments.server };
    let order = base.order(&arguments.client, &arguments.place)?;
    let command = arguments.command.as_deref();
    Ok(Order { command, web: arguments.web.as_deref(), session: arguments.session.as_deref(), ..order })
}

/// The file with the servers.
fn main_file(order: &Order<'_>, place: &PlaceArguments, files: &Files<'_>) -> Result<PathBuf, Fault> {
    if let Some(file) = &place.file {
        let directory = order.environment.directory().cloned().unwrap_or_default();
        return Ok(directory.join(file));
    }
    let path = place::servers(order.client, order.scope, files)?;
    path.ok_or_else(|| cannot(format!("{} has no file that could be changed", order.client.title)))
}

/// All that is wished for, by file.
fn plan(order: &Order<'_>, main: &Path, extras: &[&Extra], files: &Files<'_>) -> Result<Plan, Fault> {
    let in_entry = extras.iter().find(|extra| matches!(extra, Extra::ToolsInEntry(_) | Extra::InEntry(..)));
    let entry = order.entry(&order.start(), in_entry.copied());
    let mut plan: Plan = vec![(main.to_owned(), vec![order.server_wish(entry)])];
    for (place, wish) in extras.iter().filter_map(|extra| order.extra_wish(extra)) {
        let path = place::other(&place, order.scope, main, files)?;
        match plan.iter_mut().find(|(known, _)| *known == path) {
            Some((_, wishes)) => wishes.push(wish),
            None => plan.push((path, vec![wish])),
        }
    }
    Ok(plan)
}

/// The changes that a call of `install` makes.
fn plan_changes(order: &Order<'_>, main: &Path, extras: &[&Extra], files: &Files<'_>) -> Result<Vec<Change>, Refusal> {
    // What earlier calls may have added shows which copies to keep.
    let all = plan(order, main, &[&order.client.approve, &order.client.prefer], files)?;
    let installed = all.first().is_some_and(|(path, wishes)| has_entry(files, path, wishes));
    let mut plan = plan(order, main, extras, files)?;
    if let Some((path, wishes)) = plan.first_mut() {
        keep_added(order, wishes, &document(files, path));
    }
    let change = |(path, wishes): &(PathBuf, Vec<Wish>)| {
        let known = all.iter().find(|(known, _)| known == path).map_or(&[][..], |(_, known)| known);
        Change::plan(files, path, &Task { format: order.client.format, aim: Aim::Add, installed, known }, wishes)
    };
    plan.iter().map(change).collect()
}

/// Takes over into the entry of the server what a person added to the one in the file.
fn keep_added(order: &Order<'_>, wishes: &mut [Wish], document: &Value) {
    for wish in wishes.iter_mut().filter(|wish| wish.owner == Owner::Entry) {
        let there = lookup(document, &wish.path).and_then(|servers| servers.get(order.name));
        if let (Some(there), Content::Members(members)) = (there.filter(|entry| starts_us(entry)), &mut wish.content) {
            for (_, entry) in members {
                added::keep(entry, there, order.client);
            }
        }
    }
}

/// The value of a file; null where it cannot be understood.
fn document(files: &Files<'_>, path: &Path) -> Value {
    let text = files.read(path).ok().flatten().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    let text = text.trim_start_matches('\u{feff}');
    toml::parse(text).or_else(|_| json::parse(text)).unwrap_or_default()
}

fn has_entry(files: &Files<'_>, path: &Path, wishes: &[Wish]) -> bool {
    let document = document(files, path);
    wishes.iter().any(|wish| wish.owner == Owner::Entry && !wish.present_in(&document).is_empty())
}

/// Names of the client's tools that stay, because a person may have put them there.
fn left(change: &Change, wish: &Wish) -> Option<String> {
    let names = wish.present_in(&change.is);
    let stays = wish.owner == Owner::Together && !names.is_empty() && change.was != change.is;
    stays.then(|| format!("{} in {} still has {}", wish.path.join("."), change.path.display(), names.join(", ")))
}

/// Prints the piece of a configuration, and where it belongs.
fn show(order: &Order<'_>, place: &PlaceArguments, extras: &[&Extra], files: &Files<'_>) -> Result<(), Fault> {
    let start = order.start();
    let main = match order.client.format {
        Format::Form(words) => PathBuf::from(words),
        Format::Json | Format::Toml | Format::Goose | Format::Continue => main_file(order, place, files)?,
    };
    let plan = plan(order, &main, extras, files)?;
    let entry = order.entry(&start, None);
    let mut notes = vec![format!("paste into {}:", main.display())];
    if let Some((_, wishes)) = plan.first() {
        let wishes: Vec<&Wish> = wishes.iter().collect();
        let text = print::snippet(order, &start, &wishes);
        cli::complain(&format!("{}\n", notes.remove(0)));
        cli::print(text.as_bytes()).map_err(cannot)?;
    }
    for (path, wishes) in plan.iter().skip(1) {
        let wishes: Vec<&Wish> = wishes.iter().collect();
        notes.push(format!("and into {}:\n{}", path.display(), print::snippet(order, &start, &wishes).trim_end()));
    }
    notes.extend(print::own_command(order, &start, &entry).map(|command| format!("or run: {command}")));
    notes.extend(extras.iter().map(|extra| order.words(extra)).filter(|words| !words.is_empty()));
    if order.lacks_root() {
        notes.push("put the directory of your project into it, or use --root DIR".to_owned());
    }
    notes.push(format!("next: {}", order.client.next));
    cli::complain(&format!("{}\n", notes.join("\n")));
    Ok(())
}

fn dry_run(changes: &[Change]) -> Result<(), Fault> {
    let diffs: String = changes.iter().filter(|change| change.is_needed()).map(print::diff).collect();
    cli::complain(if diffs.is_empty() {
        "nothing would be changed\n"
    } else {
        "nothing was written; this would change:\n"
    });
    cli::print(paint::harmless(&diffs).as_bytes()).map_err(cannot)
}

/// A remark about the program in the entry of a project.
fn remark(order: &Order<'_>) -> Option<String> {
    if order.scope == Scope::User || order.command.is_some() {
        return None;
    }
    Some(match order.environment.program_on_path() {
        Some(_) => "whoever uses this file needs readstone on their PATH".to_owned(),
        None => "the entry has the path of the program on this machine: others need another --command".to_owned(),
    })
}

fn say(lines: &[String]) -> Result<(), Fault> {
    cli::print(paint::harmless(&format!("{}\n", lines.join("\n"))).as_bytes()).map_err(cannot)
}
