//! What stands behind the question mark of an address.

use crate::database::error::{Error, Result};

/// The parameters of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Params {
    /// How many rows.
    pub(super) limit: Option<u64>,
    /// How many rows are passed over.
    pub(super) offset: Option<u64>,
    /// The column by which they are ordered, as it was given.
    pub(super) order: Option<String>,
    /// The condition, as it was given.
    pub(super) filter: Option<String>,
    /// The number of one row.
    pub(super) row: Option<u64>,
    /// The column of that row.
    pub(super) column: Option<String>,
}

/// A statement and which of its rows are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    /// The statement, as it was given.
    pub(super) sql: String,
    /// Which rows.
    pub(super) rows: Wanted,
}

/// Which rows of a result are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// From this one on.
    From(u64),
    /// This one.
    One(u64),
    /// A column of this one.
    Cell(u64, String),
}

const NAMES: [&str; 6] = ["limit", "offset", "order", "where", "row", "column"];
const KNOWN: &str = "limit, offset, order, where, row, column";

/// Reads the parameters behind a table.
pub(super) fn of_table(text: &str) -> Result<Params> {
    let mut params = Params::default();
    let mut rest = Some(text).filter(|text| !text.is_empty());
    while let Some(pair) = rest {
        let Some((name, behind)) = pair.split_once('=') else {
            return Err(Error::bad(format!("{pair} is no parameter; known are {KNOWN}")));
        };
        let (value, next) = split_value(name, behind);
        set(&mut params, name, value)?;
        rest = next;
    }
    let paged = params.limit.is_some() || params.offset.is_some();
    if params.row.is_some() && paged {
        return Err(Error::bad("row names one row; it cannot be combined with limit or offset"));
    }
    if params.column.is_some() && params.row.is_none() {
        return Err(Error::bad("column needs row: the number of the row it stands in"));
    }
    Ok(params)
}

fn set(params: &mut Params, name: &str, value: &str) -> Result<()> {
    let twice = match name {
        "limit" => params.limit.replace(number(name, value, 1)?).is_some(),
        "offset" => params.offset.replace(number(name, value, 0)?).is_some(),
        "row" => params.row.replace(number(name, value, 1)?).is_some(),
        "order" => params.order.replace(value.to_owned()).is_some(),
        "where" => params.filter.replace(value.to_owned()).is_some(),
        "column" => params.column.replace(value.to_owned()).is_some(),
        "q" => return Err(Error::bad("q is a query of its own: it stands behind the database, not behind a table")),
        _ => return Err(Error::bad(format!("there is no parameter {name}; known are {KNOWN}"))),
    };
    if twice { Err(Error::bad(format!("{name} is given twice"))) } else { Ok(()) }
}

/// Where a value ends: at the next parameter of ours. Conditions and names may hold an ampersand, numbers may not.
fn split_value<'a>(name: &str, text: &'a str) -> (&'a str, Option<&'a str>) {
    let is_text = ["where", "order", "column"].contains(&name);
    let ends = |at: &usize| {
        let behind = text.get(at + 1..).unwrap_or_default();
        !is_text || NAMES.iter().any(|name| behind.strip_prefix(name).is_some_and(|rest| rest.starts_with('=')))
    };
    let end = text.match_indices('&').map(|(at, _)| at).find(ends);
    match end {
        Some(at) => (text.get(..at).unwrap_or(text), text.get(at + 1..)),
        None => (text, None),
    }
}

fn number(name: &str, text: &str, least: u64) -> Result<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let value = text.parse::<i64>().ok().filter(|_| digits).and_then(|value| u64::try_from(value).ok());
    match value.filter(|value| *value >= least) {
        Some(value) => Ok(value),
        None => Err(Error::bad(format!("{name}={text} is no whole number from {least} on"))),
    }
}

/// Reads a query: everything behind `q=` is the statement, as it stands.
pub(super) fn of_query(text: &str) -> Result<Asked> {
    if let Some(sql) = text.strip_prefix("q=") {
        return asked(sql, Wanted::From(1));
    }
    let Some((before, sql)) = text.split_once("&q=") else {
        let words = format!("{text} is no query: a database takes q=SELECT …, a table takes {KNOWN}");
        return Err(Error::bad(words));
    };
    let (row, column) = match before.split_once("&column=") {
        Some((row, column)) => (row, Some(column)),
        None => (before, None),
    };
    let Some(row) = row.strip_prefix("row=") else {
        return Err(Error::bad(
            "q cannot be combined with other parameters than row= and column=, which stand before it",
        ));
    };
    match (row.strip_suffix('-'), column) {
        (Some(first), None) => asked(sql, Wanted::From(number("row", first, 1)?)),
        (None, None) => asked(sql, Wanted::One(number("row", row, 1)?)),
        (None, Some(column)) => asked(sql, Wanted::Cell(number("row", row, 1)?, column.to_owned())),
        (Some(_), Some(_)) => Err(Error::bad("column needs one row, such as row=1")),
    }
}

fn asked(sql: &str, rows: Wanted) -> Result<Asked> {
    if sql.trim().is_empty() {
        return Err(Error::bad("q is empty: it takes a statement such as q=SELECT …"));
    }
    Ok(Asked { sql: sql.to_owned(), rows })
}
