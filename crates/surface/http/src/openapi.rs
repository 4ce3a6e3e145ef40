//! The description of this server for programs: `OpenAPI` 3.1, with the schemas of the tools.

use readstone_base::{Class, LIMITS};
use readstone_desk::Desk;
use readstone_tools::{ToolInfo, limit_of};
use serde_json::{Map, Value, json};

use crate::clients::MOST_NAME;
use crate::lines::NUMBERS;

/// The document of what is on offer at this desk.
pub(crate) fn document(desk: &Desk) -> Value {
    let mut paths = Map::new();
    paths.insert(
        "/v1/tools".to_owned(),
        json!({ "get": get("The tools and their schemas", &[], &json_of("ToolList")) }),
    );
    let clients = get("The clients of MCP whose limits are known", &[], &json_of("ClientList"));
    paths.insert("/v1/clients".to_owned(), json!({ "get": clients }));
    for tool in desk.tools() {
        paths.insert(format!("/v1/tools/{}", tool.name), json!({ "post": call(tool) }));
    }
    if desk.reads_files() {
        let lines = get("Numbered lines of a file within hard bounds", &line_parameters(), &json_of("Lines"));
        paths.insert("/api/v0/read-file-lines".to_owned(), json!({ "get": lines }));
        paths.insert("/api/v0/read-file".to_owned(), json!({ "get": read_file() }));
    }
    paths.insert("/healthz".to_owned(), json!({ "get": health() }));
    let metrics = get("Counters in the text form of Prometheus", &[], &text());
    paths.insert("/metrics".to_owned(), json!({ "get": metrics }));
    paths.insert("/openapi.json".to_owned(), json!({ "get": get("This document", &[], &any_json()) }));
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Readstone", "version": env!("CARGO_PKG_VERSION"),
                  "description": "Reads, finds, searches and changes files and what is in them, a bounded page at a time. \
                                  The MCP server at /mcp speaks its own protocol, which describes itself." },
        "paths": paths,
        "components": { "schemas": schemas(), "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } } },
        "security": [{ "token": [] }, {}],
    })
}

/// A request without a body.
fn get(about: &str, parameters: &[Value], content: &Value) -> Value {
    let mut responses = refusals(&["401", "403"]);
    responses.insert("200".to_owned(), json!({ "description": "It worked", "content": content }));
    if !parameters.is_empty() {
        responses.insert("400".to_owned(), described("A parameter or a header is wrong", &either("Problem", "Reply")));
        responses.insert("429".to_owned(), busy());
        responses.insert("500".to_owned(), described("A mistake in Readstone", &json_of("Reply")));
        responses.insert("504".to_owned(), described("The time of the call ended", &json_of("Reply")));
    }
    json!({ "summary": about, "parameters": parameters, "responses": responses })
}

/// The one request that needs no token.
fn health() -> Value {
    let mut value = get("Whether the server is there; needs no token", &[], &text());
    if let Some(Value::Object(responses)) = value.get_mut("responses") {
        responses.remove("401");
    }
    value.as_object_mut().map(|health| health.insert("security".to_owned(), json!([])));
    value
}

/// A call of a tool.
fn call(tool: &ToolInfo) -> Value {
    let mut responses = refusals(&["401", "408", "415"]);
    responses.insert("200".to_owned(), described("The reply; partial success is success", &json_of("Reply")));
    for class in Class::ALL {
        let about = format!("The call failed: {}", class.name());
        responses.insert(class.http_status().to_string(), described(&about, &json_of("Reply")));
    }
    responses.insert("429".to_owned(), busy());
    json!({
        "summary": tool.title,
        "description": tool.about,
        "operationId": tool.name,
        "parameters": [session_parameter(), client_parameter()],
        "requestBody": { "required": true, "content": { "application/json": { "schema": tool.schema() } } },
        "responses": responses,
    })
}

