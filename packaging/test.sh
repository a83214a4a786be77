#!/usr/bin/env bash
# Sets Orrery up (on a bare Debian 12 too), builds it with its tests and runs them. Arguments go to
# ctest, for example: packaging/test.sh -L threads
set -euo pipefail
# shellcheck source=packaging/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

orrery_install "$ORRERY_PACKAGES $ORRERY_TEST_PACKAGES"
orrery_fetch_torch
orrery_lock
orrery_configure dev
orrery_build dev
orrery_environment

# The tests see a home of their own, no display but Xvfb's, and nobody's settings.
home=$(mktemp -d "${TMPDIR:-/tmp}/orrery-test.XXXXXX")
trap 'rm -rf "$home"' EXIT
mkdir -m 0700 "$home/runtime"
export XDG_RUNTIME_DIR="$home/runtime" XDG_DATA_HOME="$home/data" XDG_CONFIG_HOME="$home/config" \
    XDG_STATE_HOME="$home/state"
unset DISPLAY WAYLAND_DISPLAY XDG_SESSION_TYPE QT_QPA_PLATFORM QT_QPA_PLATFORMTHEME QT_STYLE_OVERRIDE
ctest --test-dir "$ORRERY_ROOT/build/dev" --output-on-failure --no-label-summary --no-tests=error \
    --parallel "$(nproc)" "$@" </dev/null 8>&-
