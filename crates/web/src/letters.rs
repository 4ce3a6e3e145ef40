//! How much there is to read in Markdown.

/// Letters and digits of a text, without the addresses of its links.
pub(crate) fn letters(markdown: &str) -> usize {
    let mut count = 0;
    let mut rest = markdown;
    while let Some((before, behind)) = rest.split_once("](") {
        count += plain(before);
        rest = behind.split_once(')').map_or("", |(_, rest)| rest);
    }
    count + plain(rest)
}

fn plain(text: &str) -> usize {
    text.chars().filter(|character| character.is_alphanumeric()).count()
}
