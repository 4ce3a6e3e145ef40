//! The judge: makes a call on every surface and holds what comes against what is owed.

use std::time::Duration;

use readstone_testkit::CANARY;
use serde_json::{Value, json};

use crate::ask::Ask;
use crate::codes::{Codes, Told};
use crate::line::{Line, Ran};
use crate::servers::{Heard, Servers};
use crate::tally::Tally;
use crate::terminal;

/// How many times as long as it works a call may take, on a machine that does other things too.
const WAITING: u32 = 4;

/// What goes wrong at a call.
type Faults = Vec<(&'static str, String)>;

/// Makes a call on the command line and over REST alone, and notes what is wrong with the answers.
fn play_long(ask: &Ask, (line, servers): (&Line<'_>, &Servers<'_>), codes: &Codes, tally: &mut Tally) {
    let (words, posted) = std::thread::scope(|scope| {
        let words = scope.spawn(|| line.words(ask));
        let posted = servers.post(ask);
        (words.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), posted)
    });
    let mut faults = Faults::new();
    tally.called("command line", &ask.to_string(), words.took, words.grown);
    check_ran(ask, "command line", &words, &mut faults);
    tally.called("REST", &ask.to_string(), posted.took, posted.grown);
    check_heard(ask, "REST", &posted, &mut faults);
    check_wire(ask, &posted, codes, &mut faults);
    note(ask, faults, tally);
}

/// Makes a call everywhere, two at a time, and notes what is wrong with the answers.
pub(crate) fn play(ask: &Ask, (line, servers): (&Line<'_>, &mut Servers<'_>), codes: &Codes, tally: &mut Tally) {
    if ask.is_long {
        return play_long(ask, (line, servers), codes, tally);
    }
    let ((words, shown), (data, spoken, posted)) = std::thread::scope(|scope| {
        let lines = scope.spawn(|| (line.words(ask), terminal::ask(line, ask)));
        let others = (line.data(ask), servers.speak(ask), servers.post(ask));
        (lines.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), others)
    });
    let mut faults = Faults::new();
    for (surface, ran) in [("command line", &words), ("command line, JSON", &data), ("terminal", &shown)] {
        tally.called(surface, &ask.to_string(), ran.took, ran.grown);
        check_ran(ask, surface, ran, &mut faults);
    }
    for (surface, heard) in [("MCP", &spoken), ("REST", &posted)] {
        tally.called(surface, &ask.to_string(), heard.took, heard.grown);
        check_heard(ask, surface, heard, &mut faults);
    }
    check_terminal(&shown, &mut faults);
    check_wire(ask, &posted, codes, &mut faults);
    let heard = [posted.message.to_string().into_bytes(), spoken.message.to_string().into_bytes()];
    if [&heard[0], &heard[1], &data.stdout, &words.stdout, &words.stderr].into_iter().any(|told| is_cut_by_time(told)) {
        // How far a call comes in its time is another matter every time.
        return note(ask, faults, tally);
    }
    check_spoken(&posted.message, &spoken, &mut faults);
    if !check_line(ask, &posted.message, (&words, &data)).is_empty() {
        // A server may know more from calls before; one that has just started does not.
        faults.extend(check_line(ask, &servers.post_afresh(ask), (&words, &data)));
    }
    if let Some(code) = code_of(&posted.message) {
        for (surface, ran) in [("command line", &words), ("command line, JSON", &data), ("terminal", &shown)] {
            faults.extend(codes.fault(code, Told::Exit(ran.code.unwrap_or(-1))).map(|fault| (surface, fault)));
        }
    }
    note(ask, faults, tally);
}

fn note(ask: &Ask, faults: Faults, tally: &mut Tally) {
    for (surface, what) in faults {
        tally.fault(&format!("{ask} [{surface}]"), &what);
    }
}

/// Whether the time of the call ended a reply.
fn is_cut_by_time(told: &[u8]) -> bool {
    let told = String::from_utf8_lossy(told);
    ["call_ms", ".timeout: "].iter().any(|word| told.contains(word))
}

