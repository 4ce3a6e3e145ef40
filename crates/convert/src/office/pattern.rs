//! The formats of numbers: the places of their digits, and what stands between, before and behind them.

use super::places::Places;

/// Codes longer than a workbook may have are not read.
const LONGEST: usize = 1024;

/// What a format says of one kind of numbers, in the order of its code.
#[derive(Clone, PartialEq)]
pub(super) enum Token {
    /// Shown as it is.
    Text(String),
    /// The place of a digit: `0`, `#` or `?`.
    Digit(char),
    Point,
    /// The power of ten behind it; the text is its sign where it is positive.
    Power(&'static str),
    /// The number as it is without a format.
    General,
}

#[derive(Clone, Copy)]
enum Order {
    Below,
    AtMost,
    Equal,
    Other,
    AtLeast,
    Above,
    Always,
}

/// One part of a format, for the numbers that meet its condition.
struct Part {
    condition: Option<(Order, f64)>,
    tokens: Vec<Token>,
    grouped: bool,
    /// How far the point moves to the right: percents are multiplied, thousands and millions divided.
    shift: i32,
}

/// A format of numbers.
pub(super) struct Pattern {
    parts: Vec<(Order, f64, Part)>,
}

impl Pattern {
    /// Reads a code; nothing where it is not understood.
    pub(super) fn read(code: &str) -> Option<Self> {
        if code.len() > LONGEST {
            return None;
        }
        let mut codes = split(code);
        codes.truncate(4);
        // The part for texts says nothing of numbers.
        if codes.len() == 4 || (codes.len() > 1 && codes.last().is_some_and(|last| last.contains('@'))) {
            codes.pop();
        }
        let parts: Vec<Part> = codes.iter().map(|code| Reader::read(code)).collect::<Option<_>>()?;
        let count = parts.len();
        let free = parts.iter().all(|part| part.condition.is_none());
        let parts = parts.into_iter().enumerate().map(|(index, part)| {
            let (order, limit) = part.condition.unwrap_or(match (index, count) {
                (0, 2) if free => (Order::AtLeast, 0.0),
                (index, count) if index + 1 == count && (index != 1 || !free) => (Order::Always, 0.0),
                (0, _) => (Order::Above, 0.0),
                _ => (Order::Below, 0.0),
            });
            (order, limit, part)
        });
        Some(Self { parts: parts.collect() })
    }

    /// The number as the format shows it; nothing where it would not be seen.
    pub(super) fn show(&self, value: f64) -> Option<String> {
        let (order, limit, part) = self.parts.iter().find(|(order, limit, _)| order.admits(value, *limit))?;
        let mut text = part.show(value.abs());
        if text.trim().is_empty() {
            return None;
        }
        if value < 0.0 {
            let own = match order {
                Order::Below => *limit <= 0.0,
                Order::AtMost => *limit < 0.0,
                Order::Equal | Order::Other | Order::AtLeast | Order::Above | Order::Always => false,
            };
            // A part that differs from the first by its colour alone would hide the sign.
            let bare = own && self.parts.len() > 1 && self.parts.first().is_some_and(|first| first.2.like(part));
            if !own || bare {
                text.insert(0, '-');
            }
        }
        Some(text)
    }
}

impl Order {
    fn admits(self, value: f64, limit: f64) -> bool {
        match self {
            Self::Below => value < limit,
            Self::AtMost => value <= limit,
            Self::Equal => value.to_bits() == limit.to_bits(),
            Self::Other => value.to_bits() != limit.to_bits(),
            Self::AtLeast => value >= limit,
            Self::Above => value > limit,
            Self::Always => true,
        }
    }
}

impl Part {
    fn like(&self, other: &Self) -> bool {
        self.tokens == other.tokens && self.shift == other.shift
    }

