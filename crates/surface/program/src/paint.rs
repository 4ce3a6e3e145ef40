//! Colours on a terminal, and text that cannot speak to it.

use readstone_base::Visible;
use readstone_host::Environment;

const DIM: &str = "\x1b[2m";
const BOLD: &str = "\x1b[1m";
const PLAIN: &str = "\x1b[0m";

/// Whether the user wants colours at all.
pub(crate) fn wanted(environment: &Environment) -> bool {
    let dumb = environment.get("TERM").is_none_or(|term| term == "dumb");
    environment.get("NO_COLOR").is_none() && !dumb
}

/// A page with its headers and the numbers of matches bold, other numbers and brackets dim.
pub(crate) fn page(text: &str) -> String {
    let mut painted = String::with_capacity(text.len() * 2);
    for line in text.split_inclusive('\n') {
        let bare = line.strip_suffix('\n').unwrap_or(line);
        let number = bare.split_once(':').filter(|(label, _)| is_label(label));
        match number {
            Some((label, rest)) if label.starts_with('*') => painted.extend([BOLD, label, ":", PLAIN, rest]),
            Some((label, rest)) => painted.extend([DIM, label, ":", PLAIN, rest]),
            None if bare.starts_with('¶') || bare.starts_with("# ") => painted.extend([BOLD, bare, PLAIN]),
            None if bare.starts_with('[') => painted.extend([DIM, bare, PLAIN]),
            None => painted.push_str(bare),
        }
        painted.push('\n');
    }
    painted
}

fn is_label(label: &str) -> bool {
    let digits = label.strip_prefix(['b', '-', '+', '*', ' ']).unwrap_or(label);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Verbatim text for a terminal: the same lines, with control characters spelled out.
pub(crate) fn harmless(text: &str) -> String {
    let ends = |line: &str| line.ends_with('\n');
    let lines = text.split_inclusive('\n').map(|line| {
        let bare = line.strip_suffix('\n').unwrap_or(line);
        let end = if ends(line) { "\n" } else { "" };
        format!("{}{end}", Visible::of(bare).text)
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matches_stands_out_from_what_stands_beside_it() {
        let painted = page("# src/a.rs#0A1B\n 4:fn a() {\n*5:    todo!()\n[next: search skip=20]\n");
        let expected = [
            format!("{BOLD}# src/a.rs#0A1B{PLAIN}\n"),
            format!("{DIM} 4:{PLAIN}fn a() {{\n"),
            format!("{BOLD}*5:{PLAIN}    todo!()\n"),
            format!("{DIM}[next: search skip=20]{PLAIN}\n"),
        ];
        assert_eq!(painted, expected.concat());
    }
}
