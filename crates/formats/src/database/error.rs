//! What can go wrong inside a database.

use std::fmt;

use readstone_base::{Budget, Class, Failure, Fault, Instead, Next, Quoted, Stopped, Words};

/// A database, or a place in one, that cannot be shown or changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Error {
    /// The file is damaged; SQLite's own words.
    Corrupt { path: String, words: String },
    /// The bytes of the file, or of one that belongs to it, cannot be read.
    Unreadable { path: String, words: String, class: Class },
    /// No table or view has the name; these come near, or only one can be meant.
    NoTable { path: String, name: String, near: Vec<String>, instead: Option<Box<Instead>> },
    /// No row has the key.
    NoRow { table: String, key: String, expected: String, next: String },
    /// The table or result has no such column.
    NoColumn { of: String, column: String, columns: Vec<String>, next: Option<String> },
    /// The query is wrong; what the engine or the rules of the address say.
    BadQuery { words: String, next: Option<String> },
    /// The statement would do more than read.
    ReadOnly { what: String, path: String },
    /// A condition reads another table than the one it belongs to.
    OtherTable { what: String, next: String },
    /// A value or the memory of a query exceeds a limit.
    Limit { limit: &'static str, value: u64, words: String, next: String },
    /// The caller's statement is too long.
    LongStatement { bytes: u64, most: u64, path: String },
    /// The database has to be held in memory and is too big for it.
    TooBig { path: String, limit: &'static str, value: u64 },
    /// The time of the call is used up.
    Timeout { path: String },
    /// The caller cancelled.
    Cancelled,
    /// The worker that read it came to nothing.
    Spoiled { path: String, words: String, class: Class },
    /// Another program changed it each time it was read.
    Changing { path: String },
    /// Another program is writing.
    Locked { path: String, waited: u64 },
    /// What was given for a row, or for the place of one, is wrong.
    BadRow { words: String, next: Option<String> },
    /// A column was given that the table does not have.
    NotInTable { table: String, column: String, columns: Vec<String> },
    /// The table takes no rows from us.
    Unwritable { table: String, why: String },
    /// The new row breaks a rule of the table; the engine's own words.
    Constraint { table: String, words: String },
    /// The file may not be written.
    Protected { path: String, words: String },
    /// Another program keeps the database from being written.
    Busy { path: String, waited: u64 },
    /// The time ended before the row was written.
    Late { path: String },
    /// There is no room for the change.
    NoSpace { path: String },
    /// The system failed while the database was written.
    Failed { path: String, words: String },
    /// Another file came to stand under the name.
    Replaced { path: String },
}

/// A result of this part.
pub(super) type Result<T> = std::result::Result<T, Error>;

/// At most this many calls are offered, and as many names in a message.
const MOST_OFFERS: usize = 3;
/// At most this many columns are named in a message.
const MOST_NAMES: usize = 12;

impl Error {
    /// A call that was stopped.
    pub(super) fn stopped(why: Stopped, path: &str) -> Self {
        match why {
            Stopped::Cancelled => Self::Cancelled,
            Stopped::Deadline => Self::Timeout { path: path.to_owned() },
        }
    }

    /// Whether it may come of files that changed while they were read, and reading again may help.
    pub(super) fn is_passing(&self) -> bool {
        !matches!(self, Self::Locked { .. } | Self::Timeout { .. } | Self::Cancelled | Self::TooBig { .. })
    }

    /// What an error means for a database that changed while it was read.
    pub(super) fn of_changing(self, path: &str) -> Self {
        let torn = matches!(&self, Self::Corrupt { .. } | Self::Unreadable { class: Class::Broken, .. });
        if torn { Self::Changing { path: path.to_owned() } } else { self }
    }

    /// Whether the time was used up.
    pub(super) fn is_late(&self) -> bool {
        matches!(self, Self::Timeout { .. })
    }

    /// Whether the call ends with it, whatever else could be shown.
    pub(super) fn ends_call(&self, budget: &Budget) -> bool {
        match self {
            Self::Cancelled | Self::Locked { .. } => true,
            Self::Timeout { .. } => budget.check().is_err(),
            Self::Corrupt { .. }
            | Self::Unreadable { .. }
            | Self::NoTable { .. }
            | Self::NoRow { .. }
            | Self::NoColumn { .. }
            | Self::BadQuery { .. }
            | Self::ReadOnly { .. }
            | Self::OtherTable { .. }
            | Self::Limit { .. }
            | Self::LongStatement { .. }
            | Self::Spoiled { .. }
            | Self::Changing { .. }
            | Self::BadRow { .. }
            | Self::NotInTable { .. }
            | Self::Unwritable { .. }
            | Self::Constraint { .. }
            | Self::Protected { .. }
            | Self::Busy { .. }
            | Self::Late { .. }
            | Self::NoSpace { .. }
            | Self::Failed { .. }
            | Self::Replaced { .. }
            | Self::TooBig { .. } => false,
        }
    }

    /// The same error with a call that can be made instead, where it has none.
    pub(super) fn with_next(self, call: impl FnOnce() -> String) -> Self {
        let mut error = self;
        if let Self::BadQuery { next: next @ None, .. } = &mut error {
            *next = Some(call());
        }
        error
    }

    /// A query that is wrong by the rules of the address.
    pub(super) fn bad(words: impl Into<String>) -> Self {
        Self::BadQuery { words: words.into(), next: None }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Corrupt { path, words } => write!(f, "{} is damaged: {}", Quoted(path), Words(words)),
            Self::Unreadable { path, words, .. } => write!(f, "{} cannot be read: {}", Quoted(path), Words(words)),
            Self::NoTable { path, name, .. } => write!(f, "{} has no table or view {}", Quoted(path), Quoted(name)),
            Self::NoRow { table, key, expected, .. } => {
                write!(f, "{} has no row {} (key: {})", Quoted(table), Quoted(key), Words(expected))
            }
            Self::NoColumn { of, column, columns, .. } => {
                write!(f, "{} has no column {}; it has ", Quoted(of), Quoted(column))?;
                name_columns(f, columns)?;
                f.write_str("; #2 is the second")
            }
            Self::NotInTable { table, column, columns } => {
                write!(f, "{} has no column {}; it has ", Quoted(table), Quoted(column))?;
                name_columns(f, columns)
            }
            Self::BadQuery { words, .. } | Self::BadRow { words, .. } => write!(f, "{}", Words(words)),
            Self::ReadOnly { what, .. } => write!(f, "only reading is allowed; refused: {}", Words(what)),
            Self::OtherTable { what, .. } => {
                write!(f, "a condition reads only its own table; refused: {}", Words(what))
            }
            Self::Limit { limit, value, words, .. } => write!(f, "{} (limit {limit} = {value})", Words(words)),
            Self::LongStatement { bytes, most, .. } => {
                write!(f, "the statement has {bytes} bytes; a statement can have at most {most}")
            }
            Self::TooBig { path, limit, value } => {
                write!(f, "{} must be read as a whole and is larger than {limit} = {value} bytes", Quoted(path))
            }
            Self::Timeout { path } => write!(f, "reading {} took longer than the call may take", Quoted(path)),
            Self::Cancelled => f.write_str("the call was cancelled"),
            Self::Spoiled { path, words, .. } => write!(f, "reading {} failed: {}", Quoted(path), Words(words)),
            Self::Changing { path } => write!(f, "{} is being written while it is read; read it again", Quoted(path)),
            Self::Locked { path, waited } => {
                write!(f, "{} is locked: another program holds the lock for writing", Quoted(path))?;
                write!(f, " and did not release it within {waited} ms")
            }
            Self::Unwritable { table, why } => write!(f, "{} cannot be written: {}", Quoted(table), Words(why)),
            Self::Constraint { table, words } => {
                unchanged(f, table, &format!("has a rule that the row breaks: {words}"))
            }
            Self::Protected { path, words } => unchanged(f, path, &format!("cannot be written: {words}")),
            Self::Busy { path, waited } => {
                let words = "is locked: another program uses it and did not let go within";
                unchanged(f, path, &format!("{words} {waited} ms"))
            }
            Self::Late { path } => unchanged(f, path, "takes longer to be written than the call may take"),
            Self::NoSpace { path } => unchanged(f, path, "has no space left for the change"),
            Self::Replaced { path } => unchanged(f, path, "is another file by now"),
            Self::Failed { path, words } => {
                write!(
                    f,
                    "writing to {} failed: {}; read the row before it is written again",
                    Quoted(path),
                    Words(words)
                )
            }
        }
    }
}

