#!/usr/bin/env bash
# Builds the release preset and measures. Arguments go to the measuring program: orrery_perf, or the
# one of learned planning, of its collectors, of learning among things or of what its drawn views cost:
#
#   packaging/perf.sh [NAME...] [--json FILE]
#   packaging/perf.sh learning|collecting|entity [PART...] [--json FILE]
#   packaging/perf.sh views [minimised] [ROUNDS] [SECONDS] [networks]
#   packaging/perf.sh build [release|dev]
#
# views minimised compares a training in a minimised window with the same one without a window.
# build makes the targets of run.sh (release, the default) or test.sh (dev) in an empty folder without
# ccache and says what that costs; dev runs the suite, too.
set -euo pipefail
# shellcheck source=packaging/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

if [[ ${1:-} == build ]]; then
    # shellcheck source=packaging/perf_build.sh
    . "$(dirname "${BASH_SOURCE[0]}")/perf_build.sh"
    shift
    perf_build "$@"
    exit
fi
program=orrery_perf
case ${1:-} in
entity) program=orrery_entity_perf && shift ;;
learning) program=orrery_learn_perf && shift ;;
collecting) program=collect_perf && shift ;;
views) program=orrery_view_perf && shift ;;
esac
orrery_install "$ORRERY_PACKAGES $ORRERY_TEST_PACKAGES"
orrery_fetch_torch
orrery_lock
orrery_configure release
orrery_build release "$program"
orrery_unlock
orrery_environment
screen=()
if [[ $program == orrery_view_perf ]]; then screen=(xvfb-run -a -s "-screen 0 1920x1200x24"); fi
exec "${screen[@]}" "$ORRERY_ROOT/build/release/perf/$program" "$@"
