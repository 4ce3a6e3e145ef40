//! C without what a preprocessor would take away: a grammar knows nothing of macros and conditions.
//!
//! The text keeps its length and its lines; blanks stand for what is taken out:
//! - conditions whose branches open or close something, or that stand in brackets, with all branches but one,
//! - macros that stand alone on a line, before a declaration, or between `class` and a name.

use std::borrow::Cow;
use std::ops::Range;

/// Lines of a condition in the middle of a declaration.
const MOST_AMID: usize = 30;

/// Bytes of a line in which macros are looked for.
const MOST_LINE: usize = 1_000;

/// Words that can stand before the type of a function.
const SPECIFIERS: [&str; 7] = ["static", "inline", "constexpr", "extern", "virtual", "explicit", "friend"];

/// A line of code.
#[derive(Clone, Copy, Default)]
struct Line<'t> {
    first: usize,
    text: &'t str,
    kind: Kind,
    /// The last sign of code on it.
    last: Option<char>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Code,
    /// Comments and blanks.
    Nothing,
    If,
    Else,
    End,
    /// Another directive, and what continues one.
    Directive,
}

/// How many brackets are open: braces, and others.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Depth {
    braces: i64,
    others: i64,
}

/// A condition with its branches: the lines of its directives.
struct Group {
    directives: Vec<usize>,
    before: Depth,
    /// Whether a branch opens or closes something, or all stand in brackets.
    torn: bool,
    /// Whether it begins in the middle of a declaration.
    amid: bool,
    /// What is open behind its first branch.
    after: Option<Depth>,
}

