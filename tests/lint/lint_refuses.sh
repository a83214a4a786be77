#!/usr/bin/env bash
# Shows that the lint of the tree ROOT refuses each access to a guarded member without its lock, and
# no other: those are the lines of unguarded.cpp that say so.
set -euo pipefail
cd "$1"
command -v clang-tidy >/dev/null || exit 77
file=tests/lint/unguarded.cpp
wanted=$(grep -n '// refused' "$file" | cut -d: -f1)
found=$({ clang-tidy --quiet "$file" -- -std=c++20 -I. 2>/dev/null || true; } |
    sed -n "s|.*/$file:\([0-9]*\):.* error: .*thread-safety.*|\1|p")
if [[ $found != "$wanted" ]]; then
    printf '%s: refused in lines\n%s\nbut these were to be:\n%s\n' "$file" "$found" "$wanted"
    exit 1
fi
printf '%s: %d accesses without their lock, each refused\n' "$file" "$(wc -l <<<"$found")"
