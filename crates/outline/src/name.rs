//! What becomes of the text of a name.

/// How a name is made of the text of its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// As it stands, but for quotes; what stands before `::` is its owner.
    Name,
    /// As it stands, but for quotes.
    Whole,
    /// A symbol without the colon before it.
    Symbol,
    /// What stands before the body.
    Head,
    /// The text of a Markdown heading.
    Heading,
    /// The text between the tags.
    Tags,
    /// What stands behind the last `:` and `$`, as in `$global:name`.
    Last,
}

impl Shape {
    /// The shape that a query file calls so.
    pub(crate) fn named(word: &str) -> Option<Self> {
        match word {
            "whole" => Some(Self::Whole),
            "head" => Some(Self::Head),
            "symbol" => Some(Self::Symbol),
            "heading" => Some(Self::Heading),
            "tags" => Some(Self::Tags),
            "last" => Some(Self::Last),
            _ => None,
        }
    }
}

/// What stands before a body, without the sign that ends it.
pub(crate) fn head(text: &str) -> String {
    text.trim_end_matches([';', ':', '=', '{']).to_owned()
}

/// A name without the signs around a text.
pub(crate) fn unquoted(name: &str) -> &str {
    let inside = |sign: char| name.strip_prefix(sign).and_then(|rest| rest.strip_suffix(sign));
    inside('"').or_else(|| inside('\'')).or_else(|| inside('`')).unwrap_or(name)
}

/// `Type::method` declared outside its type: the type, and the name.
pub(crate) fn split_owner(name: &str) -> (Option<String>, String) {
    let (plain, operator) = split_operator(name);
    let plain = if name.contains("::") { without_generics(plain) } else { plain.to_owned() };
    if !operator.is_empty() {
        let owner = plain.trim_end_matches("::");
        return ((!owner.is_empty()).then(|| owner.to_owned()), operator.to_owned());
    }
    match plain.rsplit_once("::") {
        Some((owner, own)) if !owner.is_empty() && !own.is_empty() && !plain.contains(' ') => {
            (Some(owner.to_owned()), own.to_owned())
        }
        _ => (None, plain),
    }
}

/// What stands before the name of an operator, and that name: `Type::operator bool() const` has `operator bool`.
fn split_operator(name: &str) -> (&str, &str) {
    let at = name.find("operator").filter(|at| *at == 0 || name.get(..*at).is_some_and(|own| own.ends_with("::")));
    let Some((plain, operator)) = at.map(|at| name.split_at(at)) else {
        return (name, "");
    };
    let sign = operator.strip_prefix("operator").unwrap_or_default();
    if sign.is_empty() || sign.starts_with(|sign: char| sign.is_alphanumeric() || sign == '_') {
        return (name, "");
    }
    let call = sign.starts_with("()");
    let end = sign.find('(').filter(|_| !call).map_or(operator.len(), |end| operator.len() - sign.len() + end);
    (plain, operator.get(..end).unwrap_or(operator).trim_end())
}

/// `Map<K, V>::get` as `Map::get`.
fn without_generics(name: &str) -> String {
    let mut depth = 0_usize;
    let mut kept = String::new();
    for sign in name.chars() {
        match sign {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => kept.push(sign),
            _ => {}
        }
    }
    kept
}
