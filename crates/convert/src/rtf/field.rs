//! Fields: what they are asked to show.

use super::symbol::SymbolFont;

/// A field that is being read.
#[derive(Debug, Default)]
pub(super) struct Field {
    /// What it is asked to show.
    pub(super) instruction: String,
    /// The link that its text becomes.
    pub(super) link: Option<usize>,
    /// Whether what it shows is known from its instruction, so that its text is not.
    pub(super) shown: bool,
    /// The state of a field of a form.
    pub(super) form: Form,
}

/// The state of a field of a form.
#[derive(Debug, Default)]
pub(super) struct Form {
    pub(super) value: Option<i32>,
    pub(super) usual: Option<i32>,
    pub(super) choices: Vec<String>,
}

impl Form {
    /// A control word of the form.
    pub(super) fn word(&mut self, name: &[u8], number: Option<i32>) {
        match name {
            b"ffres" => self.value = number,
            b"ffdefres" => self.usual = number,
            // More than a screen of choices is no list to choose from.
            b"ffl" if self.choices.len() < 256 => self.choices.push(String::new()),
            _ => {}
        }
    }

    /// The value: 25 says that there is none but the usual one.
    fn chosen(&self) -> i32 {
        self.value.filter(|value| *value != 25).or(self.usual).unwrap_or(0)
    }
}

/// What an instruction says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The text is a link to this address.
    Link(String),
    /// This is shown instead of any text.
    Show(String),
    /// The text is shown.
    Text,
}

/// Bytes of an instruction; an address is no longer.
const INSTRUCTION: usize = 8192;

impl Field {
    /// Adds to the instruction.
    pub(super) fn instruct(&mut self, text: &str) {
        if self.instruction.len() + text.len() <= INSTRUCTION {
            self.instruction.push_str(text);
        }
    }

    /// What the instruction says.
    pub(super) fn order(&self) -> Order {
        let words = words(&self.instruction);
        let mut words = words.iter().map(String::as_str);
        let name = words.next().unwrap_or_default().to_ascii_uppercase();
        match name.as_str() {
            "HYPERLINK" => link(words),
            "SYMBOL" => sign(words),
            "FORMCHECKBOX" => Order::Show(if self.form.chosen() == 0 { "☐" } else { "☒" }.to_owned()),
            "FORMDROPDOWN" => {
                let choice = usize::try_from(self.form.chosen()).ok().and_then(|place| self.form.choices.get(place));
                choice.map_or(Order::Text, |choice| Order::Show(choice.clone()))
            }
            "MACROBUTTON" => Order::Show(words.skip(1).collect::<Vec<_>>().join(" ")),
            _ => Order::Text,
        }
    }
}

fn link<'a>(mut words: impl Iterator<Item = &'a str>) -> Order {
    let mut address = "";
    let mut anchor = "";
    while let Some(word) = words.next() {
        match word {
            "\\l" => anchor = words.next().unwrap_or_default(),
            "\\o" | "\\t" => {
                words.next();
            }
            _ if word.starts_with('\\') && !word.starts_with("\\\\") => {}
            _ if address.is_empty() => address = word,
            _ => {}
        }
    }
    // A place in the document itself has no address here.
    if address.is_empty() {
        return Order::Text;
    }
    // A backslash is written twice.
    let address: String = address.replace("\\\\", "\\").chars().filter(|sign| !sign.is_control()).collect();
    Order::Link(if anchor.is_empty() { address } else { format!("{address}#{anchor}") })
}

fn sign<'a>(mut words: impl Iterator<Item = &'a str>) -> Order {
    let Some(code) = words.next().and_then(number) else { return Order::Text };
    let mut font = None;
    while let Some(word) = words.next() {
        if word == "\\f" {
            font = words.next().and_then(SymbolFont::of_name);
        }
    }
    let byte = u8::try_from(code).ok().or_else(|| u8::try_from(code.checked_sub(0xf000)?).ok());
    let sign = match (font, byte) {
        (Some(font), Some(byte)) => Some(font.sign(byte)),
        (None, Some(183)) => Some('•'),
        _ => char::from_u32(code),
    };
    sign.map_or(Order::Text, |sign| Order::Show(sign.to_string()))
}

fn number(word: &str) -> Option<u32> {
    match word.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
}

/// The words of an instruction; what stands in quotes is one.
fn words(instruction: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    for sign in instruction.chars() {
        let quote = matches!(sign, '"' | '“' | '”');
        if (quote && quoted) || (sign.is_whitespace() && !quoted) {
            if !word.is_empty() || quote {
                words.push(std::mem::take(&mut word));
            }
        } else if !quote {
            word.push(sign);
        }
        quoted ^= quote;
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}
