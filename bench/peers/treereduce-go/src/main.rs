//! treereduce for Go: the public library's own command line over the public grammar, for `peers.py`.

fn main() -> anyhow::Result<()> {
    treereduce::cli::main(
        tree_sitter_go::LANGUAGE.into(),
        tree_sitter_go::NODE_TYPES,
        std::collections::HashMap::new(),
    )
}
