#!/usr/bin/env bash
# Makes failing tests of random calls, pares them with each strategy, and keeps the paper's tables.
#   LANGUAGES="python java"   which suites
#   STRATEGIES="ssmin ddmin sdmin auto"
#   JOBS=1      cases at once (more make the seconds less exact: TIMED=10 cases are run one at a time for them then)
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
    evaluate() { # RESULTS SAMPLE JOBS STRATEGY...
        for strategy in "${@:4}"; do
            "$paring" evaluate "$cases" --out-dir "$1/$strategy" ${2:+--sample "$2"} --jobs "$3" -- --strategy "$strategy" >/dev/null
        done
    }
    # shellcheck disable=SC2086 # a list of words
    evaluate "$results" "${SAMPLE:-}" "${JOBS:-1}" ${STRATEGIES:-ssmin ddmin sdmin auto}
    {
        "$python" bench/strategies/tables.py "$cases" "$results"
        echo
        "$python" bench/strategies/paper_slice.py "$cases" "$results"
        if [ -z "${SAMPLE:-}" ]; then
            printf '\nGroups of `paring minimize --group` against the faults that the original failures tell:\n\n'
            "$python" bench/strategies/grouping.py "$cases" "$results-groups" --paring "$paring"
        fi
        if [ "${JOBS:-1}" != 1 ]; then
            evaluate "$results-timed" "${TIMED:-10}" 1 ssmin ddmin sdmin
            echo
            "$python" bench/strategies/tables.py "$cases" "$results-timed" --seconds
        fi
    } | tee "$results/tables.md"
    if [ -z "${SAMPLE:-}" ]; then
        "$python" bench/results.py "strategies-$language" --table "$results/tables.md" --jobs "${JOBS:-1}"
    fi
done
