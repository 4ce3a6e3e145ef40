//! The ways in which clients shorten what is too long for them.

/// The first characters of a text.
pub(super) fn first_chars(text: &str, count: usize) -> &str {
    let end = text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or_default()
}

/// The last characters of a text.
pub(super) fn last_chars(text: &str, count: usize) -> &str {
    let skipped = text.chars().count().saturating_sub(count);
    let start = text.char_indices().nth(skipped).map_or(text.len(), |(at, _)| at);
    text.get(start..).unwrap_or_default()
}

/// Leaves only a preview of a text that has more than `most` characters; the rest goes to a file.
pub(super) fn preview(text: &str, most: usize, kept: usize) -> String {
    head_and_tail(text, most, kept, 0)
}

/// Leaves only the first and the last characters of a text that has more than `most` characters.
pub(super) fn head_and_tail(text: &str, most: usize, head: usize, tail: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    format!("{}\n[… too long …]\n{}", first_chars(text, head), last_chars(text, tail))
}

/// Takes the middle out of a text that has more than `most` bytes.
pub(super) fn cut_middle(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let (mut head, mut tail) = (most / 2, text.len() - most / 2);
    while !text.is_char_boundary(head) {
        head -= 1;
    }
    while !text.is_char_boundary(tail) {
        tail += 1;
    }
    format!("{}…truncated…{}", text.get(..head).unwrap_or_default(), text.get(tail..).unwrap_or_default())
}

/// Keeps the first lines of a text that has too many lines or bytes.
pub(super) fn keep_head(text: &str, lines: usize, bytes: usize) -> String {
    if text.split('\n').count() <= lines && text.len() <= bytes {
        return text.to_owned();
    }
    let mut kept = String::new();
    for line in text.split('\n').take(lines) {
        if kept.len() + line.len() >= bytes {
            break;
        }
        kept.push_str(line);
        kept.push('\n');
    }
    format!("{kept}\n...truncated...")
}