fn read_file() -> Value {
    let mut parameters = vec![path_parameter()];
    parameters.push(number("offset", 0, "The first byte, from 0"));
    parameters.push(number("limit", 1, "How many bytes; to the end unless given"));
    let bytes = json!({ "*/*": { "schema": { "type": "string", "format": "binary" } } });
    let mut value = get("The bytes of a file, streamed", &parameters, &bytes);
    if let Some(Value::Object(responses)) = value.get_mut("responses") {
        for (status, about) in [
            ("403", "Policy or permissions forbid it"),
            ("404", "There is no such file"),
            ("422", "The system refused to read it"),
            ("502", "Too many files are open"),
            ("504", "The time of the call ended"),
        ] {
            responses.insert(status.to_owned(), described(about, &json_of("Problem")));
        }
    }
    value
}

fn line_parameters() -> Vec<Value> {
    let about = |name: &str| match name {
        "offset" => "The first line, from 1; 1 unless given",
        "limit" => "How many lines; 2000 unless given",
        "max_file_size" => "Size of the largest file that is read without offset and limit",
        "max_line_bytes" => "Bytes of a line before it is truncated",
        "max_response_lines" => "Lines of the answer",
        _ => "Bytes of the answer's content",
    };
    let numbers = NUMBERS.into_iter().map(|name| number(name, 1, about(name)));
    [path_parameter(), session_parameter()].into_iter().chain(numbers).collect()
}

fn path_parameter() -> Value {
    let schema = json!({ "type": "string", "minLength": 1 });
    json!({ "name": "path", "in": "query", "required": true, "description": "An absolute path", "schema": schema })
}

fn session_parameter() -> Value {
    let schema = json!({ "type": "string", "pattern": "^[!-~]{1,128}$" });
    let about = "The session in which things are remembered";
    json!({ "name": "Readstone-Session", "in": "header", "description": about, "schema": schema })
}

fn client_parameter() -> Value {
    let schema = json!({ "type": "string", "pattern": format!("^[!-~]([ -~]{{0,{}}}[!-~])?$", MOST_NAME - 2) });
    let about = "A client of MCP: the reply keeps within its limits and has the blocks that it would get";
    json!({ "name": "Readstone-Client", "in": "header", "description": about, "schema": schema })
}

fn number(name: &str, least: u64, about: &str) -> Value {
    let limit = limit_of(name).and_then(|limit| LIMITS.iter().find(|known| known.name == limit));
    let most = limit.map_or(i64::MAX.unsigned_abs(), |limit| limit.ceiling);
    let schema = json!({ "type": "integer", "minimum": least, "maximum": most });
    json!({ "name": name, "in": "query", "description": about, "schema": schema })
}

fn described(about: &str, content: &Value) -> Value {
    json!({ "description": about, "content": content })
}

fn busy() -> Value {
    let header = json!({ "Retry-After": { "schema": { "type": "integer" } } });
    json!({ "description": "Too many calls run", "headers": header, "content": any_json() })
}

/// Answers of the guard.
fn refusals(statuses: &[&str]) -> Map<String, Value> {
    let about = |status: &str| match status {
        "401" => "A token is needed",
        "403" => "The Host or the Origin is not served",
        "408" => "The body did not arrive in time",
        _ => "The body is of a kind that is not read",
    };
    statuses.iter().map(|status| ((*status).to_owned(), described(about(status), &json_of("Reply")))).collect()
}

fn json_of(schema: &str) -> Value {
    json!({ "application/json": { "schema": { "$ref": format!("#/components/schemas/{schema}") } } })
}

fn either(one: &str, other: &str) -> Value {
    let schema = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    json!({ "application/json": { "schema": { "oneOf": [schema(one), schema(other)] } } })
}

fn any_json() -> Value {
    json!({ "application/json": { "schema": {} } })
}

fn text() -> Value {
    json!({ "text/plain": { "schema": { "type": "string" } } })
}

