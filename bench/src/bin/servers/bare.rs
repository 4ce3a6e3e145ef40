//! The rival of the HTTP server: the same bytes from a blocking thread, and nothing else.

use std::error::Error;
use std::io::Write as _;

use axum::Router;
use axum::body::Bytes;
use axum::http::header;
use axum::routing::post;

/// Answers every call with the bytes of a file, which were read once.
#[expect(clippy::disallowed_methods, reason = "the answer of the rival is given to it in a file")]
pub(crate) fn serve(file: &str) -> Result<(), Box<dyn Error>> {
    let body = Bytes::from(std::fs::read(file)?);
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async move {
        let answer = move |_: Bytes| async move {
            let bytes = tokio::task::spawn_blocking(move || body.clone()).await.unwrap_or_default();
            ([(header::CONTENT_TYPE, "application/json")], bytes)
        };
        let router = Router::new().route("/v1/tools/read", post(answer));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        writeln!(std::io::stdout(), "listening on http://{}", listener.local_addr()?)?;
        axum::serve(listener, router).await?;
        Ok(())
    })
}
