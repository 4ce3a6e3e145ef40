//! Rows of a table, as they are shown.

/// Rows of a table, each cell made visible and cut to its width.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The cells of each row.
    pub rows: Vec<Vec<String>>,
}

/// One row of a table.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its number in the result, where several are shown.
    pub number: Option<u64>,
    /// Its cells.
    pub fields: Vec<Field>,
}

/// One cell of a row.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name of the column.
    pub name: String,
    /// The value, made visible, line by line.
    pub lines: Vec<String>,
}
