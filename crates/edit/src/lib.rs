//! The patch language, and what it does to lines, as pure functions.
