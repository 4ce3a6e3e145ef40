//! Results: a file of several parts, each between two marks, of which one is renewed at a time.

use std::error::Error;
use std::path::Path;

/// Puts a part between its marks, or at the end of the file with new ones.
#[expect(clippy::disallowed_methods, reason = "the results are a file of the repository")]
pub fn put(path: &Path, name: &str, text: &str) -> Result<(), Box<dyn Error>> {
    let old = std::fs::read_to_string(path)?;
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->\n"));
    let new = match old.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(&end)?.1))) {
        Some((before, after)) => format!("{before}{begin}{text}{end}{after}"),
        None => format!("{old}\n{begin}{text}{end}"),
    };
    Ok(std::fs::write(path, new)?)
}