fn check_heard(ask: &Ask, surface: &'static str, heard: &Heard, faults: &mut Faults) {
    check_cost(ask, surface, (heard.took, Some(heard.worked), heard.grown), faults);
    check_text(surface, heard.message.to_string().as_bytes(), faults);
}

/// What every run of the program owes, whatever it was asked.
fn check_ran(ask: &Ask, surface: &'static str, ran: &Ran, faults: &mut Faults) {
    let complaint = String::from_utf8_lossy(&ran.stderr);
    match ran.code {
        None | Some(70 | 101 | 124..) => {
            faults.push((surface, format!("it crashed with {:?}: {complaint:.500}", ran.code)));
        }
        Some(1) if ask.tool == "read" => faults.push((surface, format!("exit code 1 for a read: {complaint:.300}"))),
        Some(_) => {}
    }
    if complaint.contains("panicked") {
        faults.push((surface, format!("it panicked: {complaint:.500}")));
    }
    if !ran.left.is_empty() {
        faults.push((surface, format!("it left processes behind: {:?}", ran.left)));
    }
    check_cost(ask, surface, (ran.took, ran.worked, ran.grown), faults);
    check_text(surface, &ran.stdout, faults);
    check_text(surface, &ran.stderr, faults);
    if let Some(letter) = terminal::spoken(&complaint).filter(|_| surface != "terminal") {
        faults
            .push((surface, format!("its complaint holds {letter:?}: {:.300}", complaint.escape_debug().to_string())));
    }
}

/// Time and memory. What else the machine does can make a call wait and cannot make it work; so it is held against its
/// bound by the time of a core that it used, and by a part of the time that it took.
fn check_cost(
    ask: &Ask,
    surface: &'static str,
    (took, worked, grown): (Duration, Option<Duration>, u64),
    faults: &mut Faults,
) {
    if worked.unwrap_or_default().max(took / WAITING).min(took) > Duration::from_secs(ask.seconds) {
        let (took, worked) = (took.as_secs_f64(), worked.unwrap_or_default().as_secs_f64());
        let what = format!("it took {took:.1} s, {worked:.1} s of a core, and has {} s", ask.seconds);
        faults.push((surface, what));
    }
    if grown > ask.megabytes {
        faults.push((surface, format!("it took {grown} MB more than usual, more than {}", ask.megabytes)));
    }
}

/// No secret, however it got there.
fn check_text(surface: &'static str, bytes: &[u8], faults: &mut Faults) {
    if bytes.windows(CANARY.len()).any(|window| window == CANARY.as_bytes()) {
        faults.push((surface, "a secret got out".to_owned()));
    }
}

/// Nothing that speaks to a terminal, verbatim or not.
fn check_terminal(shown: &Ran, faults: &mut Faults) {
    let text = String::from_utf8_lossy(&shown.stdout);
    if let Some(letter) = terminal::loud(&text) {
        let at = text.find(letter).unwrap_or(0);
        let around: String = text
            .chars()
            .skip(text.get(..at).map_or(0, |head| head.chars().count()).saturating_sub(30))
            .take(80)
            .collect();
        faults.push(("terminal", format!("{letter:?} reaches it: {}", around.escape_debug())));
    }
}

/// An answer within its bounds, or an error that is documented and wanted.
fn check_wire(ask: &Ask, posted: &Heard, codes: &Codes, faults: &mut Faults) {
    let wire = &posted.message;
    let text = text_of(wire);
    if text.len() > ask.bytes {
        faults.push(("REST", format!("its text has {} bytes, more than {}", text.len(), ask.bytes)));
    }
    if let Some(letter) = terminal::spoken(&text).filter(|_| !ask.is_verbatim()) {
        faults.push(("REST", format!("its text holds {letter:?}")));
    }
    match wire.get("status").and_then(Value::as_str) {
        Some("ok") if posted.status == 200 => {}
        Some("error") => match code_of(wire) {
            Some(code) => faults.extend(codes.fault(code, Told::Status(posted.status)).map(|fault| ("REST", fault))),
            None => faults.push(("REST", format!("an error without a code: {wire:.300}"))),
        },
        _ => faults.push(("REST", format!("{} with {:.300}", posted.status, wire.to_string()))),
    }
    let came = code_of(wire).unwrap_or("ok");
    if !ask.wants.is_empty() && !ask.wants.contains(&came) {
        faults.push(("REST", format!("{came}, wanted {:?}: {text:.300}", ask.wants)));
    }
}

