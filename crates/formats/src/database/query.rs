//! A table with parameters: `limit`, `offset`, `order`, `where`, and one row or cell by its number.

use readstone_base::{Note, Quoted};
use readstone_source::Shape;

use crate::database::cell::Cell;
use crate::database::clock;
use crate::database::error::{Error, Result};
use crate::database::keys::Calls;
use crate::database::params::{Params, Sql};
use crate::database::route::Route;
use crate::database::rows::{Body, Head, Onward, Plan};
use crate::database::schema::{Layout, Object, ObjectKind};
use crate::database::spelling::{is_visible, quoted, shown};
use crate::database::values::careful_select;
use crate::database::watch::Scope;
use crate::readings::readings;

/// Where a tail led.
pub(super) enum Goal {
    /// To the list of tables, with a selector behind it.
    Listing(Vec<Object>, Option<String>),
    /// To rows.
    Rows(Box<Shown>),
    /// To a cell.
    Cell {
        /// The value.
        cell: Cell,
        /// The address that leads to it.
        path: String,
        /// The name of the column.
        name: String,
        /// What stands behind it in the address.
        rest: Option<String>,
        /// What must be said of it.
        notes: Vec<Note>,
    },
    /// To the bytes of the database.
    Itself,
}

/// Rows that are shown.
pub(super) struct Shown {
    /// The address that leads to them.
    pub(super) path: String,
    /// Lines above them.
    pub(super) head: Option<Head>,
    /// How they are shown.
    pub(super) shape: Shape,
    /// The number of the first.
    pub(super) first: u64,
    /// The rows.
    pub(super) body: Body,
    /// How the rest is called.
    pub(super) onward: Onward,
    /// What must be said of them.
    pub(super) notes: Vec<Note>,
}

/// A table that is asked with parameters.
pub(super) struct TableQuery<'a> {
    /// The open database.
    pub(super) route: &'a Route<'a>,
    /// The table.
    pub(super) layout: &'a Layout,
    /// The address of the table.
    pub(super) path: &'a str,
}

