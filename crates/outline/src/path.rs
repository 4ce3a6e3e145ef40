//! Paths in a query file: from a node to one below it.
//!
//! `.field` is the child in a field, `kind` the first child of a kind, `//kind` the first node of a kind at or below, in
//! the order of the text; steps are joined by `/`, kinds by `,`, ways to try one after the other by `|`. `self` is the
//! node itself.

use std::num::NonZeroU16;

use tree_sitter::{Language as Grammar, Node};

/// Ways to a node.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    ways: Vec<Vec<Step>>,
}

#[derive(Clone, Debug)]
enum Step {
    Field(NonZeroU16),
    Child(Vec<u16>),
    Below(Vec<u16>),
}

/// Nodes that are looked at for a step that goes to any depth.
const MOST_LOOKS: usize = 256;

/// The number of a kind.
pub(crate) fn kind_of(kind: &str, grammar: &Grammar) -> Result<u16, String> {
    match grammar.id_for_node_kind(kind, true) {
        0 => Err(format!("the grammar has no kind {kind}")),
        id => Ok(id),
    }
}

impl Path {
    /// The path that a rule has unless it says otherwise; grammars without the field lead nowhere.
    pub(crate) fn usual(field: &str, grammar: &Grammar) -> Self {
        let way = grammar.field_id_for_name(field).map(|id| vec![Step::Field(id)]);
        Self { ways: way.into_iter().collect() }
    }

    /// Reads a path.
    pub(crate) fn read(text: &str, grammar: &Grammar) -> Result<Self, String> {
        let ways = text.split('|').map(|way| way_of(way, grammar)).collect::<Result<_, _>>()?;
        Ok(Self { ways })
    }

    /// The node that the first way with an end leads to.
    pub(crate) fn follow<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        self.ways.iter().find_map(|way| way.iter().try_fold(node, |node, step| step.follow(node)))
    }
}

fn way_of(way: &str, grammar: &Grammar) -> Result<Vec<Step>, String> {
    if way == "self" {
        return Ok(Vec::new());
    }
    let mut steps = Vec::new();
    let mut below = false;
    for part in way.split('/') {
        if part.is_empty() {
            below = true;
            continue;
        }
        let step = match part.strip_prefix('.') {
            Some(field) => {
                let id = grammar.field_id_for_name(field);
                Step::Field(id.ok_or_else(|| format!("the grammar has no field {field}"))?)
            }
            None => {
                let kinds = part.split(',').map(|kind| kind_of(kind, grammar)).collect::<Result<_, _>>()?;
                if below { Step::Below(kinds) } else { Step::Child(kinds) }
            }
        };
        below = false;
        steps.push(step);
    }
    Ok(steps)
}

impl Step {
    fn follow<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        match self {
            Self::Field(id) => node.child_by_field_id(id.get()),
            Self::Child(kinds) => {
                let mut cursor = node.walk();
                node.named_children(&mut cursor).take(MOST_LOOKS).find(|child| kinds.contains(&child.kind_id()))
            }
            Self::Below(kinds) => below(node, kinds),
        }
    }
}

/// The first node of these kinds at or below another one.
fn below<'t>(node: Node<'t>, kinds: &[u16]) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    for _ in 0..MOST_LOOKS {
        if kinds.contains(&cursor.node().kind_id()) {
            return Some(cursor.node());
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return None;
            }
        }
    }
    None
}
