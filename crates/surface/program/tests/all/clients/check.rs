//! What must be true of each reply, for the client that gets it.

use std::collections::{BTreeMap, VecDeque};

use readstone_testkit::{Client, ToolResult, World};
use serde_json::{Value, json};

use super::follow::{Row, Tags, is_raw, next_calls, rows};
use super::replies::{Reply, Wanted};
use super::session::Session;

/// Replies that one call may lead to by `next:`; more is a loop.
const MOST_PAGES: usize = 1_000;
/// Replies that are looked at where the rest was read before, by a client of the same name.
const FEW_PAGES: usize = 3;

/// A client that makes its calls, and what was found wrong.
pub(crate) struct Checker<'a> {
    pub(crate) world: &'a World,
    pub(crate) session: &'a Session,
    pub(crate) client: &'a Client,
    /// Whether every call is followed to its end, which takes most of the time.
    pub(crate) reads_all: bool,
    /// The directory of the client's own files.
    pub(crate) own: String,
    pub(crate) tools: Vec<Value>,
    pub(crate) tags: Tags,
    pub(crate) problems: Vec<String>,
}

/// What all replies to one call brought.
#[derive(Default)]
struct Gathered {
    rows: Vec<Row>,
    raw: String,
}

impl Checker<'_> {
    /// Makes a call of the table and follows it to its end.
    pub(crate) async fn check(&mut self, reply: &Reply) {
        let found = self.problems.len();
        let tool = self.tool(reply.tool).clone();
        let first = self.tags.fill(&reply.input, &self.own);
        // What is changed later must have been shown whole.
        let most = if self.reads_all || first.to_string().contains(&self.own) { MOST_PAGES } else { FEW_PAGES };
        let (mut calls, mut gathered) = (VecDeque::from([first]), Gathered::default());
        let mut pages = 0;
        while let Some(input) = calls.pop_front() {
            let answer = match self.session.call(self.client.name, reply.tool, &input).await {
                Ok(answer) => answer,
                Err(error) => {
                    self.blame(reply, &format!("{input} is no result: {error}"));
                    return;
                }
            };
            let result = ToolResult { result: &answer, tool: &tool };
            let mut wrong = wrong_with(self.client, &result);
            if pages == 0 {
                wrong.extend(wrong_with_first(self.client, reply, &result));
            }
            let texts = result.texts();
            self.tags.note(&texts);
            gathered.add(&input, &texts);
            if reply.follows() {
                calls.extend(next_calls(reply.tool, &input, &texts));
            }
            for problem in wrong {
                self.blame(reply, &format!("{problem}, of {}", shorten(&input.to_string())));
            }
            pages += 1;
            // One problem of a call says enough, and a loop ends.
            if self.problems.len() > found || pages >= most {
                break;
            }
        }
        if self.problems.len() > found {
            return;
        }
        if pages == MOST_PAGES {
            self.blame(reply, "reading on does not come to an end");
        } else if calls.is_empty()
            && let Some(problem) = gathered.lack(self.world, &reply.wanted)
        {
            self.blame(reply, &format!("{problem}, in {pages} replies"));
        }
    }

    fn tool(&self, name: &str) -> &Value {
        self.tools.iter().find(|tool| tool["name"] == json!(name)).unwrap_or(&Value::Null)
    }

    fn blame(&mut self, reply: &Reply, problem: &str) {
        self.problems.push(format!("{}: {}: {problem}", self.client.product, reply.name));
    }
}

impl Reply {
    fn follows(&self) -> bool {
        matches!(self.wanted, Wanted::Lines(_) | Wanted::Source(_) | Wanted::Rows(..))
    }
}

/// What holds for every result.
fn wrong_with(client: &Client, result: &ToolResult<'_>) -> Vec<String> {
    let mut wrong: Vec<String> = client.loss(result).into_iter().chain(client.excess(result)).collect();
    if result.result.get("structuredContent").is_some() {
        wrong.push("there is structured content".to_owned());
    }
    let own = |name: &String| !name.starts_with("io.modelcontextprotocol/");
    if result.result["_meta"].as_object().is_some_and(|meta| meta.keys().any(own)) {
        wrong.push(format!("there is _meta: {}", result.result["_meta"]));
    }
    let text = result.texts().concat();
    // Rows of files have numbers before them, so such a line is the server's own.
    if text.lines().any(|line| line.starts_with('[') && line.contains("; limit ")) && !text.contains("next: ") {
        wrong.push(format!("a limit, and no call that shows more: {}", shorten(&text)));
    }
    wrong
}

