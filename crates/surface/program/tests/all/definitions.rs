//! Definitions of tools, as clients and the APIs of models take them.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test stops where an answer lacks what it must have"
)]

use readstone_testkit::{Spoken, World};
use serde_json::{Value, json};

const REVISION: &str = "2025-06-18";
const PROFILES: [&str; 3] = ["default", "lines", "windows"];

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

fn list(client: &mut Spoken) -> Vec<Value> {
    client.request("tools/list", &json!({}))["result"]["tools"].as_array().unwrap().clone()
}

/// Every tool of every profile.
fn all_tools() -> Vec<Value> {
    let world = world();
    let of = |profile| list(&mut Spoken::start(&world, ["--profile", profile], REVISION));
    PROFILES.into_iter().flat_map(of).collect()
}

/// Calls `visit` with a schema and every schema inside it.
fn walk(schema: &Value, visit: &mut dyn FnMut(&Value)) {
    visit(schema);
    for field in schema["properties"].as_object().into_iter().flat_map(|fields| fields.values()) {
        walk(field, visit);
    }
    if schema["items"].is_object() {
        walk(&schema["items"], visit);
    }
}

/// Whether a schema and all in it use only these keywords.
fn uses_only(schema: &Value, keywords: &[&str]) -> Result<(), String> {
    let mut wrong = Vec::new();
    walk(schema, &mut |schema| {
        let unknown = schema.as_object().unwrap().keys().filter(|key| !keywords.contains(&key.as_str()));
        wrong.extend(unknown.cloned());
    });
    if wrong.is_empty() { Ok(()) } else { Err(format!("{wrong:?} in {schema}")) }
}

/// The subset of `OpenAPI` that Gemini takes as `parameters`. One tool outside it fails every request of a session.
fn fits_gemini(tool: &Value) -> Result<(), String> {
    let schema = &tool["inputSchema"];
    uses_only(
        schema,
        &[
            "type",
            "description",
            "enum",
            "items",
            "properties",
            "required",
            "nullable",
            "minimum",
            "maximum",
            "minItems",
            "maxItems",
            "default",
            "title",
            // Clients remove it.
            "additionalProperties",
        ],
    )?;
    let mut wrong = Vec::new();
    walk(schema, &mut |schema| {
        let array = schema["type"] == "array";
        if !schema["type"].is_string() || array != schema["items"].is_object() {
            wrong.push(schema.clone());
        }
    });
    if wrong.is_empty() { Ok(()) } else { Err(format!("{wrong:?}")) }
}

/// A function of `OpenAI`, not strict: a name, a description of at most 1,024 characters, an object.
fn fits_openai(tool: &Value) -> Result<(), String> {
    let name = tool["name"].as_str().unwrap();
    let sound = |sign: char| sign.is_ascii_alphanumeric() || "_-".contains(sign);
    if name.is_empty() || name.len() > 64 || !name.chars().all(sound) {
        return Err(format!("the name {name}"));
    }
    if tool["inputSchema"]["type"] != "object" || !tool["inputSchema"]["properties"].is_object() {
        return Err(format!("the root of {name}"));
    }
    let mut long = Vec::new();
    let mut look = |text: &Value| {
        if text.as_str().is_some_and(|text| text.chars().count() > 1_024) {
            long.push(text.clone());
        }
    };
    look(&tool["description"]);
    walk(&tool["inputSchema"], &mut |schema| look(&schema["description"]));
    if long.is_empty() { Ok(()) } else { Err(format!("descriptions of {name} are too long: {long:?}")) }
}

