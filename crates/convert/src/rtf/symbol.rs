//! Fonts whose letters are signs: what they mean in Unicode.

/// A font of signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SymbolFont {
    /// Greek letters and mathematics.
    Symbol,
    /// Bullets, arrows, ticks.
    Wingdings,
    /// Boxes and ticks.
    Wingdings2,
    /// Arrows.
    Wingdings3,
    /// Pictures.
    Webdings,
}

impl SymbolFont {
    /// The font of this name.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        match name.trim().to_ascii_lowercase().as_str() {
            "symbol" | "symbolps" | "symbol mt" | "standard symbols l" => Some(Self::Symbol),
            "wingdings" | "monotype sorts" => Some(Self::Wingdings),
            "wingdings 2" => Some(Self::Wingdings2),
            "wingdings 3" => Some(Self::Wingdings3),
            "webdings" => Some(Self::Webdings),
            _ => None,
        }
    }

    /// The sign that a byte stands for.
    pub(super) fn sign(self, byte: u8) -> char {
        if byte <= 32 {
            return char::from(byte);
        }
        match self {
            Self::Symbol => greek(byte),
            Self::Wingdings => wingding(byte),
            Self::Wingdings2 => look_up(WINGDINGS_2, byte),
            Self::Wingdings3 => look_up(WINGDINGS_3, byte),
            Self::Webdings => look_up(WEBDINGS, byte),
        }
    }
}

fn greek(byte: u8) -> char {
    let sign = match byte {
        0x21..=0x7e => SYMBOL_LOW.chars().nth(usize::from(byte - 0x21)),
        0xa0..=0xfe => SYMBOL_HIGH.chars().nth(usize::from(byte - 0xa0)),
        _ => None,
    };
    sign.unwrap_or(UNKNOWN)
}

fn wingding(byte: u8) -> char {
    let circled = match byte {
        0x81..=0x8a => char::from_u32(0x2460 + u32::from(byte - 0x81)),
        0x8c..=0x95 => char::from_u32(0x2776 + u32::from(byte - 0x8c)),
        _ => None,
    };
    circled.unwrap_or_else(|| look_up(WINGDINGS, byte))
}

fn look_up(table: &[(u8, char)], byte: u8) -> char {
    table.iter().find(|(place, _)| *place == byte).map_or(UNKNOWN, |(_, sign)| *sign)
}

/// A sign that is not known to have an equal.
const UNKNOWN: char = '▯';

const SYMBOL_LOW: &str = "!∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾\
    αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼";

const SYMBOL_HIGH: &str = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓\
    ◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪▯〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭";

const WINGDINGS: &[(u8, char)] = &[
    (0x21, '✏'),
    (0x22, '✂'),
    (0x28, '☎'),
    (0x29, '✆'),
    (0x2a, '✉'),
    (0x36, '⌛'),
    (0x37, '⌨'),
    (0x3f, '✍'),
    (0x41, '✌'),
    (0x45, '☜'),
    (0x46, '☞'),
    (0x47, '☝'),
    (0x48, '☟'),
    (0x4a, '☺'),
    (0x4c, '☹'),
    (0x6c, '●'),
    (0x6d, '❍'),
    (0x6e, '■'),
    (0x6f, '□'),
    (0x70, '□'),
    (0x71, '❑'),
    (0x72, '❒'),
    (0x73, '⬧'),
    (0x74, '⧫'),
    (0x75, '◆'),
    (0x76, '❖'),
    (0x77, '⬥'),
    (0x78, '☒'),
    (0x80, '⓪'),
    (0x8b, '⓿'),
    (0x9e, '·'),
    (0x9f, '•'),
    (0xa1, '○'),
    (0xa4, '◉'),
    (0xa7, '▪'),
    (0xa8, '☐'),
    (0xab, '★'),
    (0xd8, '➢'),
    (0xdc, '➲'),
    (0xdf, '←'),
    (0xe0, '→'),
    (0xe1, '↑'),
    (0xe2, '↓'),
    (0xe8, '➔'),
    (0xef, '⇦'),
    (0xf0, '⇨'),
    (0xf1, '⇧'),
    (0xf2, '⇩'),
    (0xf3, '⬄'),
    (0xfb, '✗'),
    (0xfc, '✓'),
    (0xfd, '☒'),
    (0xfe, '☑'),
];

const WINGDINGS_2: &[(u8, char)] = &[
    (0x4f, '✗'),
    (0x50, '✓'),
    (0x51, '☒'),
    (0x52, '☑'),
    (0x53, '☒'),
    (0x54, '☒'),
    (0x96, '●'),
    (0x97, '●'),
    (0xa2, '■'),
    (0xa3, '☐'),
];

const WINGDINGS_3: &[(u8, char)] = &[
    (0x66, '←'),
    (0x67, '→'),
    (0x68, '↑'),
    (0x69, '↓'),
    (0x70, '▲'),
    (0x71, '▼'),
    (0x74, '◄'),
    (0x75, '►'),
    (0x7d, '▶'),
];

const WEBDINGS: &[(u8, char)] = &[(0x61, '✓'), (0x63, '☐'), (0x67, '■'), (0x6e, '●'), (0x72, '✗')];
