//! Values in JSON: by the names on the way, or by a query in the manner of jq or of JSONPath.
//!
//! `.a.b[0]`, `a.b[0]`, `["key"]`, `.a[]`, `.a[1:3]`, `$.a[*].b`, `$..b`, `$['a','b']`. Nothing is computed.

use std::fmt::Write as _;

use readstone_base::Budget;
use readstone_formats::{JsonText, pretty_json};

/// Steps of a way.
const MOST_STEPS: usize = 256;
/// Values that a query may lead to.
const MOST_VALUES: usize = 10_000;
/// Values that a query may pass on its way, so that no query takes long.
const MOST_PASSED: usize = 1_000_000;
/// Bytes of values that a query may look through, each as often as it is passed.
const MOST_BYTES: usize = 1 << 30;

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
    One(JsonText<'a>),
    /// However many there are.
    Many(Vec<JsonText<'a>>),
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
pub(crate) fn pick<'a>(value: JsonText<'a>, steps: &Steps, budget: &Budget) -> Result<Pick<'a>, String> {
    let single = |step: &Step| match step {
        Step::Name(_) | Step::Index(_) => true,
        Step::Slice(..) | Step::Every | Step::Any(_) | Step::Deep => false,
    };
    let mut here = vec![value];
    let (mut passed, mut looked) = (0, 0_usize);
    for (number, step) in steps.0.iter().enumerate() {
        let mut next = Vec::new();
        for value in &here {
            budget.check().map_err(|_| "the time of the call ended".to_owned())?;
            follow(*value, step, &mut next);
            passed += 1;
            looked = looked.saturating_add(value.text().len().saturating_mul(step.count()));
            if next.len() > MOST_PASSED || passed > MOST_PASSED || looked > MOST_BYTES {
                return Err("the query passes too many values".to_owned());
            }
        }
        if let ([one], true, true) = (here.as_slice(), next.is_empty(), single(step)) {
            return Err(nothing(*one, step, number));
        }
        here = next;
    }
    if let (true, [one]) = (steps.0.iter().all(single), here.as_slice()) {
        return Ok(Pick::One(*one));
    }
    if here.len() > MOST_VALUES {
        return Err(format!("the query leads to {} values, and {MOST_VALUES} is the most", here.len()));
    }
    Ok(Pick::Many(here))
}

impl Step {
    /// How often it looks through a value.
    fn count(&self) -> usize {
        match self {
            Self::Any(each) => each.len(),
            Self::Name(_) | Self::Index(_) | Self::Slice(..) | Self::Every | Self::Deep => 1,
        }
    }
}

fn follow<'a>(value: JsonText<'a>, step: &Step, next: &mut Vec<JsonText<'a>>) {
    let room = MOST_PASSED.saturating_sub(next.len()) + 1;
    match step {
        Step::Name(name) if value.is_object() => next.extend(member(value, name)),
        Step::Name(name) => next.extend(name.parse().ok().and_then(|at| element(value, at))),
        Step::Index(at) => next.extend(element(value, *at)),
        Step::Slice(first, last) if value.is_list() => next.extend(range(value, *first, *last).take(room)),
        Step::Slice(..) => {}
        Step::Every => next.extend(value.parts().map(|(_, part)| part).take(room)),
        Step::Any(each) => each.iter().for_each(|step| follow(value, step, next)),
        Step::Deep => next.extend(value.all(room)),
    }
}

/// The member called so; of several the last counts.
fn member<'a>(value: JsonText<'a>, wanted: &str) -> Option<JsonText<'a>> {
    let called = |name: JsonText<'_>| {
        if name.text().contains('\\') {
            return name.string().is_some_and(|name| name == wanted);
        }
        name.text().strip_prefix('"').and_then(|text| text.strip_suffix('"')) == Some(wanted)
    };
    value.parts().filter(|(name, _)| name.is_some_and(called)).last().map(|(_, part)| part)
}

fn elements(value: JsonText<'_>) -> impl Iterator<Item = JsonText<'_>> {
    let list = value.is_list().then(|| value.parts().map(|(_, part)| part));
    list.into_iter().flatten()
}

fn element(value: JsonText<'_>, at: i64) -> Option<JsonText<'_>> {
    let at = if at < 0 { at.checked_add(i64::try_from(elements(value).count()).ok()?)? } else { at };
    elements(value).nth(usize::try_from(at).ok()?)
}

fn range(value: JsonText<'_>, first: Option<i64>, last: Option<i64>) -> impl Iterator<Item = JsonText<'_>> {
    let count = i64::try_from(elements(value).count()).unwrap_or(i64::MAX);
    let place = |at: i64| if at < 0 { at.saturating_add(count).max(0) } else { at.min(count) };
    let (first, last) = (place(first.unwrap_or(0)), place(last.unwrap_or(count)));
    let number = |at: i64| usize::try_from(at).unwrap_or(0);
    elements(value).skip(number(first)).take(number(last.saturating_sub(first)))
}

/// What was found as text: a string as it reads, anything else as it stands, laid out where that does not make it huge.
pub(crate) fn shown(pick: Pick<'_>) -> String {
    let laid_out = |text: &str| pretty_json(text).unwrap_or_else(|| format!("{text}\n"));
    match pick {
        Pick::One(value) => value.string().unwrap_or_else(|| laid_out(value.text())),
        Pick::Many(values) => {
            let texts: Vec<&str> = values.into_iter().map(JsonText::text).collect();
            laid_out(&format!("[{}]", texts.join(",")))
        }
    }
}

/// Why a step leads nowhere.
fn nothing(value: JsonText<'_>, step: &Step, number: usize) -> String {
    let step = match step {
        Step::Name(name) => format!("'{}'", head(name)),
        Step::Index(at) => format!("[{at}]"),
        Step::Slice(..) | Step::Every | Step::Any(_) | Step::Deep => "the step".to_owned(),
    };
    let there = match value.text().as_bytes().first() {
        Some(b'{') => members(value),
        Some(b'[') => format!("an array of {}", elements(value).count()),
        Some(b'"') => "a string".to_owned(),
        Some(b't' | b'f') => "a truth value".to_owned(),
        Some(b'n') => "null".to_owned(),
        Some(_) | None => "a number".to_owned(),
    };
    format!("step {} is {step}, and what is there is {there}", number + 1)
}

/// An object by the names of its first members.
fn members(value: JsonText<'_>) -> String {
    let mut said = String::from("an object with ");
    let mut parts = value.parts();
    for (number, (name, _)) in parts.by_ref().take(8).enumerate() {
        let name = name.map(|name| name.string().unwrap_or_else(|| name.text().to_owned())).unwrap_or_default();
        let comma = if number == 0 { "" } else { ", " };
        let _ = write!(said, "{comma}{}", head(&name));
    }
    if value.parts().next().is_none() {
        said.push_str("nothing in it");
    } else if parts.next().is_some() {
        said.push_str(", …");
    }
    said
}
