//! Texts that are printed instead of being written: the piece of a configuration, the client's own command, a diff.

use gix_imara_diff::{Algorithm, BasicLineDiffPrinter, Diff, InternedInput, UnifiedDiffConfig};

use super::change::Change;
use super::clients::Format;
use super::item::{Item, Layout, member};
use super::order::{Order, Start};
use super::place::Scope;
use super::toml;
use super::wish::{Content, Wish};

/// The piece of a configuration with these wishes.
pub(super) fn snippet(order: &Order<'_>, start: &Start, wishes: &[&Wish]) -> String {
    match order.client.format {
        Format::Toml => wishes.iter().map(|wish| toml::print(wish, "\n")).collect(),
        Format::Goose => goose(order.name, start),
        Format::Continue => continues(order.name, start),
        Format::Json | Format::Form(_) => {
            let mut root = Item::Table(Vec::new());
            for wish in wishes {
                merge(&mut root, &wish.path, &wish.content);
            }
            format!("{}\n", root.json(&Layout::default(), ""))
        }
    }
}

/// Adds what is wished for at a path of keys.
fn merge(item: &mut Item, path: &[String], content: &Content) {
    let Item::Table(members) = item else { return };
    let Some((key, rest)) = path.split_first() else {
        if let Content::Members(new) = content {
            members.extend(new.iter().cloned());
        }
        return;
    };
    if let (Content::Elements(elements), []) = (content, rest) {
        members.push((key.clone(), Item::texts(elements)));
        return;
    }
    if !members.iter().any(|(name, _)| name == key) {
        members.push((key.clone(), Item::Table(Vec::new())));
    }
    if let Some((_, item)) = members.iter_mut().find(|(name, _)| name == key) {
        merge(item, rest, content);
    }
}

/// Texts of JSON are texts of YAML too.
fn goose(name: &str, start: &Start) -> String {
    let text = |text: &str| Item::text(text).inline_json();
    let variables = start.variables.iter().map(|(name, value)| member(name, &text(value)));
    format!(
        "extensions:\n  {name}:\n    enabled: true\n    type: stdio\n    name: {}\n    cmd: {}\n    args: {}\n    envs: {{{}}}\n    timeout: 300\n",
        text(name),
        text(&start.program),
        Item::texts(&start.args).inline_json(),
        variables.collect::<Vec<_>>().join(", "),
    )
}

fn continues(name: &str, start: &Start) -> String {
    let text = |text: &str| Item::text(text).inline_json();
    let lines = format!(
        "mcpServers:\n  - name: {}\n    command: {}\n    args: {}\n",
        text(name),
        text(&start.program),
        Item::texts(&start.args).inline_json(),
    );
    if start.variables.is_empty() {
        return lines;
    }
    let variables = start.variables.iter().map(|(name, value)| member(name, &text(value)));
    format!("{lines}    env: {{{}}}\n", variables.collect::<Vec<_>>().join(", "))
}

/// The command of the client itself that adds the same entry, where it has one.
pub(super) fn own_command(order: &Order<'_>, start: &Start, entry: &Item) -> Option<String> {
    let (template, flag) = order.client.command?;
    let program =
        [&start.program].into_iter().chain(&start.args).map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    let pair = |(name, value): (&String, &String)| format!("{flag} {} ", quoted(&format!("{name}={value}")));
    let variables: String = start.variables.iter().map(pair).collect();
    let scope = if order.scope == Scope::User { "user" } else { "project" };
    let json = || {
        let Item::Table(members) = entry else { return String::new() };
        let mut named = vec![("name".to_owned(), Item::text(order.name))];
        named.extend(members.iter().cloned());
        quoted(&Item::Table(named).inline_json())
    };
    let filled = template.replace("{name}", order.name).replace("{scope}", scope).replace("{env}", &variables);
    Some(filled.replace("{json}", &json()).replace("{program}", &program))
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-=:,+@%".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// A planned change as a unified diff.
pub(super) fn diff(change: &Change) -> String {
    let (before, after) = change.texts();
    let path = change.path.display().to_string();
    let name = |exists: bool| if exists { path.as_str() } else { "/dev/null" };
    let head = format!("--- {}\n+++ {}\n", name(before.is_some()), name(!after.is_empty()));
    let before = before.unwrap_or_default();
    let input = InternedInput::new(before.as_str(), after.as_str());
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let printer = BasicLineDiffPrinter(&input.interner);
    let hunks = diff.unified_diff(&printer, UnifiedDiffConfig::default(), &input).to_string();
    // An empty side has no first line.
    let hunks = if before.is_empty() { hunks.replacen("@@ -1,0 ", "@@ -0,0 ", 1) } else { hunks };
    let hunks = if after.is_empty() { hunks.replacen(" +1,0 @@", " +0,0 @@", 1) } else { hunks };
    format!("{head}{hunks}")
}
