#!/usr/bin/env bash
# Runs paring, its strategies alone and public reducers on the same cases, and keeps the table.
#   N_CASES=16  how many cases;  TOOLS="paring picire"  which tools;  CASES=file  cases that are laid out already
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
paring=${PARING:?name the built program: make bench-peers does}
cases=${CASES:-bench/work/python/cases.jsonl}

if [ -z "${CASES:-}" ]; then
    "$python" bench/python/layout.py --python "${PYTHON311:-$python}"
fi
"$python" bench/python/peers.py "$cases" --paring "$paring" --python312 "${PYTHON312:-$python}" \
    --out bench/work/results/peers --cases "${N_CASES:-16}" --tools "${TOOLS:-all}"
"$python" bench/results.py peers --table bench/work/results/peers/tables.md --python "${PYTHON311:-$python}"
