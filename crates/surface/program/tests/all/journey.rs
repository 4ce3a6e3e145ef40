//! Journeys: whole tasks of an agent over a real MCP client, against the program on its pipes.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    deprecated,
    reason = "a test stops where it cannot go on, and speaks older revisions too"
)]

use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use readstone_testkit::{World, can_inject_faults};
use rmcp::model::{
    ArgumentInfo, CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest, CompleteRequestParams,
    LoggingLevel, LoggingMessageNotificationParam, ProgressNotificationParam, ReadResourceRequestParams, Reference,
    ResourceContents, SetLevelRequestParams,
};
use rmcp::service::{NotificationContext, PeerRequestOptions, RunningService};
use rmcp::{ClientHandler, RoleClient, ServiceExt as _};
use serde_json::{Value, json};
use tokio::process::{Child, Command};

/// A client that remembers what it was told.
#[derive(Clone, Debug, Default)]
struct Listener {
    progress: Arc<Mutex<Vec<ProgressNotificationParam>>>,
    messages: Arc<Mutex<Vec<LoggingMessageNotificationParam>>>,
}

impl ClientHandler for Listener {
    async fn on_progress(&self, progress: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.progress.lock().unwrap().push(progress);
    }

    async fn on_logging_message(&self, message: LoggingMessageNotificationParam, _: NotificationContext<RoleClient>) {
        self.messages.lock().unwrap().push(message);
    }
}

/// Starts a program that speaks the protocol, and a client with it.
async fn meet(command: std::process::Command) -> (RunningService<RoleClient, Listener>, Child, Listener) {
    let mut command = Command::from(command);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true).spawn().unwrap();
    let pipes = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
    let listener = Listener::default();
    let client = listener.clone().serve(pipes).await.unwrap();
    (client, child, listener)
}

fn mcp(world: &World) -> std::process::Command {
    let mut command = world.command();
    command.arg("mcp");
    command
}

fn params(input: &Value) -> CallToolRequestParams {
    CallToolRequestParams::new("read").with_arguments(input.as_object().unwrap().clone())
}

fn text(result: &CallToolResult) -> String {
    result.content.iter().filter_map(|block| block.as_text()).map(|block| block.text.clone()).collect()
}

fn next(result: &CallToolResult) -> Option<String> {
    let text = text(result);
    let line = text.lines().last()?.strip_suffix(']')?;
    line.split_once("next: read ").map(|(_, address)| address.to_owned())
}

#[tokio::test(flavor = "current_thread")]
async fn an_agent_finds_its_way_from_the_root_to_the_last_line_and_sees_what_changed() {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    let lines = (1..=5_000).map(|number| format!("line {number}\n")).collect::<Vec<_>>().concat();
    world.file("src/main.txt", &lines);
    let (client, mut child, listener) = meet(mcp(&world)).await;
    let read = async |path: &str| client.call_tool(params(&json!({ "path": path }))).await.unwrap();

    let tools = client.list_all_tools().await.unwrap();
    assert_eq!(
        tools.iter().map(|tool| &*tool.name).collect::<Vec<_>>(),
        ["read", "find", "search", "edit", "write", "undo"]
    );
    let reads = |name: &str| ["read", "find", "search"].contains(&name);
    assert!(tools.iter().all(|tool| tool.annotations.as_ref().unwrap().read_only_hint == Some(reads(&tool.name))));

    assert!(text(&read("/").await).contains("src/"), "the root shows its directories");
    let missing = read("main.tx").await;
    let offered = text(&missing);
    assert!(offered.contains("src/main.txt"), "a missing path leads to what can be meant: {offered}");

    let (mut address, mut seen, mut pages) = (Some("src/main.txt:raw".to_owned()), String::new(), 0);
    while let Some(here) = address {
        let page = read(&here).await;
        // The block behind it says what follows.
        seen.push_str(&page.content.first().unwrap().as_text().unwrap().text);
        address = next(&page);
        pages += 1;
    }
    assert!(seen == lines && pages > 1, "{pages} pages give the file back");

    let first = read("src/main.txt:1-2").await;
    let tag = text(&first).split_once('#').unwrap().1.get(..4).unwrap().to_owned();
    world.file("src/main.txt", lines.replace("line 4000\n", "another line\n"));
    let changes = text(&read(&format!("src/main.txt#{tag}")).await);
    assert!(changes.contains("4000:another line") && !changes.contains("line 3000"), "{changes}");

    let wrong = client.call_tool(params(&json!({ "path": "src/main.txt", "lines": "1-2" }))).await.unwrap();
    assert_eq!(wrong.is_error, Some(true));
    assert!(text(&wrong).starts_with("tool.bad_input: "), "{}", text(&wrong));

    client.set_level(SetLevelRequestParams::new(LoggingLevel::Warning)).await.unwrap();
    assert_eq!(read("nothing like it").await.is_error, Some(true));
    client.list_all_tools().await.unwrap();
    let said = listener.messages.lock().unwrap().first().unwrap().data.clone();
    assert_eq!(said["code"], "source.not_found");

    client.cancel().await.unwrap();
    assert!(child.wait().await.unwrap().success());
}

