//! Character references of web pages.

/// The names of the signs from U+00A0 to U+00FF.
const LATIN: &str = "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 \
    sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml \
    Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml \
    times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave \
    eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute \
    ucirc uuml yacute thorn yuml";
/// The names of the Greek letters from U+0391, and from U+03B1 in small; `-` has no name.
const GREEK: &str = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho - sigma \
    tau upsilon phi chi psi omega";
/// Other names that are common.
const OTHERS: [(&str, char); 56] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("ndash", '–'),
    ("mdash", '—'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("sbquo", '‚'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("bdquo", '„'),
    ("lsaquo", '‹'),
    ("rsaquo", '›'),
    ("hellip", '…'),
    ("bull", '•'),
    ("dagger", '†'),
    ("Dagger", '‡'),
    ("permil", '‰'),
    ("prime", '′'),
    ("Prime", '″'),
    ("euro", '€'),
    ("trade", '™'),
    ("larr", '←'),
    ("uarr", '↑'),
    ("rarr", '→'),
    ("darr", '↓'),
    ("harr", '↔'),
    ("rArr", '⇒'),
    ("hArr", '⇔'),
    ("forall", '∀'),
    ("part", '∂'),
    ("exist", '∃'),
    ("isin", '∈'),
    ("sum", '∑'),
    ("minus", '−'),
    ("radic", '√'),
    ("infin", '∞'),
    ("cap", '∩'),
    ("cup", '∪'),
    ("int", '∫'),
    ("asymp", '≈'),
    ("ne", '≠'),
    ("equiv", '≡'),
    ("le", '≤'),
    ("ge", '≥'),
    ("sub", '⊂'),
    ("sup", '⊃'),
    ("OElig", 'Œ'),
    ("oelig", 'œ'),
    ("Scaron", 'Š'),
    ("scaron", 'š'),
    ("ensp", '\u{2002}'),
    ("emsp", '\u{2003}'),
    ("thinsp", '\u{2009}'),
];
/// The longest name that is looked up.
const LONGEST: usize = 10;

/// Adds text with its references resolved; what is no known reference stays as it is.
pub(crate) fn push(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (head, tail) = rest.split_at(at);
        out.push_str(head);
        let end = tail.bytes().take(LONGEST + 2).position(|sign| sign == b';');
        let found = end.and_then(|end| tail.get(1..end)).and_then(sign);
        out.push(found.unwrap_or('&'));
        let taken = if found.is_some() { end.unwrap_or(0) + 1 } else { 1 };
        rest = tail.get(taken..).unwrap_or_default();
    }
    out.push_str(rest);
}

fn sign(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code).filter(|sign| *sign != '\0');
    }
    let other = OTHERS.iter().find(|(known, _)| *known == name).map(|(_, sign)| *sign);
    other.or_else(|| latin(name)).or_else(|| greek(name))
}

fn latin(name: &str) -> Option<char> {
    let at = LATIN.split_whitespace().position(|known| known == name)?;
    char::from_u32(0xA0 + u32::try_from(at).ok()?)
}

fn greek(name: &str) -> Option<char> {
    let at = GREEK.split_whitespace().position(|known| known.eq_ignore_ascii_case(name))?;
    let first = if name.starts_with(|sign: char| sign.is_ascii_uppercase()) { 0x391 } else { 0x3B1 };
    char::from_u32(first + u32::try_from(at).ok()?)
}
