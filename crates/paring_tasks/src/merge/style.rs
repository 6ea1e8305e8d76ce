//! How names are put together in a language.

use paring_model::Framework;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `two_words`
    Snake,
    /// `twoWords`
    Camel,
}

impl Style {
    pub fn of(framework: Framework) -> Self {
        match framework {
            Framework::Pytest | Framework::Unittest => Style::Snake,
            Framework::Jupiter | Framework::Junit4 | Framework::Junit3 => Style::Camel,
        }
    }

    /// What begins a comment.
    pub fn comment(self) -> &'static str {
        match self {
            Style::Snake => "#",
            Style::Camel => "//",
        }
    }

    /// A further word behind a name.
    pub fn suffix(self, word: &str) -> String {
        match self {
            Style::Snake => format!("_{word}"),
            Style::Camel => capital(word),
        }
    }

    /// A number behind a name.
    pub fn number(self, n: u32) -> String {
        match self {
            Style::Snake => format!("_{n}"),
            Style::Camel => n.to_string(),
        }
    }

    /// The words of a name, in lower case where they are told apart by capitals.
    pub fn words(self, name: &str) -> Vec<String> {
        match self {
            Style::Snake => name.split('_').filter(|word| !word.is_empty()).map(str::to_owned).collect(),
            Style::Camel => camel_words(name),
        }
    }

    pub fn joined(self, words: &[String]) -> String {
        match self {
            Style::Snake => words.join("_"),
            Style::Camel => {
                let parts = words.iter().enumerate();
                parts.map(|(idx, word)| if idx == 0 { lower(word) } else { capital(word) }).collect()
            }
        }
    }

    /// Whether a word may be no name.
    pub fn is_keyword(self, word: &str) -> bool {
        let words = match self {
            Style::Snake => {
                "and as assert async await break class continue def del elif else except finally for from \
                             global if import in is lambda nonlocal not or pass raise return try while with yield None True False"
            }
            Style::Camel => {
                "abstract assert boolean break byte case catch char class const continue default do double else enum \
                             extends final finally float for goto if implements import instanceof int interface long native new \
                             package private protected public return short static super switch synchronized this throw throws \
                             transient try void volatile while true false null var yield record"
            }
        };
        words.split_whitespace().any(|known| known == word)
    }
}

fn camel_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut was_lower = false;
    for c in name.chars() {
        if c == '_' || c == '$' {
            was_lower = false;
            words.push(String::new());
            continue;
        }
        if c.is_uppercase() && was_lower || words.is_empty() {
            words.push(String::new());
        }
        was_lower = !c.is_uppercase();
        words.last_mut().expect("there is a word").push(c);
    }
    words.retain(|word| !word.is_empty());
    words.into_iter().map(|word| lower(&word)).collect()
}

pub fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The first letter small, unless all of it is capital.
fn lower(word: &str) -> String {
    if word.chars().count() > 1 && word.chars().all(|c| !c.is_lowercase()) {
        return word.to_lowercase();
    }
    let mut letters = word.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}
