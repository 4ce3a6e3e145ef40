//! What stands behind the question mark of an address.

use readstone_base::Percent;

use crate::database::error::{Error, Result};
use crate::database::spelling::{encoded, is_visible};

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
    pub(super) filter: Option<Sql>,
    /// The number of one row.
    pub(super) row: Option<u64>,
    /// The column of that row.
    pub(super) column: Option<String>,
}

/// A statement and which of its rows are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    /// The statement, as it was given.
    pub(super) sql: Sql,
    /// Which rows.
    pub(super) rows: Wanted,
}

/// SQL in an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sql {
    /// The text, without the encoding of the address.
    pub(super) text: String,
    /// How it was written.
    pub(super) how: How,
}

/// How SQL was written in an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// As it stands; perhaps with signs that are encoded, where nothing else compiles.
    Plain,
    /// Encoded, as the star behind the name of the parameter says.
    Starred,
}

impl Sql {
    /// Reads the value of a parameter.
    fn read(name: &str, value: &str) -> Result<Self> {
        if !name.ends_with('*') {
            return Ok(Self { text: value.to_owned(), how: How::Plain });
        }
        match Percent::of(value).text() {
            Some(text) => Ok(Self { text, how: How::Starred }),
            None => Err(Error::bad(format!("{name}= takes text in which every % begins a byte in hex, such as %0A"))),
        }
    }

    /// The parameter that means the same; `meant` is the text that compiled.
    pub(super) fn parameter(&self, name: &str, meant: &str) -> String {
        let given = if self.how == How::Starred { meant } else { &self.text };
        if is_visible(given) && !holds_parameter(given, name) {
            format!("{name}={given}")
        } else {
            format!("{name}*={}", encoded(meant, |behind| name == "where" && begins_parameter(behind)))
        }
    }
}

/// A condition of our own as a parameter.
pub(super) fn condition(text: &str) -> String {
    Sql { text: text.to_owned(), how: How::Starred }.parameter("where", text)
}

/// Whether a value would end before its end; a query never does.
fn holds_parameter(value: &str, name: &str) -> bool {
    let ends = |(at, _): (usize, &str)| begins_parameter(value.get(at + 1..).unwrap_or_default());
    name == "where" && value.match_indices('&').any(ends)
}

/// Whether a parameter of ours begins here.
fn begins_parameter(text: &str) -> bool {
    let behind = |name: &str| text.strip_prefix(name).map(|behind| behind.strip_prefix('*').unwrap_or(behind));
    NAMES.iter().filter_map(|name| behind(name)).any(|behind| behind.starts_with('='))
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
        "where" | "where*" => params.filter.replace(Sql::read(name, value)?).is_some(),
        "column" => params.column.replace(value.to_owned()).is_some(),
        "q" | "q*" => {
            return Err(Error::bad("q is a query of its own: it stands behind the database, not behind a table"));
        }
        _ => return Err(Error::bad(format!("there is no parameter {name}; known are {KNOWN}"))),
    };
    if twice { Err(Error::bad(format!("{name} is given twice"))) } else { Ok(()) }
}

/// Where a value ends: at the next parameter of ours. Conditions and names may hold an ampersand, numbers may not.
fn split_value<'a>(name: &str, text: &'a str) -> (&'a str, Option<&'a str>) {
    let is_text = ["where", "where*", "order", "column"].contains(&name);
    let ends = |at: &usize| !is_text || begins_parameter(text.get(at + 1..).unwrap_or_default());
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
    let signs = ["q=", "q*="].map(|sign| (text.strip_prefix(sign), sign));
    if let Some((Some(sql), sign)) = signs.into_iter().find(|(sql, _)| sql.is_some()) {
        return asked((sign, sql), Wanted::From(1));
    }
    let places = ["&q=", "&q*="].into_iter().filter_map(|sign| text.find(sign).map(|at| (at, sign)));
    let Some((at, sign)) = places.min() else {
        let words = match text {
            "" => format!("nothing stands behind the question mark: a database takes q=SELECT …, a table {KNOWN}"),
            _ => format!("{text} is no query: a database takes q=SELECT …, a table takes {KNOWN}"),
        };
        return Err(Error::bad(words));
    };
    let (before, sql) = (text.get(..at).unwrap_or_default(), text.get(at + sign.len()..).unwrap_or_default());
    let sql = (sign.trim_start_matches('&'), sql);
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
        (None, Some(column)) => {
            let (sql, rest) = selected(sql);
            let column = rest.map_or_else(|| column.to_owned(), |rest| format!("{column}:{rest}"));
            asked(sql, Wanted::Cell(number("row", row, 1)?, column))
        }
        (Some(_), Some(_)) => Err(Error::bad("column needs one row, such as row=1")),
    }
}

/// The statement of a cell and the selector behind it, which no statement ends with.
fn selected<'a>((sign, sql): (&'a str, &'a str)) -> ((&'a str, &'a str), Option<&'a str>) {
    let is_selector = |rest: &str| {
        let known = rest == "info" || rest.starts_with("crop=");
        known || !rest.is_empty() && readstone_address::Selector::parse(rest).is_ok()
    };
    match sql.rsplit_once(':') {
        Some((sql, rest)) if is_selector(rest) => ((sign, sql), Some(rest)),
        Some(_) | None => ((sign, sql), None),
    }
}

fn asked((sign, sql): (&str, &str), rows: Wanted) -> Result<Asked> {
    let sql = Sql::read(sign.trim_end_matches('='), sql)?;
    if sql.text.trim().is_empty() {
        return Err(Error::bad("q is empty: it takes a statement such as q=SELECT …"));
    }
    Ok(Asked { sql, rows })
}
