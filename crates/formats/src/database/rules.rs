//! What a statement may do: an allow-list, and everything else is refused by its name.

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};

use crate::database::watch::Watch;

/// Functions that only compute: those of the core, aggregates, windows, mathematics, dates, JSON, and what full-text
/// search says of a match.
const FUNCTIONS: &str = "
    -> ->> abs acos acosh asin asinh atan atan2 atanh avg bm25 ceil ceiling changes char coalesce concat concat_ws cos
    cosh count cume_dist current_date current_time current_timestamp date datetime degrees dense_rank exp first_value
    floor format fts5_source_id glob group_concat hex highlight if ifnull iif instr json json_array json_array_insert
    json_array_length json_error_position json_extract json_group_array json_group_object json_insert json_object
    json_patch json_pretty json_quote json_remove json_replace json_set json_type json_valid jsonb jsonb_array
    jsonb_array_insert jsonb_extract jsonb_group_array jsonb_group_object jsonb_insert jsonb_object jsonb_patch
    jsonb_remove jsonb_replace jsonb_set julianday lag last_insert_rowid last_value lead length like likelihood likely
    ln log log10 log2 lower ltrim match matchinfo max median min mod nth_value ntile nullif octet_length offsets
    percent_rank percentile percentile_cont percentile_disc pi pow power printf quote radians random randomblob rank
    regexp replace round row_number rtreedepth rtreenode rtrim sign sin sinh snippet soundex sqlite_compileoption_get
    sqlite_compileoption_used sqlite_source_id sqlite_version sqrt strftime string_agg substr substring subtype sum tan
    tanh time timediff total total_changes trim trunc typeof unhex unicode unistr unistr_quote unixepoch unlikely upper
    zeroblob";

/// Pragmas that tell of something, with an argument that names it.
const ASKING: &str = "foreign_key_list index_info index_list index_xinfo table_info table_list table_xinfo";

/// Pragmas that tell of something, without an argument; with one they would change it.
const TELLING: &str = "application_id auto_vacuum collation_list compile_options data_version database_list encoding
    foreign_keys freelist_count function_list module_list page_count page_size pragma_list schema_version
    table_list user_version";

/// The tables behind an R-tree, to which its module prepares statements as soon as it is opened.
const RTREE: [&str; 3] = ["_node", "_parent", "_rowid"];

/// Judges one step of a statement that reads.
pub(super) fn judge(watch: &Watch, context: &AuthContext<'_>) -> Authorization {
    answer(watch, refusal(watch, context))
}

/// Judges one step of a statement that writes a row, and of whatever the database does then: rows may be changed, and
/// nothing else.
#[expect(clippy::wildcard_enum_match_arm, reason = "what is not allowed here is judged as in reading")]
pub(super) fn judge_writing(watch: &Watch, context: &AuthContext<'_>) -> Authorization {
    let refused = match context.action {
        AuthAction::Insert { .. }
        | AuthAction::Update { .. }
        | AuthAction::Delete { .. }
        | AuthAction::Transaction { .. } => None,
        _ => refusal(watch, context),
    };
    answer(watch, refused)
}

fn answer(watch: &Watch, refused: Option<String>) -> Authorization {
    match refused {
        None => Authorization::Allow,
        Some(what) => {
            watch.refuse(what);
            Authorization::Deny
        }
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the engine's list is open, and what is not allowed is refused")]
fn refusal(watch: &Watch, context: &AuthContext<'_>) -> Option<String> {
    match context.action {
        AuthAction::Select | AuthAction::Recursive => None,
        AuthAction::Read { table_name, .. } => (!watch.may_read(table_name)).then(|| format!("reading {table_name}")),
        AuthAction::Function { function_name } => {
            (!holds(FUNCTIONS, function_name)).then(|| format!("the function {function_name}"))
        }
        AuthAction::Pragma { pragma_name, pragma_value } => {
            let known = holds(ASKING, pragma_name) || (pragma_value.is_none() && holds(TELLING, pragma_name));
            (!known).then(|| match pragma_value {
                Some(value) => format!("PRAGMA {pragma_name} = {value}"),
                None => format!("PRAGMA {pragma_name}"),
            })
        }
        AuthAction::Insert { table_name } => changing("INSERT INTO", table_name),
        AuthAction::Update { table_name, .. } => changing("UPDATE", table_name),
        AuthAction::Delete { table_name } => changing("DELETE FROM", table_name),
        AuthAction::Attach { filename } => Some(format!("ATTACH {filename}")),
        AuthAction::Transaction { .. } => Some("a transaction".to_owned()),
        AuthAction::Savepoint { .. } => Some("a savepoint".to_owned()),
        other => Some(name_of(&other)),
    }
}

fn holds(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known.eq_ignore_ascii_case(name))
}

/// Statements that change something are refused, but for those an R-tree prepares and never runs while it is read: the
/// connection itself refuses to run them.
fn changing(verb: &str, table: &str) -> Option<String> {
    (!RTREE.iter().any(|suffix| table.ends_with(suffix))).then(|| format!("{verb} {table}"))
}

/// What a statement would change about the tables, in its own words: the engine asks about its list of tables first.
pub(super) fn change_of(sql: &str) -> Option<String> {
    let words = sql.split(|sign: char| !sign.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let words = words.take(2).map(str::to_ascii_uppercase).collect::<Vec<_>>();
    let first = words.first().map(String::as_str);
    matches!(first, Some("CREATE" | "DROP" | "ALTER")).then(|| words.join(" "))
}

/// `CreateTable { table_name: "t" }` as `CREATE TABLE t`.
fn name_of(action: &AuthAction<'_>) -> String {
    let debug = format!("{action:?}");
    let name = debug.split([' ', '{']).next().unwrap_or_default();
    let mut words = String::new();
    for character in name.chars() {
        if character.is_ascii_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(character.to_ascii_uppercase());
    }
    match debug.split('"').nth(1) {
        Some(what) => format!("{words} {what}"),
        None => words,
    }
}
