//! Every kind of reply reaches the model of every known client whole, and reading on brings all the rest.
//!
//! The emulations of the clients are in the testkit (`Client::ALL`), the calls in `clients/replies.rs`. The server is
//! the program itself, driven by the client of the official Rust kit under each client's name.

#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test stops where it cannot go on")]

mod check;
mod fixtures;
mod follow;
mod profiles;
mod replies;
mod session;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use check::Checker;
use follow::Tags;
use readstone_testkit::{Client, ToolResult, World};
use serde_json::json;
use session::{Session, Way};

/// Clients that are driven side by side.
const SIDE_BY_SIDE: usize = 2;
/// Problems that a failed test lists.
const MOST_LISTED: usize = 80;

/// Runs async code where it is.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// Works on every client, a few side by side, and fails with all problems that were found.
fn for_each_client(work: impl Fn(usize, &Client) -> Vec<String> + Sync) {
    let (next, problems) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..SIDE_BY_SIDE {
            scope.spawn(|| {
                while let Some((index, client)) =
                    Client::ALL.iter().enumerate().nth(next.fetch_add(1, Ordering::Relaxed))
                {
                    problems.lock().unwrap().extend(work(index, client));
                }
            });
        }
    });
    let problems = problems.into_inner().unwrap();
    let listed = problems.iter().take(MOST_LISTED).cloned().collect::<Vec<_>>().join("\n");
    assert!(problems.is_empty(), "{} problems:\n{listed}", problems.len());
}

/// Makes all calls of the table as one client, with a directory for the files that it changes.
async fn check_all(world: &World, session: &Session, client: &Client, own: String) -> Vec<String> {
    fixtures::files_to_change(world, &own);
    let tools = session.tools(client.name).await;
    let reads_all = session.way() == Way::Initialize;
    let (tags, problems) = (Tags::default(), Vec::new());
    let mut checker = Checker { world, session, client, reads_all, own, tools, tags, problems };
    for reply in replies::all() {
        checker.check(&reply).await;
    }
    checker.problems
}

#[test]
fn every_reply_arrives_whole_at_clients_that_introduce_themselves_once() {
    let world = fixtures::world();
    for_each_client(|index, client| {
        block_on(async {
            let session = Session::open(&world, &[], Way::Initialize, client.name).await;
            check_all(&world, &session, client, format!("once_{index}")).await
        })
    });
}

#[test]
fn every_reply_arrives_whole_at_clients_that_say_their_name_with_each_request() {
    let world = fixtures::world();
    for_each_client(|index, client| {
        block_on(async {
            // The name of the first look at the server is another one: it must not decide.
            let session = Session::open(&world, &[], Way::EachRequest, "readstone-testkit").await;
            check_all(&world, &session, client, format!("each_{index}")).await
        })
    });
}

#[test]
fn our_own_programs_get_every_reply_by_the_limits_of_the_library() {
    let world = fixtures::world();
    let problems = block_on(async {
        let session = Session::open(&world, &[], Way::Initialize, Client::OURS.name).await;
        check_all(&world, &session, &Client::OURS, "ours".to_owned()).await
    });
    assert_eq!(problems, Vec::<String>::new());
}

#[test]
fn the_profiles_of_older_tools_obey_their_clients_too() {
    let world = fixtures::world();
    for_each_client(|_, client| block_on(profiles::check(&world, client)));
}

#[test]
fn one_server_fits_each_reply_to_the_name_in_its_request() {
    let world = fixtures::world();
    let input = json!({ "path": "long.txt" });
    block_on(async {
        let session = Session::open(&world, &[], Way::EachRequest, "readstone-testkit").await;
        let mut sizes = Vec::new();
        for name in ["Visual Studio Code", "copilot-cli", "qwen-code-mcp-client", "claude-code", "readstone-testkit"] {
            let answer = session.call(name, "read", &input).await.unwrap();
            sizes.push(ToolResult { result: &answer, tool: &json!({}) }.texts().concat().len());
        }
        let ceilings = [8_000, 19_000, 26_000, 36_000, 52_000];
        let fits = |(size, most): (&usize, usize)| *size <= most && *size > most * 8 / 10;
        assert!(sizes.iter().zip(ceilings).all(fits), "{sizes:?}");
    });
}

#[test]
fn claude_code_gets_pages_of_the_usual_size_and_long_ranges_at_once() {
    let world = fixtures::world();
    block_on(async {
        let session = Session::open(&world, &[], Way::Initialize, "claude-code").await;
        let size = async |input| {
            let answer = session.call("claude-code", "read", &input).await.unwrap();
            ToolResult { result: &answer, tool: &json!({}) }.texts().concat().len()
        };
        let page = size(json!({ "path": "long.txt" })).await;
        assert!((30_000..=36_000).contains(&page), "{page}");
        let range = size(json!({ "path": "ranged.txt:1-3000" })).await;
        assert!((100_000..=200_000).contains(&range), "{range}");
    });
}
