//! What stands on a line of YAML.

/// A key at the beginning of a text, and what follows its colon.
pub(crate) struct Key<'t> {
    pub(crate) name: &'t str,
    pub(crate) value: &'t str,
}

/// The key that a text begins with.
pub(crate) fn key(text: &str) -> Option<Key<'_>> {
    let plain = without_marks(text);
    let end = match plain.chars().next()? {
        quote @ ('"' | '\'') => 1 + closing(plain.get(1..)?, quote)?,
        '{' if plain.starts_with("{{") => plain.find("}}")? + 2,
        '{' | '[' | '#' | '|' | '>' | '%' | '@' | ',' | ']' | '}' => return None,
        _ => 0,
    };
    let behind = plain.get(end..)?;
    let colon = end + colon(behind)?;
    // Nothing but blanks stands between a quoted key and its colon.
    if end > 0 && !plain.starts_with("{{") && !plain.get(end..colon)?.trim().is_empty() {
        return None;
    }
    let name = plain.get(..colon)?.trim_end();
    let bare = name.get(1..name.len().saturating_sub(1)).filter(|_| name.starts_with(['"', '\'']));
    Some(Key { name: bare.unwrap_or(name), value: plain.get(colon + 1..)?.trim() })
}

/// Where the colon of a plain key stands.
fn colon(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    for (at, sign) in bytes.iter().enumerate() {
        let ends = bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace);
        match sign {
            b':' if ends => return Some(at),
            b'#' if at > 0 && bytes.get(at - 1).is_some_and(u8::is_ascii_whitespace) => return None,
            _ => {}
        }
    }
    None
}

/// Behind the quote that ends a text in quotes.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut signs = text.char_indices().peekable();
    while let Some((at, sign)) = signs.next() {
        if sign == '\\' && quote == '"' {
            signs.next();
        } else if sign == quote {
            if quote == '\'' && signs.peek().is_some_and(|(_, next)| *next == '\'') {
                signs.next();
            } else {
                return Some(at + 1);
            }
        }
    }
    None
}

/// A value without the anchor and the tag before it.
pub(crate) fn without_marks(text: &str) -> &str {
    let mut rest = text.trim_start();
    while rest.starts_with(['&', '!']) {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        rest = rest.get(end..).unwrap_or_default().trim_start();
    }
    rest
}

/// Whether lines that stand further in are text: a value that begins with `|` or `>`.
pub(crate) fn is_block_text(value: &str) -> bool {
    let value = without_marks(value);
    let mut rest = value.trim_start_matches(['|', '>']);
    let signs = value.len() - rest.len();
    rest = rest.trim_start_matches(|sign: char| sign.is_ascii_digit() || matches!(sign, '+' | '-'));
    signs == 1 && (rest.trim().is_empty() || rest.trim_start().starts_with('#'))
}

/// A value that is open at the end of a line: a quote, or brackets.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Open {
    quote: Option<char>,
    brackets: usize,
}

impl Open {
    /// What a value leaves open at the end of its line.
    pub(crate) fn of(value: &str) -> Option<Self> {
        let value = without_marks(value);
        value.starts_with(['"', '\'', '{', '[']).then(|| Self::default().with(value))?
    }

    /// What is open still at the end of a further line.
    pub(crate) fn with(mut self, text: &str) -> Option<Self> {
        let mut before = ' ';
        let mut signs = text.chars().peekable();
        while let Some(sign) = signs.next() {
            match (self.quote, sign) {
                (Some('"'), '\\') => {
                    signs.next();
                }
                (Some(quote), sign) if sign == quote => {
                    if quote == '\'' && signs.peek() == Some(&'\'') {
                        signs.next();
                    } else {
                        self.quote = None;
                    }
                }
                (None, '"' | '\'') if before.is_whitespace() || "[{,:".contains(before) => self.quote = Some(sign),
                (None, '#') if before.is_whitespace() => break,
                (None, '{' | '[') => self.brackets += 1,
                (None, '}' | ']') => self.brackets = self.brackets.saturating_sub(1),
                (Some(_) | None, _) => {}
            }
            before = sign;
        }
        (self.quote.is_some() || self.brackets > 0).then_some(self)
    }
}
