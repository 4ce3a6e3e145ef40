//! Hints: what a name must look like for a rule to match it, told without the rule.
//!
//! A walk asks about every entry of a tree, and nearly none matches. A hint may be wrong about a name that no rule matches;
//! it never passes by one that a rule does.

/// What the globs of some rules have in common.
#[derive(Debug, Default)]
pub(crate) struct Hints {
    /// Names, in lower case.
    names: Vec<Vec<u8>>,
    /// Beginnings and ends of names, in lower case; the ends are not empty.
    edges: Vec<(Vec<u8>, Vec<u8>)>,
    /// The bytes with which these end.
    lasts: Lasts,
    /// Beginnings of names that may end in any way.
    beginnings: Vec<Vec<u8>>,
    /// Directories in or below which further rules hold, in lower case.
    directories: Vec<Vec<u8>>,
    /// Whether a glob is none that hints can be taken from.
    blind: bool,
}

/// A set of bytes.
#[derive(Debug)]
struct Lasts([bool; 256]);

impl Default for Lasts {
    fn default() -> Self {
        Self([false; 256])
    }
}

/// What of a directory a rule may match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Suspicion {
    /// Everything.
    All,
    /// Some names.
    Some,
}

/// What may make something else of a part of a glob than the bytes it is written in.
const ACTIVE: &[u8] = b"*?[]{}\\";

impl Hints {
    pub(crate) fn new<'a>(globs: impl Iterator<Item = &'a str>) -> Self {
        let mut hints = Self::default();
        for glob in globs {
            hints.add(glob.to_ascii_lowercase().as_bytes());
        }
        for name in hints.names.iter().chain(hints.edges.iter().map(|(_, end)| end)) {
            hints.lasts.add(name.last().copied().unwrap_or(0));
        }
        hints
    }

    fn add(&mut self, glob: &[u8]) {
        if glob.iter().any(|byte| matches!(byte, b'[' | b']' | b'{' | b'}' | b'\\')) {
            self.blind = true;
            return;
        }
        let mut parts: Vec<&[u8]> = glob.split(|byte| *byte == b'/').collect();
        let name = parts.pop().unwrap_or_default();
        let plain = |part: &&&[u8]| !part.is_empty() && !part.iter().any(|byte| ACTIVE.contains(byte));
        if let Some(directory) = parts.iter().find(plain) {
            self.directories.push(directory.to_vec());
        } else if plain(&&name) {
            self.names.push(name.to_vec());
        } else {
            let active = |byte: &u8| ACTIVE.contains(byte);
            let first = name.iter().position(active).unwrap_or(0);
            let last = name.iter().rposition(active).map_or(0, |last| last + 1);
            let edge = |part: Option<&[u8]>| part.unwrap_or_default().to_vec();
            match (edge(name.get(..first)), edge(name.get(last..))) {
                (start, end) if end.is_empty() => self.beginnings.push(start),
                edges => self.edges.push(edges),
            }
        }
    }

    /// What of a directory may match, by its path without links.
    pub(crate) fn suspicion(&self, directory: &[u8]) -> Suspicion {
        let is_one = |part: &[u8]| self.directories.iter().any(|directory| directory.eq_ignore_ascii_case(part));
        if self.blind || (!self.directories.is_empty() && directory.split(|byte| *byte == b'/').any(is_one)) {
            Suspicion::All
        } else {
            Suspicion::Some
        }
    }

    /// Whether a path may match.
    pub(crate) fn doubt_path(&self, path: &[u8]) -> bool {
        let behind = path.iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
        let (directory, name) = path.split_at(behind);
        self.suspicion(directory) == Suspicion::All || self.doubt(name)
    }

    /// Whether a name may match in a directory of which not everything may.
    pub(crate) fn doubt(&self, name: &[u8]) -> bool {
        let has = |part: Option<&[u8]>, edge: &[u8]| part.is_some_and(|part| part.eq_ignore_ascii_case(edge));
        let begins = |start: &Vec<u8>| has(name.get(..start.len()), start);
        if self.beginnings.iter().any(begins) {
            return true;
        }
        let ends = |end: &Vec<u8>| name.len().checked_sub(end.len()).is_some_and(|behind| has(name.get(behind..), end));
        self.lasts.holds(name)
            && (self.names.iter().any(|other| other.eq_ignore_ascii_case(name))
                || self.edges.iter().any(|(start, end)| ends(end) && begins(start)))
    }
}

impl Lasts {
    fn add(&mut self, last: u8) {
        for byte in [last, last.to_ascii_uppercase()] {
            if let Some(has) = self.0.get_mut(usize::from(byte)) {
                *has = true;
            }
        }
    }

    fn holds(&self, name: &[u8]) -> bool {
        name.last().and_then(|last| self.0.get(usize::from(*last))) == Some(&true)
    }
}
