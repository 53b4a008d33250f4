//! Random numbers that need no secrecy, for waits and names of instances.
use std::hash::{BuildHasher, RandomState};

/// 64 random bits. Every `RandomState` has its own keys from the operating system.
pub(crate) fn random_bits() -> u64 {
    RandomState::new().hash_one(0)
}

/// A number of at least 0 and less than 1.
pub(crate) fn random_fraction() -> f64 {
    // The 53 bits that a float holds exactly.
    (random_bits() >> 11) as f64 / (1u64 << 53) as f64
}
