//! Source files as bytes: byte order marks and encoding declarations (PEP 263), there and back.

use encoding_rs::{Encoding as Charset, UTF_8};

/// How a file was encoded, to write it back the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    charset: Charsets,
    /// A UTF-8 byte order mark stands first.
    bom: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Charsets {
    /// Python's latin-1: every byte is the character of that number. The web's is another.
    Latin1,
    Ascii,
    Other(&'static Charset),
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The name in `# -*- coding: name -*-` of the first two lines.
fn declared(bytes: &[u8]) -> Option<String> {
    for line in bytes.split(|&byte| byte == b'\n').take(2) {
        let line = String::from_utf8_lossy(line);
        let line = line.trim_start_matches([' ', '\t', '\x0c']).trim_end();
        let Some(comment) = line.strip_prefix('#') else {
            if line.is_empty() {
                continue;
            }
            return None;
        };
        let mut rest = comment;
        while let Some(at) = rest.find("coding") {
            rest = &rest[at + "coding".len()..];
            if let Some(value) = rest.strip_prefix([':', '=']) {
                let value = value.trim_start_matches([' ', '\t']);
                let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
                let end = value.find(|c| !is_name(c)).unwrap_or(value.len());
                if end > 0 {
                    return Some(value[..end].to_owned());
                }
            }
        }
    }
    None
}

fn charset(name: &str) -> Option<Charsets> {
    let name = name.to_ascii_lowercase().replace('_', "-");
    match name.as_str() {
        "utf-8" | "utf8" | "u8" | "utf" | "utf-8-sig" | "utf-8-unix" | "utf-8-dos" => {
            Some(Charsets::Other(UTF_8))
        }
        "latin-1" | "latin1" | "iso-8859-1" | "iso8859-1" | "l1" | "8859" | "cp819" | "latin" => {
            Some(Charsets::Latin1)
        }
        "ascii" | "us-ascii" | "646" => Some(Charsets::Ascii),
        other => Charset::for_label(other.as_bytes()).map(Charsets::Other),
    }
}

/// The text of a source file. Fails where Python would, or where the text could not be written back as it was.
pub fn decode(bytes: &[u8]) -> Result<(String, Encoding), String> {
    let (bom, body) = match bytes.strip_prefix(BOM) {
        Some(body) => (true, body),
        None => (false, bytes),
    };
    let name = declared(body).unwrap_or_else(|| "utf-8".to_owned());
    let charset = charset(&name).ok_or_else(|| format!("unknown encoding {name}"))?;
    let encoding = Encoding { charset, bom };
    let text = match charset {
        Charsets::Latin1 => body.iter().map(|&byte| char::from(byte)).collect(),
        Charsets::Ascii if body.is_ascii() => String::from_utf8_lossy(body).into_owned(),
        Charsets::Ascii => return Err(format!("not valid {name}")),
        Charsets::Other(charset) => charset
            .decode_without_bom_handling_and_without_replacement(body)
            .ok_or_else(|| format!("not valid {name}"))?
            .into_owned(),
    };
    if encode(&text, encoding)? == bytes {
        Ok((text, encoding))
    } else {
        Err(format!("cannot be read and written back as {name}"))
    }
}

/// The bytes of a text in the encoding its file had.
pub fn encode(text: &str, encoding: Encoding) -> Result<Vec<u8>, String> {
    let mut bytes = if encoding.bom { BOM.to_vec() } else { Vec::new() };
    match encoding.charset {
        Charsets::Latin1 => {
            for c in text.chars() {
                bytes.push(u8::try_from(u32::from(c)).map_err(|_| format!("{c:?} is not in latin-1"))?);
            }
        }
        Charsets::Ascii if text.is_ascii() => bytes.extend_from_slice(text.as_bytes()),
        Charsets::Ascii => return Err("not all of the text is ASCII".to_owned()),
        Charsets::Other(charset) => {
            let (body, _, had_errors) = charset.encode(text);
            if had_errors {
                return Err(format!("not all of the text is in {}", charset.name()));
            }
            bytes.extend_from_slice(&body);
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    fn check(bytes: &[u8], text: &str) {
        let (decoded, encoding) = decode(bytes).unwrap();
        assert_eq!(decoded, text);
        assert_eq!(encode(&decoded, encoding).unwrap(), bytes);
    }

    #[test]
    fn texts_come_back_in_the_encoding_of_their_file() {
        check("x = 'é'\n".as_bytes(), "x = 'é'\n");
        check(b"\xef\xbb\xbfx = 1\n", "x = 1\n");
        check(b"# -*- coding: latin-1 -*-\nx = '\xe9\x85'\n", "# -*- coding: latin-1 -*-\nx = 'é\u{85}'\n");
        check(
            b"#!/usr/bin/python\n# vim: fileencoding=cp1251\nx = '\xe9'\n",
            "#!/usr/bin/python\n# vim: fileencoding=cp1251\nx = 'й'\n",
        );
        check(b"x = 1\n# coding: latin-1 is too late here\n", "x = 1\n# coding: latin-1 is too late here\n");
    }

    #[test]
    fn undecodable_files_are_refused() {
        assert!(decode(b"x = '\xe9'\n").is_err());
        assert!(decode(b"# coding: no-such-thing\n").is_err());
        assert!(decode(b"# coding: ascii\nx = '\xe9'\n").is_err());
    }
}
