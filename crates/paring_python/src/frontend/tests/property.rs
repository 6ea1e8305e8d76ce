//! What holds for every edit of every file.

use super::errors;
use crate::frontend::PythonFrontend;
use camino::Utf8Path;
use paring_model::{EditSet, Form, Frontend, TargetSpec, Unit};
use proptest::prelude::*;

/// Small files with all that is hard to cut.
const FILES: &[(&str, &str)] = &[
    ("test", "def test():\n    a; b; \\\n  c\n    if x: d; e;\n    else: f\n    g = [1,\n2]; h\n"),
    (
        "test",
        "import a, b\nfrom c import (d,\n    e)\nfrom f import g, \\\n  h\ndef test(a, b=1, *c, d, **e):\n    try: x\n    except* A: y\n    except* B as b:\n        z\n    else: u\n    finally:\n        v\n",
    ),
    (
        "test[1-x1]",
        "@p.mark.parametrize('x', [[1], [2],])\n@p.mark.parametrize('y', (1, 2))\n@mark\ndef test(x, y, z):\n  for a in (1, 2, 3):\n    if a: break\n    elif b: continue\n    else:\n      while 1: pass\n      else: break\n  else: q\n",
    ),
    (
        "T::test",
        "@d\nclass T(B):\n\t'doc'\n\tx = 1\n\t@patch('a')\n\tasync def test(self, m, n):\n\t\tasync with a as b, c() as d: pass\n\t\tasync for i in j:\n\t\t\tmatch k:\n\t\t\t\tcase [1, *x] if y: a; b\n\t\t\t\tcase _:\n\t\t\t\t\tawait z\n",
    ),
    (
        "test",
        "def test():\r\n    with (a as b,\r\n  c): d; e\r\n    x = '''\r\n  é\r\n# no comment\r\n'''\r\n    # c\r\n    if f'{a\r\n    }': \\\r\n      b\r\n    lambda: (yield)\r\n    ",
    ),
    (
        "test",
        "def test():\n    if a:\n        with b:\n            try:\n                c\n                # d\n            finally:\n                e\n\n    f",
    ),
];

fn arbitrary_edits(unit: &Unit, picks: &[u8]) -> EditSet {
    let mut edits = EditSet::all(unit);
    let mut picks = picks.iter().copied().cycle();
    let mut next = || picks.next().unwrap_or(0);
    for id in unit.ids() {
        match next() {
            0..70 => edits.remove(unit, id),
            70..140 => {
                if edits.kept.contains(id) {
                    edits.unwrapped.insert(id);
                }
            }
            140.. => {}
        }
    }
    for id in unit.trim_ids() {
        if next() < 128 {
            edits.trims.insert(id);
        }
    }
    edits
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_edit_of_a_valid_file_is_a_valid_file(file in 0..FILES.len(), picks in prop::collection::vec(any::<u8>(), 97)) {
        let (target, source) = FILES[file];
        let target = TargetSpec::new(format!("t.py::{target}"));
        let (unit, problems) = PythonFrontend.parse(Utf8Path::new("t.py"), source, &target);
        prop_assert_eq!(problems, vec![]);
        let unit = PythonFrontend.with_literals(unit);
        for form in [Form::Blanked, Form::Compact] {
            prop_assert_eq!(&PythonFrontend.edited(&unit, &EditSet::all(&unit), form).into_text(), source);
            let text = PythonFrontend.edited(&unit, &arbitrary_edits(&unit, &picks), form).into_text();
            prop_assert!(errors(&text).is_empty(), "{form:?} {:?}\n{text}", errors(&text));
            if form == Form::Blanked {
                prop_assert_eq!(text.lines().count(), source.lines().count());
            }
        }
    }
}
