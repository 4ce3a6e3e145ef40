//! Shortens replies that have no pages: errors and reports of changes.

use readstone_base::{Part, Reply, ReplySize, Target, Visible};

use crate::coverage::beside;

/// The size of a reply as a client measures it, with the blocks that account for verbatim parts.
pub fn reply_size(reply: &Reply, limit: ReplySize) -> ReplySize {
    let mut targets = reply.receipt.targets.iter();
    let mut size = ReplySize::EMPTY;
    let alone = reply.parts.len() == 1;
    for part in &reply.parts {
        if matches!(part, Part::Image(_)) {
            continue;
        }
        let target = targets.next();
        // An address without text of its own among others gets no block.
        if alone || !part.text().is_empty() || matches!(part, Part::Verbatim(_)) {
            size = size.plus(ReplySize::of_block(part.text(), limit));
        }
        if let Some(line) = target.and_then(|target| beside(reply.receipt.tool, part, target)) {
            size = size.plus(ReplySize::of_block(&line, limit));
        }
    }
    size
}

/// Omits lines from the middle of the longest text until the reply fits. A line in their place says how many they were.
/// The first lines say what happened and the last ones what to call next, so both stay.
pub fn shorten(reply: &mut Reply, limit: ReplySize) {
    if !limit.is_bounded() {
        return;
    }
    let size = reply_size(reply, limit);
    let Some(name) = size.exceeds(limit) else { return };
    let texts = reply.parts.iter_mut().filter_map(|part| if let Part::Text(text) = part { Some(text) } else { None });
    let Some(text) = texts.max_by_key(|text| text.len()) else { return };
    let own = ReplySize::of_text(text, limit);
    let others = ReplySize {
        bytes: size.bytes.saturating_sub(own.bytes),
        rows: size.rows.saturating_sub(own.rows),
        json: size.json.saturating_sub(own.json),
    };
    *text = without_middle(text, limit.minus(others), (name, &reply.receipt.targets));
}

/// Room for the line that replaces the omitted ones, without the path in it.
const MARK: ReplySize = ReplySize { bytes: 160, rows: 1, json: 180 };

fn without_middle(text: &str, limit: ReplySize, (name, targets): (&str, &[Target])) -> String {
    // Only a changed file is offered in the line.
    let changed = targets.iter().filter(|target| target.change.is_some());
    let longest = changed.map(|target| target.address.len()).max().unwrap_or(0) as u64;
    let mark = MARK.plus(ReplySize { bytes: longest, rows: 0, json: 2 * longest });
    let room = limit.minus(mark);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut end = lines.len();
    let tail = room.divided(4);
    let mut used = ReplySize { bytes: 0, rows: 0, json: 0 };
    for (at, line) in lines.iter().enumerate().rev() {
        let more = used.plus(ReplySize::of_text(line, limit));
        if more.exceeds(tail).is_some() {
            break;
        }
        (used, end) = (more, at);
    }
    let mut start = 0;
    let mut head = String::new();
    for line in lines.iter().take(end) {
        let more = used.plus(ReplySize::of_text(line, limit));
        if more.exceeds(room).is_some() {
            break;
        }
        used = more;
        start += 1;
        head.push_str(line);
    }
    if start == 0 {
        // One line is longer than everything; its beginning is shown.
        let most = room.minus(used);
        let bytes = usize::try_from(most.bytes.min(most.json / 2)).unwrap_or(usize::MAX);
        let line = lines.first().copied().unwrap_or_default();
        head.push_str(line.get(..line.floor_char_boundary(bytes)).unwrap_or_default());
        head.push_str("\u{2026}\n");
        start = 1;
    }
    let count = end.saturating_sub(start);
    let rest = lines.get(end..).unwrap_or_default().concat();
    if count > 0 {
        let lines = if count == 1 { "1 line is".to_owned() } else { format!("{count} lines are") };
        let offer = offer(&head, &rest, targets);
        head.extend(["[", &lines, " left out here; limit ", name, &offer, "]\n"]);
    }
    head + &rest
}

