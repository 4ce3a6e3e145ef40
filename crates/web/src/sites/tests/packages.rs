//! Registries of packages.

use serde_json::{Value, json};

use super::{asked, made, made_json, made_of, nothing_comes_of_failures, with_spot};
use crate::sites::Answer;

fn crate_about() -> Value {
    let versions: Vec<Value> = (0..53)
        .rev()
        .map(|at| json!({"num": format!("1.{at}.0"), "created_at": "2024", "yanked": at == 51, "license": "MIT"}))
        .collect();
    json!({"crate": {"name": "tea", "description": "Pours\ntea", "downloads": 9, "recent_downloads": 2,
        "max_stable_version": "1.52.0", "repository": "https://github.com/o/tea"}, "versions": versions,
        "keywords": [{"id": "hot"}]})
}

const ROWS: &str = concat!(
    r#"{"name":"tea","vers":"1.51.0","deps":[],"features":{}}"#,
    "\n",
    r#"{"name":"tea","vers":"1.52.0","deps":[{"name":"pot","req":"^2","kind":"normal","optional":true},"#,
    r#"{"name":"cc","req":"^1","kind":"build"},{"name":"dev","req":"1","kind":"dev"}],"#,
    r#""features":{"green":[]},"features2":{"black":[]}}"#,
    "\n"
);

#[test]
fn a_crate_shows_its_newest_version_and_its_readme() {
    let url = "https://crates.io/crates/tea";
    let about = crate_about().to_string();
    let page = made(url, &[&about, ROWS, "<h1>Tea</h1><p>See <a href=\"docs\">docs</a></p>"]).unwrap();
    assert!(page.starts_with("# tea 1.52.0\n\nPours tea\n\nLicence: MIT · released: 2024 · downloads: 9"), "{page}");
    assert!(
        page.contains("\nDependencies: pot ^2 (optional)\n\nBuild dependencies: cc ^1\n\nFeatures: green, black\n"),
        "{page}"
    );
    assert!(page.contains("- 1.51.0 2024 (yanked)\n") && page.contains("\n(3 more versions)\n"));
    assert!(page.ends_with("## README\n\n### Tea\n\nSee [docs](https://github.com/o/docs)\n"), "{page}");
    assert!(made_of(url, &[(200, &about), (404, ""), (404, "")]).unwrap().contains("# tea 1.52.0"));
    assert!(made_of(url, &[(200, &about)]).is_some());
    assert!(made("https://crates.io/crates/tea/1.3.0", &[&about, ROWS, ""]).unwrap().starts_with("# tea 1.3.0\n"));
    assert_eq!(made("https://crates.io/crates/tea/9.9.9", &[&about, ROWS, ""]), None);
    nothing_comes_of_failures(url, 3);
}

#[test]
fn the_readme_of_a_crate_is_asked_for_once_its_version_is_known() {
    let about = crate_about().to_string();
    let more = |url: &str, bodies: &[&str]| {
        let answers: Vec<Answer<'_>> =
            bodies.iter().map(|body| Answer { status: 200, content_type: "", body: body.as_bytes() }).collect();
        let (site, _) = asked(url).unwrap();
        with_spot(url, |spot| (site.then)(spot, &answers)).into_iter().map(|one| one.url).collect::<Vec<_>>()
    };
    let wanted = "https://crates.io/api/v1/crates/tea/1.52.0/readme";
    assert_eq!(more("https://crates.io/crates/tea", &[&about, ROWS]), [wanted]);
    assert!(more("https://crates.io/crates/tea", &["{}", ROWS]).is_empty());
    assert!(more("https://crates.io/crates/tea/1.3.0", &[&about, ROWS, ""]).is_empty());
    assert!(more("https://github.com/o/r", &[&about, ROWS]).is_empty());
}

