#!/usr/bin/env bash
# packaging/check_tests.sh CTEST-OUTPUT LAST-TEST-LOG
#
# Fails, naming the test, where a run of ctest that passed did less than it seems to: a test that was
# skipped, disabled or not run, a Qt Test program without a test function, or one that said nothing.
# Says nothing where all is well.
set -euo pipefail

bad=$(
    # Lines such as "3/9 Test #3: name ...***Skipped" and "...***Not Run (Disabled)".
    grep -E '^ *[0-9]+/[0-9]+ Test +#[0-9]+: .*\*\*\*(Skipped|Not Run)' "$1" || true
    awk '
        # One test: its name, its output between the two rulers, its verdict.
        /^[0-9]+\/[0-9]+ Testing: / { name = substr($0, index($0, "Testing: ") + 9); lines = 0; inside = 0 }
        /^Output:$/ { inside = 1; next }
        /^<end of output>$/ {
            if (inside && lines == 0) print name ": says nothing, so nothing shows that it tests"
            inside = 0
        }
        !inside || /^-+$/ || /^$/ { next }
        { lines++ }
        /^SKIP +: / { print name ": " $0 }
        /^(BFAIL|BPASS|BXPASS|BXFAIL) +: / { print name ": " $0 }
        /^Totals: / {
            # initTestCase and cleanupTestCase count as two passes.
            if ($2 + $4 <= 2) print name ": a Qt Test program without a test function"
            if ($6 + 0 > 0 || $8 + 0 > 0) print name ": " $0
        }
    ' "$2"
    grep -q '^<end of output>$' "$2" || echo "$2 names no test at all"
)
if [[ -n $bad ]]; then
    printf 'Tests that were skipped, disabled or empty:\n%s\n' "$bad" >&2
    exit 1
fi
