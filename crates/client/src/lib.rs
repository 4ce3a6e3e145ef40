//! A typed client for Readstone's HTTP surface.
