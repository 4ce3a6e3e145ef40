//! Endings: what the last part of a name says of what a file holds.

/// What a file holds that is called so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Files, in a zip archive of whatever name.
    Package,
    /// Files, in an archive of another kind.
    Archive,
    /// One file.
    Compressed,
    /// Tables.
    Database,
    /// Text with a layout.
    Document,
    /// Cells.
    Notebook,
    /// A picture.
    Picture,
    /// Rows of text.
    Rows,
    /// Values in JSON.
    Json,
}

/// What files are called that hold further things. Endings that texts have as well are left out, as `dot` and `pot`.
const ENDINGS: &[(&str, Holds)] = &[
    ("zip", Holds::Package),
    ("jar", Holds::Package),
    ("war", Holds::Package),
    ("ear", Holds::Package),
    ("apk", Holds::Package),
    ("aab", Holds::Package),
    ("ipa", Holds::Package),
    ("whl", Holds::Package),
    ("egg", Holds::Package),
    ("nupkg", Holds::Package),
    ("vsix", Holds::Package),
    ("xpi", Holds::Package),
    ("tar", Holds::Archive),
    ("tgz", Holds::Archive),
    ("tbz", Holds::Archive),
    ("tbz2", Holds::Archive),
    ("txz", Holds::Archive),
    ("tzst", Holds::Archive),
    ("7z", Holds::Archive),
    ("gz", Holds::Compressed),
    ("bz2", Holds::Compressed),
    ("xz", Holds::Compressed),
    ("zst", Holds::Compressed),
    ("sqlite", Holds::Database),
    ("sqlite3", Holds::Database),
    ("db", Holds::Database),
    ("db3", Holds::Database),
    ("pdf", Holds::Document),
    ("docx", Holds::Document),
    ("docm", Holds::Document),
    ("dotx", Holds::Document),
    ("dotm", Holds::Document),
    ("xlsx", Holds::Document),
    ("xlsm", Holds::Document),
    ("xltx", Holds::Document),
    ("xltm", Holds::Document),
    ("pptx", Holds::Document),
    ("pptm", Holds::Document),
    ("ppsx", Holds::Document),
    ("ppsm", Holds::Document),
    ("potx", Holds::Document),
    ("potm", Holds::Document),
    ("doc", Holds::Document),
    ("xls", Holds::Document),
    ("xlt", Holds::Document),
    ("ppt", Holds::Document),
    ("pps", Holds::Document),
    ("odt", Holds::Document),
    ("ott", Holds::Document),
    ("ods", Holds::Document),
    ("ots", Holds::Document),
    ("odp", Holds::Document),
    ("otp", Holds::Document),
    ("epub", Holds::Document),
    ("rtf", Holds::Document),
    ("ipynb", Holds::Notebook),
    ("png", Holds::Picture),
    ("jpg", Holds::Picture),
    ("jpeg", Holds::Picture),
    ("gif", Holds::Picture),
    ("webp", Holds::Picture),
    ("bmp", Holds::Picture),
    ("tif", Holds::Picture),
    ("tiff", Holds::Picture),
    ("ico", Holds::Picture),
    ("avif", Holds::Picture),
    ("heic", Holds::Picture),
    ("csv", Holds::Rows),
    ("tsv", Holds::Rows),
    ("tab", Holds::Rows),
    ("psv", Holds::Rows),
    ("json", Holds::Json),
    ("geojson", Holds::Json),
    ("webmanifest", Holds::Json),
    ("map", Holds::Json),
    ("jsonl", Holds::Json),
    ("ndjson", Holds::Json),
];

