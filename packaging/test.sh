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
orrery_suite "$ORRERY_ROOT/build/dev" "$@" 8>&-
