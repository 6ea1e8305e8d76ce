#!/usr/bin/env bash
# Localises seeded and real faults with and without pared tests, beside public tools too, measures what recording costs, and keeps the tables.
#   PARTS="overhead peers seeded real several"   which parts, `several` being real faults among other faults;  LANGUAGES="python java"
#   FAULTS=100   seeded faults of each project;  SEED=1;  PARE=24   failing tests of one to pare at most
#   JOBS=2       faults at once
#   PYTHON312    the Python of the Python projects: `sys.monitoring` is there from 3.12 on
#   PYTHON_CASES, JAVA_CASES   corpora that are laid out already
#   FIND=1       look for the hunks of real faults that are not in bench/localize/faults-*.jsonl yet, which takes hours
#   SMALL=1      a quick look, not kept in RESULTS.md
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
paring=${PARING:?name the built program: make bench-localize does}
results=bench/work/results
jobs=${JOBS:-2}
repeat=$([ -n "${SMALL:-}" ] && echo 1 || echo 5)
mkdir -p "$results"

# kept SECTION FILE: the table into RESULTS.md
kept() {
    if [ -z "${SMALL:-}" ]; then
        "$python" bench/results.py "$1" --table "$2" --jobs "$jobs"
    fi
}

for part in ${PARTS:-overhead peers seeded real several}; do
    for language in ${LANGUAGES:-python java}; do
        out=$results/localize-$part-$language.md
        interpreter=()
        if [ "$language" = python ]; then
            interpreter=(--python "${PYTHON312:-$python}")
        fi
        case $part in
        overhead)
            script=$([ "$language" = java ] && echo overhead_java.py || echo overhead.py)
            "$python" "bench/localize/$script" --paring "$paring" "${interpreter[@]}" --repeat "$repeat" --out "$out"
            ;;
        peers)
            "$python" "bench/localize/peers_$language.py" --paring "$paring" "${interpreter[@]}" ${SMALL:+--faults 1} --out "$out"
            ;;
        seeded)
            "$python" bench/localize/seeded.py "$language" --paring "$paring" "${interpreter[@]}" --faults "${FAULTS:-100}" --seed "${SEED:-1}" --pare "${PARE:-24}" --jobs "$jobs" | tee "$out"
            ;;
        real | several)
            cases=${PYTHON_CASES:-bench/work/python/cases.jsonl}
            if [ "$language" = java ]; then
                cases=${JAVA_CASES:-bench/work/java/cases.jsonl}
            fi
            if [ ! -s "$cases" ]; then
                "$python" "bench/$language/layout.py"
            fi
            faults=bench/localize/faults-$language.jsonl
            if [ -n "${FIND:-}" ]; then
                "$python" bench/localize/faults.py "$language" "$cases" --paring "$paring" --out "$faults" --jobs "$jobs"
            fi
            "$python" bench/localize/real.py "$language" "$faults" "$cases" --paring "$paring" --jobs "$jobs" $([ "$part" = several ] && echo --several) ${SMALL:+--limit 4} | tee "$out"
            ;;
        esac
        kept "localize-$part-$language" "$out"
    done
done
