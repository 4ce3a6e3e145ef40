//! Queries, in which every parameter is known and stands once.

use readstone_base::Percent;

/// A parameter that cannot be used.
#[derive(Debug)]
pub(crate) struct BadParameter {
    /// Its name.
    pub(crate) field: String,
    /// What is wrong with it.
    pub(crate) detail: String,
}

/// The parameters of a query, taken out one by one; what is wrong with them is gathered.
#[derive(Debug)]
pub(crate) struct Query {
    pairs: Vec<(String, String)>,
    bad: Vec<BadParameter>,
}

impl Query {
    /// Parses a query in which only these parameters may stand.
    pub(crate) fn parse(query: Option<&str>, allowed: &[&str]) -> Self {
        let mut parsed = Self { pairs: Vec::new(), bad: Vec::new() };
        for piece in query.unwrap_or_default().split('&').filter(|piece| !piece.is_empty()) {
            let (name, value) = piece.split_once('=').unwrap_or((piece, ""));
            let (Some(name), Some(value)) = (decode(name), decode(value)) else {
                parsed.bad.push(bad("query", "it is not percent-encoded UTF-8"));
                continue;
            };
            if !allowed.contains(&name.as_str()) {
                let what = format!("there is no such parameter; there is {}", allowed.join(", "));
                parsed.bad.push(bad(&name, &what));
            } else if parsed.get(&name).is_some() {
                parsed.bad.push(bad(&name, "it stands twice"));
            } else {
                parsed.pairs.push((name, value));
            }
        }
        parsed
    }

    /// A parameter that must be there and not be empty.
    pub(crate) fn text(&mut self, name: &str) -> String {
        let what = match self.get(name) {
            Some(value) if !value.is_empty() => return value.to_owned(),
            Some(_) => "it must not be empty",
            None => "it is required",
        };
        self.bad.push(bad(name, what));
        String::new()
    }

    /// A whole number that must be at least `least` when it is there.
    pub(crate) fn number(&mut self, name: &str, least: u64) -> Option<u64> {
        let value = self.get(name)?;
        let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
        // Larger numbers are not whole numbers to every client.
        let sound = |number: &u64| digits && *number >= least && i64::try_from(*number).is_ok();
        let number = value.parse::<u64>().ok().filter(sound);
        if number.is_none() {
            let what =
                if least == 0 { "it must be a whole number, 0 or more" } else { "it must be a positive integer" };
            self.bad.push(bad(name, what));
        }
        number
    }

    /// Whether all was well.
    pub(crate) fn check(self) -> Result<(), Vec<BadParameter>> {
        if self.bad.is_empty() { Ok(()) } else { Err(self.bad) }
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.pairs.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

fn bad(field: &str, detail: &str) -> BadParameter {
    BadParameter { field: field.to_owned(), detail: detail.to_owned() }
}

/// Takes the percent-encoding away, and the plus signs that stand for blanks.
fn decode(text: &str) -> Option<String> {
    Percent::of(&text.replace('+', " ")).text()
}
