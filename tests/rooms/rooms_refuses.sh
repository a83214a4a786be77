#!/usr/bin/env bash
# Shows that rooms.sh accepts a sound tree and names each kind of breach.
set -euo pipefail
rules="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/rooms.sh"
tree=$(mktemp -d "${TMPDIR:-/tmp}/orrery-rooms.XXXXXX")
trap 'rm -rf "$tree"' EXIT
failed=0
passed=0

# A sound tree: base < solve < view < cli, the main of app and one file of the tests.
lay() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree"/core/{base,solve} "$tree"/widgets/view "$tree"/app/cli "$tree"/tests/rooms
    printf 'base core/base: \nsolve core/solve: base\nview widgets/view: base solve\n' >"$tree/rooms.txt"
    printf 'cli app/cli: base no_qt\n' >>"$tree/rooms.txt"
    printf '#pragma once\n#include <vector>\n' >"$tree/core/base/error.h"
    printf '#pragma once\n#include "core/base/error.h"\n' >"$tree/core/solve/spec.h"
    printf '#include "core/solve/spec.h"\n' >"$tree/core/solve/solve.cpp"
    printf '#include "core/solve/spec.h"\n#include <QWidget>\n' >"$tree/widgets/view/view.h"
    printf '#include "core/base/error.h"\n' >"$tree/app/cli/cli.h"
    printf '#include "app/cli/cli.h"\n#include "widgets/view/view.h"\n' >"$tree/app/main.cpp"
    printf '#include <json.hpp>\n' >"$tree/tests/view_test.cpp"
    printf '# JSON\njson.hpp: tests/*\ntorch/torch.h:  # nobody\n' >"$tree/tests/rooms/restricted_headers.txt"
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
if out=$("$rules" "$tree" "$tree/rooms.txt") && [[ $out == "9 includes of 7 files in 4 rooms: 0 breaches" ]]; then
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
printf '#include <json.hpp>\n' >>"$tree/core/base/error.h"
expect "a restricted header" "core/base/error.h:3: may not include json.hpp"
printf '#include <torch/torch.h>\n' >>"$tree/tests/view_test.cpp"
expect "a header for nobody" "tests/view_test.cpp:2: may not include torch/torch.h"
printf 'ATen/* c10/*:\n    core/solve/*.cpp\n' >>"$tree/tests/rooms/restricted_headers.txt"
printf '#include <c10/core/Device.h>\n' >>"$tree/core/solve/solve.cpp"
printf '#include <ATen/core/Tensor.h>\n' >>"$tree/app/main.cpp"
expect "a header that matches a pattern" "app/main.cpp:3: may not include ATen/core/Tensor.h"
printf '    app/main.cpp\n' >>"$tree/tests/rooms/restricted_headers.txt"
expect "a list that names too many" "app/main.cpp does not include torch/torch.h: take it from the list"
printf '#include <vector>\n' >"$tree/tests/view_test.cpp"
expect "a pattern that has lost its files" "tests/* does not include json.hpp"
rm "$tree/tests/rooms/restricted_headers.txt"
expect "no list" "restricts no header"
printf '#include "../base/error.h"\n' >>"$tree/core/solve/solve.cpp"
expect "a path that climbs" "name it from the root of the tree"
printf '#include "app/main.h"\n' >>"$tree/widgets/view/view.h"
expect "widgets and app" "widgets includes app"
printf '#include "core/solve/spec.h"\n' >>"$tree/app/cli/cli.h"
expect "a room of app" "app/cli/cli.h:2: includes core/solve/spec.h, but room cli does not say USES solve"
printf '#include <QFile>\n' >>"$tree/app/cli/cli.h"
expect "Qt in a room without" "app/cli/cli.h:2: room cli includes Qt: QFile"
printf 'int x;\n' >"$tree/app/lost.cpp"
expect "a file of app in no room" "app/lost.cpp: is in no room"
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