    fn show(&self, size: f64) -> String {
        let mut out = String::new();
        let digits = self.tokens.iter().any(|token| matches!(token, Token::Digit(_)));
        if digits {
            let mut places = Places::new(&self.tokens);
            places.grouped = self.grouped;
            places.push(&mut out, size, self.shift);
            return out;
        }
        for token in &self.tokens {
            match token {
                Token::Text(text) => out.push_str(text),
                Token::General => super::number::push(&mut out, size),
                Token::Point => out.push('.'),
                Token::Digit(_) | Token::Power(_) => {}
            }
        }
        out
    }
}

/// The parts of a code, which semicolons divide.
fn split(code: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let (mut quoted, mut bracket, mut escaped) = (false, false, false);
    for (at, sign) in code.char_indices() {
        if escaped {
            escaped = false;
            continue;
        }
        match sign {
            '"' if !bracket => quoted = !quoted,
            '\\' | '_' | '*' if !quoted && !bracket => escaped = true,
            '[' if !quoted => bracket = true,
            ']' if !quoted => bracket = false,
            ';' if !quoted && !bracket => {
                parts.push(code.get(start..at).unwrap_or_default());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(code.get(start..).unwrap_or_default());
    parts
}

struct Reader {
    part: Part,
    /// Commas behind the last digit, of which it is not known yet what they mean.
    commas: i32,
    slash: bool,
}

impl Reader {
    fn read(code: &str) -> Option<Part> {
        let part = Part { condition: None, tokens: Vec::new(), grouped: false, shift: 0 };
        let mut reader = Self { part, commas: 0, slash: false };
        let mut rest = code;
        while let Some(sign) = rest.chars().next() {
            let after = rest.get(sign.len_utf8()..).unwrap_or_default();
            rest = reader.step(sign, rest, after)?;
        }
        reader.end_commas();
        let tokens = &reader.part.tokens;
        let has = |wanted: fn(&Token) -> bool| tokens.iter().filter(|token| wanted(token)).count();
        let digits = has(|token| matches!(token, Token::Digit(_)));
        let general = has(|token| matches!(token, Token::General));
        let points = has(|token| matches!(token, Token::Point));
        let powers = has(|token| matches!(token, Token::Power(_)));
        // Fractions and what nobody writes are not read.
        let odd = (digits > 0 && (reader.slash || general > 0)) || points > 1 || powers > 1 || general > 1;
        (!odd && (powers == 0 || digits > 1)).then_some(reader.part)
    }

    /// Reads what begins with a sign, and gives what is left.
    fn step<'a>(&mut self, sign: char, rest: &'a str, after: &'a str) -> Option<&'a str> {
        if sign == ',' && matches!(self.part.tokens.last(), Some(Token::Digit(_))) {
            self.commas += 1;
            return Some(after);
        }
        if matches!(sign, '0' | '#' | '?') {
            self.part.grouped |= self.commas > 0;
            self.commas = 0;
            self.part.tokens.push(Token::Digit(sign));
            return Some(after);
        }
        self.end_commas();
        let skip = |text: &'a str| text.get(text.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
        match sign {
            '"' => {
                let (text, left) = after.split_once('"').unwrap_or((after, ""));
                self.text(text);
                Some(left)
            }
            '\\' => {
                self.text(after.get(..after.len() - skip(after).len()).unwrap_or_default());
                Some(skip(after))
            }
            // The width of a sign, and a sign that fills the cell.
            '_' | '*' => Some(skip(after)),
            '[' => {
                let (inside, left) = after.split_once(']')?;
                self.bracket(inside)?;
                Some(left)
            }
            '.' => {
                self.part.tokens.push(Token::Point);
                Some(after)
            }
            '%' => {
                self.part.shift += 2;
                self.text("%");
                Some(after)
            }
            '@' => {
                self.part.tokens.push(Token::General);
                Some(after)
            }
            '/' => {
                self.slash = true;
                self.text("/");
                Some(after)
            }
            sign if sign.is_ascii_alphanumeric() => self.word(rest),
            sign => {
                self.text(sign.encode_utf8(&mut [0; 4]));
                Some(after)
            }
        }
    }

    fn word<'a>(&mut self, rest: &'a str) -> Option<&'a str> {
        if let Some(left) = rest.get(7..).filter(|_| rest.get(..7).is_some_and(|w| w.eq_ignore_ascii_case("general"))) {
            self.part.tokens.push(Token::General);
            return Some(left);
        }
        let power = match rest.get(..2) {
            Some("E+" | "e+") => "+",
            Some("E-" | "e-") => "",
            _ => return None,
        };
        self.part.tokens.push(Token::Power(power));
        rest.get(2..)
    }

    fn bracket(&mut self, inside: &str) -> Option<()> {
        if let Some(money) = inside.strip_prefix('$') {
            let sign = money.rsplit_once('-').map_or(money, |(sign, _)| sign);
            self.text(sign);
            return Some(());
        }
        let orders = [
            ("<=", Order::AtMost),
            (">=", Order::AtLeast),
            ("<>", Order::Other),
            ("<", Order::Below),
            (">", Order::Above),
            ("=", Order::Equal),
        ];
        if let Some((limit, order)) = orders.iter().find_map(|(mark, order)| Some((inside.strip_prefix(mark)?, *order)))
        {
            self.part.condition = Some((order, limit.trim().parse().ok()?));
        }
        Some(())
    }

    fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if let Some(Token::Text(before)) = self.part.tokens.last_mut() {
            before.push_str(text);
        } else {
            self.part.tokens.push(Token::Text(text.to_owned()));
        }
    }

    /// Commas with no digit behind them divide by thousands.
    fn end_commas(&mut self) {
        self.part.shift -= 3 * std::mem::take(&mut self.commas);
    }
}
