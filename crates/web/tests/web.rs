//! From addresses to something to read, against a server on loopback.

#[path = "web/answers.rs"]
mod answers;
#[path = "web/copies.rs"]
mod copies;
#[path = "web/pages.rs"]
mod pages;
#[path = "web/server.rs"]
mod server;
#[path = "web/sites.rs"]
mod sites;
#[path = "web/texts.rs"]
mod texts;
#[path = "web/world.rs"]
mod world;
