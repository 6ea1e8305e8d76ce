//! A short name for content, different for what is different.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// The first 128 bits of the SHA-256, as 32 characters; whoever needs fewer takes the first of them.
pub fn digest(content: impl AsRef<[u8]>) -> String {
    let mut text = String::with_capacity(32);
    for byte in &Sha256::digest(content.as_ref())[..16] {
        write!(text, "{byte:02x}").expect("a string takes everything");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_beginning_of_the_usual_digest() {
        assert_eq!(digest(""), "e3b0c44298fc1c149afbf4c8996fb924");
    }
}
