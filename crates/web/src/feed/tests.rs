//! Feeds of our own making.

mod formats;
mod hostile;
mod markup;
