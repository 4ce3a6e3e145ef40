//! Paths in a query file: from a node to one below it.
//!
//! `.field` is the child in a field, `.field@kind` only if it is of a kind, `kind` the first child of a kind from which
//! the rest of the way can be gone, `//kind` the first node of a kind at or below, in the order of the text; steps are
//! joined by `/`, kinds by `,`, ways to try one after the other by `|`. `self` is the node itself, `..` goes back by one
//! step, and `>kind` is the next node beside it if it is of that kind. Where it is only asked whether a path has an end,
//! `^kind` is the node around if it is of a kind.
//!
//! A kind in quotation marks is a sign or a word of the language itself: `"this"`. Behind a step `:word+word` asks for
//! a node with one of these texts, in upper or lower case: `attribute/attribute_name:id/../attribute_value` is the
//! value of the attribute `id`.

use std::num::NonZeroU16;

use tree_sitter::{Language as Grammar, Node};

/// Ways to a node.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    ways: Vec<Vec<Step>>,
}

#[derive(Clone, Debug)]
struct Step {
    go: Go,
    /// The texts that the node may have; any when there are none.
    texts: Vec<&'static str>,
}

#[derive(Clone, Debug)]
enum Go {
    Field(NonZeroU16),
    Child(Vec<u16>),
    Below(Vec<u16>),
    Around(Vec<u16>),
    Is(Vec<u16>),
    Beside(Vec<u16>),
    Back,
}

/// A node on a way, the one before it, and where known the kinds of the nodes around it.
#[derive(Clone, Copy)]
struct Place<'t, 'p> {
    node: Node<'t>,
    /// How far above the node the place is; a node finds the one around it only by a search from the root.
    above: usize,
    before: Option<&'p Place<'t, 'p>>,
    around: &'p [u16],
}

impl<'t> Place<'t, '_> {
    fn node(&self) -> Option<Node<'t>> {
        (0..self.above).try_fold(self.node, |node, _| node.parent())
    }
}

/// Nodes that are looked at for a step that goes to any depth.
const MOST_LOOKS: usize = 256;

/// The number of a kind.
pub(crate) fn kind_of(kind: &str, grammar: &Grammar) -> Result<u16, String> {
    let sign = kind.strip_prefix('"').and_then(|kind| kind.strip_suffix('"'));
    match grammar.id_for_node_kind(sign.unwrap_or(kind), sign.is_none()) {
        0 => Err(format!("the grammar has no kind {kind}")),
        id => Ok(id),
    }
}

/// The numbers of kinds with commas between them.
pub(crate) fn kinds_of(kinds: &str, grammar: &Grammar) -> Result<Vec<u16>, String> {
    kinds.split(',').map(|kind| kind_of(kind, grammar)).collect()
}

impl Path {
    /// The path that a rule has unless it says otherwise; grammars without the field lead nowhere.
    pub(crate) fn usual(field: &str, grammar: &Grammar) -> Self {
        let way = grammar.field_id_for_name(field).map(|id| vec![Step { go: Go::Field(id), texts: Vec::new() }]);
        Self { ways: way.into_iter().collect() }
    }

    /// Reads a path.
    pub(crate) fn read(text: &'static str, grammar: &Grammar) -> Result<Self, String> {
        let ways = text.split('|').map(|way| way_of(way, grammar)).collect::<Result<_, _>>()?;
        Ok(Self { ways })
    }

    /// The node that the first way with an end leads to.
    pub(crate) fn follow<'t>(&self, node: Node<'t>, text: &str) -> Option<Node<'t>> {
        self.ways.iter().find_map(|way| go(way, Place { node, above: 0, before: None, around: &[] }, text))
    }

    /// Whether a way has an end that begins at a node with nodes of these kinds around it, the outermost first.
    pub(crate) fn leads(&self, node: Node<'_>, around: &[u16], text: &str) -> bool {
        self.ways.iter().any(|way| go(way, Place { node, above: 0, before: None, around }, text).is_some())
    }

    /// Which of the texts that it asks for at its end is there.
    pub(crate) fn word(&self, node: Node<'_>, text: &str) -> Option<&'static str> {
        self.ways.iter().find_map(|way| {
            way.last()?.text_of(go(way, Place { node, above: 0, before: None, around: &[] }, text)?, text)
        })
    }
}

