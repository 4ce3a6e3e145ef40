//! GitHub and GitLab.

use serde_json::json;

use super::{made, made_json, made_of, nothing_comes_of_failures, with_spot};
use crate::sites::readme::absolute;
use crate::sites::{Answer, site_for};

#[test]
fn a_file_is_given_as_it_is() {
    let url = "https://github.com/o/r/blob/main/a.rs";
    assert_eq!(made(url, &["fn a() {}\r\n\n"]).as_deref(), Some("fn a() {}\r\n\n"));
    assert_eq!(made_of(url, &[(404, "404: Not Found")]), None);
    assert_eq!(made(url, &["a\0b"]), None);
    let answer = Answer { status: 200, content_type: "", body: &[0xff, 0xfe, 0x41] };
    assert_eq!(with_spot(url, |spot| (site_for(spot).unwrap().0.make)(spot, &[answer])), None);
    assert_eq!(made("https://gitlab.com/g/p/-/blob/main/a", &["text"]).as_deref(), Some("text"));
    let sign_in = Answer { status: 200, content_type: "text/html; charset=utf-8", body: b"<html>" };
    let gitlab = "https://gitlab.com/g/p/-/blob/main/a";
    assert_eq!(with_spot(gitlab, |spot| (site_for(spot).unwrap().0.make)(spot, &[sign_in])), None);
}

#[test]
fn the_front_of_a_repository_is_its_facts_and_its_readme() {
    let url = "https://github.com/o/r";
    let about = json!({"full_name": "o/r", "description": "Makes\ntea", "stargazers_count": 12, "forks_count": 3,
        "license": {"spdx_id": "MIT"}, "default_branch": "dev", "language": "Rust", "topics": ["tea"], "archived": true,
        "homepage": "https://tea.example/"})
    .to_string();
    let readme =
        "# Tea\n\n![p](docs/p.png) [c](CONTRIBUTING.md \"x\") [w](https://w.example/a) [s](#how)\n\n```\n[x](y)\n```\n";
    let page = made(url, &[&about, readme]).unwrap();
    assert!(
        page.starts_with("# o/r\n\nMakes tea\n\nStars: 12 · forks: 3 · licence: MIT · default branch: dev"),
        "{page}"
    );
    assert!(page.contains("![p](https://raw.githubusercontent.com/o/r/dev/docs/p.png)"), "{page}");
    assert!(
        page.contains("[c](https://github.com/o/r/blob/dev/CONTRIBUTING.md \"x\") [w](https://w.example/a) [s](#how)")
    );
    assert!(page.contains("```\n[x](y)\n```") && page.contains("archived"));
    let bare = made_of(url, &[(200, &about), (404, "{}")]).unwrap();
    assert!(bare.ends_with("\n(no README)\n"));
    assert_eq!(made_of(url, &[(200, &about), (403, "{}")]), None);
    nothing_comes_of_failures(url, 2);
}

#[test]
fn relative_links_of_a_readme_become_absolute_however_they_are_written() {
    let shown = |text: &str| absolute(text, "https://p.example/b/", "https://i.example/b/");
    for (text, wanted) in [
        ("[![a](x.svg)](y)\n", "[![a](https://i.example/b/x.svg)](https://p.example/b/y)\n"),
        (
            "<a href=\"z\"><img src='/i.png'></a>",
            "<a href=\"https://p.example/b/z\"><img src='https://i.example/b/i.png'></a>",
        ),
        ("[l]: ../c.md\n", "[l]: https://p.example/c.md\n"),
        ("[^1]: note\n[l]: a title\n", "[^1]: note\n[l]: a title\n"),
        ("    [a](b)\n~~~\n[a](b)\n~~~\n[a](b)", "    [a](b)\n~~~\n[a](b)\n~~~\n[a](https://p.example/b/b)"),
        ("[a](#b) [c](//d.example/e) [f](mailto:g@h) [i](", "[a](#b) [c](https://d.example/e) [f](mailto:g@h) [i]("),
    ] {
        assert_eq!(shown(text), wanted);
    }
    let long = "[a](b) ( \" '".repeat(50_000);
    assert_eq!(shown(&long).matches("https://p.example/b/b").count(), 50_000);
}

