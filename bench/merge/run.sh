#!/usr/bin/env bash
# The paper's tables (Testler) on public suites, and the tables into RESULTS.md. What was measured is kept in bench/work/merge and taken up again.
#   MINUTES=20   for all;  CLASSES=4   classes or files of each suite that are merged;  SEED=1   that they are drawn by
#   PARTS="prevalence,reduction"   PYTHON312   the Python of the Python projects   SMALL=1   a quick look, not kept
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
out=bench/work/results/merge.md
mkdir -p bench/work/results
"$python" bench/merge/measure.py "${PARING:?name the built program: make bench-merge does}" --parts "${PARTS:-prevalence,reduction}" \
    --minutes "${MINUTES:-20}" --classes "${CLASSES:-4}" --seed "${SEED:-1}" --python "${PYTHON312:-$python}" --out "$out"
if [ -z "${SMALL:-}" ]; then
    "$python" bench/results.py merge --table "$out"
fi
