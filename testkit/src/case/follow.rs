//! Following: every call that a reply offers must be one that can be made.

use readstone_base::{Receipt, Status};
use readstone_tools::Toolbox;
use serde_json::json;

/// Pages followed from one offer before the rest is left to the property tests.
const MOST_PAGES: usize = 64;

/// Makes every call that a reply offers, and follows each to its end.
pub(super) fn all(toolbox: &Toolbox, text: &str, receipt: &Receipt) -> Result<(), String> {
    let mut offers = offered_in_text(text);
    offers.extend(offered_in_receipt(receipt));
    offers.sort();
    offers.dedup();
    offers.iter().try_for_each(|address| to_the_end(toolbox, address))
}

fn to_the_end(toolbox: &Toolbox, address: &str) -> Result<(), String> {
    let mut seen = vec![address.to_owned()];
    let mut here = address.to_owned();
    while seen.len() <= MOST_PAGES {
        let reply = toolbox.call("read", &json!({ "path": here }), &toolbox.budget());
        if let Status::Error(_) = reply.status {
            return Err(format!("the offered call `read {here}` fails:\n{}", reply.text()));
        }
        let next = reply.receipt.targets.first().and_then(|target| target.next.clone());
        let Some(next) = next else {
            return Ok(());
        };
        if seen.contains(&next) {
            return Err(format!("following `read {address}` goes in a circle at `read {next}`"));
        }
        seen.push(next.clone());
        here = next;
    }
    Ok(())
}

/// The addresses in our own lines of a reply: coverage, marks of cut lines, `next:` lines, folded entries.
fn offered_in_text(text: &str) -> Vec<String> {
    let ours = |line: &&str| {
        let framed = line.starts_with('[') && line.ends_with(']') && !line.starts_with("[Path '");
        framed || line.starts_with("next: ") || line.trim_start().starts_with("… ")
    };
    let address = |piece: &str| piece.split_once(": read ").map(|(_, address)| address.to_owned());
    text.lines()
        .filter(ours)
        .flat_map(|line| line.trim_start_matches('[').trim_end_matches(']').split("; "))
        .filter_map(address)
        .collect()
}

fn offered_in_receipt(receipt: &Receipt) -> Vec<String> {
    let mut offers = Vec::new();
    for target in &receipt.targets {
        offers.extend(target.next.clone());
        offers.extend(target.cuts.iter().filter_map(|cut| cut.next.clone()));
        offers.extend(target.hidden.iter().filter_map(|hidden| hidden.address.clone()));
        offers.extend(target.error.iter().flat_map(|error| &error.next).map(|next| next.argument.clone()));
    }
    offers.extend(receipt.error.iter().flat_map(|error| &error.next).map(|next| next.argument.clone()));
    offers
}
