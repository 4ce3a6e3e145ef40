//! Random writes against a map.

use std::collections::BTreeMap;

use proptest::prelude::*;
use readstone_formats::RowDone;

use super::stand::Stand;

/// One write.
#[derive(Clone, Debug)]
enum Step {
    Insert(String, i64, String),
    Update(String, i64, String),
    Move(String, i64, i64),
    Delete(String, i64),
}

fn step() -> impl Strategy<Value = Step> {
    let name = || "[a-c,: %?'\"é-]{1,3}";
    let number = || prop_oneof![-2..3_i64, Just(i64::MAX), Just(i64::MIN)];
    prop_oneof![
        (name(), number(), any::<String>()).prop_map(|(name, number, value)| Step::Insert(name, number, value)),
        (name(), number(), any::<String>()).prop_map(|(name, number, value)| Step::Update(name, number, value)),
        (name(), number(), number()).prop_map(|(name, from, to)| Step::Move(name, from, to)),
        (name(), number()).prop_map(|(name, number)| Step::Delete(name, number)),
    ]
}

/// A text as JSON5 has it.
fn text(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn rows_are_what_a_map_would_hold(steps in prop::collection::vec(step(), 1..16), rowid in any::<bool>()) {
        let rest = if rowid { "" } else { " WITHOUT ROWID" };
        let stand = Stand::new(&format!("CREATE TABLE t(a TEXT, n INTEGER, v TEXT, PRIMARY KEY (a, n)){rest};"));
        let mut model = BTreeMap::<(String, i64), String>::new();
        for step in steps {
            // A comma in the text may be taken for the one between the parts; then the number decides.
            let tail = |name: &str, number: i64| format!("t:{name},{number}");
            let write = |tail: &str, content: &str| stand.attempt(tail, content, readstone_formats::RowEffect::Real);
            match step {
                Step::Insert(name, number, value) => {
                    let content = format!("{{a: {}, n: {number}, v: {}}}", text(&name), text(&value));
                    let written = write("t", &content);
                    let is_there = model.contains_key(&(name.clone(), number));
                    prop_assert_eq!(written.is_err(), is_there);
                    model.entry((name, number)).or_insert(value);
                }
                Step::Update(name, number, value) => {
                    let done = write(&tail(&name, number), &format!("{{v: {}}}", text(&value)));
                    let row = model.get_mut(&(name.clone(), number));
                    match (row, done) {
                        (Some(row), Ok(written)) => {
                            prop_assert_eq!(written.done, RowDone::Updated);
                            prop_assert_eq!(written.columns.is_empty(), *row == value);
                            *row = value;
                        }
                        (None, Ok(written)) => prop_assert_eq!(written.done, RowDone::NoneUpdated),
                        // What has a question mark and leads nowhere may be meant for parameters.
                        (None, Err(fault)) => prop_assert!(name.contains('?'), "{}", fault),
                        (Some(_), Err(fault)) => prop_assert!(false, "{}", fault),
                    }
                }
                Step::Move(name, from, to) => {
                    let done = write(&tail(&name, from), &format!("{{n: {to}}}"));
                    let (old, new) = ((name.clone(), from), (name.clone(), to));
                    let may = model.contains_key(&old) && (from == to || !model.contains_key(&new));
                    prop_assert_eq!(done.is_ok_and(|written| written.done == RowDone::Updated), may);
                    if may && let Some(value) = model.remove(&old) {
                        model.insert(new, value);
                    }
                }
                Step::Delete(name, number) => {
                    let done = write(&tail(&name, number), "");
                    let was = model.remove(&(name, number)).is_some();
                    prop_assert_eq!(done.is_ok_and(|written| written.done == RowDone::Deleted), was);
                }
            }
        }
        stand.check();
        let rows = stand.rows("SELECT a, n, v FROM t ORDER BY a, n");
        let expected = model.into_iter().map(|((a, n), v)| vec![a.into(), n.into(), v.into()]).collect::<Vec<_>>();
        prop_assert_eq!(rows, expected);
    }
}
