//! The tests of this crate: a module a group, and one program, so that the library is linked once.

mod folders;
mod lists;
mod manual;
mod sessions;
mod world;
