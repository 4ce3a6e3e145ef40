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
/// How alike two names must be.
const ALIKE: f64 = 0.8;

/// That a name is not there, with those that are; `names` are addresses without their scheme. They are looked for only
/// where this is what the caller will be told.
pub(crate) fn missing(asked: &Asked<'_>, wanted: &str, names: impl FnOnce() -> Vec<String>) -> Fault {
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
    let score = |name: &'a String| {
        let folded = name.to_lowercase();
        let inside = wanted.len() > 2 && folded.contains(&wanted);
        // One slip of the finger, also in a short name.
        let slip = folded.len().abs_diff(wanted.len()) <= 1 && strsim::osa_distance(&wanted, &folded) <= 1;
        let alike = strsim::jaro_winkler(&wanted, &folded);
        (if inside || slip { 1.0 } else { alike }, name.as_str())
    };
    let fits = names.iter().take(MOST).filter(|name| name.len() <= LONGEST).map(score);
    let mut near: Vec<(f64, &str)> = fits.filter(|(score, _)| *score >= ALIKE).collect();
    near.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(other.1)));
    near.into_iter().take(2).map(|(_, name)| name).collect()
}
