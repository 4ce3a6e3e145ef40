//! The tests of this crate: a module a group, and one program, so that the library is linked once.

mod strays;
