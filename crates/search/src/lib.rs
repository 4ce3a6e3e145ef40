//! The engines of `find` and `search`.