fn way_of(way: &'static str, grammar: &Grammar) -> Result<Vec<Step>, String> {
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
        let (part, texts) =
            part.split_once(':').map_or((part, Vec::new()), |(part, texts)| (part, texts.split('+').collect()));
        let (part, kinds) = part.split_once('@').map_or((part, None), |(part, kinds)| (part, Some(kinds)));
        let go = if below { Go::Below(kinds_of(part, grammar)?) } else { go_of(part, grammar)? };
        steps.push(Step { go, texts });
        if let Some(kinds) = kinds {
            steps.push(Step { go: Go::Is(kinds_of(kinds, grammar)?), texts: Vec::new() });
        }
        below = false;
    }
    Ok(steps)
}

fn go_of(part: &str, grammar: &Grammar) -> Result<Go, String> {
    if part == ".." {
        return Ok(Go::Back);
    }
    if let Some(field) = part.strip_prefix('.') {
        let id = grammar.field_id_for_name(field);
        return Ok(Go::Field(id.ok_or_else(|| format!("the grammar has no field {field}"))?));
    }
    if let Some(kinds) = part.strip_prefix('^') {
        return Ok(Go::Around(kinds_of(kinds, grammar)?));
    }
    if let Some(kinds) = part.strip_prefix('>') {
        return Ok(Go::Beside(kinds_of(kinds, grammar)?));
    }
    Ok(Go::Child(kinds_of(part, grammar)?))
}

/// Where the rest of a way ends; of several children that fit a step, the first from which the rest can be gone.
fn go<'t>(steps: &[Step], place: Place<'t, '_>, text: &str) -> Option<Node<'t>> {
    let Some((step, rest)) = steps.split_first() else {
        // That there is something around is all that is asked.
        return Some(place.node);
    };
    let on = |node: Node<'t>| go(rest, Place { node, above: 0, before: Some(&place), around: &[] }, text);
    match &step.go {
        Go::Field(id) => place.node()?.child_by_field_id(id.get()).filter(|node| step.fits(*node, text)).and_then(on),
        Go::Child(kinds) => {
            let node = place.node()?;
            let mut cursor = node.walk();
            let mut children = node.children(&mut cursor).take(MOST_LOOKS);
            children
                .find_map(|child| (kinds.contains(&child.kind_id()) && step.fits(child, text)).then(|| on(child))?)
        }
        Go::Below(kinds) => {
            below(place.node()?, |node| kinds.contains(&node.kind_id()) && step.fits(node, text)).and_then(on)
        }
        Go::Around(kinds) => {
            let (_, around) = place.around.split_last().filter(|(kind, _)| kinds.contains(kind))?;
            go(rest, Place { node: place.node, above: place.above + 1, before: Some(&place), around }, text)
        }
        Go::Is(kinds) => kinds.contains(&place.node()?.kind_id()).then(|| go(rest, place, text))?,
        Go::Beside(kinds) => {
            let next = place.node()?.next_named_sibling()?;
            (kinds.contains(&next.kind_id()) && step.fits(next, text)).then(|| on(next))?
        }
        Go::Back => go(rest, *place.before?, text),
    }
}

impl Step {
    fn fits(&self, node: Node<'_>, text: &str) -> bool {
        self.texts.is_empty() || self.text_of(node, text).is_some()
    }

    /// Which of its texts a node has.
    fn text_of(&self, node: Node<'_>, text: &str) -> Option<&'static str> {
        let own = text.get(node.byte_range()).unwrap_or_default();
        self.texts.iter().find(|text| text.eq_ignore_ascii_case(own)).copied()
    }
}

/// The first node at or below another one that fits.
fn below<'t>(node: Node<'t>, fits: impl Fn(Node<'t>) -> bool) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    for _ in 0..MOST_LOOKS {
        if fits(cursor.node()) {
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
