//! Without a version that passes: what must stay or the pared test fails on correct code too.

use crate::trial::{Ran, Trial};

/// Pares `test_it` and looks for a line of it, which the failure alone would let go, and for one that may go.
fn check(library: &str, test: &str, stays: &[&str], goes: &[&str]) {
    let trial = Trial::with_file("test_a.py", test);
    trial.project.write("library.py", library);
    let ran: Ran = trial.minimize(&["test_a.py::test_it"]);
    ran.only(0, "minimized");
    let lines: Vec<String> = ran.pared().lines().map(|line| line.trim().to_owned()).collect();
    let has = |line: &str| lines.iter().any(|found| found == line);
    assert!(stays.iter().all(|line| has(line)), "{stays:?} must stay\n{ran}");
    assert!(!goes.iter().any(|line| has(line)), "{goes:?} must go\n{ran}");
}

#[test]
fn a_call_that_was_to_change_files_stays_though_its_result_is_not_needed() {
    // The library copies what is there, and does not remove what is gone.
    let library = "def sync(source, target):\n    target.mkdir(exist_ok=True)\n    for file in source.iterdir():\n        (target / file.name).write_text(file.read_text())\n    return len(list(source.iterdir()))\n";
    let test = "from library import sync\n\n\ndef test_it(tmp_path):\n    source, target = tmp_path / 'a', tmp_path / 'b'\n    source.mkdir()\n    (source / 'x').write_text('x')\n    (source / 'y').write_text('y')\n    n = sync(source, target)\n    assert n == 2\n    (source / 'x').unlink()\n    n = sync(source, target)\n    assert n == 1\n    assert not (target / 'x').exists()\n";
    check(library, test, &["(source / 'x').unlink()", "n = sync(source, target)"], &["assert n == 1"]);
}

#[test]
fn what_the_code_should_have_read_stays_though_it_did_not() {
    let library = "import os\n\n\nclass Settings:\n    level = 1\n    depth = 1\n\n\ndef mode():\n    return os.environ.get('MODES', 'plain')\n\n\ndef load(path):\n    with open(path + '.bak') as file:\n        return file.read()\n\n\ndef level():\n    return Settings.depth\n";
    let test = "import os\nimport library\n\n\ndef test_it(monkeypatch, tmp_path):\n    noise = []\n    noise.append(1)\n";
    let of_mode =
        format!("{test}    monkeypatch.setenv('MODE', 'fast')\n    assert library.mode() == 'fast'\n");
    check(library, &of_mode, &["monkeypatch.setenv('MODE', 'fast')"], &["noise.append(1)"]);
    let of_file = format!(
        "{test}    path = tmp_path / 'x'\n    path.with_suffix('.bak').write_text('old')\n    path.write_text('new')\n    assert library.load(str(path)) == 'new'\n"
    );
    check(library, &of_file, &["path.write_text('new')"], &["noise.append(1)"]);
    let of_attribute = format!("{test}    library.Settings.level = 5\n    assert library.level() == 5\n");
    check(library, &of_attribute, &["library.Settings.level = 5"], &["noise.append(1)"]);
}

#[test]
fn what_the_test_did_to_a_fixture_stays_where_its_tear_down_fails() {
    let library = "class Pool:\n    def __init__(self):\n        self.free, self.taken = [1, 0], set()\n\n    def take(self):\n        n = self.free.pop()\n        self.taken.add(n)\n        return n\n\n    def give(self, n):\n        self.free.append(n)\n        if n:\n            self.taken.discard(n)\n";
    let test = "import pytest\nfrom library import Pool\n\n\n@pytest.fixture\ndef pool():\n    pool = Pool()\n    yield pool\n    assert not pool.taken\n\n\ndef test_it(pool):\n    noise = []\n    noise.append(1)\n    a = pool.take()\n    assert a == 0\n    pool.give(a)\n    assert noise\n";
    check(library, test, &["a = pool.take()", "pool.give(a)"], &["noise = []", "assert a == 0"]);
}

#[test]
fn a_view_changes_with_its_dict() {
    let library = "class Index:\n    def __init__(self):\n        self.words = {}\n\n    def add(self, word):\n        self.words[word] = self.words.get(word, 0) + 1\n\n    def drop(self, word):\n        self.words.pop(word)\n\n    def view(self):\n        return self.words.keys()\n";
    let test = "from library import Index\n\n\ndef test_it():\n    index = Index()\n    view = index.view()\n    index.add('red')\n    index.add('red')\n    assert len(view) == 1\n    index.drop('red')\n    is_there = 'red' in view\n    assert is_there\n";
    check(library, test, &["index.add('red')", "index.drop('red')"], &["assert len(view) == 1"]);
}