/// Says why something is as it was.
fn unchanged(f: &mut fmt::Formatter<'_>, what: &str, words: &str) -> fmt::Result {
    write!(f, "{} {}; nothing was changed", Quoted(what), Words(words))
}

/// The first columns of a table by their names.
fn name_columns(f: &mut fmt::Formatter<'_>, columns: &[String]) -> fmt::Result {
    let shown = columns.iter().take(MOST_NAMES).map(String::as_str).collect::<Vec<_>>();
    write!(f, "{}", Words(&shown.join(", ")))?;
    if columns.len() > shown.len() {
        write!(f, " and {} more", columns.len() - shown.len())?;
    }
    Ok(())
}

impl std::error::Error for Error {}

impl Failure for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::Corrupt { .. } => "database.corrupt",
            Self::Unreadable { .. } => "database.unreadable",
            Self::NoTable { .. } => "database.no_table",
            Self::NoRow { .. } => "database.no_row",
            Self::NoColumn { .. } | Self::NotInTable { .. } => "database.no_column",
            Self::BadQuery { .. } => "database.bad_query",
            Self::ReadOnly { .. } | Self::OtherTable { .. } | Self::Protected { .. } => "database.read_only",
            Self::Limit { .. } | Self::LongStatement { .. } | Self::Spoiled { class: Class::TooBig, .. } => {
                "database.limit"
            }
            Self::TooBig { .. } => "database.too_big",
            Self::Timeout { .. } | Self::Late { .. } => "database.timeout",
            Self::Cancelled => "database.cancelled",
            Self::Spoiled { class: Class::Outside, .. } => "database.no_worker",
            Self::Spoiled { .. } => "database.crashed",
            Self::Locked { .. } | Self::Changing { .. } | Self::Busy { .. } => "database.locked",
            Self::BadRow { .. } => "database.bad_row",
            Self::Unwritable { .. } => "database.unwritable",
            Self::Constraint { .. } => "database.constraint",
            Self::NoSpace { .. } => "database.no_space",
            Self::Failed { .. } => "database.failed",
            Self::Replaced { .. } => "database.replaced",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::Corrupt { .. } => Class::Broken,
            Self::Unreadable { class, .. } | Self::Spoiled { class, .. } => *class,
            Self::NoTable { .. } | Self::NoRow { .. } | Self::NoColumn { .. } | Self::NotInTable { .. } => {
                Class::Missing
            }
            Self::BadQuery { .. } | Self::BadRow { .. } | Self::Constraint { .. } => Class::Request,
            Self::ReadOnly { .. } | Self::OtherTable { .. } | Self::Unwritable { .. } | Self::Protected { .. } => {
                Class::Denied
            }
            Self::NoSpace { .. } | Self::Failed { .. } => Class::Outside,
            Self::Replaced { .. } => Class::Stale,
            Self::Limit { .. } | Self::LongStatement { .. } | Self::TooBig { .. } => Class::TooBig,
            Self::Timeout { .. }
            | Self::Cancelled
            | Self::Locked { .. }
            | Self::Changing { .. }
            | Self::Busy { .. }
            | Self::Late { .. } => Class::Stopped,
        }
    }

    fn instead(&self) -> Option<Instead> {
        if let Self::NoTable { instead, .. } = self { instead.as_deref().cloned() } else { None }
    }

    fn next(&self) -> Vec<Next> {
        match self {
            Self::NoTable { path, near, .. } if near.is_empty() => vec![Next::read(path.clone())],
            Self::NoTable { near, .. } => near.iter().take(MOST_OFFERS).map(Next::read).collect(),
            Self::NoColumn { next, .. } | Self::BadQuery { next, .. } | Self::BadRow { next, .. } => {
                next.iter().map(Next::read).collect()
            }
            Self::NoRow { next, .. } | Self::OtherTable { next, .. } | Self::Limit { next, .. } => {
                vec![Next::read(next.clone())]
            }
            // The bytes can be seen whatever is wrong with what they mean.
            Self::Corrupt { path, .. } | Self::Unreadable { path, .. } => vec![Next::read(format!("{path}:hex"))],
            Self::ReadOnly { path, .. }
            | Self::LongStatement { path, .. }
            | Self::Timeout { path }
            | Self::Spoiled { path, .. }
            | Self::Changing { path }
            | Self::Locked { path, .. }
            | Self::Protected { path, .. }
            | Self::Busy { path, .. }
            | Self::Late { path }
            | Self::NoSpace { path }
            | Self::Failed { path, .. }
            | Self::Replaced { path } => vec![Next::read(path.clone())],
            // What made a table says which columns and rules it has.
            Self::NotInTable { table, .. } | Self::Unwritable { table, .. } | Self::Constraint { table, .. } => {
                vec![Next::read(table.clone())]
            }
            Self::TooBig { .. } | Self::Cancelled => Vec::new(),
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Box::new(error)
    }
}