fn schemas() -> Value {
    json!({
        "Reply": {
            "type": "object",
            "required": ["status", "parts", "receipt"],
            "properties": {
                "status": { "enum": ["ok", "error"] },
                "parts": { "type": "array", "items": { "$ref": "#/components/schemas/Part" } },
                "receipt": { "type": "object", "required": ["tool", "targets"], "properties": {
                    "tool": { "type": "string" },
                    "targets": { "type": "array", "items": { "type": "object", "required": ["address"] } },
                    "found": { "$ref": "#/components/schemas/Found" },
                    "error": { "$ref": "#/components/schemas/Error" },
                } },
                "content": { "type": "array", "description": "The blocks of MCP; where a client was named",
                    "items": { "type": "object", "required": ["type"] } },
                "client": { "$ref": "#/components/schemas/Client" },
            },
        },
        "Part": {
            "type": "object",
            "required": ["type"],
            "properties": {
                "type": { "enum": ["text", "image"] },
                "text": { "type": "string" },
                "mime": { "type": "string" },
                "data": { "type": "string", "contentEncoding": "base64" },
            },
        },
        "Error": {
            "type": "object",
            "required": ["code", "class", "message", "next"],
            "properties": {
                "code": { "type": "string" },
                "class": { "enum": Class::ALL.map(Class::name) },
                "message": { "type": "string" },
                "next": { "type": "array", "items": { "type": "object", "required": ["tool", "argument"] } },
            },
        },
        "ToolList": {
            "type": "object",
            "required": ["tools"],
            "properties": { "tools": { "type": "array", "items": {
                "type": "object", "required": ["name", "description", "read_only", "input_schema"],
            } } },
        },
        "ClientList": {
            "type": "object",
            "required": ["clients"],
            "properties": { "clients": { "type": "array", "items": { "$ref": "#/components/schemas/Client" } } },
        },
        "Client": client_schema(),
        "Lines": lines_schema(),
        "Found": found_schema(),
        "Problem": {
            "type": "object",
            "required": ["message"],
            "properties": { "message": { "type": "string" }, "code": { "type": "string" },
                "validations": { "type": "array", "items": { "type": "object", "required": ["field", "detail"] } } },
        },
    })
}

/// What a find or a search came to.
fn found_schema() -> Value {
    let texts = json!({ "type": "array", "items": { "type": "string" } });
    let whole = json!({ "type": ["integer", "null"], "minimum": 0 });
    let reasons = json!({ "type": "array", "items": { "type": "object", "required": ["reason", "count"] } });
    let span = json!({ "type": ["array", "null"], "items": { "type": "integer", "minimum": 1 } });
    let notes = json!({ "type": "array", "items": { "type": "object", "required": ["code", "text"] } });
    json!({
        "type": "object",
        "required": ["paths", "shown", "total", "matches", "missing", "hidden", "unsearched", "next_skip", "notes"],
        "properties": {
            "scope": texts, "paths": texts, "missing": texts,
            "shown": span,
            "total": whole, "at_least": whole, "matches": whole, "next_skip": whole,
            "hidden": reasons, "unsearched": reasons,
            "cut_by": { "type": ["string", "null"] },
            "notes": notes,
        },
    })
}

/// A client with its limits, and in a reply with what that takes of them.
fn client_schema() -> Value {
    let number = json!({ "type": "integer", "minimum": 0 });
    let limit = json!({ "type": ["integer", "null"], "minimum": 0 });
    json!({
        "type": "object",
        "required": ["name", "limits"],
        "properties": {
            "name": { "type": "string" },
            "limits": {
                "type": "object",
                "required": ["bytes", "rows", "json", "range_bytes", "picture_bytes", "pictures"],
                "properties": {
                    "bytes": limit, "rows": limit, "json": limit, "range_bytes": limit, "picture_bytes": limit,
                    "pictures": { "type": "boolean" },
                },
            },
            "used": {
                "type": "object",
                "required": ["bytes", "rows", "json", "picture_bytes", "tokens"],
                "properties": {
                    "bytes": number, "rows": number, "json": number, "picture_bytes": number, "tokens": number,
                },
            },
        },
    })
}

fn lines_schema() -> Value {
    let whole = json!({ "type": ["integer", "null"], "minimum": 0 });
    json!({
        "type": "object",
        "required": ["success", "file_size", "total_lines", "lines_read", "content", "error"],
        "properties": {
            "success": { "type": "boolean" },
            "file_size": whole,
            "total_lines": whole,
            "lines_read": { "type": "integer", "minimum": 0 },
            "content": { "type": "string" },
            "error": { "type": ["string", "null"] },
            "note": { "type": "string" },
        },
    })
}
