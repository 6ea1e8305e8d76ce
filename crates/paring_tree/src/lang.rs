//! The languages, by their names and by the names of their files.

use crate::autotest::AutotestFrontend;
use crate::frontend::TreeFrontend;
use paring_model::Frontend;

/// A language without a test front end, or used without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lang {
    Python,
    Java,
    Javascript,
    Typescript,
    Tsx,
    Rust,
    Go,
    C,
    Cpp,
    Autotest,
}

impl Lang {
    /// Those a user can ask for. TSX is TypeScript in a `.tsx` file.
    pub const ALL: [Lang; 9] = [
        Lang::Python,
        Lang::Java,
        Lang::Javascript,
        Lang::Typescript,
        Lang::Rust,
        Lang::Go,
        Lang::C,
        Lang::Cpp,
        Lang::Autotest,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Lang::Python => "python",
            Lang::Java => "java",
            Lang::Javascript => "javascript",
            Lang::Typescript | Lang::Tsx => "typescript",
            Lang::Rust => "rust",
            Lang::Go => "go",
            Lang::C => "c",
            Lang::Cpp => "cpp",
            Lang::Autotest => "autotest",
        }
    }

    /// The language of files with this extension.
    pub fn of_extension(extension: &str) -> Option<Self> {
        Some(match extension {
            "py" | "pyi" => Lang::Python,
            "java" => Lang::Java,
            "js" | "mjs" | "cjs" | "jsx" => Lang::Javascript,
            "ts" | "mts" | "cts" => Lang::Typescript,
            "tsx" => Lang::Tsx,
            "rs" => Lang::Rust,
            "go" => Lang::Go,
            "c" | "h" => Lang::C,
            "cc" | "cpp" | "cxx" | "c++" | "hh" | "hpp" | "hxx" => Lang::Cpp,
            "autotest" => Lang::Autotest,
            _ => return None,
        })
    }

    pub fn frontend(self) -> &'static dyn Frontend {
        match self {
            Lang::Python => &TreeFrontend { lang: Lang::Python },
            Lang::Java => &TreeFrontend { lang: Lang::Java },
            Lang::Javascript => &TreeFrontend { lang: Lang::Javascript },
            Lang::Typescript => &TreeFrontend { lang: Lang::Typescript },
            Lang::Tsx => &TreeFrontend { lang: Lang::Tsx },
            Lang::Rust => &TreeFrontend { lang: Lang::Rust },
            Lang::Go => &TreeFrontend { lang: Lang::Go },
            Lang::C => &TreeFrontend { lang: Lang::C },
            Lang::Cpp => &TreeFrontend { lang: Lang::Cpp },
            Lang::Autotest => &AutotestFrontend,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_an_extension_and_a_front_end() {
        for (extension, lang) in
            [("py", Lang::Python), ("java", Lang::Java), ("mjs", Lang::Javascript), ("ts", Lang::Typescript)]
                .into_iter()
                .chain([("rs", Lang::Rust), ("go", Lang::Go), ("h", Lang::C), ("cc", Lang::Cpp)])
                .chain([("tsx", Lang::Tsx), ("autotest", Lang::Autotest)])
        {
            assert_eq!(Lang::of_extension(extension), Some(lang));
            assert_eq!(lang.frontend().count_tokens(""), 0);
        }
        assert_eq!(Lang::of_extension("txt"), None);
    }
}
