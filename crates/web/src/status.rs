//! What statuses are called: in our words, for a server's own could say anything.

const REASONS: &[(u16, &str)] = &[
    (300, "Multiple Choices"),
    (304, "Not Modified"),
    (305, "Use Proxy"),
    (400, "Bad Request"),
    (401, "Unauthorized"),
    (402, "Payment Required"),
    (403, "Forbidden"),
    (404, "Not Found"),
    (405, "Method Not Allowed"),
    (406, "Not Acceptable"),
    (407, "Proxy Authentication Required"),
    (408, "Request Timeout"),
    (409, "Conflict"),
    (410, "Gone"),
    (412, "Precondition Failed"),
    (414, "URI Too Long"),
    (416, "Range Not Satisfiable"),
    (418, "I'm a teapot"),
    (421, "Misdirected Request"),
    (422, "Unprocessable Content"),
    (423, "Locked"),
    (425, "Too Early"),
    (426, "Upgrade Required"),
    (428, "Precondition Required"),
    (429, "Too Many Requests"),
    (431, "Request Header Fields Too Large"),
    (451, "Unavailable For Legal Reasons"),
    (500, "Internal Server Error"),
    (501, "Not Implemented"),
    (502, "Bad Gateway"),
    (503, "Service Unavailable"),
    (504, "Gateway Timeout"),
    (505, "HTTP Version Not Supported"),
    (507, "Insufficient Storage"),
    (508, "Loop Detected"),
    (511, "Network Authentication Required"),
];

/// What a status is called; empty for one that no standard names.
pub(crate) fn reason(code: u16) -> &'static str {
    REASONS.iter().find(|(known, _)| *known == code).map(|(_, reason)| *reason).unwrap_or_default()
}
