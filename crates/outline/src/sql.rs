//! SQL by hand: its dialects differ too much for one grammar, and a dump must show its tables whatever stands between.
//!
//! A text is cut into statements; those that create something are items. Statements that fill a table over several
//! lines are items too, so that their rows can be left out.

mod cut;
mod token;

use readstone_base::Span;

use crate::block::NoBlock;
use crate::fold::{Body, Starts, fold};
use crate::item::{Item, MOST_ITEMS, Outline, Sort};
use crate::parse::Unparsed;
use crate::reach::{is_first, lines_of};
use crate::sql::cut::{Cutter, Piece, Statement, creates, is_word};
use crate::sql::token::{Sort as Token, Token as Part, Tokens};

/// Pieces between two looks whether to go on.
const STRIDE: usize = 64;

/// The structure of a text.
pub(crate) fn outline(text: &str, stop: &mut dyn FnMut() -> bool) -> Result<Outline, Unparsed> {
    let mut gathered =
        Gathered { text, starts: Starts::of(text), items: Vec::new(), blocks: Vec::new(), doc: None, cut: None };
    let mut cutter = Cutter::of(text);
    let mut count = 0_usize;
    while let Some(piece) = cutter.next() {
        count += 1;
        if count.is_multiple_of(STRIDE) && stop() {
            return Err(Unparsed::Stopped);
        }
        gathered.piece(&piece);
    }
    let Gathered { starts, items, mut blocks, cut, .. } = gathered;
    blocks.sort_unstable();
    blocks.dedup();
    Ok(Outline { items, blocks, lines: starts.count(), broken: None, cut })
}

/// The lines of what begins on a line: a statement, one in its body, a part of a list.
pub(crate) fn block_at(text: &str, starts: &Starts, first: usize) -> Result<Span, NoBlock> {
    let mut cutter = Cutter::of(text);
    while let Some(piece) = cutter.next() {
        match piece {
            Piece::Comment(comment) if comment.from == first => return Ok(lines_of(starts, first, comment.to)),
            Piece::Comment(_) => {}
            Piece::Statement(statement) => {
                let from = statement.tokens.first().map_or(first, |token| token.from);
                if from > first {
                    break;
                }
                if statement.to > first {
                    return inside(text, starts, &statement, first);
                }
            }
        }
    }
    Err(NoBlock::Nothing { around: None })
}

/// The lines of what begins at a byte of a statement.
fn inside(text: &str, starts: &Starts, statement: &Statement, first: usize) -> Result<Span, NoBlock> {
    let from = statement.tokens.first().map_or(first, |token| token.from);
    let whole = lines_of(starts, from, statement.to);
    if from == first {
        return Ok(whole);
    }
    let parts = parts(text, &statement.tokens);
    let mut blocks = Vec::new();
    nested(text, starts, &parts, &mut blocks);
    let line = starts.line_of(first);
    let around = blocks.iter().filter(|span| span.contains(line)).min_by_key(|span| span.count());
    let around = Some(around.copied().unwrap_or(whole));
    let at = parts.iter().position(|part| part.from >= first).unwrap_or(parts.len());
    let here = parts.get(at).copied().filter(|part| part.from == first);
    let Some(here) = here else {
        return Err(NoBlock::Nothing { around });
    };
    if is_sign(text, here, ")") || is_word(text, here, "end") {
        return Err(NoBlock::Closing { block: around });
    }
    if let Some(block) = blocks.iter().filter(|span| span.first == line).max_by_key(|span| span.count()) {
        return Ok(*block);
    }
    let before = at.checked_sub(1).and_then(|at| parts.get(at)).copied();
    let listed = before.is_some_and(|part| is_sign(text, part, "(") || is_sign(text, part, ","));
    let own = before.is_some_and(|part| is_sign(text, part, ";") || is_opening(text, part));
    let rest = parts.get(at..).unwrap_or_default();
    let end = if listed { end_of_part(text, rest) } else { end_of_statement(text, rest) };
    if listed || own { Ok(lines_of(starts, first, end)) } else { Err(NoBlock::Nothing { around }) }
}

