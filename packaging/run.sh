#!/usr/bin/env bash
# Sets Orrery up (on a bare Debian 12 too), builds it and runs it.
#
#   packaging/run.sh                      the window, on Home when it is new; without a display the
#                                         main job on an example, printed and written to files
#   packaging/run.sh VERB [ARGUMENT...]   any verb of orrery, for example: solve my_world.yaml
#   packaging/run.sh --cuda [...]         before that, fetches and builds what an NVIDIA GPU needs
#                                         (2.2 GB once): for orrery train --device cuda
set -euo pipefail
# shellcheck source=packaging/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

options=()
targets=(orrery)
orrery_install "$ORRERY_PACKAGES"
orrery_fetch_torch
if [[ ${1:-} == --cuda ]]; then
    shift
    # shellcheck source=packaging/setup_cuda.sh
    . "$(dirname "${BASH_SOURCE[0]}")/setup_cuda.sh"
    orrery_fetch_cuda
    options+=(-DORRERY_CUDA=ON)
    targets+=(orrery_cuda_kernels)
fi
orrery_lock
orrery_configure release "${options[@]}"
orrery_build release "${targets[@]}"
orrery_unlock
orrery_environment

program="$ORRERY_ROOT/build/release/bin/orrery"
example=builtin:two_in_niches  # two locked-in humans and a robot that can free them
if (($# > 0)); then
    exec "$program" "$@"
elif [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]; then
    exec "$program"
else
    orrery_say "There is no display: solving the example world ${example#*:} instead of opening the window."
    exec "$program" solve "$example"
fi