#[test]
fn a_folder_is_listed_with_folders_first() {
    let url = "https://github.com/o/r/tree/main/src";
    let page = made_json(
        url,
        &[json!([
            {"name": "a.rs", "type": "file", "size": 5, "html_url": "https://github.com/o/r/blob/main/src/a.rs"},
            {"name": "sub", "type": "dir", "size": 0, "html_url": "https://github.com/o/r/tree/main/src/sub"},
            {"name": "l", "type": "symlink", "size": 1, "html_url": null}])],
    );
    let wanted = "# o/r/src at main\n\n3 entries\n\n- [sub/](https://github.com/o/r/tree/main/src/sub)\n\
                  - [a.rs](https://github.com/o/r/blob/main/src/a.rs) (5 bytes)\n- l (symlink)\n";
    assert_eq!(page.as_deref(), Some(wanted));
    assert_eq!(made_json(url, &[json!({"name": "a file"})]), None);
    nothing_comes_of_failures(url, 1);
}

#[test]
fn an_issue_is_its_text_and_what_is_said_below() {
    let url = "https://github.com/o/r/issues/12";
    let issue = json!({"number": 12, "title": "It\nleaks", "state": "closed", "state_reason": "not_planned",
        "user": {"login": "ann"}, "created_at": "2024-01-01T00:00:00Z", "labels": [{"name": "bug"}, {"name": "tea"}],
        "body": "Steps:\r\n\r\n1. pour\n# not mine", "comments": 130, "html_url": "https://github.com/o/r/issues/12"});
    let comments: Vec<_> = (0..100)
        .map(|at| json!({"user": null, "created_at": "2024-01-02T00:00:00Z", "body": format!("word {at}")}))
        .collect();
    let page = made_json(url, &[issue.clone(), json!(comments)]).unwrap();
    assert!(
        page.starts_with("# It leaks (#12)\n\nState: closed (not planned) · author: ann · opened: 2024-01-01"),
        "{page}"
    );
    assert!(page.contains("labels: bug, tea") && page.contains("Steps:\r\n\r\n1. pour\n# not mine\n"));
    assert!(page.contains("## ghost, 2024-01-02T00:00:00Z\n\nword 99\n") && page.ends_with("\n(30 more comments)\n"));
    assert_eq!(made_of(url, &[(200, &issue.to_string()), (403, "{}")]), None);
    nothing_comes_of_failures(url, 2);
}

#[test]
fn a_pull_request_has_its_branches_its_talk_and_its_remarks() {
    let url = "https://github.com/o/r/pull/7";
    let pull = json!({"number": 7, "title": "Less tea", "state": "closed", "merged_at": "2024-01-03T00:00:00Z",
        "user": {"login": "bob"}, "head": {"label": "bob:less"}, "base": {"label": "o:main"}, "changed_files": 2,
        "additions": 3, "deletions": 4, "body": null, "comments": 1, "review_comments": 2});
    let talk = json!([{"user": {"login": "ann"}, "created_at": "2024", "body": "Fine"}]);
    let remarks = json!([{"user": {"login": "eve"}, "path": "a.rs", "line": 9, "created_at": "2025", "body": "Why?",
        "diff_hunk": "@@ -1 +1 @@\n+```"}, {"user": {"login": "bob"}, "path": "a.rs",
        "original_line": 9, "in_reply_to_id": 1,
        "created_at": "2026", "body": "Because", "diff_hunk": "@@"}]);
    let page = made_json(url, &[pull.clone(), talk, remarks]).unwrap();
    assert!(page.contains("State: merged · author: bob") && page.contains("bob:less → o:main"), "{page}");
    assert!(page.contains("## eve on a.rs:9, 2025\n\n````diff\n@@ -1 +1 @@\n+```\n````\n\nWhy?\n"), "{page}");
    assert!(page.ends_with("## bob on a.rs:9, 2026\n\nBecause\n"), "{page}");
    nothing_comes_of_failures(url, 3);

    let files = json!([{"filename": "b.rs", "previous_filename": "a.rs", "status": "renamed", "additions": 1,
        "deletions": 0, "patch": "@@\n+x"}]);
    let page = made_json("https://github.com/o/r/pull/7/files", &[pull, files]).unwrap();
    assert!(
        page.contains("## b.rs (was a.rs)\n\nrenamed · additions: 1 · deletions: 0\n\n```diff\n@@\n+x\n```\n"),
        "{page}"
    );
    assert!(page.ends_with("\n(1 more files)\n"));
}

