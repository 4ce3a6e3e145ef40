//! Settings and variables that a person added to our entry. They stay when a later call of `install` writes the entry.

use serde_json::Value;

use super::clients::{Client, Extra};
use super::item::Item;

/// The members of an entry that `install` writes for every client.
const USUAL: [&str; 3] = ["type", "command", "args"];
/// The members that hold variables.
const VARIABLES: [&str; 2] = ["env", "environment"];
/// Variables with this beginning are settings of ours.
const OWN_VARIABLE: &str = "READSTONE_";

/// Adds to the new entry what a person added to the one that is in the file.
pub(super) fn keep(entry: &mut Item, there: &Value, client: &Client) {
    let (Item::Table(members), Value::Object(there)) = (entry, there) else { return };
    for (name, value) in there {
        if VARIABLES.contains(&name.as_str()) {
            keep_variables(members, name, value);
        } else if !is_written(name, client) && members.iter().all(|(own, _)| own != name) {
            members.push((name.clone(), Item::of(value)));
        }
    }
}

fn keep_variables(members: &mut Vec<(String, Item)>, name: &str, there: &Value) {
    let Value::Object(there) = there else { return };
    let added = there.iter().filter(|(variable, _)| !variable.starts_with(OWN_VARIABLE));
    let added: Vec<(String, Item)> = added.map(|(variable, value)| (variable.clone(), Item::of(value))).collect();
    match members.iter_mut().find(|(own, _)| own == name) {
        Some((_, Item::Table(variables))) => variables.extend(added),
        Some(_) => {}
        None if added.is_empty() => {}
        None => members.push((name.to_owned(), Item::Table(added))),
    }
}

/// Whether some call of `install` writes this member of an entry.
fn is_written(name: &str, client: &Client) -> bool {
    let by_extra = |extra: &Extra| match extra {
        Extra::ToolsInEntry(key) | Extra::InEntry(key, _) => *key == name,
        Extra::Words(_) | Extra::Elements { .. } | Extra::Members { .. } => false,
    };
    USUAL.contains(&name)
        || client.settings.iter().any(|(setting, _)| *setting == name)
        || by_extra(&client.approve)
        || by_extra(&client.prefer)
}
