//! What is swept, and what is left.
