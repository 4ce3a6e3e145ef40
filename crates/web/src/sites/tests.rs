//! Each site with a stand-in for what it answers, made up in the form of its interface.

mod addresses;
mod github;
mod knowledge;
mod packages;

use serde_json::Value;

use super::{Answer, Request, Site, Spot, site_for};

/// Asks for an address as the pipeline does.
fn asked(url: &str) -> Option<(&'static Site, Vec<Request>)> {
    with_spot(url, site_for)
}

fn with_spot<T>(url: &str, work: impl FnOnce(&Spot<'_>) -> T) -> T {
    let rest = url.strip_prefix("https://").unwrap();
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    work(&Spot { url, host, segments: path.split('/').map(decoded).collect(), query })
}

fn decoded(part: &str) -> String {
    let mut out = Vec::new();
    let mut bytes = part.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let digits: Vec<u8> = bytes.by_ref().take(2).collect();
            out.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
        } else {
            out.push(byte);
        }
    }
    String::from_utf8(out).unwrap()
}

/// The method and the addresses that are asked for.
fn plan(url: &str) -> Option<(&'static str, Vec<String>)> {
    asked(url).map(|(site, requests)| (site.method, requests.into_iter().map(|one| one.url).collect()))
}

/// What is made of bodies that all came well.
fn made(url: &str, bodies: &[&str]) -> Option<String> {
    let answers: Vec<(u16, &str)> = bodies.iter().map(|body| (200, *body)).collect();
    made_of(url, &answers)
}

fn made_of(url: &str, answers: &[(u16, &str)]) -> Option<String> {
    let answers: Vec<Answer<'_>> = answers
        .iter()
        .map(|(status, body)| Answer { status: *status, content_type: "application/json", body: body.as_bytes() })
        .collect();
    let (site, _) = asked(url)?;
    with_spot(url, |spot| (site.make)(spot, &answers))
}

/// What is made of JSON that came well.
fn made_json(url: &str, bodies: &[Value]) -> Option<String> {
    let bodies: Vec<String> = bodies.iter().map(Value::to_string).collect();
    made(url, &bodies.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Every way in which an answer can be of no use.
fn nothing_comes_of_failures(url: &str, count: usize) {
    for (status, body) in
        [(403, "{\"message\":\"rate limit\"}"), (404, "{}"), (500, ""), (200, "<html>"), (200, "{"), (200, "[1")]
    {
        assert_eq!(made_of(url, &vec![(status, body); count]), None, "{url}: {status} {body}");
    }
    assert_eq!(made_of(url, &[]), None, "{url} without answers");
}