/// The same reply over MCP as over REST.
fn check_spoken(wire: &Value, spoken: &Heard, faults: &mut Faults) {
    let wanted = as_result(wire);
    let result = without_lines_beside(&wanted, spoken.message.get("result").unwrap_or(&spoken.message).clone());
    if wanted != result {
        faults.push(("MCP", format!("another answer than REST: {}", difference(&wanted, &result))));
    }
}

/// The same reply on the command line as over REST.
fn check_line(ask: &Ask, wire: &Value, (words, data): (&Ran, &Ran)) -> Faults {
    let mut faults = Faults::new();
    match serde_json::from_slice::<Value>(&data.stdout) {
        Ok(told) if told == *wire => {}
        Ok(told) => {
            faults.push(("command line, JSON", format!("another answer than REST: {}", difference(wire, &told))));
        }
        Err(error) => faults.push(("command line, JSON", format!("no JSON: {error}"))),
    }
    let parts = wire.get("parts").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let exact = parts.iter().all(|part| part.get("data").is_none());
    let told = if words.code.is_some_and(|code| code > 1) { &words.stderr } else { &words.stdout };
    let told = String::from_utf8_lossy(told);
    if exact && told != text_of(wire) {
        let difference = difference(&json!(text_of(wire)), &json!(told));
        faults.push(("command line", format!("other words than REST: {difference}")));
    }
    if words.code == Some(0) && found_nothing(ask, wire) {
        faults.push(("command line", "exit code 0 though nothing was found".to_owned()));
    }
    faults
}

/// Whether something was looked for and not found.
fn found_nothing(ask: &Ask, wire: &Value) -> bool {
    let text = text_of(wire);
    ask.tool != "read" && (text.starts_with("No files found") || text.starts_with("No matches found"))
}

/// A reply as the result of a call over MCP.
fn as_result(wire: &Value) -> Value {
    let block = |part: &Value| match part.get("mime") {
        Some(mime) => json!({ "type": "image", "data": part.get("data"), "mimeType": mime }),
        None => json!({ "type": "text", "text": part.get("text") }),
    };
    let content: Vec<Value> = wire.get("parts").and_then(Value::as_array).into_iter().flatten().map(block).collect();
    let failed = wire.get("status").is_some_and(|status| status == "error");
    json!({ "content": content, "structuredContent": wire.get("receipt"), "isError": failed })
}

/// A result without the blocks that follow verbatim text.
fn without_lines_beside(expected: &Value, mut told: Value) -> Value {
    let mut wanted = expected.get("content").and_then(Value::as_array).into_iter().flatten().peekable();
    if let Some(blocks) = told.get_mut("content").and_then(Value::as_array_mut) {
        blocks.retain(|block| {
            let text = block.get("text").and_then(Value::as_str).unwrap_or_default();
            let beside = text.starts_with('[') && text.ends_with("]\n");
            let is_next = wanted.peek().is_some_and(|next| **next == *block);
            if is_next {
                wanted.next();
            }
            is_next || !beside
        });
    }
    told
}

/// All text of a reply.
fn text_of(wire: &Value) -> String {
    let parts = wire.get("parts").and_then(Value::as_array).into_iter().flatten();
    parts.filter_map(|part| part.get("text").and_then(Value::as_str)).collect()
}

fn code_of(wire: &Value) -> Option<&str> {
    wire.pointer("/receipt/error/code").and_then(Value::as_str)
}

/// Where two answers begin to differ.
fn difference(wanted: &Value, told: &Value) -> String {
    let (wanted, told) = (wanted.to_string(), told.to_string());
    let same = wanted.chars().zip(told.chars()).take_while(|(one, other)| one == other).count();
    let from = |text: &str| text.chars().skip(same.saturating_sub(60)).take(200).collect::<String>();
    format!("{:?} and {:?}", from(&wanted), from(&told))
}
