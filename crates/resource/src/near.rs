//! Names that come near a name that is not there.

use readstone_base::Fault;

use crate::asked::Asked;
use crate::error::Error;

/// Names that an error names.
const SHOWN: usize = 10;
/// Names that are compared.
const MOST: usize = 10_000;
/// Characters of a name that is compared.
const LONGEST: usize = 120;

/// That a name is not there, with those that are; `names` are addresses without their scheme. They are looked for only
/// where this is what the caller will be told.
pub(crate) fn missing(asked: &Asked<'_>, wanted: &str, names: impl FnOnce() -> Vec<String>) -> Fault {
    if let Some(fault) = asked.unfit() {
        return fault;
    }
    let names = if asked.is_last() { names() } else { Vec::new() };
    let mut next: Vec<String> = near(wanted, &names).into_iter().map(|name| asked.at(name)).collect();
    next.push(asked.at(""));
    let cut = |name: &String| name.chars().take(LONGEST).collect();
    Box::new(Error::NotFound {
        address: asked.address.to_owned(),
        known: names.iter().take(SHOWN).map(cut).collect(),
        total: names.len(),
        next,
    })
}

/// The two names that come nearest.
fn near<'a>(wanted: &str, names: &'a [String]) -> Vec<&'a str> {
    if wanted.chars().count() > LONGEST {
        return Vec::new();
    }
    let wanted = wanted.to_lowercase();
    let fits = names.iter().take(MOST).filter(|name| name.len() <= LONGEST);
    let mut near: Vec<(usize, &str)> =
        fits.filter_map(|name| Some((distance(&wanted, &name.to_lowercase())?, name.as_str()))).collect();
    near.sort_unstable();
    near.into_iter().take(2).map(|(_, name)| name).collect()
}

/// How far a name is from the one that is wanted; `None` when they have little in common. Folders that both lie in say
/// nothing, and neither does an ending.
fn distance(wanted: &str, name: &str) -> Option<usize> {
    let same = wanted.bytes().zip(name.bytes()).take_while(|(one, other)| one == other).count();
    let folder = wanted.as_bytes().get(..same)?.iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
    let (wanted, name) = (wanted.get(folder..)?, name.get(folder..)?);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let letters = wanted.chars().count();
    if letters > 2 && name.contains(wanted) {
        return Some(0);
    }
    let apart = strsim::osa_distance(wanted, name).min(strsim::osa_distance(wanted, stem));
    // Of one or two letters, any other is one letter away.
    (letters > 2 && apart <= (letters / 3).clamp(1, 3)).then_some(apart)
}
