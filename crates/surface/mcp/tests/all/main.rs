//! Resources of other MCP servers: good ones, bad ones, and what is left when they are gone.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

mod far;
mod sharing;
mod stand;

use std::sync::Arc;
use std::time::Duration;

use readstone_base::{Class, WebNote};
use readstone_mcp::McpServer;
use readstone_source::{Finding, Nature, Sourced};
use stand::{Stand, budget, ends, runs, text};
use tempfile::TempDir;

fn piece_name(sourced: &Sourced) -> &str {
    match &sourced.found {
        Finding::Piece(piece) => &piece.name,
        Finding::Opened(_) | Finding::Content(_) => panic!("no piece"),
    }
}

fn advice(fault: &readstone_base::Fault) -> Vec<String> {
    fault.next().into_iter().map(|next| next.argument).collect()
}

#[test]
fn a_resource_is_a_piece_called_like_it_with_its_origin_and_its_tail_left() {
    let Some(stand) = Stand::new("good") else { return };
    let found = stand.open_with("demo/demo://docs/features.md", Some("1-2")).unwrap();
    assert_eq!(text(&found), "# Features\n\nOne.\n");
    assert_eq!(found.path, "mcp://demo/demo://docs/features.md");
    assert_eq!(piece_name(&found), "features.md");
    assert_eq!((found.tail.as_deref(), found.nature), (Some("1-2"), Nature::Fixed));
    let web = found.web.unwrap();
    assert_eq!((web.method, web.origin.as_str()), ("mcp", "demo"));
    assert_eq!(web.final_url, "demo://docs/features.md");
    assert_eq!(web.content_type.as_deref(), Some("text/markdown"));
}

#[test]
fn the_media_type_gives_a_name_its_extension() {
    let Some(stand) = Stand::new("good") else { return };
    assert_eq!(piece_name(&stand.open("demo/demo://data/7")), "7.json");
    let picture = stand.open("demo/demo://picture");
    assert_eq!(piece_name(&picture), "picture.png");
    let Finding::Piece(piece) = picture.found else { panic!("no piece") };
    assert_eq!(piece.blob.read_range(0, 100).unwrap(), b"\x89PNG\r\n\x1a\nrest");
}

#[test]
fn several_contents_stand_below_headings_and_none_is_said() {
    let Some(stand) = Stand::new("good") else { return };
    assert_eq!(stand.text("demo/demo://several"), "## demo://one\n\n1\n\n## demo://two\n\n2\n\n");
    let nothing = stand.open("demo/demo://nothing");
    assert_eq!(text(&nothing), "");
    assert!(matches!(nothing.web.unwrap().notes.as_slice(), [WebNote::Said(_)]));
}

#[test]
fn the_bare_scheme_lists_the_servers_without_starting_any() {
    let Some(stand) = Stand::of(&[("one", "good"), ("two", "silent")]) else { return };
    let text = stand.text("");
    let lines: Vec<&str> = text.lines().filter_map(|line| line.split("  ").next()).collect();
    assert_eq!(lines, ["mcp://one", "mcp://two"]);
    assert!(!text.contains("server.py"), "{text}");
    assert!(stand.starts("one").is_empty());
}

#[test]
fn a_server_lists_all_pages_of_its_resources_and_its_templates() {
    let Some(stand) = Stand::new("good") else { return };
    for spelled in ["demo", "demo/", "DEMO"] {
        let listed = stand.text(spelled);
        let lines: Vec<&str> = listed.lines().collect();
        assert_eq!(lines.len(), 8, "{listed}");
        assert_eq!(lines[0], "mcp://demo/demo://docs/features.md  text/markdown");
        assert_eq!(lines[6], "mcp://demo/demo://fails  Never works");
        assert_eq!(lines[7], "mcp://demo/demo://letters/{count}  template · Letters");
    }
}

#[test]
fn an_endless_list_ends_and_says_so() {
    let Some(stand) = Stand::new("endless-list") else { return };
    let listed = stand.open("demo");
    assert_eq!(text(&listed).lines().count(), 10_000);
    assert!(matches!(listed.web.unwrap().notes.as_slice(), [WebNote::Said(words)] if words.contains("more")));
}

#[test]
fn a_missing_resource_is_missing_and_names_what_is_called_like_it() {
    let Some(stand) = Stand::new("good") else { return };
    let fault = stand.refusal("demo/demo://docs/featurs.md");
    assert_eq!((fault.code(), fault.class()), ("mcp.not_found", Class::Missing));
    assert!(fault.to_string().contains("Resource 'demo://docs/featurs.md' not found"), "{fault}");
    assert_eq!(advice(&fault)[0], "mcp://demo/demo://docs/features.md");
}

#[test]
fn a_name_that_fails_with_a_selector_is_missing_so_that_the_next_reading_is_tried() {
    let Some(stand) = Stand::new("good") else { return };
    assert_eq!(stand.refusal("demo/demo://letters/3:5-10").class(), Class::Missing);
    assert_eq!(stand.refusal("demo/demo://docs/features.md:2").class(), Class::Missing);
    assert_eq!(stand.text("demo/demo://colon:5-6"), "with a colon\n");
}