/// What stands behind the last dot of a name or of the last part of a path; empty when there is none.
pub fn ending(name: &str) -> &str {
    let last = name.rsplit('/').next().unwrap_or(name);
    last.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// What a file holds, as far as its name tells.
pub fn holds(name: &str) -> Option<Holds> {
    Holds::of_ending(ending(name)).map(|(_, holds)| holds)
}

impl Holds {
    /// What files of an ending hold, and that ending in small letters.
    pub fn of_ending(ending: &str) -> Option<(&'static str, Self)> {
        ENDINGS.iter().find(|(known, _)| ending.eq_ignore_ascii_case(known)).copied()
    }
}

/// The ending of files of a media type.
pub fn ending_of_type(media: &str) -> Option<&'static str> {
    let plain = media.split(';').next().unwrap_or(media).trim().to_ascii_lowercase();
    let known = TYPES.iter().find(|(name, _)| *name == plain).map(|(_, ending)| *ending);
    known.or_else(|| match plain.rsplit_once('+') {
        Some((_, "json")) => Some("json"),
        Some((_, "xml")) => Some("xml"),
        Some(_) | None => None,
    })
}

/// Media types whose bytes are read otherwise than as plain text, or shown with structure.
const TYPES: &[(&str, &str)] = &[
    ("text/plain", "txt"),
    ("text/markdown", "md"),
    ("text/x-markdown", "md"),
    ("text/html", "html"),
    ("application/xhtml+xml", "html"),
    ("text/csv", "csv"),
    ("text/tab-separated-values", "tsv"),
    ("text/css", "css"),
    ("text/javascript", "js"),
    ("application/javascript", "js"),
    ("application/typescript", "ts"),
    ("text/x-python", "py"),
    ("text/x-rust", "rs"),
    ("text/x-go", "go"),
    ("application/json", "json"),
    ("application/x-ndjson", "jsonl"),
    ("application/x-ipynb+json", "ipynb"),
    ("application/yaml", "yaml"),
    ("text/yaml", "yaml"),
    ("application/toml", "toml"),
    ("application/xml", "xml"),
    ("text/xml", "xml"),
    ("application/sql", "sql"),
    ("application/pdf", "pdf"),
    ("application/epub+zip", "epub"),
    ("application/rtf", "rtf"),
    ("text/rtf", "rtf"),
    ("application/msword", "doc"),
    ("application/vnd.ms-excel", "xls"),
    ("application/vnd.ms-powerpoint", "ppt"),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
    ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
    ("application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"),
    ("application/vnd.oasis.opendocument.text", "odt"),
    ("application/vnd.oasis.opendocument.spreadsheet", "ods"),
    ("application/vnd.oasis.opendocument.presentation", "odp"),
    ("application/zip", "zip"),
    ("application/gzip", "gz"),
    ("application/x-gzip", "gz"),
    ("application/x-tar", "tar"),
    ("application/vnd.sqlite3", "sqlite"),
    ("application/x-sqlite3", "sqlite"),
    ("image/png", "png"),
    ("image/jpeg", "jpg"),
    ("image/gif", "gif"),
    ("image/webp", "webp"),
    ("image/bmp", "bmp"),
    ("image/tiff", "tiff"),
    ("image/svg+xml", "svg"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_judged_by_the_end_of_its_last_part() {
        for (name, held) in [
            ("a.zip", Some(Holds::Package)),
            ("d/B.WAR", Some(Holds::Package)),
            ("a.tar.gz", Some(Holds::Compressed)),
            (".db", Some(Holds::Database)),
            ("zip", None),
            ("a.b/zip", None),
            ("a.zip/b", None),
            ("a.", None),
            ("graph.dot", None),
            ("de.pot", None),
        ] {
            assert_eq!(holds(name), held, "{name}");
        }
        assert_eq!((ending("a/b.C"), ending("a.b/c"), ending("")), ("C", "", ""));
    }

    #[test]
    fn a_media_type_has_an_ending_whatever_stands_behind_it() {
        assert_eq!(ending_of_type("Text/CSV; charset=utf-8"), Some("csv"));
        assert_eq!(ending_of_type("application/vnd.api+json"), Some("json"));
        assert_eq!(ending_of_type("application/msword"), Some("doc"));
        assert_eq!(ending_of_type("application/octet-stream"), None);
    }
}
