//! Which addresses are of which kind, and which are of none.

use super::{asked, plan};
use crate::sites::{SITES, is_host};

/// A method and an address, and below them what is asked for.
const FORMS: &str = "
github-blob https://github.com/o/r/blob/main/src/a%20b.rs
  https://raw.githubusercontent.com/o/r/main/src/a%20b.rs
github-blob https://www.github.com/o/r/raw/v1/x
  https://raw.githubusercontent.com/o/r/v1/x
github-blob https://github.com/o/r/blob/main/a%2Fb%3Fc
  https://raw.githubusercontent.com/o/r/main/a%2fb%3fc
github-tree https://github.com/o/r/tree/main/src/
  https://api.github.com/repos/o/r/contents/src?ref=main
github-tree https://github.com/o/r/tree/v1%26x=1
  https://api.github.com/repos/o/r/contents/?ref=v1%26x%3d1
github-repo https://github.com/o/r
  https://api.github.com/repos/o/r
  https://api.github.com/repos/o/r/readme
github-repo https://github.com/o/r.git/
  https://api.github.com/repos/o/r
  https://api.github.com/repos/o/r/readme
github-issue https://github.com/o/r/issues/12
  https://api.github.com/repos/o/r/issues/12
  https://api.github.com/repos/o/r/issues/12/comments?per_page=100
github-pull https://github.com/o/r/pull/7
  https://api.github.com/repos/o/r/pulls/7
  https://api.github.com/repos/o/r/issues/7/comments?per_page=100
  https://api.github.com/repos/o/r/pulls/7/comments?per_page=100
github-pull https://github.com/o/r/pull/7/files
  https://api.github.com/repos/o/r/pulls/7
  https://api.github.com/repos/o/r/pulls/7/files?per_page=100
github-release https://github.com/o/r/releases?page=3
  https://api.github.com/repos/o/r/releases?per_page=20&page=3
github-release https://github.com/o/r/releases/latest
  https://api.github.com/repos/o/r/releases/latest
github-release https://github.com/o/r/releases/tag/a/v1
  https://api.github.com/repos/o/r/releases/tags/a%2fv1
github-commit https://github.com/o/r/commit/0123abc
  https://api.github.com/repos/o/r/commits/0123abc
github-gist https://gist.github.com/o/0123456789abcdef0123
  https://api.github.com/gists/0123456789abcdef0123
gitlab-blob https://gitlab.com/g/sub/p/-/blob/main/a/b.md
  https://gitlab.com/g/sub/p/-/raw/main/a/b.md
gitlab-blob https://gitlab.com/g/p/blob/v1/c
  https://gitlab.com/g/p/-/raw/v1/c
stackexchange https://stackoverflow.com/questions/5/how-to/9
  https://api.stackexchange.com/2.3/questions/5?site=stackoverflow.com&filter=withbody
  https://api.stackexchange.com/2.3/questions/5/answers?order=desc&sort=votes&pagesize=100\
&site=stackoverflow.com&filter=withbody
stackexchange https://math.stackexchange.com/a/6/1
  https://api.stackexchange.com/2.3/answers/6/questions?site=math.stackexchange.com&filter=withbody
  https://api.stackexchange.com/2.3/answers/6?site=math.stackexchange.com&filter=withbody
hackernews https://news.ycombinator.com/item?id=42
  https://hn.algolia.com/api/v1/items/42
crates.io https://crates.io/crates/Tea-Pot
  https://crates.io/api/v1/crates/Tea-Pot
  https://index.crates.io/te/a-/tea-pot
crates.io https://crates.io/crates/abc/1.0.0+x
  https://crates.io/api/v1/crates/abc
  https://index.crates.io/3/a/abc
  https://crates.io/api/v1/crates/abc/1.0.0+x/readme
npm https://www.npmjs.com/package/@tea/pot?activeTab=code
  https://registry.npmjs.org/@tea%2fpot/latest
  https://registry.npmjs.org/@tea%2fpot
npm https://npmjs.com/package/pot/v/1.2.3
  https://registry.npmjs.org/pot/1.2.3
  https://registry.npmjs.org/pot
pypi https://pypi.org/project/Tea/
  https://pypi.org/pypi/Tea/json
pypi https://pypi.org/project/tea/1.0/
  https://pypi.org/pypi/tea/1.0/json
rubygems https://rubygems.org/gems/tea
  https://rubygems.org/api/v1/gems/tea.json
  https://rubygems.org/api/v1/versions/tea.json
rubygems https://rubygems.org/gems/tea/versions/1.0
  https://rubygems.org/api/v2/rubygems/tea/versions/1.0.json
  https://rubygems.org/api/v1/versions/tea.json
hex https://hex.pm/packages/tea/1.0.0
  https://hex.pm/api/packages/tea
  https://hex.pm/api/packages/tea/releases/1.0.0
packagist https://packagist.org/packages/tea/pot
  https://packagist.org/packages/tea/pot.json
";

