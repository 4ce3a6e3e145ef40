//! Following: every call that a reply offers must be one that can be made.

use readstone_base::{Class, Receipt, Reply, Status, TargetError};
use readstone_tools::Toolbox;

use super::call::Call;

/// Calls that are followed from one offer before the rest is left to the property tests.
const MOST_PAGES: usize = 64;

/// Makes every call that a reply offers, and follows each to its end. What a find or a search shows can be read.
pub(super) fn all(toolbox: &Toolbox, call: &Call, reply: &Reply) -> Result<(), String> {
    shows_what_opens(toolbox, &reply.receipt)?;
    offers(call, reply)?.into_iter().try_for_each(|offer| to_the_end(toolbox, offer))
}

/// Follows an offer: a read page by page, a find or a search by all that it offers in turn.
fn to_the_end(toolbox: &Toolbox, first: Call) -> Result<(), String> {
    let mut seen = vec![first];
    let mut at = 0;
    while let Some(here) = seen.get(at).filter(|_| at <= MOST_PAGES).cloned() {
        at += 1;
        let reply = toolbox.call(&here.tool, &here.input, &toolbox.budget());
        if let Status::Error(_) = reply.status {
            return Err(format!("the offered call `{}` fails:\n{}", said(&here), reply.text()));
        }
        for next in onward(&here, &reply)? {
            // A page of a read has one after it at most; to come to one again is to go in a circle.
            if seen.contains(&next) && (next == here || next.tool == "read") {
                return Err(format!("following `{}` goes in a circle at `{}`", said(&here), said(&next)));
            }
            if !seen.contains(&next) {
                seen.push(next);
            }
        }
    }
    Ok(())
}

/// What is followed behind a page.
fn onward(here: &Call, reply: &Reply) -> Result<Vec<Call>, String> {
    if here.tool != "read" {
        return Ok(offers(here, reply)?.into_iter().filter(|next| next.tool == here.tool).collect());
    }
    let next = reply.receipt.targets.first().and_then(|target| target.next.as_deref());
    next.map(|address| here.following("read", address)).into_iter().collect()
}

/// The calls that a reply offers, each once.
fn offers(call: &Call, reply: &Reply) -> Result<Vec<Call>, String> {
    let mut offers = offered_in_text(&reply.text());
    offers.extend(offered_in_receipt(&reply.receipt));
    offers.sort();
    offers.dedup();
    offers.iter().map(|(tool, argument)| call.following(tool, argument)).collect()
}

fn said(call: &Call) -> String {
    match call.input.get("path").and_then(|path| path.as_str()) {
        Some(path) => format!("{} {path}", call.tool),
        None => format!("{} {}", call.tool, call.input),
    }
}

/// A tool and what it is offered for.
type Offer = (String, String);

/// The calls in our own lines of a reply: coverage, marks of cut lines, `next:` lines, folded entries.
fn offered_in_text(text: &str) -> Vec<Offer> {
    let ours = |line: &&str| {
        let framed = line.starts_with('[') && line.ends_with(']') && !line.starts_with("[Path '");
        framed || line.starts_with("next: ") || line.trim_start().starts_with("… ")
    };
    let offer = |piece: &str| {
        let tool = |tool: &str| {
            let (_, argument) = piece.split_once(&format!(": {tool} "))?;
            Some((tool.to_owned(), argument.to_owned()))
        };
        ["read", "find", "search"].into_iter().find_map(tool)
    };
    text.lines()
        .filter(ours)
        .flat_map(|line| line.trim_start_matches('[').trim_end_matches(']').split("; "))
        .filter_map(offer)
        .collect()
}

fn offered_in_receipt(receipt: &Receipt) -> Vec<Offer> {
    let read = |address: String| ("read".to_owned(), address);
    let mut offers = Vec::new();
    for target in &receipt.targets {
        // Which tool goes on behind a page of matches only its text says.
        offers.extend(target.next.clone().filter(|_| receipt.found.is_none()).map(read));
        offers.extend(target.cuts.iter().filter_map(|cut| cut.next.clone()).map(read));
        offers.extend(target.hidden.iter().filter_map(|hidden| hidden.address.clone()).map(read));
    }
    let errors = receipt.targets.iter().filter_map(|target| target.error.as_ref()).chain(&receipt.error);
    offers.extend(errors.flat_map(|error| &error.next).map(|next| (next.tool.to_owned(), next.argument.clone())));
    let skip = receipt.found.as_ref().and_then(|found| found.next_skip);
    offers.extend(skip.map(|skip| (receipt.tool.to_owned(), format!("skip={skip}"))));
    offers
}

/// Whatever was found opens under the name it is shown by, if it can be opened at all.
fn shows_what_opens(toolbox: &Toolbox, receipt: &Receipt) -> Result<(), String> {
    let Some(found) = &receipt.found else {
        return Ok(());
    };
    let matched = receipt.targets.iter().filter_map(|target| target.path.as_ref());
    for path in found.paths.iter().chain(matched).take(MOST_PAGES) {
        let reply = toolbox.call("read", &serde_json::json!({ "path": path }), &toolbox.budget());
        // A link may lead nowhere, and is named all the same.
        let lost = |error: &TargetError| error.class == Class::Missing && !error.message.contains("symbolic link");
        let guessed = reply.receipt.targets.iter().any(|target| target.resolved_from.is_some());
        if guessed || reply.receipt.error.as_ref().is_some_and(lost) {
            return Err(format!("{path} was found and cannot be read:\n{}", reply.text()));
        }
    }
    Ok(())
}
