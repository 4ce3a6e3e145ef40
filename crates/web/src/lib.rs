//! From a web address to something to read.
//!
//! Nothing here opens a socket: what is fetched comes from whoever holds the one fetcher.

#[allow(dead_code)]
mod feed;
#[allow(dead_code)]
mod json;
//mod sites;
