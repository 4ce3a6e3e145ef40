//! The profiles `lines` and `windows`: tools with contracts of their own, which fit each client as well.

use std::path::Path;

use readstone_testkit::{Client, ToolResult, World};
use serde_json::{Value, json};

use super::follow::rows;
use super::session::{Session, Way};

/// The file that is read, and how many lines it has.
const FILE: &str = "ranged.txt";
const LINES: u64 = 3_400;
/// Calls that reading the file may take.
const MOST_CALLS: usize = 300;

/// A client that reads in one of the profiles.
struct Reader<'a> {
    client: &'a Client,
    session: Session,
    tool: Value,
}

/// Reads a file to its end in both profiles; gives what went wrong.
pub(crate) async fn check(world: &World, client: &Client) -> Vec<String> {
    let path = world.path().join(FILE);
    let mut problems = Vec::new();
    let lines = Reader::open(world, client, "lines").await;
    problems.extend(lines.read_lines(&path).await.err());
    let windows = Reader::open(world, client, "windows").await;
    for start in [json!({ "path": FILE, "start_line": 1, "end_line": 3_000 }), json!({ "path": FILE, "start_byte": 0 })]
    {
        problems.extend(windows.read_windows(start).await.err());
    }
    problems.into_iter().map(|problem| format!("{}: {problem}", client.product)).collect()
}

impl<'a> Reader<'a> {
    async fn open(world: &World, client: &'a Client, profile: &str) -> Self {
        let session = Session::open(world, &["--profile", profile], Way::Initialize, client.name).await;
        let tool = session.tools(client.name).await.remove(0);
        Self { client, session, tool }
    }

    /// Calls the tool; fails where the reply does not reach the model whole.
    async fn call(&self, input: &Value) -> Result<Vec<String>, String> {
        let answer = self.session.call(self.client.name, "read_file", input).await?;
        let result = ToolResult { result: &answer, tool: &self.tool };
        match self.client.loss(&result).or_else(|| self.client.excess(&result)) {
            Some(problem) => Err(format!("read_file {input}: {problem}")),
            None => Ok(result.texts().into_iter().map(str::to_owned).collect()),
        }
    }

    /// Reads all lines with `offset` and `limit`. A page that ends early says so in a block after the JSON.
    async fn read_lines(&self, path: &Path) -> Result<(), String> {
        let (mut offset, limit, mut seen) = (1, 400, Vec::new());
        for _ in 0..MOST_CALLS {
            let texts = self.call(&json!({ "path": path, "offset": offset, "limit": limit })).await?;
            let page: Value = serde_json::from_str(&texts[0]).map_err(|error| format!("{error}: {}", texts[0]))?;
            let read = page["lines_read"].as_u64().filter(|read| *read > 0).ok_or("a page without lines")?;
            seen.extend(page["content"].as_str().unwrap_or_default().lines().map(|line| line.replacen('\t', ":", 1)));
            offset += read;
            if offset > LINES {
                break;
            }
            let said = texts.last().is_some_and(|text| text.ends_with(&format!("next: read_file offset={offset}]\n")));
            if read < limit && !said {
                return Err(format!("a page of {read} lines does not name the next: {:?}", texts.get(1)));
            }
        }
        all_lines("lines", &seen)
    }

    /// Reads all lines by windows, each of which names the next.
    async fn read_windows(&self, start: Value) -> Result<(), String> {
        let (mut next, mut seen) = (Some(start), Vec::new());
        for _ in 0..MOST_CALLS {
            let Some(input) = next else { break };
            let text = self.call(&input).await?.concat();
            seen.extend(rows(&[&text]).into_iter().map(|row| row.text));
            let path = text.lines().last().and_then(|line| line.strip_suffix(']')?.rsplit_once("next: read_file "));
            next = path.map(|(_, path)| json!({ "path": path }));
        }
        all_lines("windows", &seen)
    }
}

fn all_lines(profile: &str, seen: &[String]) -> Result<(), String> {
    let expected: Vec<String> =
        (1..=LINES).map(|number| format!("{number}:row {number} of a file that is read by a range")).collect();
    if *seen == expected {
        return Ok(());
    }
    let (count, differs) = (seen.len(), seen.iter().zip(&expected).find(|(one, other)| one != other));
    Err(format!("profile {profile}: {count} lines instead of {LINES}; differs: {differs:?}"))
}