#[tokio::test(flavor = "current_thread")]
async fn a_user_attaches_a_file_as_a_resource_after_completing_its_path() {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    world.file("notes/first.txt", "one\ntwo\n");
    world.file("notes/second.bin", [0xE9, b'\n', 0xFF, 0xFE, 0x80]);
    world.file("notes/.env", "SECRET=1\n");
    let (client, _child, _) = meet(mcp(&world)).await;
    let roots = client.list_all_resources().await.unwrap();
    let root = roots[0].uri.trim_start_matches("file:///").to_owned();
    assert!(text_of(&client, &roots[0].uri).await.contains("notes/"));

    let complete = async |typed: String| {
        let argument = ArgumentInfo::new("path", typed);
        let params = CompleteRequestParams::new(Reference::for_resource("file:///{+path}"), argument);
        client.complete(params).await.unwrap().completion.values
    };
    assert_eq!(complete(root[..3].to_owned()).await, std::slice::from_ref(&root));
    assert_eq!(complete(format!("{root}no")).await, [format!("{root}notes/")]);
    let files = complete(format!("{root}notes/")).await;
    assert_eq!(files, [format!("{root}notes/first.txt"), format!("{root}notes/second.bin")]);
    assert_eq!(complete(format!("{root}notes/.e")).await, [""; 0], "secrets are not offered");

    let page = text_of(&client, &format!("file:///{}:2", files[0])).await;
    assert!(page.contains("2:two"), "{page}");
    let denied = client.read_resource(ReadResourceRequestParams::new(format!("file:///{root}notes/.env"))).await;
    assert!(denied.unwrap_err().to_string().contains("host.denied_secret"));
}

async fn text_of(client: &RunningService<RoleClient, Listener>, uri: &str) -> String {
    let read = client.read_resource(ReadResourceRequestParams::new(uri)).await.unwrap();
    let ResourceContents::TextResourceContents { text, .. } = &read.contents[0] else {
        return "something else".to_owned();
    };
    text.clone()
}

#[tokio::test(flavor = "current_thread")]
async fn long_work_tells_how_far_it_is_and_stops_when_it_is_cancelled() {
    if !can_inject_faults() {
        return;
    }
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    world.file("big.log", "0123456789abcdef0123456789abcde\n".repeat(4 * 1024 * 1024));
    world.file("small.log", "small\n");
    // A disk that takes its time.
    let program = mcp(&world);
    let mut slow = readstone_testkit::tool("strace");
    slow.args(["-f", "-qq", "-o", "/dev/null", "-e", "inject=pread64:delay_enter=20000"]);
    slow.arg(program.get_program()).args(program.get_args()).current_dir(world.path());
    slow.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let (client, _child, listener) = meet(slow).await;

    let request = CallToolRequest::new(params(&json!({ "path": "big.log:9999999-" })));
    let asked = client
        .send_cancellable_request(ClientRequest::CallToolRequest(request), PeerRequestOptions::no_options())
        .await
        .unwrap();
    for _ in 0..600 {
        tokio::time::sleep(Duration::from_millis(50)).await;
        if listener.progress.lock().unwrap().len() > 1 {
            break;
        }
    }
    {
        let told = listener.progress.lock().unwrap();
        assert!(told.len() > 1, "progress is told while the work lasts");
        assert!(told.windows(2).all(|pair| pair[0].progress < pair[1].progress), "and it grows: {told:?}");
        assert_eq!(told[0].total, Some(134_217_728.0));
    }
    asked.cancel(Some("enough".to_owned())).await.unwrap();
    let told = listener.progress.lock().unwrap().len();
    let small = client.call_tool(params(&json!({ "path": "small.log" }))).await.unwrap();
    assert!(text(&small).contains("1:small"));
    tokio::time::sleep(Duration::from_millis(800)).await;
    assert!(listener.progress.lock().unwrap().len() <= told + 1, "nothing more is told of what was cancelled");
}
