#!/usr/bin/env bash
# Lays the corpus out, evaluates paring on it without and with the newer release at hand, and keeps the tables.
#   SAMPLE=50   only so many cases, not kept in RESULTS.md
#   JOBS=1      cases at once (more make the seconds less exact)
#   CASES=file  cases that are laid out already
#   GOOD="0 1"  which of the two runs to make
#   PEERS=0     leave the second table out (see peers.sh)
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
paring=${PARING:?name the built program: make bench-python does}
cases=${CASES:-bench/work/python/cases.jsonl}

if [ -z "${CASES:-}" ]; then
    "$python" bench/python/layout.py --python "${PYTHON311:-$python}"
fi

for good in ${GOOD:-0 1}; do
    name=python
    options=()
    if [ "$good" = 1 ]; then
        name=python-good
        options+=(--good)
    fi
    out=bench/work/results/$name${SAMPLE:+-sample-$SAMPLE}
    if [ -n "${SAMPLE:-}" ]; then
        options+=(--sample "$SAMPLE")
    fi
    "$paring" evaluate "$cases" --out-dir "$out" --restart --jobs "${JOBS:-1}" "${options[@]}"
    if [ -z "${SAMPLE:-}" ]; then
        "$python" bench/results.py "$name" --table "$out/tables.md" --python "${PYTHON311:-$python}" --jobs "${JOBS:-1}"
    fi
done

if [ -z "${SAMPLE:-}" ] && [ "${PEERS:-1}" = 1 ]; then
    CASES=$cases bench/python/peers.sh
fi
