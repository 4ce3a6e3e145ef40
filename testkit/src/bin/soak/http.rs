//! Many clients of a server over HTTP: tools, MCP, and callers that go away.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use readstone_testkit::{Answer, Served};
use serde_json::json;

use crate::FLIGHT;
use crate::calls::{Call, Chance};
use crate::tally::{Ending, Tally};

/// Plays calls, sixteen in flight.
pub(crate) fn play(server: &Served, calls: usize, tally: &mut Tally) {
    let next = AtomicUsize::new(0);
    let counted: Vec<Tally> = std::thread::scope(|scope| {
        let start = |seed: u64| {
            let next = &next;
            scope.spawn(move || play_some(server, seed, next, calls))
        };
        let players: Vec<_> = (1..=FLIGHT as u64).map(start).collect();
        players.into_iter().map(|player| player.join().unwrap_or_default()).collect()
    });
    for one in counted {
        tally.add(one);
    }
}

/// One of the clients: makes the next call until all are made.
fn play_some(server: &Served, seed: u64, next: &AtomicUsize, calls: usize) -> Tally {
    let (mut chance, mut tally) = (Chance::new(seed), Tally::default());
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= calls {
            return tally;
        }
        play_one(server, number, &mut chance, &mut tally);
    }
}

fn play_one(server: &Served, number: usize, chance: &mut Chance, tally: &mut Tally) {
    match chance.below(20) {
        0 | 1 => {
            // Left at once, or after the work began.
            let call = Call::long(chance);
            let body = call.input.to_string();
            let path = format!("/v1/tools/{}", call.tool);
            let stream = server.send("POST", &path, &[("Content-Type", "application/json")], body.as_bytes());
            std::thread::sleep(Duration::from_millis(chance.below(40) as u64));
            drop(stream);
            tally.count(Ending::Left);
        }
        2 => {
            let call = Call::quick(chance, number);
            drop(server.send_mcp("tools/call", json!({ "name": call.tool, "arguments": call.input })));
            tally.count(Ending::Left);
        }
        3 => {
            // Half a request.
            let mut stream = server.connect();
            drop(std::io::Write::write_all(&mut stream, b"POST /v1/tools/read HTTP/1.1\r\nHost: 127"));
            tally.count(Ending::Left);
        }
        4..=7 => {
            let call = Call::quick(chance, number);
            let stream = server.send_mcp("tools/call", json!({ "name": call.tool, "arguments": call.input }));
            judge(&call, Answer::from_stream(stream), tally);
        }
        _ => {
            let call = Call::quick(chance, number);
            let path = format!("/v1/tools/{}", call.tool);
            let body = call.input.to_string();
            let stream = server.send("POST", &path, &[("Content-Type", "application/json")], body.as_bytes());
            judge(&call, Answer::from_stream(stream), tally);
        }
    }
}

fn judge(call: &Call, answer: Option<Answer>, tally: &mut Tally) {
    let asked = format!("{} {}", call.tool, call.input);
    match answer {
        Some(answer) if answer.status == 429 || answer.text().contains("desk.busy") => tally.count(Ending::Busy),
        Some(answer) if answer.text().contains(call.expects) => tally.count(Ending::Answered),
        Some(answer) => tally.note_wrong(&asked, &format!("{} {}", answer.status, answer.text())),
        None => tally.note_wrong(&asked, "no answer"),
    }
}