impl TableQuery<'_> {
    /// The rows that the parameters ask for.
    pub(super) fn enter(&self, params: &Params) -> Result<Goal> {
        let limits = self.route.source.limits();
        let order = params.order.as_deref().map(|order| self.order(order)).transpose()?;
        let (filter, mut notes) = match &params.filter {
            Some(filter) => {
                let (filter, notes) = self.filter(filter)?;
                (Some(filter), notes)
            }
            None => (None, Vec::new()),
        };
        let clauses = self.ordered(order.as_deref(), filter.as_deref());
        let kept = kept(params, filter.as_deref());
        if let Some(row) = params.row {
            let mut plan = self.plan(&clauses, 1, row - 1)?;
            plan.calls.behind.clone_from(&kept);
            let from = format!("{}{}", self.path, kept.replacen('&', "?", 1));
            return match &params.column {
                Some(column) => self.route.one_cell(&plan, (row, &from), column, notes),
                None => self.route.one(&plan, (row, &from), notes),
            };
        }
        let wanted = params.limit.unwrap_or(limits.query_rows);
        let limit = wanted.min(limits.query_max_rows);
        if wanted > limit {
            notes.push(Note::Clamped { limit: "query_max_rows", value: limit });
        }
        let offset = params.offset.unwrap_or(0);
        let mut plan = self.plan(&clauses, limit, offset)?;
        plan.calls.behind.clone_from(&kept);
        let path = format!("{}?limit={limit}&offset={offset}{kept}", self.path);
        let onward = Onward::Offset(format!("{}?limit={limit}&offset=", self.path), kept);
        let (head, body) = (None, Body::Planned(plan));
        let first = offset.saturating_add(1);
        Ok(Goal::Rows(Box::new(Shown { path, head, shape: Shape::Any, first, body, onward, notes })))
    }

    /// The statement that reads some rows of the table.
    pub(super) fn plan(&self, clauses: &str, limit: u64, offset: u64) -> Result<Plan> {
        if self.layout.object.kind == ObjectKind::View && self.route.schema.asks_time {
            self.route.session.tell_time(self.route.budget)?;
        }
        let calls = Calls::of_table(self.path, self.layout, self.route.schema);
        let keys = calls.select();
        let (table, most) = (self.layout.quoted(), limit.saturating_add(1));
        let select = |columns: String| {
            let all = std::iter::once(columns).chain(keys.iter().cloned()).collect::<Vec<_>>().join(", ");
            format!("SELECT {all} FROM {table}{clauses} LIMIT {most} OFFSET {offset}")
        };
        let sql = select("*".to_owned());
        let careful = Some(select(careful_select(&self.layout.columns, self.route.source.limits().value_bytes)));
        // What is wrong with it is said now, not when the first row is read.
        drop(self.route.session.statement(&sql)?);
        let timed = self.route.schema.asks_time || clock::is_asked(&sql);
        Ok(Plan { sql, skip: 0, limit, columns: self.layout.columns.clone(), calls, timed, careful })
    }

    /// The condition and the order; the key of the table decides between rows that are equal.
    pub(super) fn ordered(&self, order: Option<&str>, filter: Option<&str>) -> String {
        // The condition may end with a comment, which ends with the line.
        let filter = filter.map_or_else(String::new, |filter| format!(" WHERE (\n{filter}\n)"));
        // In the direction of the order, so that an index on the column gives both.
        let direction = if order.is_some_and(|order| order.ends_with(" DESC")) { " DESC" } else { "" };
        let keys = self.layout.order().into_iter().map(|key| key + direction);
        let all = order.map(str::to_owned).into_iter().chain(keys).collect::<Vec<_>>();
        if all.is_empty() { filter } else { format!("{filter} ORDER BY {}", all.join(", ")) }
    }

    /// A column, perhaps with a direction behind it.
    fn order(&self, text: &str) -> Result<String> {
        if let Some(column) = self.layout.column(text) {
            return Ok(quoted(column));
        }
        for reading in readings(text) {
            let Some((name, direction)) = reading.rsplit_once([':', ' ']) else { continue };
            let direction = match direction.to_ascii_lowercase().as_str() {
                "asc" => "ASC",
                "desc" => "DESC",
                _ => continue,
            };
            if let Some(column) = self.layout.column(name.trim_end()) {
                return Ok(format!("{} {direction}", quoted(column)));
            }
        }
        Err(Error::NoColumn {
            of: self.path.to_owned(),
            column: text.to_owned(),
            columns: self.layout.columns.clone(),
            next: Some(self.path.to_owned()),
        })
    }

    /// Makes sure that a condition is one, and reads nothing but its own table.
    fn filter(&self, given: &Sql) -> Result<(String, Vec<Note>)> {
        let text = given.text.as_str();
        if text.trim().is_empty() {
            return Err(Error::bad("where is empty: it takes a condition such as where=id > 10"));
        }
        let table = self.layout.quoted();
        let session = self.route.session;
        session.set_scope(Scope::Noted(std::collections::BTreeSet::new()));
        let own = session.statement(&format!("SELECT * FROM {table}")).map(drop);
        let noted = session.set_scope(Scope::All);
        own?;
        let Scope::Noted(mut tables) = noted else { return Err(Error::bad("the table cannot be read")) };
        tables.insert(self.layout.object.name.to_ascii_lowercase());
        let settled = self.route.settle(given, |filter| {
            session.set_scope(Scope::Only(tables.clone()));
            // What compiles in both places is an expression: in one of them a statement could go on behind it, in the
            // other an expression could.
            let checked = session
                .compile(&format!("SELECT CASE WHEN (\n{filter}\n) THEN 1 END FROM {table}"))
                .map(drop)
                .and_then(|()| session.compile(&format!("SELECT 1 FROM {table} WHERE (\n{filter}\n)")).map(drop));
            session.set_scope(Scope::All);
            checked
        });
        settled.map_err(|error| self.about_filter(error, text))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "every other error stays as it is")]
    fn about_filter(&self, error: Error, text: &str) -> Error {
        match error {
            Error::ReadOnly { what, .. } if what.starts_with("reading ") => {
                let sql = format!("SELECT * FROM {} LIMIT 5", self.layout.quoted());
                Error::OtherTable { what, next: format!("{}?q={sql}", self.route.source.path()) }
            }
            Error::BadQuery { words, .. } => Error::BadQuery {
                words: format!("where={} does not compile: {words}", Quoted(text)),
                next: Some(self.path.to_owned()),
            },
            other => other,
        }
    }
}

/// The parameters that every page of the same rows has, as they were given; `filter` is the condition that compiled.
fn kept(params: &Params, filter: Option<&str>) -> String {
    let spelled = |order: &String| if is_visible(order) { order.clone() } else { shown(order) };
    let order = params.order.as_ref().map(|order| format!("&order={}", spelled(order)));
    let filter = params.filter.as_ref().zip(filter);
    let filter = filter.map(|(given, meant)| format!("&{}", given.parameter("where", meant)));
    order.into_iter().chain(filter).collect()
}