/// A tool of Anthropic: an object without combinators at its root, and names of properties that it takes.
fn fits_anthropic(tool: &Value) -> Result<(), String> {
    let schema = &tool["inputSchema"];
    let combined = ["oneOf", "anyOf", "allOf"].iter().any(|word| schema.get(word).is_some());
    if schema["type"] != "object" || combined {
        return Err(format!("the root {schema}"));
    }
    let sound = |name: &String| {
        (1..=64).contains(&name.len()) && name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_')
    };
    let mut wrong = Vec::new();
    walk(schema, &mut |schema| {
        let names = schema["properties"].as_object().into_iter().flat_map(|fields| fields.keys());
        wrong.extend(names.filter(|name| !sound(name)).cloned());
    });
    if wrong.is_empty() { Ok(()) } else { Err(format!("properties {wrong:?}")) }
}

#[test]
fn every_schema_fits_the_subsets_of_the_model_apis() {
    let tools = all_tools();
    assert_eq!(tools.len(), 8);
    for tool in &tools {
        for fits in [fits_gemini, fits_openai, fits_anthropic] {
            assert_eq!(fits(tool), Ok(()), "{}", tool["name"]);
        }
        let fields = tool["inputSchema"]["properties"].as_object().unwrap();
        assert!(!fields.is_empty());
        for (name, field) in fields {
            assert!(field["description"].as_str().is_some_and(|text| !text.is_empty()), "{} {name}", tool["name"]);
        }
    }
}

#[test]
fn the_checks_of_the_subsets_find_what_the_apis_refuse() {
    let tool =
        |paths: Value| json!({ "name": "x", "inputSchema": { "type": "object", "properties": { "paths": paths } } });
    for paths in [
        json!({ "type": ["array", "string"], "items": { "type": "string" } }),
        json!({ "type": "array" }),
        json!({ "anyOf": [{ "type": "string" }], "type": "string" }),
        json!({ "$ref": "#/x", "type": "string" }),
    ] {
        assert!(fits_gemini(&tool(paths.clone())).is_err(), "{paths}");
    }
    assert!(fits_openai(&tool(json!({ "description": "x".repeat(1_025) }))).is_err());
    assert!(fits_anthropic(&json!({ "inputSchema": { "type": "object", "anyOf": [] } })).is_err());
}

