//! What time it is for the functions of a query: the time of the call.
//!
//! The engine asks its files for the time, and ours answer in the wrong unit. So the functions that may ask are
//! replaced by ones that put the time of the call in the place of `now` and let another connection do the rest.

use std::sync::{Arc, Mutex};

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use crate::database::watch::lock;

/// The functions, and which of their arguments is the time.
const FUNCTIONS: [(&str, usize); 7] =
    [("date", 0), ("time", 0), ("datetime", 0), ("julianday", 0), ("unixepoch", 0), ("strftime", 1), ("timediff", 0)];

/// The words that are functions, and the functions they stand for.
const WORDS: [(&str, &str); 3] =
    [("current_date", "date"), ("current_time", "time"), ("current_timestamp", "datetime")];

/// Whether a statement may ask for the time.
pub(super) fn is_asked(sql: &str) -> bool {
    let lower = sql.to_ascii_lowercase();
    let may = ["now", "current_", "date", "time", "julianday", "unixepoch"];
    may.iter().any(|word| lower.contains(word))
}

/// Tells a connection the time, in seconds since the epoch.
pub(super) fn tell(connection: &Connection, wall: i64) -> rusqlite::Result<()> {
    let helper = Arc::new(Mutex::new(Connection::open_in_memory()?));
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    for (name, place) in FUNCTIONS {
        let helper = Arc::clone(&helper);
        let count = if name == "timediff" { 2 } else { -1 };
        connection.create_scalar_function(name, count, flags, move |context| {
            let arguments = arguments(context, place, julian(wall))?;
            call(&lock(&helper), name, arguments)
        })?;
    }
    for (word, name) in WORDS {
        let helper = Arc::clone(&helper);
        connection.create_scalar_function(word, 0, flags, move |_| {
            call(&lock(&helper), name, vec![Value::Real(julian(wall))])
        })?;
    }
    Ok(())
}

/// The day number that astronomers use, which the functions take as a time.
#[expect(clippy::cast_precision_loss, reason = "seconds of this age are far from the end of exact numbers")]
fn julian(wall: i64) -> f64 {
    2_440_587.5 + wall as f64 / 86_400.0
}

fn arguments(context: &Context<'_>, place: usize, now: f64) -> rusqlite::Result<Vec<Value>> {
    let mut values = Vec::with_capacity(context.len() + 1);
    for index in 0..context.len() {
        let value = context.get::<Value>(index)?;
        let is_now = index >= place && matches!(&value, Value::Text(text) if text.eq_ignore_ascii_case("now"));
        values.push(if is_now { Value::Real(now) } else { value });
    }
    if values.len() == place {
        values.push(Value::Real(now));
    }
    Ok(values)
}

fn call(helper: &Connection, name: &str, arguments: Vec<Value>) -> rusqlite::Result<Value> {
    let places = vec!["?"; arguments.len()].join(",");
    helper.query_row(&format!("SELECT {name}({places})"), params_from_iter(arguments), |row| row.get(0))
}
