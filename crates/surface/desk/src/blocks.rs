//! The content blocks of a reply: what an MCP client hands to its model.

use readstone_base::{Image, Part, Raw, Receipt};
use serde_json::{Value, json};

use crate::form::base64;

/// One content block.
#[derive(Clone, Debug)]
pub enum Block {
    /// Text.
    Text(String),
    /// A picture.
    Image(Image),
}

impl Block {
    /// The block in the wire form of MCP.
    pub fn form(&self) -> Value {
        match self {
            Self::Text(text) => json!({ "type": "text", "text": text }),
            Self::Image(image) => json!({ "type": "image", "data": base64(&image.bytes), "mimeType": image.mime }),
        }
    }
}

/// The blocks of a reply with these parts. A verbatim part that is not the whole is followed by a block that accounts
/// for it.
pub fn blocks(parts: Vec<Part>, receipt: &Receipt) -> Vec<Block> {
    let mut blocks = Vec::with_capacity(parts.len() + 1);
    let mut targets = receipt.targets.iter();
    let alone = parts.len() == 1;
    for part in parts {
        let target = if matches!(part, Part::Image(_)) { None } else { targets.next() };
        let beside = target.and_then(|target| readstone_render::beside(receipt.tool, &part, target));
        // A target for which there is no room has no text of its own.
        if alone || !matches!(&part, Part::Text(text) if text.is_empty()) {
            blocks.push(match part {
                Part::Text(text) | Part::Verbatim(Raw { text, .. }) => Block::Text(text),
                Part::Image(image) => Block::Image(image),
            });
        }
        blocks.extend(beside.map(Block::Text));
    }
    blocks
}
