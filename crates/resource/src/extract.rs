//! Values in JSON: by the names on the way, or by a query in the manner of jq or of JSONPath.
//!
//! `.a.b[0]`, `a.b[0]`, `["key"]`, `.a[]`, `.a[1:3]`, `$.a[*].b`, `$..b`, `$['a','b']`. Nothing is computed.

use serde_json::Value;

/// Steps of a way.
const MOST_STEPS: usize = 256;
/// Values that a query may lead to.
const MOST_VALUES: usize = 10_000;
/// Values that a query may pass on its way, so that no query takes long.
const MOST_PASSED: usize = 1_000_000;

/// The way to a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Steps(Vec<Step>);

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// A member by its name, or an element by its number written as a name.
    Name(String),
    /// An element; negative numbers count from the end.
    Index(i64),
    /// Elements from one number to before another.
    Slice(Option<i64>, Option<i64>),
    /// Every member or element.
    Every,
    /// Each of these.
    Any(Vec<Step>),
    /// The value and all that is in it.
    Deep,
}

/// What a way leads to.
#[derive(Debug)]
pub(crate) enum Pick<'a> {
    /// The one value it can lead to.
    One(&'a Value),
    /// However many there are.
    Many(Vec<&'a Value>),
}

impl Steps {
    /// The way that the segments of a path are.
    pub(crate) fn of_path(path: &str) -> Self {
        let segments = path.split('/').filter(|segment| !segment.is_empty());
        Self(segments.map(|segment| Step::Name(segment.to_owned())).collect())
    }

    /// The way that a query is.
    pub(crate) fn of_query(query: &str) -> Result<Self, String> {
        let text = query.trim();
        let mut rest = text.strip_prefix('$').unwrap_or(text);
        let mut steps = Vec::new();
        while !rest.is_empty() {
            if steps.len() >= MOST_STEPS {
                return Err(format!("a query has at most {MOST_STEPS} steps"));
            }
            rest = step(rest, &mut steps, text.len())?;
        }
        if text.is_empty() { Err("the query is empty".to_owned()) } else { Ok(Self(steps)) }
    }
}

/// Takes one step off a query.
fn step<'a>(rest: &'a str, steps: &mut Vec<Step>, length: usize) -> Result<&'a str, String> {
    let at = length - rest.len();
    let wrong = |what: &str| format!("the query is not understood at '{}': {what}", head(rest));
    if let Some(inside) = rest.strip_prefix('[') {
        return bracket(inside, steps)
            .ok_or_else(|| wrong("brackets hold a number, a range of numbers, a quoted name or names, * or nothing"));
    }
    let named = match (rest.strip_prefix(".."), rest.strip_prefix('.')) {
        (Some(deep), _) => {
            steps.push(Step::Deep);
            deep
        }
        (None, Some(".")) => return Err(wrong("a name is missing")),
        (None, Some("")) => return Ok(""),
        (None, Some(named)) => named,
        // A query may begin with a name.
        (None, None) if at == 0 => rest,
        (None, None) => return Err(wrong("a step begins with a dot or a bracket")),
    };
    if named.starts_with('[') {
        return Ok(named);
    }
    if let Some(behind) = named.strip_prefix('*') {
        steps.push(Step::Every);
        return Ok(behind);
    }
    if named.starts_with(['"', '\'']) {
        let (name, behind) = quoted(named).ok_or_else(|| wrong("the quote has no end"))?;
        steps.push(Step::Name(name));
        return Ok(behind);
    }
    let end = named.find(['.', '[']).unwrap_or(named.len());
    let (name, behind) = named.split_at(end);
    if name.is_empty() || name.contains(['|', '(', ')', '{', '}', ',']) {
        return Err(wrong("only names, numbers and ranges are understood, no filters and no pipes"));
    }
    steps.push(Step::Name(name.trim().to_owned()));
    Ok(behind)
}

/// The beginning of a text, for a message.
fn head(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Takes what stands in brackets; gives what stands behind them.
fn bracket<'a>(inside: &'a str, steps: &mut Vec<Step>) -> Option<&'a str> {
    let mut any = Vec::new();
    let mut rest = inside.trim_start();
    if let Some(behind) = rest.strip_prefix(']') {
        steps.push(Step::Every);
        return Some(behind);
    }
    loop {
        let behind = if rest.starts_with(['"', '\'']) {
            let (name, after) = quoted(rest)?;
            any.push(Step::Name(name));
            after
        } else {
            let end = rest.find([',', ']'])?;
            let (number, after) = rest.split_at(end);
            any.push(number_or_range(number.trim())?);
            after
        };
        let behind = behind.trim_start();
        if let Some(after) = behind.strip_prefix(']') {
            steps.push(if any.len() == 1 { any.pop()? } else { Step::Any(any) });
            return Some(after);
        }
        rest = behind.strip_prefix(',').filter(|_| any.len() < MOST_STEPS)?.trim_start();
    }
}