/// The call that reads the first changed file whose header was omitted: the next edit needs its tag.
fn offer(head: &str, rest: &str, targets: &[Target]) -> String {
    let named = |target: &&Target| {
        let path = target.path.as_deref().unwrap_or(&target.address);
        let header = format!("\u{b6}{}", Visible::of(path).text);
        head.contains(&header) || rest.contains(&header)
    };
    let lost = targets.iter().filter(|target| target.change.is_some()).find(|target| !named(target));
    lost.map_or_else(String::new, |target| {
        let path = target.path.as_deref().unwrap_or(&target.address);
        format!("; next: read {}", Visible::of(path).text)
    })
}

#[cfg(test)]
mod tests {
    use readstone_base::{CLIENT_BYTES, Receipt, Status};

    use super::*;

    fn reply(text: &str) -> Reply {
        let receipt = Receipt { tool: "edit", targets: Vec::new(), found: None, error: None };
        Reply { status: Status::Ok, parts: vec![Part::Text(text.to_owned())], receipt }
    }

    fn limit(bytes: u64) -> ReplySize {
        ReplySize { bytes, ..ReplySize::UNBOUNDED }
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        let mut whole = reply("one\ntwo\n");
        shorten(&mut whole, limit(8));
        assert_eq!(whole.text(), "one\ntwo\n");
    }

    #[test]
    fn lines_are_left_out_of_the_middle_and_counted() {
        let text = (1..=1_000).map(|number| format!("line {number}\n")).collect::<Vec<_>>().concat();
        let mut cut = reply(&text);
        shorten(&mut cut, limit(1_000));
        let left = cut.text();
        assert!(left.len() <= 1_000, "{}", left.len());
        assert!(left.starts_with("line 1\nline 2\n") && left.ends_with("line 999\nline 1000\n"), "{left}");
        let mark = left.lines().find(|line| line.starts_with('[')).unwrap();
        let count: usize = mark[1..].split(' ').next().unwrap().parse().unwrap();
        assert_eq!(left.lines().count() - 1 + count, 1_000, "{mark}");
        assert!(mark.contains(CLIENT_BYTES), "{mark}");
    }

    #[test]
    fn one_line_that_is_too_long_shows_its_beginning() {
        let mut cut = reply(&"\u{e4}".repeat(10_000));
        shorten(&mut cut, limit(1_000));
        assert!(cut.text().len() <= 1_000 && cut.text().starts_with("ää") && cut.text().ends_with("\u{2026}\n"));
    }

    #[test]
    fn a_long_address_that_was_read_costs_no_room_of_its_text() {
        let address = format!("d.db?q=SELECT {}", "x".repeat(3_000));
        let mut cut = reply(&format!("\u{b6}{address}\n| 1 |\n[rows 1-1; next: read {address}]\n"));
        cut.receipt.targets = vec![Target { address, ..Target::default() }];
        shorten(&mut cut, limit(2_000));
        let left = cut.text();
        assert!(left.len() <= 2_000 && left.len() > 1_500, "{}", left.len());
        assert!(left.starts_with("\u{b6}d.db?q=SELECT xxx") && left.contains(CLIENT_BYTES), "{left}");
    }

    #[test]
    fn an_address_without_text_of_its_own_takes_no_room() {
        let texts = ["one\n", "", "", "", "two\n"];
        let mut several = reply("");
        several.parts = texts.iter().map(|text| Part::Text((*text).to_owned())).collect();
        let json = |reply: &Reply| reply_size(reply, ReplySize { json: 9_000, ..ReplySize::UNBOUNDED }).json;
        let with_empty = json(&several);
        several.parts.retain(|part| !part.text().is_empty());
        assert_eq!(with_empty, json(&several));
    }

    #[test]
    fn rows_and_json_are_limits_like_bytes() {
        let text = "\"quoted\"\n".repeat(3_000);
        for limit in [ReplySize { rows: 50, ..ReplySize::UNBOUNDED }, ReplySize { json: 2_000, ..ReplySize::UNBOUNDED }]
        {
            let mut cut = reply(&text);
            shorten(&mut cut, limit);
            assert_eq!(reply_size(&cut, limit).exceeds(limit), None);
            assert!(cut.text().lines().count() > 40, "{}", cut.text().lines().count());
        }
    }
}