#[test]
fn an_object_that_is_let_go_stays_let_go_where_somebody_watches_it() {
    let library = "import weakref\n\n\nclass Ear:\n    pass\n\n\nclass Hub:\n    def __init__(self):\n        self.refs = []\n\n    def add(self, ear):\n        self.refs.append(weakref.ref(ear))\n\n    def count(self):\n        return len(self.refs)\n";
    let test = "from library import Ear, Hub\n\n\ndef test_it():\n    hub = Hub()\n    noise = [1]\n    ear = Ear()\n    hub.add(ear)\n    del noise\n    del ear\n    assert hub.count() == 0\n";
    check(library, test, &["del ear"], &["del noise"]);
}

#[test]
fn a_branch_that_good_code_takes_stays_with_its_jump() {
    let library = "def is_free(slot):\n    return slot > 3\n";
    let test = "from library import is_free\n\n\ndef test_it():\n    slot = 0\n    tried = []\n    while slot < 3:\n        tried.append(slot)\n        if is_free(slot):\n            found = slot\n            break\n        slot += 1\n    else:\n        found = None\n    assert len(tried) == 3\n    assert found == 2\n";
    check(library, test, &["found = slot", "break"], &["tried.append(slot)"]);
    let test = "from library import is_free\n\n\ndef test_it():\n    tried = []\n    for slot in [0, 1, 2]:\n        tried.append(slot)\n        if is_free(slot):\n            break\n    else:\n        slot = None\n    assert len(tried) == 3\n    assert slot == 2\n";
    check(library, test, &["if is_free(slot):", "break"], &["tried.append(slot)"]);
}

#[test]
fn what_good_code_would_have_run_stays_with_what_it_waits_for() {
    let library = "class Missing(Exception):\n    pass\n\n\nclass Box:\n    def __init__(self):\n        self.items = []\n\n    def add(self, item):\n        pass\n\n    def has(self, item):\n        return item in self.items\n\n    def take(self, item):\n        return None\n";
    let with_box = |body: &str| {
        let begin = "from library import Box, Missing\n\n\ndef test_it():\n    noise = [1]\n    noise.append(2)\n    box = Box()\n    box.add(1)\n";
        format!("{begin}{body}")
    };
    // A loop that had nothing to go through.
    let text = with_box(
        "    found = []\n    for item in box.items:\n        found.append(item)\n    assert found == [1]\n",
    );
    check(
        library,
        &text,
        &["box.add(1)", "for item in box.items:", "found.append(item)"],
        &["noise.append(2)"],
    );
    // A branch that was not taken.
    let text = with_box("    found = False\n    if box.has(1):\n        found = True\n    assert found\n");
    check(library, &text, &["box.add(1)", "if box.has(1):", "found = True"], &["noise.append(2)"]);
    // An exception that was not raised.
    let text = with_box(
        "    caught = False\n    try:\n        box.take(1)\n    except Missing:\n        caught = True\n    assert caught\n",
    );
    check(library, &text, &["box.take(1)", "except Missing:", "caught = True"], &["noise.append(2)"]);
    // A method of the asserted object that was handed over, and not called.
    let text =
        with_box("    found = []\n    box.heard = found.append\n    box.add(2)\n    assert found == [2]\n");
    check(library, &text, &["box.heard = found.append", "box.add(2)"], &["noise.append(2)"]);
}

#[test]
fn what_puts_things_back_stays_and_the_rest_is_still_sliced() {
    let library = "import os\n\n\ndef is_on(name):\n    return os.environ.get(name) != '0'\n";
    let test = "import os\n\nfrom library import is_on\n\n\ndef test_it():\n    before = dict(os.environ)\n    noise = []\n    try:\n        os.environ['CACHE'] = 'off'\n        noise.append(1)\n        assert noise\n        assert not is_on('CACHE')\n    finally:\n        os.environ.clear()\n        os.environ.update(before)\n";
    check(library, test, &["os.environ['CACHE'] = 'off'", "os.environ.update(before)"], &["noise = []"]);
}

const QUEUE: &str = "class Queue:\n    def __init__(self, items):\n        self.items = list(items)\n\n    def size(self):\n        return len(self.items)\n\n\ndef drain(queue):\n    return list(queue.items)\n";
const DRAINED: &str = "from library import Queue, drain\n\n\ndef test_it():\n    noise = []\n    queue = Queue([1, 2])\n    noise.append(1)\n    got = drain(queue)\n    assert noise\n    assert queue.size() == 0\n";

#[test]
fn a_call_that_was_to_change_what_it_was_given_stays_though_its_result_is_not_needed() {
    check(QUEUE, DRAINED, &["got = drain(queue)"], &["noise = []", "assert noise"]);
}

