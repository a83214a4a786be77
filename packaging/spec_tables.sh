#!/usr/bin/env bash
# Writes the tables of fields into resources/specs/README.md, as the built program lists them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

program=${1:-build/release/bin/orrery}
file=resources/specs/README.md
# write SECTION WORD...: the fields that the program lists by these words.
write() {
    local section=$1 table
    shift
    table=$(mktemp)
    "$program" "$@" --options > "$table"
    sed -i -e "/<!-- fields of $section -->/,/<!-- end -->/{/<!-- /!d}" \
        -e "/<!-- fields of $section -->/r $table" "$file"
    rm "$table"
}
write solve solve
write train train
write entity train --method entity
