//! Messages of logs that tell of resources, as `[[tool.paring.log]]` has them.
//!
//! ```toml
//! [[tool.paring.log]]
//! template = "write table {table}"   # "write" says that it changes the table
//!
//! [[tool.paring.log]]
//! template = "cache miss for {key}"
//! how = "uses"
//!
//! [[tool.paring.log]]
//! defines = ["flushed"]              # a word more for all templates
//! ```

use paring_model::{How, LogTemplate};
use toml::{Table, Value};

/// Words of messages that say what happened, without their endings.
const WORDS: [(How, &[&str]); 3] = [
    (
        How::Kill,
        &["delet", "remov", "drop", "truncat", "clear", "unlink", "purg", "destroy", "overwrit", "replac"],
    ),
    (
        How::Define,
        &[
            "write", "writ", "wrote", "written", "creat", "updat", "insert", "append", "add", "set", "sav",
            "stor", "put", "chang", "modif", "renam", "mov", "mak", "made", "start", "stopp", "stop", "clos",
            "flush", "commit", "publish", "send", "sent", "regist", "mount", "connect", "bind", "bound",
        ],
    ),
    (
        How::Use,
        &[
            "read", "load", "us", "get", "got", "fetch", "quer", "select", "list", "find", "found", "look",
            "check", "open", "receiv", "access", "scan", "consum", "import", "pars",
        ],
    ),
];
const ENDINGS: [&str; 10] = ["", "s", "e", "es", "ed", "ing", "y", "ies", "ied", "er"];

/// The templates of a list of tables, with the words that these add.
pub fn templates(value: &Value) -> Result<Vec<LogTemplate>, String> {
    let entries = value.as_array().ok_or("a list of tables is expected, as [[tool.paring.log]] makes it")?;
    let tables: Option<Vec<&Table>> = entries.iter().map(Value::as_table).collect();
    let tables = tables.ok_or("a list of tables is expected, as [[tool.paring.log]] makes it")?;
    let mut more: Vec<(How, String)> = Vec::new();
    for (key, value) in tables.iter().flat_map(|table| table.iter()) {
        match key.as_str() {
            "template" | "how" => {}
            word => more.extend(words(how(word).ok_or_else(|| unknown(key))?, value)?),
        }
    }
    tables.iter().filter(|table| table.contains_key("template")).map(|table| template(table, &more)).collect()
}

fn unknown(key: &str) -> String {
    format!("unknown key `{key}`; known are template, how, uses, defines, ends")
}

/// What happens, as users write it.
fn how(word: &str) -> Option<How> {
    match word {
        "uses" => Some(How::Use),
        "defines" => Some(How::Define),
        "ends" => Some(How::Kill),
        _ => None,
    }
}

fn words(how: How, value: &Value) -> Result<Vec<(How, String)>, String> {
    let list = value.as_array().ok_or("a list of words is expected")?;
    let word = |value: &Value| Some((how, value.as_str()?.to_lowercase()));
    list.iter().map(word).collect::<Option<_>>().ok_or_else(|| "a list of words is expected".to_owned())
}

fn template(table: &Table, more: &[(How, String)]) -> Result<LogTemplate, String> {
    let text = table.get("template").and_then(Value::as_str).ok_or("`template`: a string is expected")?;
    let has_name = text.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
    if has_name.is_none_or(|(name, _)| name.is_empty()) {
        return Err(format!(
            "`{text}` names no resource: write {{file}}, {{table}} or any other word in braces"
        ));
    }
    let given = table.get("how").map(|value| {
        let word = value.as_str().unwrap_or_default();
        how(word).ok_or_else(|| format!("`how`: {value} is none of uses, defines, ends"))
    });
    let found = given.transpose()?.or_else(|| told(text, more));
    let how = found.ok_or_else(|| {
        format!("no word of `{text}` says whether it uses or changes something: add how = \"uses\", \"defines\" or \"ends\"")
    })?;
    Ok(LogTemplate { text: text.to_owned(), how })
}

/// What the first word that is known says. Words of the user go first.
fn told(text: &str, more: &[(How, String)]) -> Option<How> {
    let outside = text.split('{').enumerate().map(|(idx, part)| match idx {
        0 => part,
        _ => part.split_once('}').map_or("", |(_, rest)| rest),
    });
    let outside = outside.collect::<Vec<_>>().join(" ").to_lowercase();
    let all: Vec<&str> =
        outside.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let own = |word: &&str| more.iter().find(|(_, known)| known == word).map(|(how, _)| *how);
    let preset = |word: &&str| {
        let is_one = |stem: &&str| word.strip_prefix(stem).is_some_and(|end| ENDINGS.contains(&end));
        WORDS.iter().find(|(_, stems)| stems.iter().any(is_one)).map(|(how, _)| *how)
    };
    all.iter().find_map(own).or_else(|| all.iter().find_map(preset))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<Vec<(String, How)>, String> {
        let table: Table = toml::from_str(text).expect("TOML");
        Ok(templates(&table["log"])?.into_iter().map(|it| (it.text, it.how)).collect())
    }

    #[test]
    fn a_word_says_whether_something_is_used_or_changed() {
        for (text, how) in [
            ("read file {file}", How::Use),
            ("Loading {file}", How::Use),
            ("write table {table}", How::Define),
            ("table {table} was updated", How::Define),
            ("{file} removed", How::Kill),
        ] {
            let found = check(&format!("[[log]]\ntemplate = '{text}'\n")).unwrap();
            assert_eq!(found, [(text.to_owned(), how)]);
        }
    }

    #[test]
    fn words_can_be_added_and_what_is_said_wins() {
        let found = check(
            "[[log]]\ntemplate = 'ingested {key}'\n[[log]]\ntemplate = 'read {key}'\nhow = 'ends'\n[[log]]\ndefines = ['ingested']\n",
        );
        let expected = [("ingested {key}".to_owned(), How::Define), ("read {key}".to_owned(), How::Kill)];
        assert_eq!(found.unwrap(), expected);
    }

    #[test]
    fn what_says_nothing_is_refused() {
        let message = |text: &str| check(text).unwrap_err();
        assert!(message("[[log]]\ntemplate = 'frobnicates {x}'\n").contains("add how"));
        assert!(message("[[log]]\ntemplate = 'read it'\n").contains("names no resource"));
        assert!(message("[[log]]\ntemplates = 'read {x}'\n").contains("unknown key"));
    }
}
