//! Structure on the program, where a worker parses: documents by their headings, sources in one call and in many.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

use readstone_testkit::{Office, Spoken, World};
use serde_json::json;

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

fn heading(level: u8, text: &str) -> String {
    format!("<w:p><w:pPr><w:outlineLvl w:val=\"{}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>", level - 1)
}

fn told(server: &mut Spoken, address: &str) -> String {
    let reply = server.call("read", &json!({ "path": address }));
    reply["result"]["content"][0]["text"].as_str().unwrap().to_owned()
}

/// A source of more than a page, with one function that is looked for.
fn source() -> String {
    let function = |number: usize| {
        format!(
            "/// Does thing {number}.\npub fn thing_{number}() -> usize {{\n{}    {number}\n}}\n\n",
            "    step();\n".repeat(30)
        )
    };
    (0..120).map(function).collect::<Vec<_>>().concat()
}

#[test]
fn a_document_is_read_by_its_headings() {
    let world = world();
    let body = [
        heading(1, "Report"),
        Office::paragraph("Words."),
        heading(2, "Results"),
        Office::paragraph("They are good."),
        heading(2, "Outlook"),
        Office::paragraph("It is bright."),
    ];
    world.file("report.docx", Office::word(&body.concat()));
    let mut server = Spoken::start::<&str>(&world, [], "2025-11-25");
    let outline = told(&mut server, "report.docx:outline");
    for name in ["# Report", "## Results", "## Outlook"] {
        assert!(outline.contains(name), "{outline}");
    }
    let section = told(&mut server, "report.docx:@Results");
    assert!(section.contains("They are good.") && !section.contains("It is bright."), "{section}");
}

#[test]
fn a_large_source_is_summed_up_by_a_worker_and_its_symbols_are_found() {
    let world = world();
    world.file("large.rs", source());
    let mut server = Spoken::start::<&str>(&world, [], "2025-11-25");
    for _ in 0..2 {
        let summary = told(&mut server, "large.rs");
        assert!(summary.contains("pub fn thing_0() -> usize { … }"), "{summary:.300}");
        assert!(summary.lines().last().unwrap().contains(" lines elided; next: read large.rs:"), "{summary:.300}");
        let symbol = told(&mut server, "large.rs:@thing_77");
        assert!(symbol.contains("/// Does thing 77.\n") && symbol.contains("    77\n"), "{symbol}");
        let range = told(&mut server, "large.rs:20-22");
        assert!(range.contains("; in fn thing_0, lines 1-34; "), "{range}");
    }
}

#[test]
fn the_program_says_the_same_without_a_server() {
    let world = world();
    world.file("large.rs", source());
    let mut server = Spoken::start::<&str>(&world, [], "2025-11-25");
    for address in ["large.rs", "large.rs:outline", "large.rs:^100", ".:outline"] {
        let run = world.command().args(["--ephemeral", "read", "--", address]).output().unwrap();
        assert_eq!(String::from_utf8(run.stdout).unwrap(), told(&mut server, address), "{address}");
    }
}

#[test]
fn a_grammar_that_the_build_lacks_is_named_by_its_feature() {
    let world = world();
    world.file("main.zig", "const one = 1;\n");
    let mut server = Spoken::start::<&str>(&world, [], "2025-11-25");
    let missing = "this program was built without the feature `rare-languages`, which brings the grammar for it";
    let is_missing = !cfg!(feature = "rare-languages");
    for address in ["main.zig:outline", "main.zig:@one"] {
        let reply = told(&mut server, address);
        assert_eq!(reply.contains(missing), is_missing, "{address}: {reply}");
    }
}
