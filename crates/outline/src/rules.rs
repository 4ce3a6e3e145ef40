//! The query file of a language: which of its nodes declare something.
//!
//! A line is `ROLE [WORD] KIND [KEY=PATH]…`; `#` begins a comment.
//!
//! | role | what a node of this kind is |
//! |---|---|
//! | `scope WORD` | a declaration that others lie in |
//! | `leaf WORD` | a declaration whose inside is its own affair |
//! | `block` | a statement or the like with a body |
//! | `doc` | a comment, which belongs to the declaration on the next line |
//! | `mark` | an attribute or a decorator, which does so too |
//! | `wrap` | what stands around a declaration and belongs to it, such as `export` |
//! | `list` | a run of statements without signs around it |
//!
//! Keys: `name` (`.name` unless given), `body` (`.body` unless given), `owner`, `detail`, `doc` (a comment inside the
//! body); `needs` and `not` say what must and must not be there. Paths are in `path.rs`. Of several lines for one kind the
//! first that fits counts.

use tree_sitter::{Language as Grammar, Node};

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
    pub(crate) word: &'static str,
    pub(crate) name: Path,
    pub(crate) body: Path,
    pub(crate) owner: Option<Path>,
    pub(crate) detail: Option<Path>,
    pub(crate) doc: Option<Path>,
    needs: Option<Path>,
    not: Option<Path>,
}

/// What a node is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Scope,
    Leaf,
    Block,
    Doc,
    Mark,
    Wrap,
    List,
}

impl Rules {
    /// Reads a query file; the error names what the grammar does not have.
    pub(crate) fn read(text: &'static str, grammar: &Grammar) -> Result<Self, String> {
        let mut by_kind = vec![Vec::new(); grammar.node_kind_count()];
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (kind, rule) = rule(line, grammar).map_err(|why| format!("{why} in: {line}"))?;
            if let Some(rules) = by_kind.get_mut(usize::from(kind)) {
                rules.push(rule);
            }
        }
        Ok(Self { by_kind })
    }

    /// The rule for a node.
    pub(crate) fn of(&self, node: Node<'_>) -> Option<&Rule> {
        self.by_kind.get(usize::from(node.kind_id()))?.iter().find(|rule| rule.fits(node))
    }

    /// Whether a node is a run of statements and nothing of its own.
    pub(crate) fn is_list(&self, node: Node<'_>) -> bool {
        self.of(node).is_some_and(|rule| rule.role == Role::List)
    }
}

impl Rule {
    fn fits(&self, node: Node<'_>) -> bool {
        let has = |path: &Path| path.follow(node).is_some();
        self.needs.as_ref().is_none_or(has) && !self.not.as_ref().is_some_and(has)
    }
}

fn rule(line: &'static str, grammar: &Grammar) -> Result<(u16, Rule), String> {
    let mut words = line.split_whitespace();
    let role = match words.next().unwrap_or_default() {
        "scope" => Role::Scope,
        "leaf" => Role::Leaf,
        "block" => Role::Block,
        "doc" => Role::Doc,
        "mark" => Role::Mark,
        "wrap" => Role::Wrap,
        "list" => Role::List,
        other => return Err(format!("there is no role {other}")),
    };
    let word = match role {
        Role::Scope | Role::Leaf => words.next().ok_or("the word is missing")?,
        Role::Block | Role::Doc | Role::Mark | Role::Wrap | Role::List => "",
    };
    let kind = words.next().ok_or("the kind is missing")?;
    let id = crate::path::kind_of(kind, grammar)?;
    // A name that all would share is no word.
    let word = if word == "-" { "" } else { word };
    let mut rule = Rule {
        role,
        word,
        name: Path::usual("name", grammar),
        body: Path::usual("body", grammar),
        owner: None,
        detail: None,
        doc: None,
        needs: None,
        not: None,
    };
    for option in words {
        let (key, path) = option.split_once('=').ok_or_else(|| format!("{option} is not KEY=PATH"))?;
        let path = Path::read(path, grammar)?;
        match key {
            "name" => rule.name = path,
            "body" => rule.body = path,
            "owner" => rule.owner = Some(path),
            "detail" => rule.detail = Some(path),
            "doc" => rule.doc = Some(path),
            "needs" => rule.needs = Some(path),
            "not" => rule.not = Some(path),
            other => return Err(format!("there is no key {other}")),
        }
    }
    Ok((id, rule))
}