#[test]
fn releases_are_shown_alone_or_as_a_list() {
    let one = json!({"tag_name": "v1", "name": "First", "published_at": "2024-01-01T00:00:00Z", "prerelease": true,
        "author": {"login": "ann"}, "body": "- tea", "html_url": "https://github.com/o/r/releases/tag/v1",
        "assets": [{"name": "t.zip", "size": 5, "download_count": 6,
            "browser_download_url": "https://github.com/t.zip"}]});
    let page = made_json("https://github.com/o/r/releases/tag/v1", std::slice::from_ref(&one)).unwrap();
    assert!(
        page.starts_with("# o/r: First (v1)\n\nPublished: 2024-01-01T00:00:00Z · author: ann · prerelease"),
        "{page}"
    );
    assert!(
        page.ends_with("- tea\n\nFiles:\n\n- [t.zip](https://github.com/t.zip) (5 bytes, downloads: 6)\n"),
        "{page}"
    );
    let page = made_json("https://github.com/o/r/releases", &[json!(vec![one; 20])]).unwrap();
    assert_eq!(page.matches("\n## First (v1)\n").count(), 20);
    assert!(page.ends_with("(older ones: https://github.com/o/r/releases?page=2)\n"));
    assert!(made_json("https://github.com/o/r/releases", &[json!([])]).unwrap().ends_with("(none)\n"));
    nothing_comes_of_failures("https://github.com/o/r/releases/latest", 1);
}

#[test]
fn a_commit_is_its_message_and_its_changes() {
    let url = "https://github.com/o/r/commit/0123abc";
    let mut files: Vec<_> = (0..104).map(|at| json!({"filename": format!("f{at}"), "status": "added"})).collect();
    files[0] = json!({"filename": "big", "status": "modified", "patch": "+x\n".repeat(300_000)});
    let page = made_json(
        url,
        &[json!({"sha": "0123abcdef", "commit": {"message": "Pour\n\nslowly",
            "author": {"name": "Ann", "email": "a@e.example",
            "date": "2024"}}, "files": files, "stats": {"additions": 1, "deletions": 2}})],
    )
    .unwrap();
    assert!(page.starts_with("# Pour\n\nCommit: 0123abcdef · author: Ann <a@e.example> · date: 2024"), "{page}");
    assert!(page.contains("\nslowly\n") && page.ends_with("\n(4 more files)\n") && page.len() < 600_000);
    assert!(page.contains("the change is left out") && page.contains("(no text of the change)"));
    nothing_comes_of_failures(url, 1);
}

#[test]
fn a_gist_is_its_files() {
    let url = "https://gist.github.com/ann/0123456789abcdef0123";
    let page = made_json(
        url,
        &[json!({"description": "", "owner": {"login": "ann"}, "created_at": "2024", "comments": 2, "files": {
            "a.py": {"language": "Python", "content": "x = '```'\n", "truncated": true,
                "raw_url": "https://g.example/a"},
            "b.md": {"language": "Markdown", "content": "# B"}}})],
    )
    .unwrap();
    assert!(
        page.starts_with("# Gist\n\nann · created: 2024 · 2 files\n\n## a.py\n\n````python\nx = '```'\n````\n"),
        "{page}"
    );
    assert!(page.contains("(cut off; all of it: https://g.example/a)") && page.contains("## b.md\n\n# B\n"));
    nothing_comes_of_failures(url, 1);
}