fn number_or_range(text: &str) -> Option<Step> {
    if text == "*" {
        return Some(Step::Every);
    }
    match text.split_once(':') {
        None => text.parse().ok().map(Step::Index),
        Some((first, last)) => {
            let number = |text: &str| if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) };
            Some(Step::Slice(number(first.trim())?, number(last.trim())?))
        }
    }
}

/// A name in quotes, and what stands behind it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let quote = text.chars().next()?;
    let mut name = String::new();
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => name.push(letters.next()?.1),
            letter if letter == quote => return Some((name, text.get(at + letter.len_utf8()..)?)),
            letter => name.push(letter),
        }
    }
    None
}

/// Follows a way.
pub(crate) fn pick<'a>(value: &'a Value, steps: &Steps) -> Result<Pick<'a>, String> {
    let single = |step: &Step| match step {
        Step::Name(_) | Step::Index(_) => true,
        Step::Slice(..) | Step::Every | Step::Any(_) | Step::Deep => false,
    };
    let mut here = vec![value];
    let mut passed = 0;
    for (number, step) in steps.0.iter().enumerate() {
        let mut next = Vec::new();
        for value in &here {
            follow(value, step, &mut next);
            passed += 1;
            if next.len() > MOST_PASSED || passed > MOST_PASSED {
                return Err("the query passes too many values".to_owned());
            }
        }
        if let ([one], true, true) = (here.as_slice(), next.is_empty(), single(step)) {
            return Err(nothing(one, step, number));
        }
        here = next;
    }
    if let (true, [one]) = (steps.0.iter().all(single), here.as_slice()) {
        return Ok(Pick::One(one));
    }
    if here.len() > MOST_VALUES {
        return Err(format!("the query leads to {} values, and {MOST_VALUES} is the most", here.len()));
    }
    Ok(Pick::Many(here))
}

fn follow<'a>(value: &'a Value, step: &Step, next: &mut Vec<&'a Value>) {
    match (step, value) {
        (Step::Name(name), Value::Object(members)) => next.extend(members.get(name)),
        (Step::Name(name), Value::Array(items)) => {
            next.extend(name.parse().ok().and_then(|at| element(items, at)));
        }
        (Step::Index(at), Value::Array(items)) => next.extend(element(items, *at)),
        (Step::Slice(first, last), Value::Array(items)) => next.extend(range(items, *first, *last)),
        (Step::Every, Value::Array(items)) => next.extend(items),
        (Step::Every, Value::Object(members)) => next.extend(members.values()),
        (Step::Any(each), _) => each.iter().for_each(|step| follow(value, step, next)),
        (Step::Deep, _) => deep(value, next),
        (Step::Name(_) | Step::Index(_) | Step::Slice(..) | Step::Every, _) => {}
    }
}

fn element(items: &[Value], at: i64) -> Option<&Value> {
    let at = if at < 0 { at.checked_add(i64::try_from(items.len()).ok()?)? } else { at };
    items.get(usize::try_from(at).ok()?)
}

fn range(items: &[Value], first: Option<i64>, last: Option<i64>) -> &[Value] {
    let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let place = |at: i64| if at < 0 { at.saturating_add(count).max(0) } else { at.min(count) };
    let (first, last) = (place(first.unwrap_or(0)), place(last.unwrap_or(count)));
    let number = |at: i64| usize::try_from(at).unwrap_or(0);
    items.get(number(first)..number(last)).unwrap_or_default()
}

/// The value and all that is in it, outer ones first.
fn deep<'a>(value: &'a Value, next: &mut Vec<&'a Value>) {
    let mut open = vec![value];
    while let Some(value) = open.pop().filter(|_| next.len() <= MOST_PASSED) {
        next.push(value);
        match value {
            Value::Array(items) => open.extend(items.iter().rev()),
            Value::Object(members) => {
                let mut inner: Vec<&Value> = members.values().collect();
                inner.reverse();
                open.extend(inner);
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// Why a step leads nowhere.
fn nothing(value: &Value, step: &Step, number: usize) -> String {
    let step = match step {
        Step::Name(name) => format!("'{}'", head(name)),
        Step::Index(at) => format!("[{at}]"),
        Step::Slice(..) | Step::Every | Step::Any(_) | Step::Deep => "the step".to_owned(),
    };
    let there = match value {
        Value::Object(members) => {
            let names: Vec<String> = members.keys().take(8).map(|name| head(name)).collect();
            let more = if members.len() > names.len() { ", …" } else { "" };
            format!(
                "an object with {}{more}",
                if names.is_empty() { "nothing in it".to_owned() } else { names.join(", ") }
            )
        }
        Value::Array(items) => format!("an array of {}", items.len()),
        Value::String(_) => "a string".to_owned(),
        Value::Number(_) => "a number".to_owned(),
        Value::Bool(_) => "a truth value".to_owned(),
        Value::Null => "null".to_owned(),
    };
    format!("step {} is {step}, and what is there is {there}", number + 1)
}
