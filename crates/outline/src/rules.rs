//! The query file of a language: which of its nodes declare something.
//!
//! A line is `ROLE [WORD] KIND [KEY=PATH]…`; a line that begins with a blank goes on with the one before, `#` begins a
//! comment.
//!
//! | role | what a node of this kind is |
//! |---|---|
//! | `scope WORD` | a declaration that others lie in |
//! | `leaf WORD` | a declaration whose inside is its own affair |
//! | `heading LEVEL` | a heading, whose section goes to the next one of its level or a higher one |
//! | `block` | a statement or the like with a body |
//! | `doc` | a comment, which belongs to the declaration on the next line |
//! | `mark` | an attribute or a decorator, which does so too |
//! | `wrap` | what stands around a declaration and belongs to it, such as `export` |
//! | `list` | a run of statements without signs around it |
//!
//! Keys: `name` (`.name` unless given), `body` (`.body` unless given), `owner`, `detail`, `doc` (a comment inside the
//! body), `kind` (the word is the text there, one of those that the path names), `from` and `to` (the body stands
//! between these two); `needs` and `not` say what must and must not be there, several times if need be;
//! `outside=KIND,KIND` says in what it must not lie, at any depth; `where=first` that nothing stands before it on its
//! line; `as` what becomes of the text that is its name (`name.rs`). Paths are in `path.rs`. Of several lines for one
//! kind the first that fits counts. A body that is an opening sign reaches to the end of what is around the sign.
//!
//! The line `like NAME` stands for all lines of another language whose grammar has the same kinds; `else NAME` says
//! which language a text may be in that makes no sense in this one.

use tree_sitter::{Language as Grammar, Node};

use crate::name::Shape;
use crate::path::Path;

/// The rules of a language, by the number of the kind.
#[derive(Debug)]
pub(crate) struct Rules {
    by_kind: Vec<Vec<Rule>>,
}

/// What a node of a kind is.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) role: Role,
    word: &'static str,
    pub(crate) name: Path,
    pub(crate) body: Path,
    pub(crate) owner: Option<Path>,
    pub(crate) detail: Option<Path>,
    pub(crate) doc: Option<Path>,
    kind: Option<Path>,
    /// What stands right before and right behind the body, where it is no node.
    pub(crate) between: (Option<Path>, Option<Path>),
    pub(crate) shape: Shape,
    /// Whether it counts only where nothing stands before it on its line.
    pub(crate) first: bool,
    needs: Vec<Path>,
    not: Vec<Path>,
    outside: Vec<u16>,
}

/// What a node is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Scope,
    Leaf,
    Heading(u8),
    Block,
    Doc,
    Mark,
    Wrap,
    List,
}

/// Parts of a declaration that are looked at for where it begins without attributes.
const MOST_PARTS: usize = 256;

impl Rules {
    /// Reads a query file and what it builds on; the error names what the grammar does not have.
    pub(crate) fn read(texts: &[&'static str], grammar: &Grammar) -> Result<Self, String> {
        let mut by_kind = vec![Vec::new(); grammar.node_kind_count()];
        let says =
            |line: &&str| !line.is_empty() && !["#", "like ", "else "].iter().any(|other| line.starts_with(other));
        for line in texts.iter().flat_map(|text| entries(text)).map(str::trim).filter(says) {
            let (kind, rule) = rule(line, grammar).map_err(|why| format!("{why} in: {line}"))?;
            if let Some(rules) = by_kind.get_mut(usize::from(kind)) {
                rules.push(rule);
            }
        }
        Ok(Self { by_kind })
    }

    /// The rule for a node that lies in nodes of these kinds.
    pub(crate) fn of(&self, node: Node<'_>, text: &str, around: &[u16]) -> Option<&Rule> {
        self.by_kind.get(usize::from(node.kind_id()))?.iter().find(|rule| rule.fits(node, text, around))
    }

    /// Whether nodes of a kind can be there for anything.
    pub(crate) fn has(&self, kind: u16) -> bool {
        self.by_kind.get(usize::from(kind)).is_some_and(|rules| !rules.is_empty())
    }

    /// Where a node begins without the attributes and comments that its grammar makes its first parts.
    pub(crate) fn declared_from(&self, node: Node<'_>, text: &str) -> usize {
        let mut cursor = node.walk();
        for _ in 0..MOST_PARTS {
            let here = cursor.node();
            let aside = here.is_extra() || self.is(Role::Mark, here, text);
            if !aside && !cursor.goto_first_child() {
                return here.start_byte();
            }
            while aside && !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return node.start_byte();
                }
            }
        }
        node.start_byte()
    }

    /// Whether a node of its kind can be there for this.
    pub(crate) fn may_be(&self, role: Role, node: Node<'_>) -> bool {
        let rules = self.by_kind.get(usize::from(node.kind_id()));
        rules.is_some_and(|rules| rules.iter().any(|rule| rule.role == role))
    }

    /// Whether a node is there for this.
    pub(crate) fn is(&self, role: Role, node: Node<'_>, text: &str) -> bool {
        self.of(node, text, &[]).is_some_and(|rule| rule.role == role)
    }
}

