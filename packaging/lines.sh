#!/usr/bin/env bash
# Counts the product's lines: all lines of the .h, .cpp, .inl and .cu files of app, core and widgets,
# by room, at one commit or at two beside each other.
#
#   packaging/lines.sh [COMMIT [COMMIT]]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# "ROOM LINES" for each room of a commit, and "all LINES".
count() {
    git grep -c '' "$1" -- app core widgets | grep -E '\.(h|cpp|inl|cu):[0-9]+$' |
        awk -F: '{ split($2, folder, "/"); room = folder[1] (folder[3] ? "/" folder[2] : "")
                   lines[room] += $3; lines["all"] += $3 }
                 END { for (room in lines) print room, lines[room] }' | sort
}

first=${1:-HEAD}
if [[ $# -lt 2 ]]; then
    count "$first" | column -t
else
    join -a1 -a2 -e0 -o 0,1.2,2.2 <(count "$first") <(count "$2") |
        awk '{ printf "%s %d %d %+.1f%%\n", $1, $2, $3, $2 ? 100 * ($3 / $2 - 1) : 100 }' | column -t
fi
