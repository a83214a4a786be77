#!/usr/bin/env bash
# Builds the release preset and measures. Arguments go to the measuring program: orrery_perf, or the
# one of learned planning or of its collectors:
#
#   packaging/perf.sh [NAME...] [--json FILE]
#   packaging/perf.sh learning|collecting [PART...] [--json FILE]
set -euo pipefail
# shellcheck source=packaging/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

program=orrery_perf
case ${1:-} in
learning) program=orrery_learn_perf && shift ;;
collecting) program=collect_perf && shift ;;
esac
orrery_install "$ORRERY_PACKAGES $ORRERY_TEST_PACKAGES"
orrery_fetch_torch
orrery_lock
orrery_configure release
orrery_build release "$program"
orrery_unlock
orrery_environment
exec "$ORRERY_ROOT/build/release/perf/$program" "$@"
