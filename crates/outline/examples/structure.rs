//! Shows the outline of a file, or with `--tree` the nodes that its grammar makes of it: what one looks at while
//! writing a query file.
#![expect(clippy::disallowed_methods, clippy::print_stdout, reason = "a tool for whoever adds a language")]
#![expect(clippy::unwrap_used, reason = "it may end as it likes")]

use readstone_outline::{Language, outline, tree_text};

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let tree = arguments.iter().position(|word| word == "--tree").map(|at| arguments.remove(at)).is_some();
    let file = arguments.first().unwrap();
    let text = std::fs::read_to_string(file).unwrap();
    let language = Language::of(file, text.lines().next().unwrap_or_default()).unwrap();
    if tree {
        println!("{}", tree_text(language, &text));
        return;
    }
    let outline = outline(language, &text, &mut || false).unwrap();
    for item in &outline.items {
        let indent = "  ".repeat(item.depth);
        let row = item.fold.clone().unwrap_or_default();
        println!("{indent}{}-{} {} | {row}", item.lines.first, item.lines.last, item.label());
    }
}
