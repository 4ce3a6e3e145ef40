//! Randomness is an input: it is taken from the system once, where a toolbox is made.

/// Bytes that nobody can guess.
pub fn random_seed() -> [u8; 32] {
    let mut seed = [0; 32];
    let mut filled = 0;
    while filled < seed.len() {
        let room = seed.get_mut(filled..).unwrap_or_default();
        match rustix::rand::getrandom(room, rustix::rand::GetRandomFlags::empty()) {
            Ok(count) => filled += count,
            Err(rustix::io::Errno::INTR) => {}
            // A kernel without it has nothing better to offer.
            Err(_) => break,
        }
    }
    seed
}
