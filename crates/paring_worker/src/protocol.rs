//! The protocol's framing: one JSON object per line, in both directions, with a version in the handshake.
//!
//! What the objects mean is between a runner and its worker; only the first pair is fixed: paring sends a start
//! message with `protocol`, the worker answers with the same number or with an error.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The version of the handshake and of every message after it.
pub const VERSION: u32 = 1;

/// A message as it goes over the pipe.
pub fn encode(message: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(message).expect("a message has string keys and finite numbers");
    line.push(b'\n');
    line
}

/// A received line as the message it should be.
pub fn decode<T: DeserializeOwned>(line: &[u8]) -> Result<T, serde_json::Error> {
    serde_json::from_slice(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_whatever_its_text_holds() {
        let line = encode(&serde_json::json!({"text": "a\nb\r\n\u{2028}"}));
        assert_eq!(line.iter().position(|&byte| byte == b'\n'), Some(line.len() - 1));
        let back: serde_json::Value = decode(&line).expect("what was encoded");
        assert_eq!(back["text"], "a\nb\r\n\u{2028}");
    }
}