#[test]
fn a_package_of_npm_does_without_its_large_document() {
    let url = "https://www.npmjs.com/package/@tea/pot";
    let this = json!({"name": "@tea/pot", "version": "2.0.0", "description": "A\npot", "license": "ISC",
        "dependencies": {"cup": "^1"}, "repository": {"url": "git+https://github.com/o/pot.git"}, "keywords": ["k"]});
    let mut times = json!({"created": "2019", "modified": "2025"});
    for at in 0..52 {
        times[format!("1.{at}.0")] = json!(format!("2020-01-01T00:00:{at:02}Z"));
    }
    times["2.0.0"] = json!("2024-01-01T00:00:00Z");
    let whole = json!({"dist-tags": {"latest": "2.0.0", "next": "3.0.0-b"}, "time": times, "readme": "# Pot\n"});
    let page = made_json(url, &[this.clone(), whole]).unwrap();
    assert!(page.starts_with("# @tea/pot 2.0.0\n\nA pot\n\nLicence: ISC · released: 2024-01-01"), "{page}");
    assert!(page.contains("repository: https://github.com/o/pot.git") && page.contains("Dependencies: cup ^1"));
    assert!(page.contains("Tags: latest 2.0.0, next 3.0.0-b"));
    assert!(
        page.contains("## Versions\n\n- 2.0.0 2024-01-01T00:00:00Z\n- 1.51.0 2020")
            && page.contains("(3 more versions)")
    );
    assert!(page.ends_with("## README\n\n# Pot\n"));
    let page = made_of(url, &[(200, &this.to_string()), (0, "")]).unwrap();
    assert!(page.contains("Dependencies: cup ^1") && !page.contains("## "));
    nothing_comes_of_failures(url, 2);
}

#[test]
fn a_project_of_python_shows_what_it_requires() {
    let url = "https://pypi.org/project/tea/";
    let mut releases = json!({"0.1": []});
    for at in 0..50 {
        releases[format!("1.{at}")] = json!([{"upload_time_iso_8601": format!("2024-01-01T00:00:{at:02}Z")}]);
    }
    let page = made_json(
        url,
        &[json!({"info": {"name": "tea", "version": "1.49", "summary": "Hot",
            "license": "MIT\nlong", "requires_python": ">=3.9",
            "requires_dist": ["pot>=1", "cup; extra == 'x'"],
            "project_urls": {"Source": "https://s.example/", "Bad": "x:y"},
            "description": "# Tea\n\n*good*", "yanked": false}, "releases": releases,
            "urls": [{"filename": "tea.whl", "size": 7, "upload_time_iso_8601": "2024"}]})],
    )
    .unwrap();
    assert!(
        page.starts_with("# tea 1.49\n\nHot\n\nLicence: MIT long · Python: >=3.9\n\nSource: https://s.example/\n"),
        "{page}"
    );
    assert!(page.contains("Requires: pot>=1, cup; extra == 'x'\n") && page.contains("- tea.whl (7 bytes) 2024\n"));
    assert!(page.contains("- 1.49 2024-01-01T00:00:49Z\n") && page.contains("\n(1 more versions)\n"));
    assert!(page.ends_with("## Description\n\n# Tea\n\n*good*\n"));
    nothing_comes_of_failures(url, 1);
}

#[test]
fn gems_show_their_versions_and_what_they_need() {
    let url = "https://rubygems.org/gems/tea";
    let gem = json!({"name": "tea", "version": "1.0", "info": "Hot tea", "licenses": ["MIT"], "downloads": 5,
        "authors": "Ann", "homepage_uri": "https://t.example/", "source_code_uri": null,
        "dependencies": {"runtime": [{"name": "pot", "requirements": ">= 1"}], "development": []}});
    let versions =
        json!([{"number": "1.0", "platform": "java", "created_at": "2024"}, {"number": "0.9", "platform": "ruby"}]);
    let page = made_json(url, &[gem, versions]).unwrap();
    assert!(page.starts_with("# tea 1.0\n\nHot tea\n\nLicence: MIT · authors: Ann · downloads: 5\n"), "{page}");
    assert!(page.contains("Dependencies: pot >= 1\n") && page.contains("- 1.0 (java) 2024\n"));
    nothing_comes_of_failures(url, 2);
}

#[test]
fn packages_of_hex_and_packagist_are_read() {
    let package = json!({"name": "tea", "latest_stable_version": "1.0.0",
        "meta": {"description": "Hot", "licenses": ["MIT"],
        "links": {"GitHub": "https://github.com/o/tea"}}, "downloads": {"all": 4},
        "releases": [{"version": "1.0.0", "inserted_at": "2024"}]});
    let page = made_json("https://hex.pm/packages/tea", std::slice::from_ref(&package)).unwrap();
    assert!(
        page.starts_with("# tea 1.0.0\n\nHot\n\nLicence: MIT · downloads: 4\n\nGitHub: https://github.com/o/tea\n"),
        "{page}"
    );
    let release = json!({"version": "0.9.0", "requirements": {"pot": {"requirement": "~> 1"}}});
    let page = made_json("https://hex.pm/packages/tea/0.9.0", &[package, release]).unwrap();
    assert!(page.starts_with("# tea 0.9.0\n") && page.contains("Dependencies: pot ~> 1\n"));
    nothing_comes_of_failures("https://hex.pm/packages/tea", 1);

    let url = "https://packagist.org/packages/tea/pot";
    let page = made_json(
        url,
        &[json!({"package": {"name": "tea/pot", "description": "d",
            "repository": "https://github.com/tea/pot", "versions": {
            "dev-main": {"version": "dev-main", "time": "2025"},
            "v1.0": {"version": "v1.0", "time": "2024", "license": ["MIT"], "require": {"php": ">=8"}}}}})],
    )
    .unwrap();
    assert!(page.starts_with("# tea/pot v1.0\n\nd\n\nLicence: MIT · released: 2024"), "{page}");
    assert!(page.contains("Requires: php >=8\n") && page.ends_with("- dev-main 2025\n- v1.0 2024\n"));
    nothing_comes_of_failures(url, 1);
}

