#!/usr/bin/env bash
# Runs paring, treereduce and Shrink Ray on the programs in bench/command/cases, and keeps the table.
#   TOOLS=paring  which tools;  CASES=javascript,c  which programs;  CAP=300  seconds for each
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
paring=${PARING:?name the built program: make bench-command does}
"$python" bench/command/peers.py --paring "$paring" --python312 "${PYTHON312:-$python}" --tools "${TOOLS:-paring,treereduce,shrinkray}" \
    --cases "${CASES:-javascript,rust,go,c}" --cap "${CAP:-300}"
if [ -z "${TOOLS:-}${CASES:-}" ]; then
    "$python" bench/results.py command --table bench/work/results/command/tables.md
fi
