//! From a web address to something to read.
//!
//! Nothing here opens a socket: what is fetched comes from whoever holds the one fetcher.

#[cfg_attr(not(test), expect(dead_code, reason = "the steps that use it come with the pipeline"))]
mod feed;
#[cfg_attr(not(test), expect(dead_code, reason = "the steps that use it come with the pipeline"))]
mod json;
#[cfg_attr(not(test), expect(dead_code, reason = "the steps that use it come with the pipeline"))]
mod sites;
