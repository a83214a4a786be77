#!/usr/bin/env bash
# Sets Orrery up (on a bare Debian 12 too), builds it and runs it.
#
#   packaging/run.sh                      the window on a built-in example; without a display the
#                                         main job on the same example, printed and written to files
#   packaging/run.sh VERB [ARGUMENT...]   any verb of orrery, for example: solve my_world.yaml
set -euo pipefail
# shellcheck source=packaging/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

orrery_install "$ORRERY_PACKAGES"
orrery_fetch_torch
orrery_lock
orrery_configure release
orrery_build release orrery
orrery_unlock
orrery_environment

program="$ORRERY_ROOT/build/release/bin/orrery"
example=builtin:two_in_niches  # two locked-in humans and a robot that can free them
if (($# > 0)); then
    exec "$program" "$@"
elif [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]; then
    exec "$program" "$example"
else
    orrery_say "There is no display: solving the example world ${example#*:} instead of opening the window."
    exec "$program" solve "$example"
fi
