//! The manual behind `readstone://`.

use crate::world::World;

#[test]
fn the_manual_is_listed_read_and_searched() {
    let world = World::new();
    let listed = world.text("readstone://");
    assert!(listed.contains("readstone://addresses.md  Addresses\n"), "{listed}");
    assert!(listed.contains("\n  readstone://addresses.md:@Inside archives\n"), "{listed}");
    assert!(listed.contains("\n  readstone://tools.md:@Input of read\n"), "{listed}");
    for address in listed.lines().filter_map(|row| row.trim().split("  ").next()).filter(|row| !row.contains("WORDS")) {
        assert!(world.read(address).is_ok(), "{address}");
    }
    let page = world.read("readstone://addresses:@Inside archives").unwrap();
    assert_eq!((page.path.as_str(), page.selector.as_str()), ("readstone://addresses.md", "@Inside archives"));
    assert!(page.text.starts_with("# Addresses") && !page.editable);
    for address in
        ["readstone://readme", "readstone://docs/limits.md", "readstone://LIMITS:outline", "readstone://:3-5"]
    {
        assert!(world.read(address).is_ok(), "{address}");
    }
    for query in
        ["readstone://?q=archive entries", "readstone://?q=archive+entries", "readstone://?q=archive%20entries"]
    {
        let found = world.text(query);
        assert!(found.contains("readstone://addresses.md:@Inside archives  "), "{found}");
    }
    let part = world.read("readstone://?q=archive entries:2-3").unwrap();
    assert_eq!((part.selector.as_str(), part.path.as_str()), ("2-3", "readstone://?q=archive entries"));
    assert_eq!(world.text("readstone://?q=zzzxxy"), "");
    let none = world.read("readstone://?q=archive zzzxxy").unwrap();
    assert_eq!((none.text.as_str(), none.notes.len()), ("", 1));
    assert_eq!(world.code(&format!("readstone://?q={}", "a ".repeat(17))), "resource.bad_address");
    assert!(world.text("readstone://?q=a").ends_with("… and perhaps more\n"));
    assert_eq!(world.code("readstone://?q="), "resource.bad_address");
    assert_eq!(world.code("readstone://?x=1"), "resource.bad_address");
    let (code, _, next) = world.fails("readstone://adresses:5");
    assert_eq!(
        (code.as_str(), next),
        ("resource.not_found", vec!["readstone://addresses.md".to_owned(), "readstone://".to_owned()])
    );
}

#[test]
fn every_page_of_the_manual_is_in_the_program() {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    #[expect(clippy::disallowed_methods, reason = "the test looks at the tree it stands in")]
    let pages = std::fs::read_dir(docs).unwrap();
    let world = World::new();
    for page in pages {
        let path = page.unwrap().path();
        // Pictures are for readers in a browser.
        if path.extension().is_some_and(|end| end != "md") {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        assert!(world.read(&format!("readstone://{name}")).is_ok(), "{name}");
    }
}
