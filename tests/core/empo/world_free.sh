#!/usr/bin/env bash
# world_free.sh BUILD NINJA: what the compiler read for the objects of core/empo names no header of
# core/world, and none that does.
#
# Prints "N objects, N headers of ours: none of core/world" or one line a breach, and fails on it. An
# object may be that of several sources.
set -euo pipefail
"$2" -C "$1" -t deps | awk '
    /^core\/empo\/.*\.o: #deps/ { object = $1; ++objects; inside = 1; next }
    /^[^ ]/ { inside = 0 }
    inside && /core\/[a-z]*\/[a-z_\/]*\.(h|inl)$/ {
        ++headers
        if ($0 ~ /core\/(world|dag|solve|collect)\// || $0 ~ /encode\/state_encoder\.h/) {
            print object " reads " $1
            ++breaches
        }
    }
    END {
        if (!breaches)
            printf "%d objects, %d headers of ours: none of core/world\n", objects, headers
        exit breaches > 0 || objects < 1 || headers < objects
    }'
