//! One client of a server on pipes that keeps many calls in flight and cancels some.

use std::collections::BTreeMap;

use readstone_testkit::Spoken;
use serde_json::{Value, json};

use crate::FLIGHT;
use crate::calls::{Call, Chance};
use crate::tally::{Ending, Tally};

/// Plays calls, sixteen in flight.
pub(crate) fn play(server: &mut Spoken, calls: usize, tally: &mut Tally) {
    let mut chance = Chance::new(99);
    let mut waiting: BTreeMap<String, Call> = BTreeMap::new();
    let mut started = 0;
    while started < calls || !waiting.is_empty() {
        while started < calls && waiting.len() < FLIGHT {
            let id = format!("soak-{calls}-{started}");
            let cancels = chance.below(10) == 0;
            let call = if cancels { Call::long(&mut chance) } else { Call::quick(&mut chance, started) };
            let params = json!({ "name": call.tool, "arguments": call.input });
            server.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }));
            started += 1;
            if cancels {
                let params = json!({ "requestId": id, "reason": "soak" });
                server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
                tally.count(Ending::Cancelled);
            } else {
                waiting.insert(id, call);
            }
        }
        let Some(answer) = server.receive() else {
            for call in waiting.values() {
                tally.note_wrong(call.tool, "the server ended");
            }
            return;
        };
        // An answer may cross the word that nobody wants it any more.
        if let Some(call) = answer.get("id").and_then(Value::as_str).and_then(|id| waiting.remove(id)) {
            judge(&call, &answer.to_string(), tally);
        }
    }
}

fn judge(call: &Call, answer: &str, tally: &mut Tally) {
    if answer.contains("desk.busy") {
        tally.count(Ending::Busy);
    } else if answer.contains(call.expects) {
        tally.count(Ending::Answered);
    } else {
        tally.note_wrong(&format!("{} {}", call.tool, call.input), answer);
    }
}
