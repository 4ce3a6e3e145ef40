//! The head that a page of Markdown may have: lines of `key: value` between two lines of dashes.

/// Lines of a head that are looked at.
const MOST_LINES: usize = 200;

/// The value of a key in the head of a page, on one line; empty when there is none.
pub(crate) fn value(page: &str, key: &str) -> String {
    let mut lines = page.trim_start_matches('\u{FEFF}').lines();
    if lines.next().map(str::trim_end) != Some("---") {
        return String::new();
    }
    let head: Vec<&str> = lines.take(MOST_LINES).take_while(|line| line.trim_end() != "---").collect();
    let mut named = head.iter().enumerate().filter_map(|(at, line)| {
        let value = line.strip_prefix(key)?.trim_start().strip_prefix(':')?;
        Some((at, value.trim()))
    });
    let Some((at, first)) = named.next() else {
        return String::new();
    };
    // What a value goes on with is indented; a list may be written without that.
    let further = head
        .iter()
        .skip(at + 1)
        .take_while(|line| line.trim().is_empty() || line.starts_with([' ', '\t']) || line.starts_with("- "));
    let is_block = matches!(first.trim_end_matches(['-', '+']), "" | ">" | "|");
    let mut parts: Vec<&str> = if is_block { Vec::new() } else { vec![unquoted(first)] };
    let items: Vec<&str> = further.map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    if items.iter().any(|item| item.starts_with("- ")) {
        parts.extend(items.iter().map(|item| unquoted(item.trim_start_matches("- ").trim())));
        return parts.join(", ");
    }
    parts.extend(items);
    parts.join(" ")
}

/// The first words of a page: its heading, or its first line of text.
pub(crate) fn title(page: &str) -> &str {
    let has_head = page.lines().next().map(str::trim_end) == Some("---");
    let dashes = if has_head { 2 } else { 0 };
    let mut seen = 0;
    let body = page.lines().skip_while(|line| {
        let inside = seen < dashes;
        seen += usize::from(line.trim_end() == "---");
        inside
    });
    body.map(|line| line.trim_start_matches(['#', ' ']).trim()).find(|line| !line.is_empty()).unwrap_or("")
}

/// What a page says it is about: its description, or its first words.
pub(crate) fn about(page: &str) -> String {
    match value(page, "description") {
        none if none.is_empty() => title(page).to_owned(),
        description => description,
    }
}

fn unquoted(text: &str) -> &str {
    let inside = |sign: char| text.strip_prefix(sign).and_then(|rest| rest.strip_suffix(sign));
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}
