//! What is told of something that was fetched.

/// Where a page of the web came from, and how it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Web {
    /// The address that was asked for.
    pub url: String,
    /// The address that answered, behind all redirects.
    pub final_url: String,
    /// The type that the server named.
    pub content_type: Option<String>,
    /// How the text was made: `json`, `feed`, `main-text`, `failed`, …
    pub method: &'static str,
    /// Whose words these are: the host, or the server that holds a resource.
    pub origin: String,
    /// What must be said of it.
    pub notes: Vec<WebNote>,
    /// What the page is called, and by whom and when it was written, where its text does not say so.
    pub title: Option<String>,
    /// What the page itself says, where a document is shown in its place.
    pub own: Option<String>,
    /// A word that no page can know; it marks where third-party text begins and ends.
    pub fence: String,
}

/// Something that must be said of what was fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WebNote {
    /// The server refused, with this status.
    Status {
        /// The status.
        code: u16,
        /// What the status is called; never in the server's words.
        reason: &'static str,
    },
    /// Other addresses led here.
    Redirected {
        /// How many.
        hops: u64,
    },
    /// A page that was asked for safely led to one that is not.
    Downgraded,
    /// The body is not whole: the limit ended it.
    Cut {
        /// The limit.
        limit: &'static str,
        /// The bytes that were kept.
        kept: u64,
    },
    /// The body is not whole: the server ended it.
    Short {
        /// What is wrong, in a few words.
        why: String,
    },
    /// The body is not whole: the time ended.
    Late {
        /// The bytes that had come.
        kept: u64,
        /// The limit that ended it.
        limit: &'static str,
    },
    /// The text was not in UTF-8.
    Charset {
        /// The encoding.
        name: String,
        /// How many characters could not be read.
        replaced: u64,
    },
    /// The server says it is in an encoding that nobody knows.
    UnknownCharset {
        /// What it says.
        name: String,
        /// How many characters could not be read.
        replaced: u64,
    },
    /// The body is not what the server says it is.
    OtherType {
        /// What it is.
        what: &'static str,
    },
    /// Only the main text of a page is shown.
    MainText {
        /// How many of a hundred letters of the page that is.
        percent: u64,
        /// The address that shows all of it.
        address: String,
    },
    /// The text is that of another address than the page's.
    TakenFrom {
        /// That address.
        address: String,
    },
    /// What stands behind the sign `#` is not sent; this address shows the section called so.
    Fragment {
        /// The address.
        address: String,
    },
    /// The page wants to lead to another address, which is not followed.
    LeadsOn {
        /// That address.
        address: String,
    },
    /// What stands behind a colon of the address was not followed: there is nothing to take a part of.
    NoPart,
    /// Something of the page was left out.
    LeftOut {
        /// What.
        what: String,
    },
    /// Something else, in words.
    Said(String),
}
