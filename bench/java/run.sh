#!/usr/bin/env bash
# Lays the corpus out, evaluates paring on it without and with the newer release at hand, and keeps the tables; then many tests with
# one call, the paper's baseline (a static slice alone), and experiments alone on the largest tests.
#   SAMPLE=50   only so many cases, not kept in RESULTS.md
#   JOBS=1      cases at once (more make the seconds less exact)
#   CASES=file  cases that are laid out already
#   GOOD="0 1"  which of the two runs to make
#   PEERS=0     leave the baselines out
#   LARGEST=15  tests for the run of ddmin alone
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
paring=${PARING:?name the built program: make bench-java does}
cases=${CASES:-bench/work/java/cases.jsonl}
results=bench/work/results

if [ -z "${CASES:-}" ]; then
    "$python" bench/java/layout.py
fi

# evaluate NAME CASES [OPTION...]: one run over cases, its tables kept unless it is a sample
evaluate() {
    local name=$1 cases=$2 out
    shift 2
    out=$results/$name${SAMPLE:+-sample-$SAMPLE}
    "$paring" evaluate "$cases" --out-dir "$out" --restart --jobs "${JOBS:-1}" ${SAMPLE:+--sample "$SAMPLE"} "$@"
    if [ -z "${SAMPLE:-}" ]; then
        "$python" bench/results.py "$name" --table "$out/tables.md" --jobs "${JOBS:-1}"
    fi
}

# batch NAME [OPTION...]: all tests of a pair with one call, the table kept
batch() {
    local name=$1
    shift
    "$python" bench/java/batch.py "$cases" --paring "$paring" "$@" | tee "$results/$name.md"
    if [ -z "${SAMPLE:-}" ]; then
        "$python" bench/results.py "$name" --table "$results/$name.md"
    fi
}

for good in ${GOOD:-0 1}; do
    if [ "$good" = 1 ]; then
        evaluate java-good "$cases" --good
    else
        evaluate java "$cases"
    fi
done

if [ "${PEERS:-1}" = 1 ]; then
    mkdir -p "$results"
    batch java-batch
    batch java-ssmin --at-least 1 --strategy ssmin
    "$python" - "$cases" "${LARGEST:-15}" >"$results/largest.jsonl" <<'END'
import json, sys
cases = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
for case in sorted(cases, key=lambda case: -case["statements"])[: int(sys.argv[2])]:
    print(json.dumps(case))
END
    SAMPLE='' evaluate java-largest "$results/largest.jsonl"
    SAMPLE='' evaluate java-largest-ddmin "$results/largest.jsonl" -- --strategy ddmin
    if [ -z "${SAMPLE:-}" ]; then
        "$python" bench/java/compare.py "$results" | tee "$results/java-baselines.md"
        "$python" bench/results.py java-baselines --table "$results/java-baselines.md" --jobs "${JOBS:-1}"
    fi
fi