#[test]
fn the_first_line_of_a_description_stands_alone() {
    for tool in all_tools() {
        let about = tool["description"].as_str().unwrap();
        let first = about.lines().next().unwrap();
        assert!(first.chars().count() <= 160 && first.ends_with('.'), "{}: {first}", first.chars().count());
        let rest: Vec<&str> = about.lines().skip(1).collect();
        assert!(rest.iter().all(|line| line.starts_with("- ") && line.ends_with('.')), "{about}");
        assert!(tool["title"].as_str().is_some_and(|title| (1..=30).contains(&title.len())), "{tool}");
        // Claude Code rewrites an ellipsis, so that no text arrives as we wrote it.
        assert!(!tool.to_string().contains(['\u{2026}', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}']), "{tool}");
    }
}

#[test]
fn the_definitions_of_the_default_profile_cost_at_most_2600_tokens() {
    let mut client = Spoken::start::<&str>(&world(), [], REVISION);
    let answer = client.request("tools/list", &json!({}))["result"].to_string();
    // A token of o200k_base is 3.8 bytes of this text: most of it is signs and short words.
    assert!(answer.len() <= 2_600 * 38 / 10, "{} bytes", answer.len());
}

#[test]
fn hints_for_claude_code_are_in_the_definitions() {
    for tool in all_tools() {
        let (name, hints) = (tool["name"].as_str().unwrap(), &tool["_meta"]);
        let always = ["read", "search", "edit", "read_file"].contains(&name);
        assert_eq!(hints.get("anthropic/alwaysLoad"), always.then_some(&json!(true)), "{name}");
        assert_eq!(hints["anthropic/searchHint"].is_string(), !always, "{name}");
        let reads = !["edit", "write", "undo"].contains(&name);
        let most = json!(220_000);
        assert_eq!(hints.get("anthropic/maxResultSizeChars"), reads.then_some(&most), "{name}");
    }
}

#[test]
fn only_tools_that_can_reach_other_machines_say_so() {
    let world = world();
    let open = |configuration: &str, arguments: &[&str]| -> Vec<String> {
        world.file("own.toml", configuration);
        let arguments = arguments.iter().copied().chain(["--config", "own.toml"]);
        let tools = list(&mut Spoken::start(&world, arguments, REVISION));
        let open = |tool: &&Value| tool["annotations"]["openWorldHint"] == json!(true);
        assert!(tools.iter().all(|tool| tool["annotations"]["openWorldHint"].is_boolean()));
        tools.iter().filter(open).map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(open("", &[]), ["read", "search"]);
    assert_eq!(open("web = \"listed\"\n", &[]), [""; 0]);
    assert_eq!(open("web = \"listed\"\nallow_net = [\"docs.example\"]\n", &[]), ["read", "search"]);
    assert_eq!(open("web = \"listed\"\n", &["--allow-net", "docs.example"]), ["read", "search"]);
    assert_eq!(open("web = \"listed\"\n[mcp.notes]\ncommand = [\"notes\"]\n", &[]), ["read", "search"]);
    assert_eq!(open("", &["--profile", "lines"]), [""; 0]);
    assert_eq!(open("", &["--profile", "windows"]), ["read_file"]);
    assert_eq!(open("web = \"listed\"\n", &["--profile", "windows"]), [""; 0]);
}

#[test]
fn instructions_are_short_and_name_only_tools_that_are_on_offer() {
    let world = world();
    let told = |arguments: &[&str]| {
        let mut client = Spoken::spawn(world.command().arg("mcp").args(arguments));
        let opened = client.open(REVISION);
        opened["result"]["instructions"].as_str().unwrap_or_default().to_owned()
    };
    let all = told(&[]);
    assert!(all.chars().count() <= 1_200, "{} characters: {all}", all.chars().count());
    let named = |text: &str| -> Vec<&str> {
        let tools = ["read", "find", "search", "edit", "write", "undo"];
        tools.into_iter().filter(|tool| text.contains(&format!("`{tool}`"))).collect()
    };
    assert_eq!(named(&all), ["read", "find", "search", "edit", "write", "undo"]);
    assert_eq!(named(&told(&["--read-only"])), ["read", "find", "search"]);
    assert_eq!(named(&told(&["--tools", "read,search"])), ["search"]);
    assert_eq!(told(&["--tools", "find,search"]), "");
}

#[test]
fn bent_arguments_are_taken_on_every_surface() {
    let world = world();
    world.file("src/a.txt", "one\ntwo\nthree\n");
    let mut client = Spoken::start::<&str>(&world, [], REVISION);
    let calls = [
        ("read", json!({ "path": "[\"src/a.txt\"]", "start_line": "2" }), "\n2:two\n"),
        ("read", json!({ "paths": "[\"src/a.txt\"]", "raw": "True" }), "one\ntwo\n"),
        ("find", json!({ "paths": "[\"src\"]", "limit": "5.0" }), "a.txt"),
        ("search", json!({ "pattern": "two", "paths": "[\"src\"]" }), "*2:two"),
        ("write", json!({ "path": ["new.txt"], "content": "true", "dry_run": "true" }), "new.txt"),
    ];
    for (tool, input, words) in calls {
        let answer = client.call(tool, &input);
        let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_default();
        assert!(text.contains(words) && answer["result"]["isError"] != json!(true), "{tool} {input}: {answer}");
    }
    let run = world.run(["search", "two", "[\"src\"]"]);
    assert!(run.code == Some(0) && run.text().contains("*2:two"), "{}", run.text());
    let server = readstone_testkit::Served::start(&world, [""; 0]);
    let answer = server.call("search", &json!({ "pattern": "two", "paths": "[\"src\"]", "i": "false" }));
    assert!(answer.status == 200 && answer.text().contains("*2:two"), "{}", answer.text());
}