#[test]
fn what_a_function_is_given_again_in_the_failing_assertion_is_what_it_works_on() {
    let library = "def price(n, **rates):\n    return n * rates['net'] + (n > 2)\n";
    let test = "from library import price\n\n\ndef test_it():\n    rates = {'net': 5}\n    assert price(1, **rates) == 5\n    assert price(2, **rates) == 10\n    assert price(3, **rates) == 15\n";
    check(
        library,
        test,
        &["rates = {'net': 5}", "assert price(3, **rates) == 15"],
        &["assert price(1, **rates) == 5", "assert price(2, **rates) == 10"],
    );
}

#[test]
fn strategies_of_the_literature_know_no_such_rules_and_say_so() {
    let trial = Trial::with_file("test_a.py", DRAINED);
    trial.project.write("library.py", QUEUE);
    for strategy in ["ssmin", "sdmin", "fit"] {
        let ran = trial.minimize(&["test_a.py::test_it", "--strategy", strategy]);
        assert!(!ran.pared().contains("drain(queue)"), "{ran}");
        ran.says(&["without the rules that keep a result valid"]);
    }
}

const WAITLIST: &str = "class Waitlist:\n    def __init__(self):\n        self.names = []\n\n    def join(self, name):\n        self.names.append(name)\n\n    def cancel(self, name):\n        return name in self.names\n\n    def count(self):\n        return len(self.names)\n";

#[test]
fn a_method_that_was_to_change_its_object_stays_and_one_that_only_asks_goes() {
    let test = "from library import Waitlist\n\n\ndef test_it():\n    yoga = Waitlist()\n    yoga.join('ann')\n    n = yoga.count()\n    cancelled = yoga.cancel('ann')\n    print(n, cancelled)\n    assert yoga.count() == 0\n";
    check(WAITLIST, test, &["yoga.join('ann')", "cancelled = yoga.cancel('ann')"], &["n = yoga.count()"]);
}

#[test]
fn an_assertion_that_may_have_been_to_change_its_object_goes_with_a_doubt() {
    let test = "from library import Waitlist\n\n\ndef test_it():\n    yoga = Waitlist()\n    yoga.join('ann')\n    assert yoga.count() == 1\n    assert yoga.cancel('ann')\n    assert yoga.count() == 0\n";
    let trial = Trial::with_file("test_a.py", test);
    trial.project.write("library.py", WAITLIST);
    let ran = trial.minimize(&["test_a.py::test_it"]);
    ran.says(&["doubt: line 8: removed `assert yoga.cancel('ann')`: if that was to change what `assert yoga.count() == 0` looks at", "(--good REV)"]);
    assert!(!ran.stdout.contains("doubt: line 7"), "{ran}");
}

#[test]
fn a_jump_that_later_rounds_of_the_failing_loop_need_goes_with_a_doubt() {
    let library = "def load(name):\n    if not name.startswith('/'):\n        raise ValueError('no such file: ' + name)\n    return name\n";
    let test = "import os\n\nfrom library import load\n\n\ndef names():\n    return list(os.environ.get('NAMES', 'a.txt bad.txt').split())\n\n\ndef test_it():\n    for name in names():\n        if 'bad' in name:\n            continue\n        load(name)\n";
    let trial = Trial::with_file("test_a.py", test);
    trial.project.write("library.py", library);
    let ran = trial.minimize(&["test_a.py::test_it"]);
    assert!(!ran.pared().contains("continue"), "{ran}");
    ran.says(&["doubt: line 13", "removed `continue`, which ended rounds of the failing loop"]);
}

#[test]
fn what_the_test_forgives_stays_forgiven_though_it_did_not_come_to_it() {
    // With room for one the second `take` has nothing to take.
    let library = "class Bag:\n    def __init__(self, size):\n        self.size, self.items = size, []\n\n    def put(self, item):\n        if len(self.items) > self.size:\n            self.items.pop(0)\n        self.items.append(item)\n\n    def take(self):\n        return self.items.pop()\n";
    let test = "from library import Bag\n\n\ndef test_it():\n    noise = []\n    bag = Bag(1)\n    bag.put('a')\n    bag.put('b')\n    bag.take()\n    try:\n        noise.append(1)\n        bag.take()\n    except IndexError:\n        pass\n    bag.put('c')\n    bag.put('d')\n    assert len(bag.items) == 1\n";
    check(library, test, &["bag.take()", "except IndexError:"], &["noise.append(1)"]);
}

#[test]
fn what_was_to_raise_stays_where_the_block_itself_says_that_nothing_came() {
    let library = "def parse(text):\n    return text\n";
    for verdict in ["assert False, 'no error'", "pytest.fail('no error')"] {
        let test = format!(
            "import pytest\nfrom library import parse\n\n\ndef test_it():\n    text = ''\n    noise = [text]\n    with pytest.raises(ValueError):\n        parse(text)\n        {verdict}\n    assert noise\n"
        );
        check(library, &test, &["parse(text)", verdict], &["noise = [text]"]);
    }
}
