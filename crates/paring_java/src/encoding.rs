//! Source files as bytes, there and back: in the encoding the build declares, else UTF-8, else latin-1.

use encoding_rs::{Encoding as Charset, UTF_8};

/// How a file was encoded, to write it back the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Java's latin-1: every byte is the character of that number. The web's is another.
    Latin1,
    Other(&'static Charset),
}

/// The text of a file. `declared` is what javac is told (`-encoding`), which a file that is not in it overrules.
pub fn decode(bytes: &[u8], declared: Option<&str>) -> (String, Encoding) {
    if let Some(charset) = declared.and_then(of_name)
        && let Some(text) = charset.decode(bytes)
    {
        return (text, charset);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), Encoding::Other(UTF_8)),
        Err(_) => (bytes.iter().map(|&byte| char::from(byte)).collect(), Encoding::Latin1),
    }
}

/// A text as bytes; an error where the encoding does not have one of its characters.
pub fn encode(text: &str, encoding: Encoding) -> Result<Vec<u8>, String> {
    let lacks = |c: char, name: &str| format!("`{c}` cannot be written in {name}, the encoding of the file");
    match encoding {
        Encoding::Latin1 => {
            text.chars().map(|c| u8::try_from(u32::from(c)).map_err(|_| lacks(c, "latin-1"))).collect()
        }
        Encoding::Other(charset) => {
            let (bytes, _, lost) = charset.encode(text);
            if lost {
                return Err(format!(
                    "the text cannot be written in {}, the encoding of the file",
                    charset.name()
                ));
            }
            Ok(bytes.into_owned())
        }
    }
}

impl Encoding {
    fn decode(self, bytes: &[u8]) -> Option<String> {
        match self {
            Encoding::Latin1 => Some(bytes.iter().map(|&byte| char::from(byte)).collect()),
            Encoding::Other(charset) => charset
                .decode_without_bom_handling_and_without_replacement(bytes)
                .map(std::borrow::Cow::into_owned),
        }
    }
}

fn of_name(name: &str) -> Option<Encoding> {
    let plain = name.to_ascii_lowercase().replace('_', "-");
    if ["iso-8859-1", "iso8859-1", "latin1", "latin-1", "l1"].contains(&plain.as_str()) {
        return Some(Encoding::Latin1);
    }
    Charset::for_label(plain.as_bytes()).map(Encoding::Other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], declared: Option<&str>, expected: &str) {
        let (text, encoding) = decode(bytes, declared);
        assert_eq!(text, expected);
        assert_eq!(encode(&text, encoding).as_deref(), Ok(bytes));
    }

    #[test]
    fn every_file_comes_back_as_it_was() {
        check("ä\r\n".as_bytes(), None, "ä\r\n");
        check(b"\xe4\r\n", None, "ä\r\n");
        check(b"\xe4", Some("UTF-8"), "ä");
        check(b"\xc3\xa4", Some("ISO-8859-1"), "Ã¤");
        check(b"\x80", Some("Cp1252"), "€");
        check("\u{feff}x".as_bytes(), Some("UTF-8"), "\u{feff}x");
    }

    #[test]
    fn a_character_the_encoding_lacks_is_told() {
        let (_, encoding) = decode(b"\xe4", None);
        assert!(encode("€", encoding).unwrap_err().contains("latin-1"));
    }
}