#[test]
fn a_resource_that_fails_says_what_the_server_said_on_one_line() {
    let Some(stand) = Stand::new("good") else { return };
    let fault = stand.refusal("demo/demo://fails");
    assert_eq!((fault.code(), fault.class()), ("mcp.failed", Class::Outside));
    assert!(fault.to_string().contains("is on fire"), "{fault}");
    assert!(!fault.to_string().contains('\n'), "{fault}");
}

#[test]
fn percent_signs_are_decoded_only_when_the_literal_name_is_not_there() {
    let Some(stand) = Stand::new("good") else { return };
    assert_eq!(stand.text("demo/demo://percent%20sign"), "with a percent sign\n");
    let decoded = stand.open("demo/demo://odd%20name");
    assert_eq!(text(&decoded), "with a space\n");
    assert_eq!(decoded.path, "mcp://demo/demo://odd name");
}

#[test]
fn an_unknown_server_names_those_there_are() {
    let Some(stand) = Stand::of(&[("one", "good"), ("two", "good")]) else { return };
    let fault = stand.refusal("three/demo://x");
    assert_eq!(fault.code(), "mcp.not_found");
    let fault = stand.refusal("three/x");
    assert_eq!((fault.code(), fault.class()), ("mcp.unknown_server", Class::Request));
    assert!(fault.to_string().contains("there are one, two"), "{fault}");
}

#[test]
fn without_servers_the_setting_is_named() {
    let Some(stand) = Stand::of(&[]) else { return };
    for spelled in ["", "demo", "demo://x"] {
        let fault = stand.refusal(spelled);
        assert_eq!(fault.code(), "mcp.unknown_server");
        assert!(fault.to_string().contains("[mcp.NAME]"), "{fault}");
    }
}

#[test]
fn a_resource_without_a_server_is_that_of_the_one_that_has_it() {
    let Some(stand) = Stand::of(&[("empty", "endless-list"), ("demo", "good")]) else { return };
    let found = stand.open("demo://docs/startup.md");
    assert_eq!(found.path, "mcp://demo/demo://docs/startup.md");
    assert_eq!(stand.refusal("other://thing").code(), "mcp.not_found");
    let Some(twice) = Stand::of(&[("one", "good"), ("two", "good")]) else { return };
    let fault = twice.refusal("demo://docs/startup.md");
    assert_eq!((fault.code(), fault.class()), ("mcp.unknown_server", Class::Request));
    assert_eq!(advice(&fault), ["mcp://one/demo://docs/startup.md", "mcp://two/demo://docs/startup.md"]);
}

#[test]
fn a_server_sees_a_bare_environment() {
    let Some(stand) = Stand::new("good") else { return };
    let text = stand.text("demo/demo://environment");
    let names: Vec<&str> = text.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name).collect();
    assert_eq!(names, ["HOME", "PATH", "TOKEN"]);
}

#[test]
fn none_of_what_a_server_asks_is_granted() {
    let Some(stand) = Stand::new("good") else { return };
    let answers = "roots/list -32601\nsampling/createMessage -32601\nelicitation/create -32601\n";
    assert_eq!(stand.text("demo/demo://asked"), answers);
    let Some(stand) = Stand::new("asks-for-ever") else { return };
    let fault = stand.refusal("demo/demo://docs/startup.md");
    assert_eq!(fault.code(), "mcp.failed");
    assert!(fault.to_string().contains("not offered"), "{fault}");
}

#[test]
fn a_server_that_only_knows_the_newest_revision_is_read() {
    let Some(stand) = Stand::new("newest") else { return };
    assert_eq!(stand.text("demo/demo://docs/startup.md"), "# Startup\n");
    assert_eq!(stand.starts("demo").len(), 2);
}

#[test]
fn a_server_that_never_answers_costs_the_time_of_the_call_and_is_killed() {
    let Some(stand) = Stand::new("silent") else { return };
    let stand = stand.hurried(Duration::from_secs(3));
    let fault = stand.refusal("demo/demo://docs/startup.md");
    assert_eq!((fault.code(), fault.class()), ("mcp.timeout", Class::Stopped));
    assert!(ends(stand.starts("demo")[0]));
}

#[test]
fn a_cancelled_call_ends_while_the_server_is_still_at_work() {
    let Some(mut stand) = Stand::new("slow-list") else { return };
    assert_eq!(stand.text("demo/demo://docs/startup.md"), "# Startup\n");
    stand.budget.cancel_token().cancel();
    let fault = stand.refusal("demo");
    assert_eq!((fault.code(), fault.class()), ("mcp.timeout", Class::Stopped));
    stand.budget = budget(Duration::from_mins(1), 0);
    let token = stand.budget.cancel_token().clone();
    let later = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        token.cancel();
    });
    assert_eq!(stand.refusal("demo").code(), "mcp.timeout");
    later.join().unwrap();
}

