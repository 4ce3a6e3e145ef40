//! Any input of a tool in a folder with links: nothing leads out of it, and no failure is our mistake.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use readstone_base::{Class, Fixed, Limits, Status};
use readstone_host::{Host, Policy, Root, Secrets, Stance};
use readstone_session::{MemoryShelf, MemoryStore, Room, Session};
use readstone_tools::Toolbox;
use serde_json::{Value, json};
use tempfile::TempDir;

/// What stands in the files that nobody may read.
const WORD: &str = "k9Qz-unseen-7Wx";
/// The tools that change nothing.
const TOOLS: [&str; 3] = ["read", "find", "search"];

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| make().expect("a folder"));

pub(crate) fn run(input: &[u8]) {
    let Some((pick, rest)) = input.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let name = TOOLS[usize::from(*pick) % TOOLS.len()];
    // What is no JSON is a path.
    let asked = serde_json::from_str::<Value>(text).ok().filter(Value::is_object).unwrap_or_else(|| match name {
        "read" => json!({ "path": text }),
        "find" => json!({ "paths": [text] }),
        _ => json!({ "pattern": "unseen", "paths": [text] }),
    });
    if text.contains(WORD) {
        return;
    }
    let toolbox = toolbox();
    let reply = toolbox.call(name, &asked, &toolbox.budget());
    if let Status::Error(class) = reply.status {
        assert_ne!(class, Class::Bug, "{asked}: {}", reply.text());
    }
    assert!(!reply.text().contains(WORD), "{asked} leads out: {}", reply.text());
    assert!(reply.text().len() < 300_000, "{asked}: {} bytes", reply.text().len());
}

fn toolbox() -> Toolbox {
    let limits = Limits { find_ms: 500, suffix_ms: 500, ..Limits::default() };
    let secrets = Secrets::new(Stance::Deny, &[]).expect("no rules");
    let root = Root::open(&FOLDER.path().join("root"), Path::new("")).expect("the folder just made");
    let shelf = Arc::new(MemoryShelf::new(limits.shelf_bytes));
    let session = Session::new(String::new(), Arc::<MemoryStore>::default(), Room::of(&limits), shelf);
    let host = Host::new(Policy::below(vec![root], secrets), None, limits.spool_bytes);
    Toolbox::new(host, session, limits, Arc::new(Fixed(0)))
}

/// A folder with a few files, links that lead into it, out of it and nowhere, and a secret.
fn make() -> std::io::Result<TempDir> {
    let folder = tempfile::tempdir()?;
    let (root, outside) = (folder.path().join("root"), folder.path().join("outside"));
    std::fs::create_dir_all(root.join("sub/deep"))?;
    std::fs::create_dir(&outside)?;
    std::fs::write(outside.join("o.txt"), format!("{WORD}\n"))?;
    std::fs::write(root.join(".env"), format!("KEY={WORD}\n"))?;
    std::fs::write(root.join("a.txt"), "one\ntwo\nthree\n")?;
    std::fs::write(root.join("sub/b.rs"), "fn main() {\n    work();\n}\n\nfn work() {}\n")?;
    std::fs::write(root.join("sub/deep/c.json"), "{\"a\": [1, {\"b\": null}]}\n")?;
    std::fs::write(root.join("sub/d.csv"), "k,v\n1,x\n2,\"y,z\"\n")?;
    std::fs::write(root.join("odd:5"), "odd\n")?;
    std::fs::write(root.join(".gitignore"), "*.log\n")?;
    std::fs::write(root.join("x.log"), "log\n")?;
    symlink("a.txt", root.join("in"))?;
    symlink("../outside/o.txt", root.join("out"))?;
    symlink(outside.join("o.txt"), root.join("far"))?;
    symlink("..", root.join("up"))?;
    symlink("../../outside", root.join("sub/over"))?;
    symlink("../.env", root.join("sub/veiled"))?;
    symlink("loop", root.join("loop"))?;
    symlink("gone", root.join("dangling"))?;
    Ok(folder)
}