/// The text for the grammar.
pub(crate) fn without_macros(text: &str) -> Cow<'_, str> {
    let (lines, mut cuts) = read(text);
    cuts.extend(macros(&lines));
    if cuts.is_empty() {
        return Cow::Borrowed(text);
    }
    cuts.sort_unstable_by_key(|cut| cut.start);
    let mut bytes = text.as_bytes().to_vec();
    let mut done = 0;
    for cut in cuts {
        // One condition may lie in another.
        let own = cut.start.max(done)..cut.end.max(done);
        done = own.end;
        for byte in bytes.get_mut(own).into_iter().flatten() {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The lines of a text, and what is taken out for its conditions.
fn read(text: &str) -> (Vec<Line<'_>>, Vec<Range<usize>>) {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let (mut groups, mut cuts): (Vec<Group>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
    let (mut depth, mut first) = (Depth::default(), 0);
    let (mut comment, mut continued) = (false, false);
    for whole in text.split_inclusive('\n') {
        let own = whole.trim_end_matches(['\n', '\r']);
        let mut line = Line { first, text: own, ..Line::default() };
        first += whole.len();
        line.kind = match (comment, continued) {
            (true, _) => Kind::Code,
            (false, true) => Kind::Directive,
            (false, false) => kind(own),
        };
        continued = line.kind != Kind::Code && own.ends_with('\\');
        if line.kind == Kind::Code {
            line.last = scan(own, &mut comment, &mut depth);
            line.kind = if line.last.is_none() { Kind::Nothing } else { Kind::Code };
            // A bracket that was not closed does not go over the end of a function.
            if own.starts_with('}') {
                depth.others = 0;
            }
        }
        lines.push(line);
        let ended = step(line.kind, &lines, &mut groups, &mut depth);
        cuts.extend(ended.into_iter().flat_map(|group| cut(&group, &lines, first)));
    }
    (lines, cuts)
}

/// What a directive does to the open conditions; the one that it ends, if that is torn.
fn step(kind: Kind, lines: &[Line<'_>], groups: &mut Vec<Group>, depth: &mut Depth) -> Option<Group> {
    let at = lines.len().saturating_sub(1);
    match kind {
        Kind::If => {
            let before = lines.iter().rev().take(MOST_AMID).find_map(|line| line.last);
            let amid = before.is_some_and(|sign| sign.is_alphanumeric() || matches!(sign, '_' | ')'));
            groups.push(Group { directives: vec![at], before: *depth, torn: depth.others > 0, amid, after: None });
            None
        }
        Kind::Else => {
            let group = groups.last_mut()?;
            group.directives.push(at);
            group.torn |= *depth != group.before;
            group.after.get_or_insert(*depth);
            *depth = group.before;
            None
        }
        Kind::End => {
            let mut group = groups.pop()?;
            group.directives.push(at);
            let short = group.directives.first().is_some_and(|first| at - first < MOST_AMID);
            group.torn |= *depth != group.before || group.amid && short;
            *depth = *group.after.get_or_insert(*depth);
            Some(group).filter(|group| group.torn)
        }
        Kind::Code | Kind::Nothing | Kind::Directive => None,
    }
}

/// The bytes of a torn condition that are taken out: all but its first branch, or but its second if the first is never
/// there. `end` is where its last line ends.
fn cut(group: &Group, lines: &[Line<'_>], end: usize) -> Vec<Range<usize>> {
    let begin = |at: &usize| lines.get(*at).map_or(end, |line| line.first);
    let never = group.directives.first().and_then(|at| lines.get(*at)).is_some_and(|line| is_never(line.text));
    let kept = usize::from(never && group.directives.len() > 2);
    let Some(from) = group.directives.get(kept).and_then(|at| lines.get(*at)) else {
        return Vec::new();
    };
    let start = group.directives.first().map_or(end, begin);
    let stop = group.directives.get(kept + 1).map_or(end, begin);
    vec![start..from.first + from.text.len(), stop..end]
}

/// The line, from 0, of the first directive in a text that belongs to a condition which lies only partly in it.
pub(crate) fn torn(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    for (at, line) in text.lines().enumerate() {
        match kind(line) {
            Kind::If => open.push(at),
            // A branch may stand for itself.
            Kind::Else if open.is_empty() && at > 0 => return Some(at),
            Kind::End if open.pop().is_none() => return Some(at),
            Kind::Code | Kind::Nothing | Kind::Else | Kind::End | Kind::Directive => {}
        }
    }
    open.first().copied()
}

fn is_never(line: &str) -> bool {
    let words: String = line.split_whitespace().collect();
    words == "#if0"
}

fn kind(line: &str) -> Kind {
    let Some(rest) = line.trim_start().strip_prefix('#') else {
        return Kind::Code;
    };
    let word: String = rest.trim_start().chars().take_while(char::is_ascii_alphabetic).collect();
    match word.as_str() {
        "if" | "ifdef" | "ifndef" => Kind::If,
        "else" | "elif" | "elifdef" | "elifndef" => Kind::Else,
        "endif" => Kind::End,
        _ => Kind::Directive,
    }
}

/// Counts the brackets of a line and says its last sign of code.
fn scan(line: &str, comment: &mut bool, depth: &mut Depth) -> Option<char> {
    let mut last = None;
    let mut signs = line.chars().peekable();
    while let Some(sign) = signs.next() {
        if *comment {
            if sign == '*' && signs.next_if_eq(&'/').is_some() {
                *comment = false;
            }
            continue;
        }
        match sign {
            '/' if signs.peek() == Some(&'/') => break,
            '/' if signs.next_if_eq(&'*').is_some() => {
                *comment = true;
                continue;
            }
            // A sign between the digits of a number is no quote.
            '\'' if last.is_some_and(|last: char| last.is_ascii_digit()) => {}
            '"' | '\'' => {
                while let Some(inside) = signs.next().filter(|inside| *inside != sign) {
                    if inside == '\\' {
                        signs.next();
                    }
                }
            }
            '{' => depth.braces += 1,
            '}' => depth.braces -= 1,
            '(' | '[' => depth.others += 1,
            ')' | ']' => depth.others -= 1,
            _ => {}
        }
        last = if sign.is_whitespace() { last } else { Some(sign) };
    }
    last
}

/// The macros that stand where a grammar expects none.
fn macros(lines: &[Line<'_>]) -> Vec<Range<usize>> {
    let mut cuts = Vec::new();
    // The last sign of code so far; a macro that is taken out leaves none.
    let mut before = ';';
    for (at, line) in lines.iter().enumerate() {
        if line.kind != Kind::Code || line.text.len() > MOST_LINE {
            before = line.last.unwrap_or(before);
            continue;
        }
        let next = lines.get(at + 1..).unwrap_or_default().iter().find(|line| line.kind == Kind::Code);
        let next = next.and_then(|line| line.text.trim_start().chars().next());
        let starts = matches!(before, ';' | '{' | '}' | ':' | '>');
        let own: Vec<Range<usize>> = match alone(line.text, next).filter(|_| starts) {
            Some(alone) => vec![alone],
            None if starts => leading(line.text),
            None => Vec::new(),
        };
        let alone = own.first().is_some_and(|own| line.text.get(own.end..).is_some_and(is_blank));
        let own = own.into_iter().chain(named(line.text, next));
        cuts.extend(own.map(|own| line.first + own.start..line.first + own.end));
        before = if alone { before } else { line.last.unwrap_or(before) };
    }
    cuts
}

fn is_blank(rest: &str) -> bool {
    let rest = rest.trim();
    rest.is_empty() || rest.starts_with("//")
}

/// A macro and nothing else, before the line that begins with `next`; one with a colon stands for `public:`.
fn alone(line: &str, next: Option<char>) -> Option<Range<usize>> {
    let from = line.len() - line.trim_start().len();
    let own = line.get(from..)?;
    if let Some(word) = own.trim_end().strip_suffix(':') {
        let slots =
            word.strip_suffix("slots").or_else(|| word.strip_suffix("Q_SLOTS")).filter(|word| word.ends_with(' '));
        let signals = word == "signals" || shout(word) == Some(word.len());
        let length = slots.map_or(0, str::len);
        return (signals || slots.is_some()).then(|| from + length..from + word.len() + usize::from(signals));
    }
    let end = from + arguments(own, shout(own)?);
    let goes_on = next.is_none_or(|next| next.is_alphabetic() || "_}~[".contains(next));
    (goes_on && line.get(end..).is_some_and(is_blank)).then_some(from..end)
}

/// The macros before the words of a declaration: `API_EXPORT int run(`, `static API_INLINE int run(`.
fn leading(line: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = line.len() - line.trim_start().len();
    while let Some(rest) = line.get(from..) {
        let length = rest.find(' ').unwrap_or(rest.len());
        let word = rest.get(..length).unwrap_or_default();
        let behind = rest.get(length..).unwrap_or_default().trim_start();
        if shout(word) == Some(length) && length > 3 && declares(behind) {
            found.push(from..from + length);
        } else if !SPECIFIERS.contains(&word) {
            break;
        }
        from = line.len() - behind.len();
    }
    found
}

/// Whether a text begins with a type and the name of a function.
fn declares(text: &str) -> bool {
    let head = text.split(['(', '=', ';', '{']).next().unwrap_or_default();
    let words = head.split(|sign: char| sign.is_whitespace() || "*&".contains(sign)).filter(|word| !word.is_empty());
    let plain = head.chars().all(|sign| sign.is_alphanumeric() || "_:<>, *&~".contains(sign));
    let named = head.starts_with(|sign: char| sign.is_alphabetic() || sign == '_');
    plain && named && text.contains('(') && words.count() > 1
}

/// A macro between `class` and the name of a type.
fn named(line: &str, next: Option<char>) -> Option<Range<usize>> {
    let mut rest = line.trim_start();
    rest = rest.strip_prefix("typedef ").unwrap_or(rest);
    let behind = ["class ", "struct ", "union ", "enum class "].iter().find_map(|word| rest.strip_prefix(word))?;
    let own = behind.trim_start();
    let length = arguments(own, shout(own)?);
    let after = own.get(length..)?.strip_prefix(' ')?.trim_start();
    let name = after.len() - after.trim_start_matches(|sign: char| sign.is_alphanumeric() || sign == '_').len();
    let tail = after.get(name..)?.trim_start();
    let tail = tail.strip_prefix("final").unwrap_or(tail).trim_start();
    let open = |sign: Option<char>| matches!(sign, Some('{' | ':'));
    let opens = open(tail.chars().next()) && !tail.starts_with("::") || is_blank(tail) && open(next);
    let from = line.len() - own.len();
    (name > 0 && opens).then_some(from..from + length)
}

/// How long the word in capitals is that a text begins with.
fn shout(text: &str) -> Option<usize> {
    let end = text.find(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_').unwrap_or(text.len());
    let word = text.get(..end)?;
    let loud = word.starts_with(|sign: char| sign.is_ascii_uppercase())
        && !word.contains(|sign: char| sign.is_ascii_lowercase());
    (loud && end > 2).then_some(end)
}

/// How long a macro is with what stands in brackets behind it.
fn arguments(text: &str, length: usize) -> usize {
    let rest = text.get(length..).unwrap_or_default();
    if !rest.starts_with('(') {
        return length;
    }
    let mut depth = 0_i64;
    for (at, sign) in rest.char_indices() {
        depth += i64::from(sign == '(') - i64::from(sign == ')');
        if depth == 0 {
            return length + at + 1;
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEXT: &str = "((#if|#ifdef|#else|#endif|#define|class|API|é|int|[({});:/*\"'\\\\ a]|\r?\n){0,4}){0,24}";

    proptest! {
        #[test]
        fn every_line_stays_where_it_is(text in TEXT) {
            let code = without_macros(&text);
            prop_assert_eq!(code.len(), text.len());
            let ends = |text: &str| text.match_indices(['\n', '\r']).map(|(at, _)| at).collect::<Vec<_>>();
            prop_assert_eq!(ends(&code), ends(&text));
            let kept = |(own, before): (&u8, &u8)| own == before || *own == b' ';
            prop_assert!(code.as_bytes().iter().zip(text.as_bytes()).all(kept));
        }
    }
}