#[test]
fn a_server_that_dies_is_started_once_more_and_its_words_are_told() {
    for mode in ["dies", "dies-on-read"] {
        let Some(stand) = Stand::new(mode) else { return };
        let fault = stand.refusal("demo/demo://docs/startup.md");
        assert_eq!((fault.code(), fault.class()), ("mcp.failed", Class::Outside));
        assert!(fault.to_string().contains("Error: "), "{fault}");
        assert_eq!(stand.starts("demo").len(), 2, "{mode}");
    }
    let Some(stand) = Stand::new("dies-once") else { return };
    assert_eq!(stand.text("demo/demo://docs/startup.md"), "# Startup\n");
}

#[test]
fn what_is_no_message_is_passed_over_but_not_for_ever() {
    let (Some(notes), Some(garbage)) = (Stand::new("notes"), Stand::new("garbage")) else { return };
    assert_eq!(notes.text("demo/demo://docs/startup.md"), "# Startup\n");
    let fault = garbage.refusal("demo/demo://docs/startup.md");
    assert_eq!(fault.code(), "mcp.failed");
    assert!(fault.to_string().contains("no message: hello, I am no server"), "{fault}");
}

#[test]
fn more_than_the_limit_is_refused_whether_it_ends_or_not() {
    let Some(mut stand) = Stand::new("good") else { return };
    stand.limits.fetch_bytes = 1000;
    assert_eq!(stand.text("demo/demo://letters/1000").len(), 1000);
    let fault = stand.refusal("demo/demo://letters/1001");
    assert_eq!((fault.code(), fault.class()), ("mcp.too_big", Class::TooBig));
    assert_eq!(stand.refusal("demo/demo://letters/9000000").code(), "mcp.too_big");
    let Some(mut stand) = Stand::new("huge") else { return };
    stand.limits.fetch_bytes = 1000;
    assert_eq!(stand.refusal("demo/demo://docs/startup.md").code(), "mcp.too_big");
    assert!(ends(stand.starts("demo")[0]));
}

#[test]
fn a_program_that_is_not_there_cannot_be_started() {
    let none = McpServer { name: "none".into(), command: vec!["/no/such/program".into()], ..McpServer::default() };
    let neither = McpServer { name: "neither".into(), ..McpServer::default() };
    let stand = Stand::with(vec![none, neither], TempDir::new().unwrap());
    for spelled in ["none/x", "none", "neither/x"] {
        let fault = stand.refusal(spelled);
        assert_eq!((fault.code(), fault.class()), ("mcp.no_start", Class::Outside));
    }
}

#[test]
fn a_server_is_kept_for_the_next_call_and_ended_when_nobody_asks() {
    let Some(stand) = Stand::new("good") else { return };
    let pids = stand.text("demo/demo://pids");
    assert_eq!(stand.text("demo/demo://pids"), pids);
    assert_eq!(stand.starts("demo").len(), 1);

    let Some(mut stand) = Stand::new("good") else { return };
    stand.set_idle(Duration::from_millis(30));
    stand.open("demo/demo://docs/startup.md");
    assert!(ends(stand.starts("demo")[0]));
    assert_eq!(stand.text("demo/demo://docs/startup.md"), "# Startup\n");
}

#[test]
fn nothing_that_a_server_started_stays_behind_even_if_it_is_stubborn() {
    for mode in ["good", "stubborn"] {
        let Some(stand) = Stand::new(mode) else { return };
        let pids = stand.text("demo/demo://pids");
        let pids: Vec<i32> = pids.split(' ').map(|pid| pid.parse().unwrap()).collect();
        assert!(pids.iter().all(|pid| runs(*pid)), "{mode}");
        drop(stand);
        assert!(!runs(pids[0]), "{mode}");
        assert!(ends(pids[1]), "{mode}");
    }
}

#[test]
fn servers_can_be_ended_and_are_started_again_when_they_are_asked() {
    let Some(stand) = Stand::new("good") else { return };
    stand.open("demo/demo://docs/startup.md");
    stand.scheme.end();
    assert!(!runs(stand.starts("demo")[0]));
    assert_eq!(stand.text("demo/demo://docs/startup.md"), "# Startup\n");
    assert_eq!(stand.starts("demo").len(), 2);
}

#[test]
fn calls_from_a_runtime_and_side_by_side_share_one_server() {
    let Some(stand) = Stand::new("good") else { return };
    let stand = Arc::new(stand);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    runtime.block_on(async {
        let calls: Vec<_> = (0..8)
            .map(|count| {
                let stand = Arc::clone(&stand);
                tokio::task::spawn_blocking(move || stand.text(&format!("demo/demo://letters/{count}")).len())
            })
            .collect();
        for (count, call) in calls.into_iter().enumerate() {
            assert_eq!(call.await.unwrap(), count);
        }
    });
    assert_eq!(stand.starts("demo").len(), 1);
}