/// What holds for the first reply to a call.
fn wrong_with_first(client: &Client, reply: &Reply, result: &ToolResult<'_>) -> Vec<String> {
    let (text, mut wrong) = (result.texts().concat(), Vec::new());
    if !text.contains(reply.says) {
        wrong.push(format!("{:?} is not in {:?}", reply.says, shorten(&text)));
    }
    if result.is_error() != matches!(reply.wanted, Wanted::Failure) {
        wrong.push(format!("isError is {}: {:?}", result.is_error(), shorten(&text)));
    }
    if reply.has_picture {
        let (sees, shown) = (sees_pictures(client), result.pictures().len());
        if shown != usize::from(sees) {
            wrong.push(format!("{shown} pictures for a client that has use for {}", usize::from(sees)));
        }
        if !sees && !text.contains("no pictures") {
            wrong.push(format!("no word about the picture that is left out: {text:?}"));
        }
    }
    wrong
}

/// Whether a picture that is sent to a client reaches its model as a picture.
fn sees_pictures(client: &Client) -> bool {
    let picture = json!({ "content": [{ "type": "image", "data": "iVBORw0KGgo", "mimeType": "image/png" }] });
    client.loss(&ToolResult { result: &picture, tool: &json!({}) }).is_none()
}

impl Gathered {
    fn add(&mut self, input: &Value, texts: &[&str]) {
        if is_raw(input) {
            self.raw.push_str(texts.first().unwrap_or(&""));
        } else {
            self.rows.extend(rows(texts));
        }
    }

    /// What is missing, or there twice.
    fn lack(&self, world: &World, wanted: &Wanted) -> Option<String> {
        match wanted {
            Wanted::Reply | Wanted::Failure => None,
            Wanted::Source(path) => {
                let source = source(world, path);
                (self.raw != source)
                    .then(|| format!("{} bytes together, the file has {}", self.raw.len(), source.len()))
            }
            Wanted::Lines(paths) => {
                let numbered = |path: &'static str, (number, line): (usize, &str)| Row {
                    path: path.to_owned(),
                    text: format!("{number}:{line}"),
                };
                let lines = |path: &&'static str| -> Vec<Row> {
                    (1..).zip(source(world, path).lines()).map(|line| numbered(path, line)).collect()
                };
                let expected: Vec<Row> = paths.iter().flat_map(lines).collect();
                difference(&self.rows, &expected)
            }
            Wanted::Rows(count, text) => {
                let found: Vec<&Row> = self.rows.iter().filter(|row| row.text.contains(text)).collect();
                let twice = repeated(found.iter().copied());
                let different = found.len() - twice.len();
                match twice.first() {
                    Some(row) => Some(format!("there twice: {row:?}")),
                    None => (different != *count).then(|| format!("{different} rows with {text:?}, not {count}")),
                }
            }
        }
    }
}

/// Rows that came before.
fn repeated<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<&'a Row> {
    let mut counts = BTreeMap::new();
    rows.filter(|row| {
        let count = counts.entry(*row).or_insert(0);
        *count += 1;
        *count > 1
    })
    .collect()
}

fn difference(rows: &[Row], expected: &[Row]) -> Option<String> {
    let mut counts: BTreeMap<&Row, i32> = BTreeMap::new();
    for row in expected {
        *counts.entry(row).or_default() -= 1;
    }
    for row in rows {
        *counts.entry(row).or_default() += 1;
    }
    counts.retain(|_, count| *count != 0);
    let (row, count) = counts.first_key_value()?;
    let how = if *count < 0 { "never shown" } else { "shown too often or made up" };
    Some(format!("{} of {} rows differ; {how}: {row:?}", counts.len(), expected.len()))
}

#[expect(clippy::disallowed_methods, reason = "the file is compared with what was read of it")]
fn source(world: &World, path: &str) -> String {
    std::fs::read_to_string(world.path().join(path)).unwrap()
}

/// The beginning of a text, for a message.
fn shorten(text: &str) -> String {
    if text.chars().count() <= 200 { text.to_owned() } else { text.chars().take(200).chain(['…']).collect() }
}
