//! Queries of the caller's own, and one row or one cell of what they or a table give.

use readstone_base::Note;
use readstone_source::{Shape, TableRow};
use rusqlite::Row;

use crate::database::cell::{Cell, Large};
use crate::database::error::{Error, Result};
use crate::database::keys::{Calls, Namer};
use crate::database::params::{Asked, Wanted};
use crate::database::query::{Goal, Shown};
use crate::database::route::Route;
use crate::database::rows::{Body, Onward, Plan};
use crate::database::schema::column_in;
use crate::database::spelling::{quoted, shown};
use crate::database::values::{RECORD_HEAD, careful_cells, cells, whole};
use crate::database::{clock, rules};

impl Route<'_> {
    /// A query of the caller's own.
    pub(super) fn query(&self, asked: &Asked) -> Result<Goal> {
        let settled = self.settle(&asked.sql, |sql| {
            let statement = self.session.compile(sql)?;
            let refuse =
                |what: &str| Err(Error::ReadOnly { what: what.to_owned(), path: self.source.path().to_owned() });
            match (statement.readonly(), statement.column_count()) {
                (false, _) => refuse("a statement that writes"),
                (true, 0) => refuse("a statement that gives no rows"),
                (true, _) => Ok(()),
            }
        });
        let (sql, notes) = settled.map_err(|error| in_own_words(error, &asked.sql.text))?;
        let columns = self.columns_of(&sql)?;
        let parameter = asked.sql.parameter("q", &sql);
        let path = format!("{}?{parameter}", self.source.path());
        let numbered = format!("{}?row=", self.source.path());
        let calls = Calls { keys: None, numbered: numbered.clone(), behind: format!("&{parameter}") };
        let (first, limit) = match asked.rows {
            Wanted::From(first) => (first, self.source.limits().query_max_rows),
            Wanted::One(row) | Wanted::Cell(row, _) => (row, 1),
        };
        let timed = self.schema.asks_time || clock::is_asked(&sql);
        let plan = Plan { sql, skip: first - 1, limit, columns, calls, timed, careful: None };
        match &asked.rows {
            Wanted::From(_) => {
                let onward = Onward::Row(numbered, format!("-&{parameter}"));
                let (head, body) = (None, Body::Planned(plan));
                Ok(Goal::Rows(Box::new(Shown { path, head, shape: Shape::Any, first, body, onward, notes })))
            }
            Wanted::One(row) => self.one(&plan, (*row, &path), notes),
            Wanted::Cell(row, column) => self.one_cell(&plan, (*row, &path), column, notes),
        }
    }

    fn columns_of(&self, sql: &str) -> Result<Vec<String>> {
        let statement = self.session.compile(sql)?;
        if self.schema.is_odd {
            return Ok((1..=statement.column_count()).map(|number| format!("column{number}")).collect());
        }
        self.session.run(|| Ok(statement.column_names().map(str::to_owned).collect()))
    }

    /// One row of a result, by its number.
    pub(super) fn one(&self, plan: &Plan, (row, from): (u64, &str), notes: Vec<Note>) -> Result<Goal> {
        let width = plan.columns.len();
        let namer = Namer::new(self.session, &plan.calls);
        let found = self.nth((&plan.sql, plan.skip), |found| {
            Ok(TableRow { cells: cells(found, width, RECORD_HEAD)?, cell: namer.call(found, width, row)? })
        });
        let found = match (found, &plan.careful) {
            (Err(Error::Limit { .. }), Some(careful)) => self.nth((careful, plan.skip), |found| {
                let mut cells = careful_cells(found, width, RECORD_HEAD)?;
                namer.begin((found, 3 * width), &plan.columns, &mut cells);
                Ok(TableRow { cells, cell: namer.call(found, 3 * width, row)? })
            }),
            (found, _) => found,
        };
        let found = found?.ok_or_else(|| no_such(row, from))?;
        let (body, onward) = (Body::Ready(plan.columns.clone(), vec![found]), Onward::Nothing(from.to_owned()));
        let path = format!("{}{row}{}", plan.calls.numbered, plan.calls.behind);
        let (head, shape) = (None, Shape::Record);
        Ok(Goal::Rows(Box::new(Shown { path, head, shape, first: row, body, onward, notes })))
    }

    /// One cell of a result, by the number of its row and the name of its column.
    pub(super) fn one_cell(
        &self,
        plan: &Plan,
        (row, from): (u64, &str),
        column: &str,
        notes: Vec<Note>,
    ) -> Result<Goal> {
        // What stands behind a colon is a selector, unless a column is really called so.
        let literal = column_in(&plan.columns, column).is_some();
        let (column, rest) = match column.rsplit_once(':') {
            Some((name, rest)) if !literal => (name, Some(rest.to_owned())),
            Some(_) | None => (column, None),
        };
        let place = column_in(&plan.columns, column);
        let Some((index, name)) = place.and_then(|index| Some((index, plan.columns.get(index)?))) else {
            return Err(Error::NoColumn {
                of: from.to_owned(),
                column: column.to_owned(),
                columns: plan.columns.clone(),
                next: Some(from.to_owned()),
            });
        };
        let found = match self.nth((&plan.sql, plan.skip), |row| row.get_ref(index).map(whole)) {
            // A row may take more memory than the one value that is wanted.
            Err(Error::Limit { limit, .. }) if limit == "value_bytes" || plan.careful.is_some() => {
                self.large(plan, (index, name), from)?
            }
            result => result?,
        };
        let cell = found.ok_or_else(|| no_such(row, from))?;
        // As it was given: of columns that share a name only the first goes by it.
        let path = format!("{}{row}&column={}{}", plan.calls.numbered, shown(column), plan.calls.behind);
        Ok(Goal::Cell { cell, path, name: name.clone(), rest, notes })
    }

    /// A cell of a row that holds a value beyond the limit.
    fn large(&self, plan: &Plan, (index, name): (usize, &str), from: &str) -> Result<Option<Cell>> {
        let Some(careful) = &plan.careful else {
            let size = format!("SELECT octet_length({}) FROM (\n{}\n)", quoted(name), plan.sql);
            let length = self.nth((&size, plan.skip), |row| row.get::<_, i64>(0)).ok().flatten();
            return self
                .reach(Large::Beyond(None, length.and_then(|size| u64::try_from(size).ok()).unwrap_or(0)), from)
                .map(Some);
        };
        let at = 3 * plan.columns.len();
        let found = self
            .nth((careful, plan.skip), |row| Large::of(row, index, |length| plan.calls.far((row, at), name, length)));
        found?.map(|large| self.reach(large, from)).transpose()
    }

    /// The cell, where it can be read; `table` shows what it stands in.
    pub(super) fn reach(&self, large: Large, table: &str) -> Result<Cell> {
        let (far, length) = match large {
            Large::Whole(cell) => return Ok(cell),
            Large::Beyond(far, length) => (far, length),
        };
        if let Some(far) = far.filter(|far| self.session.read_value(far, 0, &mut [0]).is_ok()) {
            return Ok(Cell::Far(far));
        }
        let size = if length > 0 { format!("{length} bytes") } else { "more bytes".to_owned() };
        let words = format!("the value has {size}, and only values of tables with a rowid are read in pieces");
        let next = if table.contains('?') { self.source.path().to_owned() } else { self.first_rows(table) };
        Err(Error::Limit { limit: "value_bytes", value: self.source.limits().value_bytes, words, next })
    }

    /// The row of a statement behind so many others.
    fn nth<T>(
        &self,
        (sql, skip): (&str, u64),
        take: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        let mut statement = self.session.statement(sql)?;
        self.session.run(|| {
            let mut rows = statement.query([])?;
            for _ in 0..skip {
                if rows.next()?.is_none() {
                    return Ok(None);
                }
            }
            rows.next()?.map(take).transpose()
        })
    }
}

/// What a statement was refused for, in its own words.
fn in_own_words(error: Error, sql: &str) -> Error {
    let mut error = error;
    if let (Error::ReadOnly { what, .. }, Some(change)) = (&mut error, rules::change_of(sql)) {
        *what = change;
    }
    error
}

fn no_such(row: u64, from: &str) -> Error {
    Error::NoRow {
        table: from.to_owned(),
        key: row.to_string(),
        expected: "the number of a row".to_owned(),
        next: from.to_owned(),
    }
}
