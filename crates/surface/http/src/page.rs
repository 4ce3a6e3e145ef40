//! The page that shows in a browser what a model sees: three files that are always the same and hold no data.

use axum::response::Response;
use http::{HeaderValue, Method, StatusCode, header};

use crate::answer;

/// The paths of its files.
const FILES: [&str; 3] = ["/", "/page.css", "/page.js"];

/// Scripts and styles are those of this server, nothing else is loaded or called, no other page may frame it, and text
/// cannot become markup.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
    trusted-types 'none'";

/// Whether a request only loads the page. A browser cannot send a token for that; the page sends it with each call.
pub(crate) fn is_load(method: &Method, path: &str) -> bool {
    matches!(*method, Method::GET | Method::HEAD) && FILES.contains(&path)
}

pub(crate) async fn html() -> Response {
    file("text/html; charset=utf-8", include_str!("page/index.html"))
}

pub(crate) async fn css() -> Response {
    file("text/css; charset=utf-8", include_str!("page/page.css"))
}

pub(crate) async fn js() -> Response {
    file("text/javascript; charset=utf-8", include_str!("page/page.js"))
}

fn file(kind: &'static str, text: &'static str) -> Response {
    let mut answer = answer::text(StatusCode::OK, kind, text);
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    answer
}
