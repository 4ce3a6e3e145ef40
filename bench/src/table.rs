//! Results as a Markdown table.

use crate::measure::Row;

/// One row an operation: our time, the rival's, and the ratio.
pub fn markdown(rows: &[Row]) -> String {
    let mut text = String::from("| operation | readstone, ms | rival | ms | ratio |\n|---|---|---|---|---|\n");
    for row in rows {
        let line = match &row.rival {
            Some((tool, theirs)) => {
                format!("| {} | {:.2} | {tool} | {theirs:.2} | {:.2} |\n", row.name, row.ours, row.ours / theirs)
            }
            None => format!("| {} | {:.3} | | | |\n", row.name, row.ours),
        };
        text.push_str(&line);
    }
    text
}
