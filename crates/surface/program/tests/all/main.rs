//! The program as its users meet it, but for the cases and hostile input: a module a group.

mod bodies;
mod clients;
mod databases_apart;
mod definitions;
mod docs;
mod editing;
mod finding;
mod install;
mod journey;
mod line_endpoint;
mod newcomer;
mod page;
mod profiles;
mod roots;
mod structure;
mod worker;
mod worker_limits;
