//! From what stands behind a database in an address to what it names.

use std::sync::Arc;

use readstone_address::cuts;
use readstone_base::{Budget, Note};
use readstone_source::{Shape, TableRow};

use crate::database::cell::{Cell, Large};
use crate::database::error::{Error, Result};
use crate::database::keys::{Calls, Namer};
use crate::database::lookup::Lookup;
use crate::database::params::{How, Sql, of_query, of_table};
use crate::database::query::{Goal, Shown, TableQuery};
use crate::database::rows::{Body, Head, Onward, Plan, no_sample};
use crate::database::schema::{Layout, Object, Schema, statements, statements_query};
use crate::database::session::Session;
use crate::database::source::Source;
use crate::database::spelling::{decoded_query, key_shown, quoted, shown, shown_table};
use crate::database::values::{RECORD_HEAD, careful_cells, careful_select, cells, whole};
use crate::database::{clock, selector};

/// A database that is open, and its tables.
pub(super) struct Route<'a> {
    /// The database.
    pub(super) source: &'a Arc<Source>,
    /// Where it is open.
    pub(super) session: &'a Session,
    /// Its tables.
    pub(super) schema: &'a Schema,
    /// The time of the call.
    pub(super) budget: &'a Budget,
}

impl Route<'_> {
    /// Where a tail leads. Names are taken literally first: the whole tail, then ever shorter beginnings of it.
    pub(super) fn enter(&self, tail: Option<&str>) -> Result<Goal> {
        let Some(tail) = tail else { return Ok(self.listing(None)) };
        let mut failed = None;
        for (name, rest) in self.schema.splits(tail) {
            let Some(object) = self.schema.find(name) else { continue };
            match self.inside(object, rest) {
                Err(error @ (Error::NoRow { .. } | Error::NoColumn { .. })) => failed = failed.or(Some(error)),
                result => return result,
            }
        }
        if let Some(error) = failed {
            return Err(error);
        }
        match tail.strip_prefix('?') {
            Some(query) => {
                let asked = of_query(query).and_then(|asked| self.query(&asked));
                asked.map_err(|error| error.with_next(|| self.source.path().to_owned()))
            }
            None if tail.is_empty() => Ok(self.listing(None)),
            None if selector::is_of_bytes(tail) => Ok(Goal::Itself),
            None if selector::is_of_rows(tail) => Ok(self.listing(Some(tail.to_owned()))),
            None => Err(self.schema.no_table(self.source.path(), tail)),
        }
    }

    fn listing(&self, rest: Option<String>) -> Goal {
        Goal::Listing(self.schema.listed(), rest)
    }

    fn path_of(&self, table: &str) -> String {
        format!("{}:{}", self.source.path(), shown_table(table))
    }

    /// The call that shows the first rows of a table.
    pub(super) fn first_rows(&self, path: &str) -> String {
        format!("{path}?limit={}&offset=0", self.source.limits().query_rows)
    }

    /// What stands behind a table: nothing, parameters, or a key.
    fn inside(&self, object: Object, rest: &str) -> Result<Goal> {
        let path = self.path_of(&object.name);
        if rest.is_empty() {
            return self.sample(object, path);
        }
        // What made it can be seen where its rows cannot.
        let made = |error: Error| error.with_next(|| path.clone());
        let layout = Layout::load(self.session, object).map_err(made)?;
        if let Some(params) = rest.strip_prefix('?') {
            let params = of_table(params).map_err(|error| error.with_next(|| self.first_rows(&path)))?;
            return TableQuery { route: self, layout: &layout, path: &path }.enter(&params).map_err(made);
        }
        self.keyed(&layout, &path, rest.strip_prefix(':').unwrap_or(rest))
    }

    /// The statement that made a table, and its first rows, if they can be read.
    fn sample(&self, object: Object, path: String) -> Result<Goal> {
        let lines = statements(self.session, &object.name)?;
        // Where a name is no text, columns have numbers only.
        let column = if self.schema.is_odd { "#1" } else { "schema" };
        let all = Sql { text: statements_query(&object.name), how: How::Plain };
        let rest = format!("{}?row=1&column={column}&{}", self.source.path(), all.parameter("q", &all.text));
        let onward = Onward::Offset(format!("{path}?limit={}&offset=", self.source.limits().query_rows), String::new());
        let (body, notes) = match self.sample_plan(object, &path) {
            Ok(plan) => (Body::Planned(plan), Vec::new()),
            // Damage is passed over first.
            Err(error @ Error::Corrupt { .. }) if self.source.impairment().is_none() => return Err(error),
            Err(error) if lines.is_empty() || error.ends_call(self.budget) => return Err(error),
            Err(error) => (Body::Ready(Vec::new(), Vec::new()), vec![no_sample(&error)]),
        };
        let head = Some(Head { lines, rest });
        Ok(Goal::Rows(Box::new(Shown { path, head, shape: Shape::Any, first: 1, body, onward, notes })))
    }

    fn sample_plan(&self, object: Object, path: &str) -> Result<Plan> {
        let layout = Layout::load(self.session, object)?;
        let query = TableQuery { route: self, layout: &layout, path };
        query.plan(&query.ordered(None, None), self.source.limits().sample_rows, 0)
    }

    /// A row by its key, or a cell of it. The whole text is the key first, then what stands before the last colon, and
    /// so on.
    fn keyed(&self, layout: &Layout, path: &str, text: &str) -> Result<Goal> {
        let mut missing = None;
        for (key, behind) in cuts(text) {
            let found = match behind {
                None => self.record(layout, path, key)?.ok_or(None),
                Some(behind) => self.cell(layout, (path, key), behind)?,
            };
            match found {
                Ok(goal) => return Ok(goal),
                Err(error) => missing = missing.or(error),
            }
        }
        Err(missing.unwrap_or_else(|| Error::NoRow {
            table: path.to_owned(),
            key: text.to_owned(),
            expected: layout.expected_key(),
            next: if selector::is_misplaced(text) { self.first_rows(path) } else { path.to_owned() },
        }))
    }

    fn record(&self, layout: &Layout, path: &str, text: &str) -> Result<Option<Goal>> {
        let all = &layout.columns;
        let calls = Calls::of_table(path, layout, self.schema);
        let namer = Namer::new(self.session, &calls);
        let width = all.len();
        let lookup = Lookup { layout, select: "*".to_owned(), width };
        let found = lookup.find(self.session, text, |row| {
            Ok(TableRow { cells: cells(row, width, RECORD_HEAD)?, cell: namer.call(row, width, 1)? })
        });
        let found = match found {
            Err(Error::Limit { .. }) => {
                let select = careful_select(all, self.source.limits().value_bytes);
                let width = 3 * width;
                Lookup { layout, select, width }.find(self.session, text, |row| {
                    let mut values = careful_cells(row, all.len(), RECORD_HEAD)?;
                    namer.begin((row, width), all, &mut values);
                    Ok(TableRow { cells: values, cell: namer.call(row, width, 1)? })
                })?
            }
            result => result?,
        };
        Ok(found.map(|row| {
            let body = Body::Ready(all.clone(), vec![row]);
            let (onward, path) = (Onward::Nothing(path.to_owned()), format!("{path}:{}", key_shown(text)));
            let (head, shape, notes) = (None, Shape::Record, Vec::new());
            Goal::Rows(Box::new(Shown { path, head, shape, first: 1, body, onward, notes }))
        }))
    }

    /// A cell of the row with a key; the inner error says what is missing, if the key is there.
    fn cell(
        &self,
        layout: &Layout,
        (path, key): (&str, &str),
        behind: &str,
    ) -> Result<std::result::Result<Goal, Option<Error>>> {
        for (name, rest) in cuts(behind) {
            let Some(column) = layout.column(name) else { continue };
            let Some(cell) = self.value(layout, (path, key), column)? else { return Ok(Err(None)) };
            let path = format!("{path}:{}:{}", key_shown(key), shown(column));
            let rest = rest.map(str::to_owned);
            return Ok(Ok(Goal::Cell { cell, path, name: column.clone(), rest, notes: Vec::new() }));
        }
        let lookup = Lookup { layout, select: "1".to_owned(), width: 1 };
        let there = lookup.find(self.session, key, |_| Ok(()))?.is_some();
        Ok(Err(there.then(|| Error::NoColumn {
            of: path.to_owned(),
            column: behind.to_owned(),
            columns: layout.columns.clone(),
            next: Some(format!("{path}:{}", key_shown(key))),
        })))
    }

    /// The value in a column of the row with a key.
    fn value(&self, layout: &Layout, (path, key): (&str, &str), column: &str) -> Result<Option<Cell>> {
        let lookup = Lookup { layout, select: quoted(column), width: 1 };
        match lookup.find(self.session, key, |row| row.get_ref(0).map(whole)) {
            Err(Error::Limit { .. }) => {}
            result => return result,
        }
        let select = careful_select(&[column.to_owned()], self.source.limits().value_bytes);
        let calls = Calls::of_table(path, layout, self.schema);
        let found = Lookup { layout, select, width: 3 }
            .find(self.session, key, |row| Large::of(row, 0, |length| calls.far((row, 3), column, length)));
        found?.map(|large| self.reach(large, path)).transpose()
    }

    /// Compiles the caller's own text, and where it does not compile as it stands, with its percent signs decoded.
    /// Gives the text that compiled.
    pub(super) fn settle(&self, given: &Sql, check: impl Fn(&str) -> Result<()>) -> Result<(String, Vec<Note>)> {
        let text = given.text.as_str();
        self.session.tighten(text)?;
        if self.schema.asks_time || clock::is_asked(text) {
            self.session.tell_time(self.budget)?;
        }
        match check(text) {
            Ok(()) => Ok((text.to_owned(), Vec::new())),
            Err(error @ Error::BadQuery { .. }) if given.how == How::Plain => match decoded_query(text) {
                Some(decoded) if check(&decoded).is_ok() => {
                    if clock::is_asked(&decoded) {
                        self.session.tell_time(self.budget)?;
                    }
                    Ok((decoded, vec![Note::Decoded]))
                }
                Some(_) | None => Err(error),
            },
            Err(error) => Err(error),
        }
    }
}
