//! The digits of a number in the places that a format gives them.

use std::fmt::Write as _;

use super::pattern::Token;

/// The places of a format.
pub(super) struct Places<'a> {
    tokens: &'a [Token],
    /// Whether commas stand between thousands.
    pub(super) grouped: bool,
    /// Places before the point, behind it, and of the power of ten.
    counts: [usize; 3],
    /// Places behind the point that are shown even where they are zero.
    fixed: usize,
}

/// A number as its digits and how many of them stand before the point.
struct Decimal {
    digits: Vec<u8>,
    point: i32,
}

impl<'a> Places<'a> {
    /// The places of a format, without marks between thousands.
    pub(super) fn new(tokens: &'a [Token]) -> Self {
        let mut counts = [0; 3];
        let (mut at, mut fixed) = (0, 0);
        for token in tokens {
            match token {
                Token::Point => at = 1,
                Token::Power(_) => at = 2,
                Token::Digit(sign) => {
                    let Some(count) = counts.get_mut(at) else { continue };
                    *count += 1;
                    fixed = if at == 1 && *sign == '0' { *count } else { fixed };
                }
                Token::Text(_) | Token::General => {}
            }
        }
        Self { tokens, grouped: false, counts, fixed }
    }

    /// Adds a number that is not negative, with its point moved.
    pub(super) fn push(&self, out: &mut String, size: f64, shift: i32) {
        let [whole, after, _] = self.counts;
        let mut number = Decimal::of(size);
        number.point += shift;
        let has_power = self.tokens.iter().any(|token| matches!(token, Token::Power(_)));
        let mut power = 0;
        if has_power && !number.digits.is_empty() {
            let step = i32::try_from(whole.max(1)).unwrap_or(1);
            power = (number.point - 1).div_euclid(step) * step;
            let carried = number.rounded(power, after).0.len() > whole.max(1);
            power += if carried { step } else { 0 };
        }
        let (digits, rest) = number.rounded(power, after);
        self.lay(out, &digits, &rest, power);
    }

    fn lay(&self, out: &mut String, digits: &[u8], rest: &[u8], power: i32) {
        let [whole, _, powers] = self.counts;
        let seen = rest.iter().rposition(|&digit| digit != b'0').map_or(0, |last| last + 1).max(self.fixed);
        let mut at = [0_usize; 3];
        let mut part = 0;
        for token in self.tokens {
            match token {
                Token::Text(text) => out.push_str(text),
                Token::General => {}
                Token::Point => {
                    if whole == 0 {
                        out.extend(digits.iter().map(|&digit| char::from(digit)));
                    }
                    if seen > 0 {
                        out.push('.');
                    }
                    part = 1;
                }
                Token::Power(plus) => {
                    out.push('E');
                    out.push_str(if power < 0 { "-" } else { plus });
                    part = 2;
                }
                Token::Digit(sign) => {
                    let place = at.get(part).copied().unwrap_or(0);
                    match part {
                        0 => self.push_whole(out, digits, place, *sign),
                        1 if place < seen => out.push(rest.get(place).map_or('0', |&digit| char::from(digit))),
                        2 if place == 0 => push_power(out, power, powers),
                        _ => {}
                    }
                    if let Some(place) = at.get_mut(part) {
                        *place += 1;
                    }
                }
            }
        }
    }

    /// Adds the digit of a place before the point; the first place takes all digits that have none.
    fn push_whole(&self, out: &mut String, digits: &[u8], place: usize, sign: char) {
        let right = self.counts[0].saturating_sub(place + 1);
        let most = if place == 0 { digits.len().max(right + 1) } else { right + 1 };
        for from_right in (right..most).rev() {
            match digits.len().checked_sub(from_right + 1).and_then(|index| digits.get(index)) {
                Some(&digit) => out.push(char::from(digit)),
                None if sign == '0' => out.push('0'),
                None => continue,
            }
            if self.grouped && from_right > 0 && from_right % 3 == 0 {
                out.push(',');
            }
        }
    }
}

impl Decimal {
    /// The fifteen digits that a workbook keeps of a number.
    fn of(size: f64) -> Self {
        let text = format!("{size:.14e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        let digits: Vec<u8> = digits.bytes().filter(u8::is_ascii_digit).collect();
        if digits.iter().all(|&digit| digit == b'0') {
            return Self { digits: Vec::new(), point: 0 };
        }
        Self { digits, point: power.parse::<i32>().unwrap_or(0) + 1 }
    }

    /// The digits before the point, without leading zeros, and so many behind it, once the number is divided by a
    /// power of ten. Halves are rounded away from zero, as their digits say and not their binary form.
    fn rounded(&self, power: i32, places: usize) -> (Vec<u8>, Vec<u8>) {
        let point = self.point - power;
        let kept = usize::try_from(point + i32::try_from(places).unwrap_or(0)).ok();
        let Some(kept) = kept else { return (Vec::new(), vec![b'0'; places]) };
        let mut digits: Vec<u8> = self.digits.iter().take(kept).copied().collect();
        let up = self.digits.get(kept).is_some_and(|&digit| digit >= b'5');
        digits.resize(kept, b'0');
        if up && !raise(&mut digits) {
            digits.insert(0, b'1');
        }
        // What is kept ends `places` behind the point; zeros stand between the point and a small number.
        while digits.len() < places {
            digits.insert(0, b'0');
        }
        let rest = digits.split_off(digits.len() - places);
        let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
        (digits.split_off(zeros), rest)
    }
}

fn push_power(out: &mut String, power: i32, places: usize) {
    // Writing to a text cannot fail.
    let _ = write!(out, "{:0places$}", power.unsigned_abs());
}

/// Adds one to the last digit; whether that did not need a further one.
fn raise(digits: &mut [u8]) -> bool {
    for digit in digits.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return true;
        }
        *digit = b'0';
    }
    false
}
