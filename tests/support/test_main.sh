#!/usr/bin/env bash
# test_main.sh PROGRAM: what the program of several test classes does with its arguments, and that a crash
# names the function it happened in. PROGRAM holds crashing_class.cpp.
set -euo pipefail
program=$1
fail() {
    echo "FAIL: $*"
    exit 1
}
# run ARGUMENT...: sets status and output
run() {
    status=0
    output=$("$program" "$@" 2>&1) || status=$?
}

run
((status == 2)) && [[ $output == *crashing_class* ]] || fail "without a class: $status, $output"
run no_such_class
((status == 2)) && [[ $output == *crashing_class* ]] || fail "with an unknown class: $status, $output"
echo "PASS: the classes are listed where none of them is named"

run crashing_class passes
((status == 0)) || fail "one function: $status, $output"
[[ $output == *"PASS   : CrashingClass::passes()"* ]] || fail "one function: $output"
[[ $output != *crashes* ]] || fail "the other function ran, too: $output"
echo "PASS: a function runs alone"

run crashing_class
((status != 0)) || fail "the crash went unseen: $output"
[[ $output == *crashes* ]] || fail "the crash does not name its function: $output"
echo "PASS: a crash names its function"
