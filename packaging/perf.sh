#!/usr/bin/env bash
# Builds the release preset and measures. Arguments go to orrery_perf:
#
#   packaging/perf.sh [NAME...] [--json FILE]
set -euo pipefail
# shellcheck source=packaging/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

orrery_install "$ORRERY_PACKAGES $ORRERY_TEST_PACKAGES"
orrery_fetch_torch
orrery_lock
orrery_configure release
orrery_build release orrery_perf
orrery_unlock
orrery_environment
exec "$ORRERY_ROOT/build/release/perf/orrery_perf" "$@"
