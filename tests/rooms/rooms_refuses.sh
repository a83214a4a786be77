#!/usr/bin/env bash
# Shows that rooms.sh accepts a sound tree and names each kind of breach.
set -euo pipefail
rules="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/rooms.sh"
tree=$(mktemp -d "${TMPDIR:-/tmp}/orrery-rooms.XXXXXX")
trap 'rm -rf "$tree"' EXIT
failed=0
passed=0

# A sound tree: base < solve < view, and one file of app.
lay() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree"/core/{base,solve} "$tree"/widgets/view "$tree"/app
    printf 'base core/base: \nsolve core/solve: base\nview widgets/view: base solve\n' >"$tree/rooms.txt"
    printf '#pragma once\n#include <vector>\n' >"$tree/core/base/error.h"
    printf '#pragma once\n#include "core/base/error.h"\n' >"$tree/core/solve/spec.h"
    printf '#include "core/solve/spec.h"\n' >"$tree/core/solve/solve.cpp"
    printf '#include "core/solve/spec.h"\n#include <QWidget>\n' >"$tree/widgets/view/view.h"
    printf '#include "widgets/view/view.h"\n' >"$tree/app/main.cpp"
}

# expect NAME TEXT: rooms.sh must fail and print TEXT.
expect() {
    local out
    if out=$("$rules" "$tree" "$tree/rooms.txt"); then
        echo "FAIL $1: accepted"
        failed=$((failed + 1))
    elif ! grep -qF -- "$2" <<<"$out"; then
        printf 'FAIL %s: the answer lacks "%s":\n%s\n' "$1" "$2" "$out"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
    lay
}

lay
if out=$("$rules" "$tree" "$tree/rooms.txt") && [[ $out == "6 includes of 5 files in 3 rooms: 0 breaches" ]]; then
    passed=$((passed + 1))
else
    printf 'FAIL a sound tree: %s\n' "$out"
    failed=$((failed + 1))
fi

printf '  #  include <QString>\n' >>"$tree/core/base/error.h"
expect "Qt in core" "core/base/error.h:3: core includes Qt: QString"
printf '#include "core/solve/spec.h"\n' >>"$tree/core/base/error.h"
expect "a room that is not used" "but room base does not say USES solve"
printf '#include "widgets/view/view.h"\n' >>"$tree/core/solve/solve.cpp"
expect "core and widgets" "core includes widgets: widgets/view/view.h"
printf '#include "core/solve/kernel.h"\n' >>"$tree/widgets/view/view.h"
expect "a header that widgets may not see" "widgets may not include core/solve/kernel.h"
printf '#include <torch/types.h>\n' >>"$tree/widgets/view/view.h"
expect "LibTorch in widgets" "only the learned rooms of core may include LibTorch: torch/types.h"
printf '#include <ATen/core/Tensor.h>\n' >>"$tree/app/main.cpp"
expect "LibTorch in app" "app/main.cpp:2: only the learned rooms"
printf '#include <CLI/CLI.hpp>\n' >>"$tree/app/main.cpp"
expect "CLI11 in many sources" "only command_line.cpp includes CLI11: CLI/CLI.hpp"
printf '#include <nlohmann/json.hpp>\n' >>"$tree/widgets/view/view.h"
expect "all of JSON in a header" "a header includes nlohmann/json_fwd.hpp only"
printf '#include "../base/error.h"\n' >>"$tree/core/solve/solve.cpp"
expect "a path that climbs" "name it from the root of the tree"
printf '#include "app/main.h"\n' >>"$tree/widgets/view/view.h"
expect "widgets and app" "widgets includes app"
mkdir "$tree/core/lost" && printf 'int x;\n' >"$tree/core/lost/lost.cpp"
expect "a file in no room" "core/lost/lost.cpp: is in no room"
printf '#include "core/lost/lost.h"\n' >>"$tree/core/solve/solve.cpp"
expect "a header in no room" "includes a header of no room: core/lost/lost.h"
printf 'base core/base: solve\nsolve core/solve: base\nview widgets/view: base solve\n' >"$tree/rooms.txt"
expect "a room that uses a higher one" "room base: uses solve, which is no lower room"
: >"$tree/rooms.txt"
expect "no rooms" "names no room"

echo "$passed passed, $failed failed"
exit $((failed > 0))
