#!/usr/bin/env bash
# Makes failing tests of random calls, pares them with each strategy, and keeps the paper's tables.
#   LANGUAGES="python java"   which suites
#   STRATEGIES="ssmin ddmin sdmin auto"
#   JOBS=1      cases at once (more make the seconds less exact)
#   SAMPLE=20   only so many cases of each, not kept in RESULTS.md
#   PYTHON310   a Python 3.10, for Pynguin
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
paring=${PARING:?name the built program: make bench-strategies does}
work=bench/work/strategies

for language in ${LANGUAGES:-python java}; do
    cases=$work/$language/cases.jsonl
    if [ ! -s "$cases" ]; then
        if [ "$language" = python ]; then
            "$python" bench/strategies/python_suite.py --python "${PYTHON310:-python3.10}"
        else
            "$python" bench/strategies/java_suite.py
        fi
    fi
    results=$work/results-$language${SAMPLE:+-sample-$SAMPLE}
    for strategy in ${STRATEGIES:-ssmin ddmin sdmin auto}; do
        "$paring" evaluate "$cases" --out-dir "$results/$strategy" --jobs "${JOBS:-1}" ${SAMPLE:+--sample "$SAMPLE"} -- --strategy "$strategy" >/dev/null
    done
    "$python" bench/strategies/tables.py "$cases" "$results" | tee "$results/tables.md"
    echo | tee -a "$results/tables.md"
    "$python" bench/strategies/paper_slice.py "$cases" "$results" | tee -a "$results/tables.md"
    if [ -z "${SAMPLE:-}" ]; then
        "$python" bench/results.py "strategies-$language" --table "$results/tables.md" --jobs "${JOBS:-1}"
    fi
done
