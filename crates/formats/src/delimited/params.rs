//! What stands behind the question mark of a file of rows.

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Rows: how many, and how many before them are passed over.
    Rows(Option<u64>, u64),
    /// One row, by its number from 1.
    Row(u64),
    /// A column of one row.
    Cell(u64, String),
}

const NAMES: [&str; 4] = ["limit", "offset", "row", "column"];
const KNOWN: &str = "limit, offset, row, column";

/// The parameters one by one.
#[derive(Debug, Default)]
struct Given {
    limit: Option<u64>,
    offset: Option<u64>,
    row: Option<u64>,
    column: Option<String>,
}

/// Reads the parameters; the error says what is wrong with them.
pub(super) fn parse(text: &str) -> Result<Asked, String> {
    let mut given = Given::default();
    let mut rest = Some(text).filter(|text| !text.is_empty());
    while let Some(pair) = rest {
        let Some((name, behind)) = pair.split_once('=') else {
            return Err(format!("{pair} is no parameter; known are {KNOWN}"));
        };
        let (value, next) = split_value(name, behind);
        given.set(name, value)?;
        rest = next;
    }
    match given {
        Given { row: Some(_), limit: Some(_), .. } | Given { row: Some(_), offset: Some(_), .. } => {
            Err("row names one row; it cannot be combined with limit or offset".to_owned())
        }
        Given { row: Some(row), column: Some(column), .. } => Ok(Asked::Cell(row, column)),
        Given { row: Some(row), column: None, .. } => Ok(Asked::Row(row)),
        Given { row: None, column: Some(_), .. } => {
            Err("column needs row: the number of the row it stands in".to_owned())
        }
        Given { limit, offset, row: None, column: None } => Ok(Asked::Rows(limit, offset.unwrap_or(0))),
    }
}

impl Given {
    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let twice = match name {
            "limit" => self.limit.replace(number(name, value, 1)?).is_some(),
            "offset" => self.offset.replace(number(name, value, 0)?).is_some(),
            "row" => self.row.replace(number(name, value, 1)?).is_some(),
            "column" if value.is_empty() => return Err("column is empty: it takes a name, or #2".to_owned()),
            "column" => self.column.replace(value.to_owned()).is_some(),
            _ => return Err(format!("there is no parameter {name}; known are {KNOWN}")),
        };
        if twice { Err(format!("{name} is given twice")) } else { Ok(()) }
    }
}

/// Where a value ends: at the next parameter of ours. Names may hold an ampersand, numbers may not.
fn split_value<'a>(name: &str, text: &'a str) -> (&'a str, Option<&'a str>) {
    let ends = |at: &usize| name != "column" || begins_parameter(text.get(at + 1..).unwrap_or_default());
    match text.match_indices('&').map(|(at, _)| at).find(ends) {
        Some(at) => (text.get(..at).unwrap_or(text), text.get(at + 1..)),
        None => (text, None),
    }
}

/// Whether the name of a column would end before its end.
pub(super) fn holds_parameter(name: &str) -> bool {
    name.match_indices('&').any(|(at, _)| begins_parameter(name.get(at + 1..).unwrap_or_default()))
}

fn begins_parameter(text: &str) -> bool {
    NAMES.iter().filter_map(|name| text.strip_prefix(name)).any(|behind| behind.starts_with('='))
}

fn number(name: &str, text: &str, least: u64) -> Result<u64, String> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let value = text.parse::<i64>().ok().filter(|_| digits).and_then(|value| u64::try_from(value).ok());
    value.filter(|value| *value >= least).ok_or_else(|| format!("{name}={text} is no whole number from {least} on"))
}