/// Where a part of a list ends, with the comma behind it.
fn end_of_part(text: &str, parts: &[Part]) -> usize {
    let mut depth = 0_usize;
    let mut end = 0;
    for part in parts {
        if is_sign(text, *part, "(") {
            depth += 1;
        } else if depth == 0 && [")", ",", ";"].iter().any(|sign| is_sign(text, *part, sign)) {
            return if is_sign(text, *part, ",") { part.to } else { end };
        } else if is_sign(text, *part, ")") {
            depth -= 1;
        }
        end = part.to;
    }
    end
}

fn end_of_statement(text: &str, parts: &[Part]) -> usize {
    let end = parts.iter().find(|part| is_sign(text, **part, ";")).or(parts.last());
    end.map_or(0, |part| part.to)
}

/// Tokens with those of bodies between `$$` in the place of these.
fn parts(text: &str, tokens: &[Part]) -> Vec<Part> {
    let mut parts = Vec::new();
    for token in tokens {
        let body = text.get(token.from..token.to).filter(|_| token.sort == Token::Dollar);
        let Some(body) = body else {
            parts.push(*token);
            continue;
        };
        let sign = body.get(1..).and_then(|rest| rest.find('$')).map_or(0, |at| at + 2);
        let opener = Part { sort: Token::Dollar, from: token.from, to: token.from + sign };
        let closer = Part { sort: Token::Dollar, from: token.to - sign, to: token.to };
        let within = Tokens::of(body.get(sign..body.len() - sign).unwrap_or_default());
        let moved = |part: Part| Part { from: part.from + opener.to, to: part.to + opener.to, ..part };
        parts.push(opener);
        parts.extend(within.filter(|part| part.sort != Token::Comment).map(moved));
        parts.push(closer);
    }
    parts
}

/// Finds `BEGIN … END` and its like.
fn nested(text: &str, starts: &Starts, parts: &[Part], blocks: &mut Vec<Span>) {
    // Where the statement began that each open one belongs to.
    let mut open: Vec<usize> = Vec::new();
    let mut statement = parts.first().map_or(0, |part| part.from);
    let mut before: Option<Part> = None;
    for (at, part) in parts.iter().enumerate() {
        if before.is_some_and(|before| is_sign(text, before, ";") || is_opening(text, before)) {
            statement = part.from;
        }
        let after_end = before.is_some_and(|before| is_word(text, before, "end"));
        before = Some(*part);
        let is = |word: &str| is_word(text, *part, word);
        if is("end") {
            let behind = parts.get(at + 1).filter(|next| {
                ["if", "loop", "case", "while", "repeat"].iter().any(|word| is_word(text, **next, word))
            });
            let semicolon = parts.get(at + 1 + usize::from(behind.is_some())).filter(|next| is_sign(text, **next, ";"));
            let end = semicolon.or(behind).unwrap_or(part).to;
            let lines = open.pop().filter(|from| is_first(text, starts, *from)).map(|from| lines_of(starts, from, end));
            blocks.extend(lines.filter(|lines| lines.first < lines.last));
        } else if after_end {
        } else if is("begin") || is("case") {
            open.push(part.from);
        } else if is("loop") || is("do") || is("repeat") || is("if") && part.from == statement {
            open.push(statement);
        }
    }
}

/// Whether a statement begins behind a token.
fn is_opening(text: &str, part: Part) -> bool {
    let words = ["begin", "then", "else", "loop", "do", "repeat", "declare"];
    part.sort == Token::Dollar || words.iter().any(|word| is_word(text, part, word))
}

fn is_sign(text: &str, part: Part, sign: &str) -> bool {
    part.sort == Token::Sign && text.get(part.from..part.to) == Some(sign)
}

struct Gathered<'t> {
    text: &'t str,
    starts: Starts,
    items: Vec<Item>,
    blocks: Vec<Span>,
    /// The comment that stands last, over as many lines as follow one another.
    doc: Option<Span>,
    /// The line from which on nothing more was gathered.
    cut: Option<u64>,
}

