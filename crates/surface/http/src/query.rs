//! Queries, in which every parameter is known and stands once.

/// A parameter that cannot be used.
#[derive(Debug)]
pub(crate) struct BadParameter {
    /// Its name.
    pub(crate) field: String,
    /// What is wrong with it.
    pub(crate) detail: String,
}

/// The parameters of a query, taken out one by one.
#[derive(Debug)]
pub(crate) struct Query {
    pairs: Vec<(String, String)>,
}

impl Query {
    /// Parses a query in which only these parameters may stand.
    pub(crate) fn parse(query: Option<&str>, allowed: &[&str]) -> Result<Self, BadParameter> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for piece in query.unwrap_or_default().split('&').filter(|piece| !piece.is_empty()) {
            let (name, value) = piece.split_once('=').unwrap_or((piece, ""));
            let (Some(name), Some(value)) = (decode(name), decode(value)) else {
                return Err(bad("query", "it is not percent-encoded UTF-8"));
            };
            if !allowed.contains(&name.as_str()) {
                return Err(bad(&name, &format!("there is no such parameter; there is {}", allowed.join(", "))));
            }
            if pairs.iter().any(|(known, _)| *known == name) {
                return Err(bad(&name, "it stands twice"));
            }
            pairs.push((name, value));
        }
        Ok(Self { pairs })
    }

    /// A parameter that must be there and not be empty.
    pub(crate) fn text(&self, name: &str) -> Result<String, BadParameter> {
        match self.get(name) {
            Some(value) if !value.is_empty() => Ok(value.to_owned()),
            Some(_) => Err(bad(name, "it must not be empty")),
            None => Err(bad(name, "it is required")),
        }
    }

    /// A whole number that must be at least `least` when it is there.
    pub(crate) fn number(&self, name: &str, least: u64) -> Result<Option<u64>, BadParameter> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
        match value.parse::<u64>().ok().filter(|number| digits && *number >= least) {
            // Larger numbers are not whole numbers to every client.
            Some(number) if i64::try_from(number).is_ok() => Ok(Some(number)),
            Some(_) | None if least == 0 => Err(bad(name, "it must be a whole number, 0 or more")),
            Some(_) | None => Err(bad(name, "it must be a positive integer")),
        }
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.pairs.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

fn bad(field: &str, detail: &str) -> BadParameter {
    BadParameter { field: field.to_owned(), detail: detail.to_owned() }
}

/// Takes the percent-encoding away.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, others)) = rest.split_first() {
        match first {
            b'+' => bytes.push(b' '),
            b'%' => {
                let digits = others.get(..2).and_then(|digits| std::str::from_utf8(digits).ok())?;
                if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                    return None;
                }
                bytes.push(u8::from_str_radix(digits, 16).ok()?);
                rest = others.get(2..)?;
                continue;
            }
            byte => bytes.push(*byte),
        }
        rest = others;
    }
    String::from_utf8(bytes).ok()
}
