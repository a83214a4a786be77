#!/usr/bin/env bash
# Shows that no text of the source tree ROOT, comments and the manual included, has a phrase of
# phrases.txt. Line ends and what begins a comment's next line count as one space.
set -euo pipefail
rules="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/phrases.txt"
cd "$1"
find README.md app core packaging resources tests widgets -type f \
    \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.html' -o -name '*.md' \
    -o -name '*.sh' -o -name '*.sql' -o -name '*.cmake' -o -name CMakeLists.txt \) -print0 |
    LC_ALL=C sort -z |
    xargs -0 grep -nH '' |
    LC_ALL=C awk -v rules="$rules" '
    function check(    rule, at) {
        for (rule = 1; rule <= numRules; ++rule)
            if (match(text, phrase[rule])) {
                at = RSTART > 30 ? RSTART - 30 : 1
                print file ": \"" substr(text, at, RLENGTH + 60) "\": " advice[rule]
                ++breaches
            }
        text = ""
    }
    BEGIN {
        while ((getline line < rules) > 0)
            if (line !~ /^(#|$)/) {
                split(line, part, " => ")
                phrase[++numRules] = part[1]
                advice[numRules] = part[2]
            }
    }
    {
        split($0, part, ":")
        if (part[1] != file) {
            check()
            file = part[1]
            ++files
        }
        line = substr($0, length(part[1]) + length(part[2]) + 3)
        sub(/^[ \t]*((\/\/+<?|#|\*)[ \t]*)?"?/, "", line)
        sub(/"?[ \t]*$/, "", line)
        text = text tolower(line) " "
    }
    END {
        check()
        printf "%d files, %d phrases: %d breaches\n", files, numRules, breaches
        exit breaches > 0 || files == 0 || numRules == 0
    }'
