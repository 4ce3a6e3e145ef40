//! Trees: directories listed, walked and searched.

use serde_json::json;

use super::{Operation, START, find, read_wide, search};
use crate::data::{Data, grouped};

const NEEDLE: &str = "needleInTheTree";
const REGEX: &str = r"\w+InThe[A-Z]\w{3}\b";

/// What our listings have and plain ones have not.
const LISTING: &str = "every row has the size and the age of its entry, newest first: one system call for each";

/// What our paths are in order of, and those of others are not.
const NEWEST: &str = "paths come newest first, so the age of each is asked for";

pub(super) fn all(data: &Data) -> Vec<Operation> {
    let (tree, files) = (data.at("tree"), grouped(data.files));
    vec![
        Operation::new("list 10,000 entries", read_wide("entries:1-10000"))
            .shows("entry-00000.txt")
            .shows("entry-09999.txt")
            .tool("ls -1 entries")
            .tool("ls -lt entries")
            .tool("fd -d 1 . entries")
            .rust("list_directory", json!({ "path": data.at("entries") }))
            .node("list_directory", json!({ "path": data.at("entries") }))
            .behind_tools(LISTING)
            .behind_servers(LISTING),
        Operation::new(format!("walk a tree of {files} files: our first 200, counted; their all"), find("tree/**/*"))
            .shows("file9.")
            .tool("find tree")
            .tool("fd -u . tree")
            .rust("directory_tree", json!({ "path": tree }))
            .node("directory_tree", json!({ "path": tree }))
            .behind_tools(NEWEST),
        Operation::new(format!("literal search, {files} files, 65 MB"), search(NEEDLE, "tree"))
            .shows(NEEDLE)
            .tool(&format!("rg --hidden -nF {NEEDLE} tree"))
            .tool(&format!("grep -rnF {NEEDLE} tree"))
            .rust("search_files_content", json!({ "path": tree, "pattern": "**/*", "query": NEEDLE }))
            .behind_tools(START),
        Operation::new("regex search, same tree", search(REGEX, "tree"))
            .shows(NEEDLE)
            .tool(&format!("rg --hidden -n {REGEX} tree"))
            .tool(&format!("grep -rnP {REGEX} tree"))
            .rust("search_files_content", json!({ "path": tree, "pattern": "**/*", "query": REGEX, "is_regex": true })),
        Operation::new("glob **/*.rs, same tree: our first 200, counted; their all", find("tree/**/*.rs"))
            .shows(".rs")
            .tool("find tree -name *.rs")
            .tool("fd --hidden -e rs . tree")
            .rust("search_files", json!({ "path": tree, "pattern": "**/*.rs" }))
            .node("search_files", json!({ "path": tree, "pattern": "**/*.rs" }))
            .behind_tools(NEWEST),
    ]
}
