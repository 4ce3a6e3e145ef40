//! From what stands behind a database in an address to what it names.

use std::sync::Arc;

use readstone_base::{Budget, Note};
use readstone_source::{Shape, TableRow, Value};
use rusqlite::Row;

use crate::database::error::{Error, Result};
use crate::database::lookup::Lookup;
use crate::database::params::{Asked, Wanted, of_query, of_table};
use crate::database::query::{Goal, Shown, TableQuery};
use crate::database::rows::{Body, Calls, Onward, Plan};
use crate::database::schema::{Layout, Object, ObjectKind, Schema, column_in, statements};
use crate::database::session::Session;
use crate::database::source::Source;
use crate::database::spelling::{decoded_query, quoted, shown};
use crate::database::values::{RECORD_HEAD, careful_cells, careful_select, cells, key_text, whole};
use crate::database::{clock, selector};

/// A key is looked for in front of at most this many colons.
const MOST_COLONS: usize = 64;

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
        for (name, rest) in self.splits(tail) {
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
            Some(query) => self.query(&of_query(query)?),
            None if tail.is_empty() => Ok(self.listing(None)),
            None if selector::is_of_bytes(tail) => Ok(Goal::Itself),
            None if selector::is_of_rows(tail) => Ok(self.listing(Some(tail.to_owned()))),
            None => Err(self.no_table(tail)),
        }
    }

    fn listing(&self, rest: Option<String>) -> Goal {
        Goal::Listing(self.schema.listed(), rest)
    }

    /// The names that may stand at the beginning of a tail, the longest first, each with what follows it.
    fn splits<'t>(&self, tail: &'t str) -> Vec<(&'t str, &'t str)> {
        let longest = self.schema.longest();
        let ends = tail.match_indices([':', '?']).map(|(at, _)| at).chain([tail.len()]);
        let mut splits =
            ends.filter(|at| *at <= longest).filter_map(|at| tail.split_at_checked(at)).collect::<Vec<_>>();
        splits.reverse();
        splits
    }

    fn no_table(&self, tail: &str) -> Error {
        let name = tail.split([':', '?']).next().filter(|name| !name.is_empty()).unwrap_or(tail);
        let near = self.schema.near(name).iter().map(|near| self.path_of(near)).collect();
        Error::NoTable { path: self.source.path().to_owned(), name: name.to_owned(), near }
    }

    fn path_of(&self, table: &str) -> String {
        format!("{}:{}", self.source.path(), shown(table))
    }

    /// What stands behind a table: nothing, parameters, or a key.
    fn inside(&self, object: Object, rest: &str) -> Result<Goal> {
        let layout = Layout::load(self.session, object)?;
        let path = self.path_of(&layout.object.name);
        if let Some(params) = rest.strip_prefix('?') {
            return TableQuery { route: self, layout: &layout, path: &path }.enter(&of_table(params)?);
        }
        match rest.strip_prefix(':') {
            Some(key) => self.keyed(&layout, &path, key),
            None => self.sample(&layout, path),
        }
    }

    /// The statement that made a table, and its first rows.
    fn sample(&self, layout: &Layout, path: String) -> Result<Goal> {
        let head = statements(self.session, &layout.object.name)?;
        let limit = self.source.limits().sample_rows;
        let query = TableQuery { route: self, layout, path: &path };
        let plan = query.plan(&query.ordered(None, None), limit, 0)?;
        let onward = Onward::Offset(format!("{path}?limit={}&offset=", self.source.limits().query_rows), String::new());
        let body = Body::Planned(plan);
        Ok(Goal::Rows(Box::new(Shown { path, head, shape: Shape::Any, first: 1, body, onward, notes: Vec::new() })))
    }

    /// A row by its key, or a cell of it. The whole text is the key first, then what stands before the last colon, and
    /// so on.
    fn keyed(&self, layout: &Layout, path: &str, text: &str) -> Result<Goal> {
        if let Some(goal) = self.record(layout, path, text)? {
            return Ok(goal);
        }
        let mut missing = None;
        for (at, _) in text.rmatch_indices(':').take(MOST_COLONS) {
            let (Some(key), Some(behind)) = (text.get(..at), text.get(at + 1..)) else { continue };
            match self.cell(layout, (path, key), behind)? {
                Ok(goal) => return Ok(goal),
                Err(error) => missing = missing.or(error),
            }
        }
        Err(missing.unwrap_or_else(|| Error::NoRow {
            table: path.to_owned(),
            key: text.to_owned(),
            expected: expected(layout),
        }))
    }

    fn record(&self, layout: &Layout, path: &str, text: &str) -> Result<Option<Goal>> {
        let columns = layout.columns.len();
        let calls = Calls::of_table(path);
        let find = |lookup: &Lookup<'_>, read: fn(&Row<'_>, usize, usize) -> rusqlite::Result<Vec<Value>>| {
            lookup.find(self.session, text, |row| {
                // What follows the columns is the key it was found by.
                let keys = row.as_ref().column_count().saturating_sub(lookup.width);
                let key = key_text(row, lookup.width, keys)?;
                Ok(TableRow { cells: read(row, columns, RECORD_HEAD)?, cell: calls.of(key, 1) })
            })
        };
        let found = match find(&Lookup { layout, select: "*".to_owned(), width: columns }, cells) {
            Err(Error::Limit { .. }) => {
                let select = careful_select(&layout.columns, self.source.limits().value_bytes);
                find(&Lookup { layout, select, width: 3 * columns }, careful_cells)?
            }
            result => result?,
        };
        Ok(found.map(|row| {
            let body = Body::Ready(layout.columns.clone(), vec![row]);
            let (onward, path) = (Onward::Nothing(path.to_owned()), format!("{path}:{text}"));
            let (head, shape, notes) = (Vec::new(), Shape::Record, Vec::new());
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
        let ends = behind.match_indices(':').map(|(at, _)| at).chain([behind.len()]).collect::<Vec<_>>();
        for at in ends.into_iter().rev().take(MOST_COLONS) {
            let Some((name, rest)) = behind.split_at_checked(at) else { continue };
            let Some(column) = layout.column(name) else { continue };
            let lookup = Lookup { layout, select: quoted(column), width: 1 };
            let Some(bytes) = lookup.find(self.session, key, |row| row.get_ref(0).map(whole))? else {
                return Ok(Err(None));
            };
            let path = format!("{path}:{key}:{}", shown(column));
            let rest = rest.strip_prefix(':').map(str::to_owned);
            return Ok(Ok(Goal::Cell { bytes, path, name: column.clone(), rest, notes: Vec::new() }));
        }
        let lookup = Lookup { layout, select: "1".to_owned(), width: 1 };
        let there = lookup.find(self.session, key, |_| Ok(()))?.is_some();
        Ok(Err(there.then(|| Error::NoColumn {
            of: path.to_owned(),
            column: behind.to_owned(),
            columns: layout.columns.clone(),
            next: Some(format!("{path}:{key}")),
        })))
    }

    /// Compiles the caller's own text, and where it does not compile as it stands, with its percent signs decoded.
    /// Gives the text that compiled.
    pub(super) fn settle(&self, text: &str, check: impl Fn(&str) -> Result<()>) -> Result<(String, Vec<Note>)> {
        self.session.tighten(text)?;
        if self.schema.asks_time || clock::is_asked(text) {
            self.session.tell_time(self.budget)?;
        }
        match check(text) {
            Ok(()) => Ok((text.to_owned(), Vec::new())),
            Err(error @ Error::BadQuery { .. }) => match decoded_query(text) {
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

    /// A query of the caller's own.
    fn query(&self, asked: &Asked) -> Result<Goal> {
        let (sql, notes) = self.settle(&asked.sql, |sql| {
            let statement = self.session.compile(sql)?;
            let refuse = |what: &str| Err(Error::ReadOnly { what: what.to_owned() });
            match (statement.readonly(), statement.column_count()) {
                (false, _) => refuse("a statement that writes"),
                (true, 0) => refuse("a statement that gives no rows"),
                (true, _) => Ok(()),
            }
        })?;
        let columns = self.columns_of(&sql)?;
        let path = format!("{}?q={}", self.source.path(), asked.sql);
        let calls = Calls {
            keyed: String::new(),
            numbered: format!("{}?row=", self.source.path()),
            behind: format!("&q={}", asked.sql),
        };
        let (first, limit) = match asked.rows {
            Wanted::From(first) => (first, self.source.limits().query_max_rows),
            Wanted::One(row) | Wanted::Cell(row, _) => (row, 1),
        };
        let timed = self.schema.asks_time || clock::is_asked(&sql);
        let plan = Plan { sql, skip: first - 1, limit, columns, keys: 0, calls, timed, careful: None };
        match &asked.rows {
            Wanted::From(_) => {
                let onward = Onward::Row(format!("{}?row=", self.source.path()), format!("-&q={}", asked.sql));
                let (head, body) = (Vec::new(), Body::Planned(plan));
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
        let found = self.nth(plan, |found| {
            let key = key_text(found, width, plan.keys)?;
            Ok(TableRow { cells: cells(found, width, RECORD_HEAD)?, cell: plan.calls.of(key, row) })
        })?;
        let found = found.ok_or_else(|| no_such(row, from))?;
        let (body, onward) = (Body::Ready(plan.columns.clone(), vec![found]), Onward::Nothing(from.to_owned()));
        let path = format!("{}{row}{}", plan.calls.numbered, plan.calls.behind);
        let (head, shape) = (Vec::new(), Shape::Record);
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
        let Some(index) = column_in(&plan.columns, column) else {
            return Err(Error::NoColumn {
                of: from.to_owned(),
                column: column.to_owned(),
                columns: plan.columns.clone(),
                next: Some(from.to_owned()),
            });
        };
        let found = self.nth(plan, |row| row.get_ref(index).map(whole))?;
        let bytes = found.ok_or_else(|| no_such(row, from))?;
        let path = format!("{}{row}&column={column}{}", plan.calls.numbered, plan.calls.behind);
        Ok(Goal::Cell { bytes, path, name: column.to_owned(), rest: None, notes })
    }

    /// The first row of a plan.
    fn nth<T>(&self, plan: &Plan, take: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>) -> Result<Option<T>> {
        let mut statement = self.session.statement(&plan.sql)?;
        self.session.run(|| {
            let mut rows = statement.query([])?;
            for _ in 0..plan.skip {
                if rows.next()?.is_none() {
                    return Ok(None);
                }
            }
            rows.next()?.map(take).transpose()
        })
    }
}

fn no_such(row: u64, from: &str) -> Error {
    Error::NoRow { table: from.to_owned(), key: row.to_string(), expected: "the number of a row".to_owned() }
}

/// What a key of the table looks like.
fn expected(layout: &Layout) -> String {
    match (layout.primary.as_slice(), layout.rowid, layout.object.kind) {
        (_, _, ObjectKind::View) => "none, a view's rows go by number: ?row=1".to_owned(),
        ([], None, ObjectKind::Table) => "none, rows go by number: ?row=1".to_owned(),
        ([], Some(rowid), ObjectKind::Table) => rowid.to_owned(),
        ([only], _, ObjectKind::Table) => only.clone(),
        (several, Some(rowid), ObjectKind::Table) => format!("{} or {rowid}", several.join(",")),
        (several, None, ObjectKind::Table) => several.join(","),
    }
}
