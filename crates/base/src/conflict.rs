//! The markers that a merge leaves in a file.

/// The sign of a conflict marker: seven of `<`, `|`, `=` or `>`, then nothing or a blank.
pub fn conflict_marker(line: &str) -> Option<char> {
    let line = line.trim_end_matches(['\n', '\r']);
    let sign = line.chars().next().filter(|sign| "<|=>".contains(*sign))?;
    let rest = line.trim_start_matches(sign);
    let alone = rest.is_empty() || rest.starts_with(' ');
    (alone && line.len() - rest.len() == 7).then_some(sign)
}
