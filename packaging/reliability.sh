#!/usr/bin/env bash
# Ends, hinders and spoils trainings as often as before a release; the tests do a twentieth of that.
# Takes up to an hour on two cores. Arguments choose parts, all by default:
#
#   packaging/reliability.sh [crash] [fault] [trouble] [stop] [entity]
#
#   crash    1,000 kills at any moment, what they cost, and resumed runs against undisturbed ones
#   fault    every place around files and database, with each kind of fault
#   trouble  numbers that are not finite, actors that fail, memory that runs out
#   stop     500 TERM signals
#   entity   the first three of trainings among things
set -euo pipefail
# shellcheck source=packaging/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

parts=("$@")
((${#parts[@]})) || parts=(crash fault trouble stop entity)
programs=()
classes=()
for part in "${parts[@]}"; do
    case $part in
    crash | fault | trouble | entity) programs+=(core_train_learning_tests) ;;
    stop) programs+=(app_tests) ;;
    *) orrery_fail "'$part' is no part: crash, fault, trouble, stop or entity." ;;
    esac
    if [[ $part == entity ]]; then
        classes+=(entity_reliability_test)
    else
        classes+=("train_${part}_test")
    fi
done
orrery_install "$ORRERY_PACKAGES $ORRERY_TEST_PACKAGES"
orrery_fetch_torch
orrery_lock
orrery_configure dev
orrery_build dev orrery orrery_learn "${programs[@]}"
orrery_unlock
orrery_environment

home=$(mktemp -d "${TMPDIR:-/tmp}/orrery-reliability.XXXXXX")
trap 'rm -rf "$home"' EXIT
mkdir -m 0700 "$home/runtime"
export XDG_RUNTIME_DIR="$home/runtime" XDG_DATA_HOME="$home/data" XDG_CONFIG_HOME="$home/config" \
    XDG_STATE_HOME="$home/state" ORRERY_COUNTS=full QTEST_FUNCTION_TIMEOUT=14400000
status=0
for i in "${!programs[@]}"; do
    "$ORRERY_ROOT/build/dev/tests/${programs[i]}" "${classes[i]}" || status=1
done
exit "$status"
