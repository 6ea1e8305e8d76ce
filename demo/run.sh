#!/usr/bin/env bash
# Pares one real failing test: that of a newer release of humanize, run on the release before it.
# Both are fetched from the package index by name and version, into .tools/demo; a second time nothing is fetched.
# Then, where there is a JDK and Maven, a JUnit test of the small project in demo/shop.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
paring=$(realpath "${PARING:?name the built program: make demo does}")
demo=.tools/demo
target='tests/test_time.py::test_naturaldate_tz_aware'

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }

if [ ! -s "$demo/cases.jsonl" ]; then
    say "Fetching humanize 4.15.0 (the code) and 4.16.0 (the tests)"
    "$python" bench/python/layout.py --out "$demo" --python "$python" \
        --only "humanize-4.15.0-4.16.0::$target"
fi

# The case as shell words: folder, interpreter, the older release.
eval "$("$python" - "$demo/cases.jsonl" <<'END'
import json, shlex, sys
case = json.loads(open(sys.argv[1]).readline())
for name, value in (("cwd", case["cwd"]), ("interpreter", case["python"]), ("path", case["env"]["PYTHONPATH"])):
    print(f"{name}={shlex.quote(value)}")
END
)"
(
cd "$cwd"
export PYTHONPATH=$path TZ=UTC PYTHONDONTWRITEBYTECODE=1

say "The failing test:  pytest $target"
"$interpreter" -m pytest -q -p no:cacheprovider --no-header "$target" || true

say "Pared:  paring minimize $target"
"$paring" minimize "$target" --python "$interpreter"
)

if ! command -v mvn >/dev/null || ! command -v javac >/dev/null; then
    say "No JDK and Maven here: the JUnit test is left out"
    exit 0
fi
target='shop.OrderTest#removedArticlesAreNotPaid'
rm -rf "$demo/shop"
cp -R demo/shop "$demo/shop"
cd "$demo/shop"

say "The failing test:  mvn test -Dtest=$target"
mvn -B -q test "-Dtest=$target" 2>&1 | grep -m 4 -E 'OrderTest|expected' || true

say "Pared:  paring minimize '$target' --explain"
"$paring" minimize "$target" --explain