impl Rule {
    /// What a node that it fits is called in its language.
    pub(crate) fn word(&self, node: Node<'_>, text: &str) -> &'static str {
        self.kind.as_ref().and_then(|path| path.word(node, text)).unwrap_or(self.word)
    }

    fn fits(&self, node: Node<'_>, text: &str, around: &[u16]) -> bool {
        let has = |path: &Path| path.leads(node, around, text);
        (self.outside.is_empty() || !around.iter().any(|kind| self.outside.contains(kind)))
            && self.kind.as_ref().is_none_or(has)
            && self.needs.iter().all(has)
            && !self.not.iter().any(has)
    }
}

/// The lines of a query file, each with those that go on with it.
fn entries(text: &'static str) -> impl Iterator<Item = &'static str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let ends = |(at, _): &(usize, &str)| !rest.get(at + 1..).is_some_and(|behind| behind.starts_with(' '));
        let end = rest.match_indices('\n').find(ends).map_or(rest.len(), |(at, _)| at);
        let entry = rest.get(..end)?;
        let more = !rest.is_empty();
        rest = rest.get(end + 1..).unwrap_or_default();
        more.then_some(entry)
    })
}

fn rule(line: &'static str, grammar: &Grammar) -> Result<(u16, Rule), String> {
    let mut words = line.split_whitespace();
    let (own, word) = role(&mut words)?;
    let kind = words.next().ok_or("the kind is missing")?;
    let id = crate::path::kind_of(kind, grammar)?;
    let mut rule = Rule {
        role: own,
        word,
        name: Path::usual("name", grammar),
        body: Path::usual("body", grammar),
        owner: None,
        detail: None,
        doc: None,
        kind: None,
        between: (None, None),
        shape: Shape::Name,
        first: false,
        needs: Vec::new(),
        not: Vec::new(),
        outside: Vec::new(),
    };
    for option in words {
        let (key, value) = option.split_once('=').ok_or_else(|| format!("{option} is not KEY=PATH"))?;
        match (key, value) {
            ("outside", kinds) => rule.outside = crate::path::kinds_of(kinds, grammar)?,
            ("where", "first") => rule.first = true,
            ("as", shape) => rule.shape = Shape::named(shape).ok_or_else(|| format!("there is no shape {shape}"))?,
            (key, path) => rule.set(key, Path::read(path, grammar)?)?,
        }
    }
    Ok((id, rule))
}

/// What a line says that nodes are, and the word for them.
fn role(words: &mut dyn Iterator<Item = &'static str>) -> Result<(Role, &'static str), String> {
    let role = match words.next().unwrap_or_default() {
        "scope" => Role::Scope,
        "leaf" => Role::Leaf,
        "heading" => {
            let level = words.next().and_then(|level| level.parse().ok());
            return Ok((Role::Heading(level.ok_or("the level is missing")?), "heading"));
        }
        "block" => return Ok((Role::Block, "")),
        "doc" => return Ok((Role::Doc, "")),
        "mark" => return Ok((Role::Mark, "")),
        "wrap" => return Ok((Role::Wrap, "")),
        "list" => return Ok((Role::List, "")),
        other => return Err(format!("there is no role {other}")),
    };
    let word = words.next().ok_or("the word is missing")?;
    // A name that all would share is no word.
    Ok((role, if word == "-" { "" } else { word }))
}

impl Rule {
    fn set(&mut self, key: &str, path: Path) -> Result<(), String> {
        match key {
            "name" => self.name = path,
            "body" => self.body = path,
            "owner" => self.owner = Some(path),
            "detail" => self.detail = Some(path),
            "doc" => self.doc = Some(path),
            "kind" => self.kind = Some(path),
            "from" => self.between.0 = Some(path),
            "to" => self.between.1 = Some(path),
            "needs" => self.needs.push(path),
            "not" => self.not.push(path),
            other => return Err(format!("there is no key {other}")),
        }
        Ok(())
    }
}