impl Gathered<'_> {
    fn piece(&mut self, piece: &Piece) {
        match piece {
            Piece::Comment(comment) => {
                let lines = lines_of(&self.starts, comment.from, comment.to);
                if is_first(self.text, &self.starts, comment.from) {
                    let before = self.doc.filter(|doc| doc.last + 1 == lines.first);
                    self.doc = Some(Span::new(before.map_or(lines.first, |doc| doc.first), lines.last));
                }
            }
            Piece::Statement(statement) => {
                self.statement(statement);
                self.doc = None;
            }
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let Some(first) = statement.tokens.first().map(|token| token.from) else {
            return;
        };
        let lines = lines_of(&self.starts, first, statement.to);
        if lines.first < lines.last {
            self.blocks.push(lines);
            let parts = parts(self.text, &statement.tokens);
            nested(self.text, &self.starts, &parts, &mut self.blocks);
        }
        let Some((kind, owner, name)) = self.named(statement, lines) else {
            return;
        };
        if self.items.len() == MOST_ITEMS {
            self.cut = self.cut.or(Some(lines.first));
            return;
        }
        let body = if kind == "table" || kind == "type" { self.list(statement) } else { None };
        let (head, row) = fold(self.text, &self.starts, (first, first, statement.to), body.map(Body::between));
        let doc = self.doc.filter(|doc| doc.last + 1 == lines.first);
        self.items.push(Item {
            kind: kind.into(),
            sort: Sort::Leaf,
            name,
            owner,
            detail: None,
            parent: None,
            depth: 0,
            lines: Span::new(doc.map_or(lines.first, |doc| doc.first), lines.last),
            start: lines.first,
            doc,
            inner_doc: None,
            head,
            fold: row,
        });
    }

    /// What a statement creates or fills: the kind, what the name belongs to, and the name.
    fn named(&self, statement: &Statement, lines: Span) -> Option<(&'static str, Option<String>, String)> {
        let tokens = statement.tokens.as_slice();
        let is = |at: usize, word: &str| tokens.get(at).is_some_and(|token| is_word(self.text, *token, word));
        let (kind, count) = if is(0, "create") {
            creates(self.text, tokens)?
        } else if lines.first == lines.last {
            return None;
        } else if is(0, "copy") {
            ("copy", 1)
        } else if is(0, "insert") || is(0, "replace") {
            ("insert", tokens.iter().take(5).position(|token| is_word(self.text, *token, "into"))? + 1)
        } else {
            return None;
        };
        let words = ["if", "not", "exists", "concurrently", "body", "only"];
        let skipped = |token: &&Part| words.iter().any(|word| is_word(self.text, **token, word));
        let names = tokens.get(count..)?;
        let names = names.get(names.iter().take_while(skipped).count()..)?;
        // An index may have no name.
        if names.first().is_some_and(|token| is_word(self.text, *token, "on")) {
            return None;
        }
        let mut path = Vec::new();
        for pair in names.chunks(2) {
            path.push(self.plain(*pair.first()?)?);
            if !pair.get(1).is_some_and(|sign| is_sign(self.text, *sign, ".")) {
                break;
            }
        }
        let name = path.pop()?;
        Some((kind, (!path.is_empty()).then(|| path.join(".")), name))
    }

    /// A name without quotes.
    fn plain(&self, token: Part) -> Option<String> {
        let name = self.text.get(token.from..token.to)?;
        match token.sort {
            Token::Word => Some(name.to_owned()),
            Token::Name | Token::Text => {
                let inside = name.get(1..name.len() - 1)?;
                (!inside.is_empty()).then(|| inside.to_owned())
            }
            Token::Dollar | Token::Sign | Token::Comment => None,
        }
    }

    /// The first list in parentheses.
    fn list(&self, statement: &Statement) -> Option<(usize, usize)> {
        let mut depth = 0_usize;
        let mut from = None;
        for token in &statement.tokens {
            if is_sign(self.text, *token, "(") {
                from = from.or(Some(token.from));
                depth += 1;
            } else if is_sign(self.text, *token, ")") {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some((from?, token.to));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests;
