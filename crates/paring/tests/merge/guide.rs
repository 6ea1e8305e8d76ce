//! The examples of the guide page: what stands there is what the program writes.

use crate::trial::Trial;

const PAGE: &str = include_str!("../../../../docs/merge.md");

/// The fenced parts of a page, as their language and text.
fn fences(page: &str) -> Vec<(&str, &str)> {
    let parts = page.split("```").skip(1).step_by(2);
    parts.filter_map(|part| part.split_once('\n')).collect()
}

#[test]
fn the_examples_of_the_guide_are_what_comes_out() {
    let fences = fences(PAGE);
    let library = fences.iter().find(|(language, _)| *language == "python").expect("there is a library").1;
    let mut n_seen = 0;
    for example in fences.windows(3) {
        let [("python", before), ("sh", command), ("python", after)] = example else { continue };
        let args: Vec<&str> = command.split_whitespace().skip(2).collect();
        let ran = Trial::with_files(&[("shop.py", library), (args[0], before)]).merge(&args);
        assert_eq!(ran.text(), *after, "{command}{ran}");
        n_seen += 1;
    }
    assert_eq!(n_seen, 4, "each form has an example");
}
