//! The fuzz targets, one file each.

mod address;
mod archive;
mod database;
mod decode;
mod document;
mod glob;
mod name;
mod notebook;
mod outline;
mod page;
mod patch;
mod pattern;
mod picture;
mod pointer;
mod put;
mod read;
mod request;
mod table;
mod web;

/// A target takes any bytes, and panics when they break something.
pub(crate) type Target = fn(&[u8]);

/// Every target by its name, which is that of its file.
pub(crate) const TARGETS: [(&str, Target); 19] = [
    ("address", address::run),
    ("archive", archive::run),
    ("database", database::run),
    ("decode", decode::run),
    ("document", document::run),
    ("glob", glob::run),
    ("name", name::run),
    ("notebook", notebook::run),
    ("outline", outline::run),
    ("page", page::run),
    ("patch", patch::run),
    ("pattern", pattern::run),
    ("picture", picture::run),
    ("pointer", pointer::run),
    ("put", put::run),
    ("read", read::run),
    ("request", request::run),
    ("table", table::run),
    ("web", web::run),
];
