//! Archives and compressed files: what is inside them, and what hostile ones do.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

mod bounds;
mod damage;
mod kit;
mod listing;
mod packed;
mod put_refused;
mod put_tar;
mod put_tools;
mod put_zip;
mod secrets;
mod seven;
mod tar_hostile;
mod tar_reading;
mod turns;
mod zip_hostile;
mod zip_reading;
mod zip_writer;
