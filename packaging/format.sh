#!/usr/bin/env bash
# Formats our C++ and CUDA files with clang-format 14; --check only names those that differ, and fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

action=-i
if [[ ${1:-} == --check ]]; then action='--dry-run -Werror'; fi
# shellcheck disable=SC2086
find app core widgets tests \( -name '*.cpp' -o -name '*.h' -o -name '*.cu' \) -print0 |
    xargs -0 -r -n 20 -P "$(nproc)" clang-format $action --style=file ||
    { echo "format: run packaging/format.sh" >&2 && exit 1; }