#[test]
fn documents_that_would_fill_the_memory_are_left_to_the_page() {
    let zeros = vec!["0"; 2_000_000].join(",");
    for (url, count) in [
        ("https://hex.pm/packages/tea", 1),
        ("https://pypi.org/project/tea/", 1),
        ("https://rubygems.org/gems/tea", 2),
        ("https://github.com/o/r/issues/1", 2),
    ] {
        let body = format!("{{\"name\":\"tea\",\"info\":{{\"name\":\"tea\"}},\"version\":\"1\",\"x\":[{zeros}]}}");
        assert_eq!(made(url, &vec![body.as_str(); count]), None, "{url}");
    }
    // Of the large document of npm only what is used takes memory.
    let this = r#"{"name":"pot","version":"2.0.0"}"#;
    let whole = format!("{{\"versions\":{{\"1\":[{zeros}]}},\"time\":{{\"2.0.0\":\"2024\"}},\"readme\":\"R\"}}");
    let page = made("https://www.npmjs.com/package/pot", &[this, &whole]).unwrap();
    assert_eq!(page, "# pot 2.0.0\n\nreleased: 2024\n\n## Versions\n\n- 2.0.0 2024\n\n## README\n\nR\n");
    let files: Vec<Value> = (0..30_000)
        .map(|at| {
            json!({"filename": format!("tea-{at}.whl"), "digests": {"a": "x".repeat(64), "b": "y".repeat(64)},
            "md5_digest": "m", "packagetype": "p", "upload_time": "u", "size": at})
        })
        .collect();
    let whole = json!({"info": {"name": "tea", "version": "1"}, "urls": files});
    assert!(made_json("https://pypi.org/project/tea/", &[whole]).unwrap().contains("(29900 more files)"));
}

#[test]
fn lists_that_are_cut_say_how_much_is_missing() {
    let links: serde_json::Map<String, Value> =
        (0..23).map(|at| (format!("L{at:02}"), json!("https://l.example/"))).collect();
    let package = json!({"name": "tea", "latest_version": "1", "meta": {"links": links}});
    let page = made_json("https://hex.pm/packages/tea", &[package]).unwrap();
    assert!(page.contains("L19: https://l.example/\n\n(3 more links)\n") && !page.contains("L20"), "{page}");
    let about = json!({"info": {"name": "tea", "version": "1", "project_urls": links}});
    let page = made_json("https://pypi.org/project/tea/", &[about]).unwrap();
    assert!(page.contains("L19: https://l.example/\n\n(3 more links)\n") && !page.contains("L20"), "{page}");

    let words = |count: usize| (0..count).map(|at| format!("w{at}")).collect::<Vec<_>>();
    let question = json!({"items": [{"title": "q", "body": "b", "tags": words(12)}]});
    let page = made_json("https://stackoverflow.com/questions/5/q", &[question, json!({"items": []})]).unwrap();
    assert!(page.contains("w9 and 2 more"), "{page}");
    let about = json!({"full_name": "o/r", "topics": words(21)}).to_string();
    let page = made("https://github.com/o/r", &[&about, "R"]).unwrap();
    assert!(page.contains("w19 and 1 more"), "{page}");
    let named =
        |field: &str, count: usize| words(count).into_iter().map(|word| json!({ field: word })).collect::<Vec<_>>();
    let commit = json!({"sha": "0123abc", "commit": {"message": "m"}, "parents": named("sha", 11)});
    let page = made_json("https://github.com/o/r/commit/0123abc", &[commit]).unwrap();
    assert!(page.contains("w7 and 3 more"), "{page}");
    let issue = json!({"number": 1, "title": "i", "labels": named("name", 22), "assignees": named("login", 23)});
    let page = made_json("https://github.com/o/r/issues/1", &[issue, json!([])]).unwrap();
    assert!(
        page.contains("labels: w0") && page.contains("w19 and 2 more") && page.contains("w19 and 3 more"),
        "{page}"
    );
}
