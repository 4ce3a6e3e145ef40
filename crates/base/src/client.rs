//! Limits of MCP clients: how much of one reply a client hands to its model.

/// Limits that a client sets to one reply. The client would cut or drop whatever exceeds them, so it is never sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientLimits {
    /// The size of a reply.
    pub reply: ReplySize,
    /// Bytes of a reply to ranges with an end and to several addresses, where the client takes more of these.
    pub range_bytes: u64,
    /// Bytes of the pictures of a reply.
    pub picture_bytes: u64,
    /// False for clients that drop pictures or hand their bytes to the model as text.
    pub pictures: bool,
}

impl ClientLimits {
    /// A client that takes every reply whole: the command line, REST, a program that embeds the library.
    pub const NONE: Self =
        Self { reply: ReplySize::UNBOUNDED, range_bytes: u64::MAX, picture_bytes: u64::MAX, pictures: true };

    /// The size of a reply to ranges with an end and to several addresses.
    pub fn wide(&self) -> ReplySize {
        ReplySize { bytes: self.range_bytes.max(self.reply.bytes), ..self.reply }
    }
}

/// How large the text of a reply is, in each of the ways in which clients measure it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplySize {
    /// Bytes of text.
    pub bytes: u64,
    /// Lines of text.
    pub rows: u64,
    /// Bytes of the reply as JSON, in which quotes, backslashes and line endings take two bytes.
    pub json: u64,
}

/// The name of [`ReplySize::bytes`] where it limits a reply.
pub const CLIENT_BYTES: &str = "client_bytes";
/// The name of [`ReplySize::rows`] where it limits a reply.
pub const CLIENT_ROWS: &str = "client_rows";
/// The name of [`ReplySize::json`] where it limits a reply.
pub const CLIENT_JSON: &str = "client_json";

/// The name of [`ClientLimits::pictures`] where it keeps pictures from a reply.
pub const CLIENT_PICTURES: &str = "client_pictures";

/// Bytes of JSON around the content blocks of a result.
const JSON_FRAME: u64 = 64;
/// Bytes of JSON around the text of one block, indented as some clients do.
const JSON_BLOCK: u64 = 64;

impl ReplySize {
    /// Every text fits.
    pub const UNBOUNDED: Self = Self { bytes: u64::MAX, rows: u64::MAX, json: u64::MAX };

    /// The size of a reply without text.
    pub const EMPTY: Self = Self { bytes: 0, rows: 0, json: JSON_FRAME };

    /// The size of one block of text. The JSON form is measured only where it is limited.
    pub fn of_block(text: &str, limit: Self) -> Self {
        let size = Self::of_text(text, limit);
        let json = if limit.json == u64::MAX { 0 } else { size.json + JSON_BLOCK };
        Self { json, ..size }
    }

    /// The size of a part of a block.
    pub fn of_text(text: &str, limit: Self) -> Self {
        let open_line = u64::from(!text.is_empty() && !text.ends_with('\n'));
        let rows = text.bytes().filter(|byte| *byte == b'\n').count() as u64 + open_line;
        let json = if limit.json == u64::MAX { 0 } else { json_bytes(text) };
        Self { bytes: text.len() as u64, rows, json }
    }

    /// Whether any of the three is limited.
    pub fn is_bounded(self) -> bool {
        self != Self::UNBOUNDED
    }

    /// The name of the first limit that a reply of this size exceeds.
    pub fn exceeds(self, limit: Self) -> Option<&'static str> {
        if self.bytes > limit.bytes {
            Some(CLIENT_BYTES)
        } else if self.rows > limit.rows {
            Some(CLIENT_ROWS)
        } else {
            (self.json > limit.json).then_some(CLIENT_JSON)
        }
    }

    /// The amount to show so that a reply of this size shrinks to a limit; it shows `shown` now.
    pub fn scale_down(self, shown: u64, limit: Self) -> u64 {
        let scaled = |size: u64, most: u64| {
            if size <= most {
                return shown;
            }
            let scaled = u128::from(shown) * u128::from(most) / u128::from(size.max(1));
            // A little less, because the lines around what is shown do not shrink with it.
            u64::try_from(scaled).unwrap_or(shown).saturating_sub(shown / 32 + 1)
        };
        scaled(self.bytes, limit.bytes).min(scaled(self.rows, limit.rows)).min(scaled(self.json, limit.json))
    }

    /// This size and another together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self.zip(other, u64::saturating_add)
    }

    /// The rest of a limit after this much of it is used. A missing limit stays missing.
    #[must_use]
    pub fn minus(self, used: Self) -> Self {
        self.zip(used, |limit, used| if limit == u64::MAX { limit } else { limit.saturating_sub(used) })
    }

    /// An equal share of a limit for each of `count` parts.
    #[must_use]
    pub fn divided(self, count: u64) -> Self {
        self.zip(self, |limit, _| if limit == u64::MAX { limit } else { limit / count.max(1) })
    }

    /// This size, multiplied.
    #[must_use]
    pub fn times(self, count: u64) -> Self {
        self.zip(self, |size, _| size.saturating_mul(count))
    }

    /// The larger of each.
    #[must_use]
    pub fn or_more(self, other: Self) -> Self {
        self.zip(other, u64::max)
    }

    /// The smaller of each.
    #[must_use]
    pub fn or_less(self, other: Self) -> Self {
        self.zip(other, u64::min)
    }

    fn zip(self, other: Self, with: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            bytes: with(self.bytes, other.bytes),
            rows: with(self.rows, other.rows),
            json: with(self.json, other.json),
        }
    }
}

/// Bytes of a text inside a JSON string.
pub fn json_bytes(text: &str) -> u64 {
    let more: u64 = text
        .bytes()
        .map(|byte| match byte {
            b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0C => 1,
            0..=0x1F => 5,
            _ => 0,
        })
        .sum();
    text.len() as u64 + more
}

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: ReplySize = ReplySize { json: 0, ..ReplySize::UNBOUNDED };

    #[test]
    fn a_text_takes_as_many_bytes_of_json_as_it_really_does() {
        for text in ["", "plain", "a \"b\" \\ c\n\t\r", "\u{8}\u{c}\u{1}\u{1f}\u{7f}", "äöü 漢字 🙂\u{2028}"] {
            assert_eq!(json_bytes(text) + 2, serde_json::to_string(text).unwrap().len() as u64, "{text:?}");
        }
    }

    #[test]
    fn an_open_last_line_is_a_row_and_an_empty_text_has_none() {
        let rows = |text| ReplySize::of_block(text, ReplySize::UNBOUNDED).rows;
        assert_eq!((rows(""), rows("a"), rows("a\n"), rows("a\nb"), rows("\n\n")), (0, 1, 1, 2, 2));
    }

    #[test]
    fn the_limit_that_is_exceeded_is_named_and_an_open_one_never_is() {
        let limit = ReplySize { bytes: 10, rows: 2, ..ReplySize::UNBOUNDED };
        let size = |text| ReplySize::of_block(text, limit);
        assert_eq!(size("0123456789").exceeds(limit), None);
        assert_eq!(size("0123456789a").exceeds(limit), Some(CLIENT_BYTES));
        assert_eq!(size("a\nb\nc").exceeds(limit), Some(CLIENT_ROWS));
        assert_eq!(ReplySize::of_block("\"\"", JSON).exceeds(JSON), Some(CLIENT_JSON));
        assert_eq!(ReplySize::UNBOUNDED.minus(size("a")), ReplySize::UNBOUNDED);
        assert!(!ReplySize::UNBOUNDED.divided(7).is_bounded());
    }
}
