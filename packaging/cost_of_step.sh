#!/usr/bin/env bash
# cost_of_step.sh LOG KIND COMMAND...: runs a step of a build and appends what it cost to LOG:
# "KIND user-s sys-s wall-s output". packaging/perf.sh build puts it before compilers and linkers.
log=$1 kind=$2
shift 2
output=-
for ((i = 1; i < $#; ++i)); do
    if [[ ${!i} == -o ]]; then
        next=$((i + 1))
        output=${!next}
    fi
done
# The time goes to the log, what the command says where it would go without this.
TIMEFORMAT="$kind %U %S %R $output"
{ time "$@" 2>&3; } 3>&2 2>>"$log"