/// Addresses on the same hosts that are of no kind.
const OTHERS: &str = "
https://github.com
https://github.com/features
https://github.com/features/actions
https://github.com/owner
https://github.com/settings/profile
https://github.com/orgs/rust-lang/repositories
https://github.com/Topics/rust
https://github.com/marketplace/actions
https://github.com/o/r?tab=stars
https://github.com/o/r/issues
https://github.com/o/r/issues/new
https://github.com/o/r/issues/12a
https://github.com/o/r/pulls
https://github.com/o/r/pull/7/commits
https://github.com/o/r/wiki
https://github.com/o/r/actions/runs/1
https://github.com/o/r/blob/main
https://github.com/o/r/blob
https://github.com/o/r/releases/download/v1/x.zip
https://github.com/o/r/releases/tag
https://github.com/o/r/commit/main
https://github.com/o/r/commit/0123abc.patch
https://github.com/o/r/discussions/3
https://github.com/o%2Fx/r
https://github.com/o/r%3Fx
https://github.com/o/r/blob/main/%2e%2e/x
https://github.com/o/../issues/1
https://evil-github.com/o/r
https://gist.github.com/discover
https://gist.github.com/owner
https://gist.github.com/owner/starred
https://gist.github.com/o/0123456789abcdef0123/raw
https://gitlab.com/g/p
https://gitlab.com/g/p/-/issues/1
https://gitlab.com/g/p/-/blob/main
https://gitlab.com/blob/raw
https://crates.io
https://crates.io/crates
https://crates.io/crates/a/versions
https://crates.io/crates/a%2Fb
https://docs.rs/serde
https://www.npmjs.com/~user
https://www.npmjs.com/package/@scope
https://www.npmjs.com/search?q=a
https://pypi.org/search/?q=a
https://pypi.org/project
https://rubygems.org/gems
https://rubygems.org/gems/a/versions
https://hex.pm/packages
https://packagist.org/packages/a
https://packagist.org/packages/a/b.json
https://arxiv.org/list/cs.AI/recent
https://arxiv.org/abs/nothing
https://arxiv.org/abs/2301.001
https://arxiv.org/html/2301.00001
https://arxiv.org/abs/2301.00001%26max_results=9
https://www.wikipedia.org/wiki/Tea
https://wikipedia.org/wiki/Tea
https://en.wikipedia.org/wiki/Special:Search
https://en.wikipedia.org/wiki/File:Tea.jpg
https://en.wikipedia.org/wiki/Template_talk:Tea
https://en.wikipedia.org/wiki/
https://en.wikipedia.org/wiki/A%7CB
https://en.wikipedia.org/wiki/Tea?action=history
https://en.wikipedia.org/w/index.php?title=Tea
https://notwikipedia.org/wiki/Tea
https://stackoverflow.com/questions
https://stackoverflow.com/questions/tagged/rust
https://stackoverflow.com/users/5/x
https://api.stackexchange.com/questions/5
https://stackexchange.com/questions/5
https://news.ycombinator.com
https://news.ycombinator.com/item?id=4x
https://news.ycombinator.com/user?id=42
https://example.com/o/r
";

#[test]
fn each_form_of_an_address_asks_for_the_right_things() {
    let mut wanted: Vec<(&str, &str, Vec<String>)> = Vec::new();
    for line in FORMS.lines().filter(|line| !line.is_empty()) {
        if let Some(request) = line.strip_prefix("  ") {
            wanted.last_mut().unwrap().2.push(request.to_owned());
        } else {
            let (method, url) = line.split_once(' ').unwrap();
            wanted.push((method, url, Vec::new()));
        }
    }
    assert_eq!(wanted.len(), 30);
    for (method, url, requests) in wanted {
        assert_eq!(plan(url), Some((method, requests)), "{url}");
    }
}

#[test]
fn papers_and_articles_are_known_by_their_names() {
    for (url, id) in [
        ("https://arxiv.org/abs/2301.00001", "2301.00001"),
        ("https://arxiv.org/pdf/2301.00001v2.pdf", "2301.00001v2"),
        ("https://www.arxiv.org/abs/math.GT/0309136v1", "math.GT/0309136v1"),
        ("https://export.arxiv.org/abs/solv-int/9901001", "solv-int/9901001"),
    ] {
        let wanted = vec![format!("https://export.arxiv.org/api/query?id_list={id}")];
        assert_eq!(plan(url), Some(("arxiv", wanted)), "{url}");
    }
    let (method, requests) = plan("https://de.m.wikipedia.org/wiki/AC/DC_%26_Caf%C3%A9").unwrap();
    assert_eq!(method, "wikipedia");
    assert!(requests[0].starts_with("https://de.wikipedia.org/w/api.php?action=query&"));
    assert!(requests[0].ends_with("&titles=AC%2fDC_%26_Caf%c3%a9"));
    assert!(plan("https://en.wikipedia.org/wiki/Mission:_Impossible").is_some());
}

#[test]
fn other_pages_of_the_same_hosts_are_left_to_the_usual_steps() {
    for url in OTHERS.lines().filter(|line| !line.is_empty()) {
        assert_eq!(plan(url), None, "{url}");
    }
}

#[test]
fn hosts_are_exact_or_below_a_star() {
    assert!(is_host("*.a.example", "x.a.example") && is_host("*.a.example", "X.Y.A.example."));
    assert!(!is_host("*.a.example", "a.example") && !is_host("*.a.example", ".a.example"));
    assert!(!is_host("*.a.example", "xa.example") && !is_host("a.example", "x.a.example"));
}

#[test]
fn no_site_asks_for_more_than_three_things_or_without_encryption() {
    for url in [
        "https://github.com/o/r/pull/7",
        "https://crates.io/crates/abc/1.0.0",
        "https://stackoverflow.com/q/5",
        "https://npmjs.com/package/a",
    ] {
        let (_, requests) = asked(url).unwrap();
        assert!(requests.len() <= 3 && requests.iter().all(|one| one.url.starts_with("https://")), "{url}");
    }
    let mut methods: Vec<&str> = SITES.iter().map(|site| site.method).collect();
    methods.sort_unstable();
    methods.dedup();
    assert_eq!(methods.len(), SITES.len());
}
