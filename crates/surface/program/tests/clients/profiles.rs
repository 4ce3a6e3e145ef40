//! The profiles `lines` and `windows`: tools with contracts of their own, which fit each client as well.

use readstone_testkit::{Client, ToolResult, World};
use serde_json::{Value, json};

use crate::follow::rows;
use crate::session::{Session, Way};

/// The file that is read, and how many lines it has.
const FILE: &str = "ranged.txt";
const LINES: u64 = 3_400;
/// Calls that reading the file may take.
const MOST_CALLS: usize = 300;

/// Reads a file to its end in both profiles; gives what went wrong.
pub(crate) async fn check(world: &World, client: &Client) -> Vec<String> {
    let windows: Vec<Value> =
        vec![json!({ "path": FILE, "start_line": 1, "end_line": 3_000 }), json!({ "path": FILE, "start_byte": 0 })];
    let mut problems: Vec<String> = lines_profile(world, client).await.err().into_iter().collect();
    for start in windows {
        problems.extend(windows_profile(world, client, start).await.err());
    }
    problems
}

/// Calls the tool of a profile; fails where the reply does not reach the model whole.
async fn call(session: &Session, client: &Client, input: &Value) -> Result<(String, bool), String> {
    let answer = session.call(client.name, "read_file", input).await?;
    let result = ToolResult { result: &answer, tool: &Value::Null };
    match client.loss(&result).or_else(|| client.excess(&result)) {
        Some(problem) => Err(format!("{}: read_file {input}: {problem}", client.product)),
        None => Ok((result.texts().concat(), result.is_error())),
    }
}

/// Reads all lines with `offset` and `limit`; a call that asks for too much is made again for half of it.
async fn lines_profile(world: &World, client: &Client) -> Result<(), String> {
    let session = Session::open(world, &["--profile", "lines"], Way::Initialize, client.name).await;
    let path = world.path().join(FILE);
    let (mut offset, mut limit, mut seen) = (1, 400, Vec::new());
    for _ in 0..MOST_CALLS {
        let input = json!({ "path": path, "offset": offset, "limit": limit });
        let (text, failed) = call(&session, client, &input).await?;
        let page: Value =
            serde_json::from_str(&text).map_err(|error| format!("{}: {error}: {text}", client.product))?;
        if failed {
            limit /= 2;
            continue;
        }
        seen.extend(page["content"].as_str().unwrap_or_default().lines().map(|line| line.replacen('\t', ":", 1)));
        let read = page["lines_read"].as_u64().filter(|read| *read > 0).ok_or("a page without lines")?;
        offset += read;
        if offset > LINES {
            break;
        }
    }
    all_lines(client, "lines", &seen)
}

/// Reads all lines by windows, each of which names the next.
async fn windows_profile(world: &World, client: &Client, start: Value) -> Result<(), String> {
    let session = Session::open(world, &["--profile", "windows"], Way::Initialize, client.name).await;
    let (mut next, mut seen) = (Some(start), Vec::new());
    for _ in 0..MOST_CALLS {
        let Some(input) = next else { break };
        let (text, _) = call(&session, client, &input).await?;
        seen.extend(rows(&[&text]).into_iter().map(|row| row.text));
        let argument = text.lines().last().and_then(|line| line.strip_suffix(']')?.rsplit_once("next: read_file "));
        next = argument.and_then(|(_, argument)| window(argument));
    }
    all_lines(client, "windows", &seen)
}

/// The input of the window that an address names: lines, or else bytes.
fn window(address: &str) -> Option<Value> {
    let selector = address.strip_prefix(FILE)?.strip_prefix(':')?;
    let number = |text: &str| text.parse::<u64>().ok();
    if let Some(bytes) = selector.strip_prefix('b') {
        return match bytes.split_once('+') {
            Some((start, size)) => {
                Some(json!({ "path": FILE, "start_byte": number(start)?, "max_bytes": number(size)? }))
            }
            None => Some(json!({ "path": FILE, "start_byte": number(bytes)? })),
        };
    }
    let (first, last) = selector.split_once('-')?;
    let input = json!({ "path": FILE, "start_line": number(first)? });
    Some(
        number(last)
            .map_or(input.clone(), |last| json!({ "path": FILE, "start_line": input["start_line"], "end_line": last })),
    )
}

fn all_lines(client: &Client, profile: &str, seen: &[String]) -> Result<(), String> {
    let expected: Vec<String> =
        (1..=LINES).map(|number| format!("{number}:row {number} of a file that is read by a range")).collect();
    if *seen == expected {
        return Ok(());
    }
    let (count, differs) = (seen.len(), seen.iter().zip(&expected).find(|(one, other)| one != other));
    Err(format!("{}: profile {profile}: {count} lines instead of {LINES}; differs: {differs:?}", client.product))
}
