//! The files that the calls of the harness read, each of a size that some client cannot take at once.

use readstone_testkit::{Archive, Office, Pdf, Pixels, World, ZipItem};
use rusqlite::Connection;
use serde_json::json;

/// Lines that a format makes of the numbers from 1 to `count`.
fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (1..=count).map(|number| line(number) + "\n").collect()
}

/// A world with every file that does not change. Files that do are in a directory for each client.
pub(crate) fn world() -> World {
    let world = World::new(env!("CARGO_BIN_EXE_readstone"));
    text_files(&world);
    directories(&world);
    containers(&world);
    world.file("picture.png", Pixels::sound(320, 200));
    world.file("bytes.bin", (0..10_000_u32).map(|number| number.to_le_bytes()[0]).collect::<Vec<_>>());
    world
}

fn text_files(world: &World) {
    world.file("small.txt", "one\ntwo\nthree\n");
    world.file("long.txt", lines(9_000, |number| format!("line {number} of a file of nine thousand")));
    world.file("short_rows.txt", lines(6_000, |number| number.to_string()));
    world.file("ranged.txt", lines(3_400, |number| format!("row {number} of a file that is read by a range")));
    world.file(
        "quotes.txt",
        lines(1_500, |number| format!(r#"{number} "say" \"hello\" to "C:\dir\file" and "that" is "it""#)),
    );
    let function =
        |number| format!("/// Doc.\npub fn function_{number}(a: u32) -> u32 {{\n    let b = a;\n    b * 2\n}}\n");
    world.file("source.rs", lines(900, function));
    let side = |number| format!("<<<<<<< ours\na{number}\n=======\nb{number}\n>>>>>>> theirs\nbetween");
    world.file("merge.txt", lines(200, side));
    let row = |number| format!("{number},name {number},\"text, number {number}\"");
    world.file("table.csv", "id,name,text\n".to_owned() + &lines(2_000, row));
    let items: Vec<_> = (0..800).map(|id| json!({ "id": id, "name": format!("item {id}") })).collect();
    world.file("data.json", json!({ "items": items }).to_string());
}

fn directories(world: &World) {
    let matches = lines(30, |number| format!("line {number} has a needle\n\n\n\n\n\n"));
    for number in 0..60 {
        world.file(format!("hits/hit_{number:02}.txt"), &matches);
    }
    for number in 0..300 {
        world.file(format!("many/a_file_{number:03}.txt"), "x\n");
    }
    for number in 0..800 {
        world.file(format!("directory/entry_{number:03}.txt"), "x\n");
    }
}

fn containers(world: &World) {
    let names: Vec<String> = (0..700).map(|number| format!("inner/entry_{number:03}.txt")).collect();
    let items: Vec<ZipItem> = names.iter().map(|name| ZipItem::deflated(name, b"an entry\nof an archive\n")).collect();
    world.file("bundle.zip", Archive::zip(&items));
    database(world);
    let cell = |number: usize| {
        json!({ "cell_type": "code", "execution_count": number, "metadata": {}, "source": [format!("print({number})")],
            "outputs": [{ "output_type": "stream", "name": "stdout", "text": [format!("{number}\n")] }] })
    };
    let cells: Vec<_> = (0..500).map(cell).collect();
    let language = json!({ "language_info": { "name": "python" } });
    let book = json!({ "cells": cells, "metadata": language, "nbformat": 4, "nbformat_minor": 5 });
    world.file("book.ipynb", book.to_string());
    let paragraph =
        |number: usize| Office::paragraph(&format!("Paragraph number {number} of a letter with many words"));
    world.file("letter.docx", Office::word(&(1..=1_000).map(paragraph).collect::<String>()));
    world.file("report.pdf", Pdf::of("It says one thing.").bytes());
}

fn database(world: &World) {
    let mut database = Connection::open(world.path().join("shop.db")).unwrap();
    let filling = database.transaction().unwrap();
    filling.execute_batch("CREATE TABLE items (id INTEGER PRIMARY KEY, name, text)").unwrap();
    for number in 1..=2_000 {
        let row = (number, format!("name {number}"), format!("some text {number}"));
        filling.execute("INSERT INTO items VALUES (?, ?, ?)", row).unwrap();
    }
    for number in 0..600 {
        filling.execute_batch(&format!("CREATE TABLE further_{number:03} (a)")).unwrap();
    }
    filling.commit().unwrap();
}

/// Files of one client, which its calls change.
pub(crate) fn files_to_change(world: &World, own: &str) {
    world.file(format!("{own}/one.txt"), "alpha\nbeta\ngamma\n");
    for number in 0..30 {
        world.file(format!("{own}/part_{number:02}.txt"), "alpha\nbeta\n");
    }
    world.file(format!("{own}/wide.txt"), lines(80, |number| format!("old line {number} {}", "words ".repeat(25))));
    world.file(format!("{own}/moved.txt"), lines(400, |number| format!("old line {number}")));
}
