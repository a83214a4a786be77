#!/usr/bin/env bash
# Writes the tables of fields into resources/specs/README.md, as the built program lists them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

program=${1:-build/release/bin/orrery}
file=resources/specs/README.md
for verb in solve train; do
    table=$(mktemp)
    "$program" "$verb" --options > "$table"
    sed -i -e "/<!-- fields of $verb -->/,/<!-- end -->/{/<!-- /!d}" \
        -e "/<!-- fields of $verb -->/r $table" "$file"
    rm "$table"
done
