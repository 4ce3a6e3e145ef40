//! The one table of numbers. `docs/limits.md` is generated from it.

/// Bytes of the longest reply that any client takes whole. A tool declares a tenth more to clients that ask for it, so
/// that their count and ours may differ.
pub const LARGEST_REPLY_BYTES: u64 = 200_000;

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// The name in configuration files and replies.
    pub name: &'static str,
    /// What it bounds.
    pub about: &'static str,
    /// The number in force unless configured otherwise.
    pub default: u64,
    /// The highest number a configuration can set.
    pub ceiling: u64,
}

macro_rules! limits {
    ($( $(#[doc = $about:literal])+ $name:ident = $default:expr, at most $ceiling:expr; )*) => {
        /// The limits in force for a call.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Limits {
            $( $(#[doc = $about])+ pub $name: u64, )*
        }

        impl Default for Limits {
            fn default() -> Self {
                Self { $( $name: $default, )* }
            }
        }

        /// Every limit with its default and its ceiling.
        pub static LIMITS: &[Limit] = &[
            $( Limit { name: stringify!($name), about: concat!($($about),+), default: $default, ceiling: $ceiling }, )*
        ];

        impl Limits {
            /// The limit called `name`.
            pub fn get(&self, name: &str) -> Option<u64> {
                match name {
                    $( stringify!($name) => Some(self.$name), )*
                    _ => None,
                }
            }

            fn slot(&mut self, name: &str) -> Option<&mut u64> {
                match name {
                    $( stringify!($name) => Some(&mut self.$name), )*
                    _ => None,
                }
            }
        }
    };
}

limits! {
    /// Lines of a page when the address names no end.
    page_lines = 2_000, at most 3_000;
    /// Lines of a page when the address names its lines.
    range_lines = 3_000, at most 100_000;
    /// Bytes of text on a page.
    page_bytes = 50 * 1024, at most 1024 * 1024;
    /// Bytes of text that the targets of one call share.
    reply_bytes = 200 * 1024, at most 4 * 1024 * 1024;
    /// Average bytes a line that a range may have, so that a long range may exceed `page_bytes`.
    range_line_bytes = 512, at most 4_096;
    /// Characters of one line shown before it is cut.
    line_chars = 2_000, at most 65_536;
    /// Cut lines on one page.
    cut_lines = 16, at most 64;
    /// Lines of context before a bounded range.
    context_before = 1, at most 100;
    /// Lines of context after a bounded range.
    context_after = 3, at most 100;
    /// Lines shown before and after the line of `:N:C`.
    around_lines = 10, at most 1_000;
    /// Bytes of a summary, when one with less in it serves as well.
    summary_bytes = 16 * 1024, at most 1024 * 1024;
    /// Size of the largest file that is answered with a summary unasked.
    summary_file_bytes = 2 * 1024 * 1024, at most 64 * 1024 * 1024;
    /// Lines of the largest file that is answered with a summary unasked.
    summary_file_lines = 20_000, at most 1_000_000;
    /// Size of the largest file of which a range names what lies around it.
    within_bytes = 512 * 1024, at most 64 * 1024 * 1024;
    /// Milliseconds spent finding out the structure of a file.
    outline_ms = 2_000, at most 60_000;
    /// Files below a directory that its outline counts.
    outline_files = 50_000, at most 1_000_000;
    /// Bytes of a window that names no size.
    window_bytes = 64 * 1024, at most 1024 * 1024;
    /// Bytes of a window, whatever size it names.
    window_max_bytes = 256 * 1024, at most 4 * 1024 * 1024;
    /// Bytes shown on a page of `:hex`.
    hex_bytes = 4_096, at most 65_536;
    /// Size of the largest file that always gets a tag, counts its lines at once and is kept behind its tag.
    edit_bytes = 8 * 1024 * 1024, at most 256 * 1024 * 1024;
    /// Size of the largest file that gets a tag where its lines are asked for by number, and can be edited.
    tag_bytes = 256 * 1024 * 1024, at most 64 * 1024 * 1024 * 1024;
    /// Bytes that one edit or write may bring.
    write_bytes = 16 * 1024 * 1024, at most 256 * 1024 * 1024;
    /// Bytes of what a change replaced that are kept for undoing it.
    undo_bytes = 16 * 1024 * 1024, at most 256 * 1024 * 1024;
    /// Lines of the diff of one file in a reply.
    diff_lines = 80, at most 3_000;
    /// Characters of one line of such a diff.
    diff_line_chars = 200, at most 65_536;
    /// Bytes counted from the start of a larger file to number the lines of a byte window.
    number_bytes = 8 * 1024 * 1024, at most 1024 * 1024 * 1024;
    /// Bytes looked through for the end of a line that is cut.
    line_scan_bytes = 2 * 1024 * 1024 * 1024, at most 64 * 1024 * 1024 * 1024;
    /// Bytes kept of standard input and of files that do not tell their size.
    spool_bytes = 64 * 1024 * 1024, at most 1024 * 1024 * 1024;
    /// Levels of a directory tree.
    tree_depth = 2, at most 2;
    /// Children shown of a directory below the one named.
    tree_children = 12, at most 1_000;
    /// Directories opened below the one named.
    tree_directories = 100, at most 10_000;
    /// Entries looked at in one directory.
    directory_entries = 2_000_000, at most 20_000_000;
    /// Addresses in one call.
    targets = 100, at most 1_000;
    /// Merge conflicts listed on one page.
    conflicts = 100, at most 10_000;
    /// Paths that one reply of `find` shows.
    find_paths = 200, at most 200;
    /// Milliseconds a `find` takes that names no timeout.
    find_ms = 5_000, at most 60_000;
    /// Files with matches that one reply of `search` shows.
    search_files = 20, at most 200;
    /// Matches shown of each file, when several are searched.
    search_file_matches = 20, at most 200;
    /// Matches shown of a file that is searched alone.
    search_matches = 200, at most 2_000;
    /// Matches that one reply of `search` shows in all.
    search_all_matches = 2_000, at most 20_000;
    /// Characters of a line that a search shows before it is cut around its match.
    search_chars = 512, at most 65_536;
    /// Lines of context before a match.
    search_before = 1, at most 20;
    /// Lines of context after a match.
    search_after = 3, at most 20;
    /// Bytes that are looked at as one for a match: of one line, or of a file whose matches may span lines.
    search_span_bytes = 16 * 1024 * 1024, at most 1024 * 1024 * 1024;
    /// Bytes of memory that a compiled pattern may take.
    search_pattern_bytes = 10 * 1024 * 1024, at most 256 * 1024 * 1024;
    /// Bytes of a glob.
    glob_bytes = 64 * 1024, at most 1024 * 1024;
    /// Milliseconds a call may take.
    call_ms = 20_000, at most 600_000;
    /// Milliseconds spent looking for a missing path.
    suffix_ms = 5_000, at most 60_000;
    /// Bytes of file text that are kept, so that later reads can tell what changed.
    snapshot_bytes = 64 * 1024 * 1024, at most 4 * 1024 * 1024 * 1024;
    /// Bytes of files and listings that calls running side by side hold in memory.
    whole_bytes = 96 * 1024 * 1024, at most 16 * 1024 * 1024 * 1024;
    /// Entries of an archive, or tables of a database, listed on one page.
    listing_entries = 500, at most 10_000;
    /// Entries an archive may have.
    archive_entries = 2_000_000, at most 20_000_000;
    /// Containers that an address may enter one inside the other.
    nesting = 3, at most 8;
    /// Bytes unpacked from a compressed file of unknown length before its first page is shown.
    unpack_bytes = 32 * 1024 * 1024, at most 64 * 1024 * 1024 * 1024;
    /// Bytes of memory that unpacking may ask for: windows, dictionaries, entries that are needed whole.
    unpack_memory = 65 * 1024 * 1024, at most 4 * 1024 * 1024 * 1024;
    /// Bytes kept of what was found out about archives and unpacked from them.
    shelf_bytes = 48 * 1024 * 1024, at most 16 * 1024 * 1024 * 1024;
    /// Rows of a query that names no limit.
    query_rows = 20, at most 500;
    /// Rows of a query, whatever limit it names.
    query_max_rows = 500, at most 10_000;
    /// Rows shown with the schema of a table.
    sample_rows = 5, at most 100;
    /// Rows counted for the list of a database's tables.
    count_rows = 1_000_000, at most 1_000_000_000;
    /// Characters of a row of a table.
    table_width = 120, at most 1_000;
    /// Characters of a cell of a table.
    cell_width = 40, at most 1_000;
    /// Bytes of one value or statement in a database.
    value_bytes = 16 * 1024 * 1024, at most 1024 * 1024 * 1024;
    /// Bytes of memory that queries of all calls may use.
    query_memory = 48 * 1024 * 1024, at most 16 * 1024 * 1024 * 1024;
    /// Milliseconds to wait for a database that another program is writing.
    lock_ms = 2_500, at most 60_000;
    /// Size of the largest notebook that is shown as cells.
    notebook_bytes = 32 * 1024 * 1024, at most 1024 * 1024 * 1024;
    /// Lines of one output of a notebook's cell, unless the cell is named.
    output_lines = 20, at most 10_000;
    /// Bytes of one output of a notebook's cell, unless the cell is named.
    output_bytes = 2_048, at most 1024 * 1024;
    /// Bytes of a picture that is shown.
    image_bytes = 1024 * 1024, at most 20 * 1024 * 1024;
    /// Processes that convert documents and pictures side by side.
    workers = 4, at most 256;
    /// Bytes of memory that one worker may use.
    worker_memory = 512 * 1024 * 1024, at most 64 * 1024 * 1024 * 1024;
    /// CPU seconds that one job of a worker may take.
    worker_seconds = 15, at most 600;
    /// Bytes that one worker may answer.
    worker_answer = 96 * 1024 * 1024, at most 1024 * 1024 * 1024;
    /// Size of the largest document that is converted.
    document_bytes = 128 * 1024 * 1024, at most 4 * 1024 * 1024 * 1024;
    /// Bytes of text that are made of a document.
    document_text = 32 * 1024 * 1024, at most 1024 * 1024 * 1024;
    /// Bytes that the parts of a packed document may unpack to.
    document_parts = 256 * 1024 * 1024, at most 16 * 1024 * 1024 * 1024;
    /// Pages, slides or chapters of a document that are made for one reply.
    document_pages = 200, at most 100_000;
    /// Levels that the parts of a document may be nested.
    document_depth = 1_000, at most 10_000;
    /// Bytes of pictures that the targets of one call share.
    reply_images = 4 * 1024 * 1024, at most 256 * 1024 * 1024;
    /// Size of the largest picture that is read.
    image_file_bytes = 20 * 1024 * 1024, at most 1024 * 1024 * 1024;
    /// Pixels of the largest picture that is decoded.
    image_pixels = 64_000_000, at most 1_000_000_000;
    /// Pixels of the longer side of a picture that is shown.
    image_side = 1_568, at most 8_192;
    /// Bytes that a picture is brought down to where it can be.
    image_target = 500 * 1024, at most 20 * 1024 * 1024;
    /// Lines of a page of the web when the address names no end.
    web_lines = 300, at most 3_000;
    /// Bytes that are taken of an answer of the web, unpacked.
    fetch_bytes = 20 * 1024 * 1024, at most 1024 * 1024 * 1024;
    /// Milliseconds that one answer may take, from the first look at its name to its last byte.
    fetch_ms = 15_000, at most 600_000;
    /// Milliseconds that a look for a better form of a page may take.
    probe_ms = 3_000, at most 60_000;
    /// Redirects that are followed.
    redirects = 5, at most 20;
    /// Seconds for which parts of a page come from the copy that was fetched.
    web_seconds = 3_600, at most 604_800;
    /// Bytes of a skill, a rule or a value that is shown whole.
    skill_bytes = 1024 * 1024, at most 8 * 1024 * 1024;
    /// Bytes of fetched pages, and as many of artifacts, that a store keeps.
    kept_bytes = 64 * 1024 * 1024, at most 16 * 1024 * 1024 * 1024;
    /// Size of the largest file that a bounded line read answers without `offset` and `limit`.
    lines_file_bytes = 1024 * 1024, at most 1024 * 1024 * 1024;
    /// Bytes of a line in a bounded line read before it is truncated.
    lines_line_bytes = 1_024, at most 1024 * 1024;
    /// Lines of a bounded line read; a call that asks for more fails.
    lines_reply_lines = 2_000, at most 100_000;
    /// Bytes of a bounded line read; a call that asks for more fails.
    lines_reply_bytes = 32 * 1024, at most 4 * 1024 * 1024;
    /// Quick calls that a server runs side by side.
    server_calls = 8, at most 1_024;
    /// Calls that take longer than `server_quick_ms` and go on side by side; those beyond are refused.
    server_slow_calls = 32, at most 1_024;
    /// Calls that wait for others, such as a web server, and go on side by side; those beyond count as slow ones.
    server_waiting_calls = 256, at most 4_096;
    /// Milliseconds after which a call counts as slow and makes way for others.
    server_quick_ms = 5, at most 1_000;
    /// Calls that wait for their turn; those beyond are refused.
    server_queue = 2_048, at most 65_536;
    /// Connections a server holds.
    server_connections = 2_048, at most 65_536;
    /// Sessions a server remembers, the least recently used being forgotten first.
    server_sessions = 256, at most 65_536;
    /// Bytes of a request's body, or of a message, for tools that only read.
    server_body_bytes = 1024 * 1024, at most 64 * 1024 * 1024;
    /// Bytes of a request's body for tools that change files, and of a message where such tools are offered.
    server_change_bytes = 16 * 1024 * 1024, at most 256 * 1024 * 1024;
    /// Bytes of a request's headers, about; of which there are at most 100.
    server_header_bytes = 32 * 1024, at most 1024 * 1024;
    /// Milliseconds in which a request's headers, and then its body, must arrive.
    server_request_ms = 10_000, at most 600_000;
    /// Milliseconds in which some of an answer must be taken.
    server_answer_ms = 60_000, at most 3_600_000;
    /// Milliseconds that calls in flight get to end when a server is told to stop.
    server_drain_ms = 5_000, at most 600_000;
}

impl Limits {
    /// Sets the limit called `name`; the number must lie between 1 (for context, 0) and the ceiling.
    pub fn set(&mut self, name: &str, value: u64) -> Result<(), String> {
        let Some(limit) = LIMITS.iter().find(|limit| limit.name == name) else {
            return Err(format!("there is no limit called {name}"));
        };
        if value == 0 && !["context_before", "context_after", "search_before", "search_after"].contains(&name) {
            return Err(format!("{name} must be at least 1"));
        }
        if value > limit.ceiling {
            return Err(format!("{name} can be at most {}", limit.ceiling));
        }
        if let Some(slot) = self.slot(name) {
            *slot = value;
        }
        Ok(())
    }
}
