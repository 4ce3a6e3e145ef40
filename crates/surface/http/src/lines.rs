//! `GET /api/v0/read-file-lines`: numbered lines within hard bounds.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::{StatusCode, Uri};
use readstone_base::ClientLimits;
use readstone_desk::{Desk, Errand, SessionName, Which};
use serde_json::{Map, Value};

use crate::answer;
use crate::query::{BadParameter, Query};

/// What it takes beside the path; all of them positive integers.
pub(crate) const NUMBERS: [&str; 6] =
    ["offset", "limit", "max_file_size", "max_line_bytes", "max_response_lines", "max_response_bytes"];

/// Answers with the lines, or tells in the same form why there are none.
pub(crate) async fn read(
    State(desk): State<Arc<Desk>>,
    Extension(SessionName(session)): Extension<SessionName>,
    uri: Uri,
) -> Response {
    let input = match input(&uri) {
        Ok(input) => input,
        Err(bad) => return answer::bad_parameters(&bad),
    };
    let reply =
        desk.call(Errand { session, tool: Which::LineRead, input, client: ClientLimits::NONE }, desk.budget()).await;
    // Bad parameters are the caller's, whatever finds them; everything else is told in the answer itself.
    if let Some(error) = reply.receipt.error.as_ref().filter(|error| error.code == "tool.bad_input") {
        // The complaint begins with the parameter's name.
        let field = error.message.split(' ').next().unwrap_or_default().to_owned();
        return answer::bad_parameters(&[BadParameter { field, detail: error.message.clone() }]);
    }
    // A call that was not run has no answer of its own.
    if let Some(error) = reply.receipt.error.as_ref().filter(|_| reply.receipt.tool.is_empty()) {
        return answer::problem(error);
    }
    answer::text(StatusCode::OK, "application/json", reply.text())
}

fn input(uri: &Uri) -> Result<Value, Vec<BadParameter>> {
    let allowed: Vec<&str> = ["path"].into_iter().chain(NUMBERS).collect();
    let mut query = Query::parse(uri.query(), &allowed);
    let mut input = Map::new();
    input.insert("path".to_owned(), query.text("path").into());
    for name in NUMBERS {
        if let Some(number) = query.number(name, 1) {
            input.insert(name.to_owned(), number.into());
        }
    }
    query.check()?;
    Ok(Value::Object(input))
}
