//! What stands at which path.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{any, get, post};
use http::StatusCode;
use readstone_desk::Desk;
use readstone_mcp::HttpService;

use crate::answer::{self, Refusal};
use crate::guard::{self, Guard};
use crate::{bytes, clients, lines, mcp, openapi, page, tools};

/// Every path, behind the guard.
pub(crate) fn router(guard: Arc<Guard>, service: HttpService) -> Router {
    let desk = Arc::clone(&guard.desk);
    let protocol = Arc::clone(&desk);
    let files = Router::new()
        .route("/api/v0/read-file-lines", get(lines::read).fallback(only_get))
        .route("/api/v0/read-file", get(bytes::read).fallback(only_get));
    Router::new()
        .merge(if desk.reads_files() { files } else { Router::new() })
        .route("/", get(page::html).fallback(only_get))
        .route("/page.css", get(page::css).fallback(only_get))
        .route("/page.js", get(page::js).fallback(only_get))
        .route("/v1/clients", get(clients::list).fallback(only_get))
        .route("/v1/tools", get(tools::list).fallback(only_get))
        .route("/v1/tools/{name}", post(tools::call).fallback(only_post))
        .route("/openapi.json", get(document).fallback(only_get))
        .route("/healthz", get(health).fallback(only_get))
        .route("/metrics", get(metrics).fallback(only_get))
        .route("/mcp", any(move |request| mcp::speak(request, service, protocol)))
        .fallback(nothing)
        .with_state(desk)
        .layer(from_fn_with_state(guard, guard::check))
}

async fn document(State(desk): State<Arc<Desk>>) -> Response {
    answer::json(StatusCode::OK, &openapi::document(&desk))
}

async fn health() -> Response {
    answer::text(StatusCode::OK, "text/plain; charset=utf-8", "ok\n")
}

async fn metrics(State(desk): State<Arc<Desk>>) -> Response {
    answer::text(StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", desk.metrics())
}

async fn nothing() -> Response {
    Refusal::Path.answer()
}

async fn only_get() -> Response {
    Refusal::Method("GET").answer()
}

async fn only_post() -> Response {
    Refusal::Method("POST").answer()
}
