#!/usr/bin/env bash
# code_version.sh CMAKE SCRIPT: what SCRIPT writes for a folder without git, a clean checkout, one
# with changes, and a folder inside a checkout.
set -euo pipefail
cmake=$1
script=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch GIT_CONFIG_NOSYSTEM=1 GIT_CEILING_DIRECTORIES=$scratch
mkdir "$scratch/source"

stamp() { "$cmake" -DSOURCE="$1" -DVERSION=1.2.3 -DOUTPUT="$scratch/stamp.h" -P "$script"; }
expect() {
    grep -qxE "#define ORRERY_CODE_VERSION \"$1\"" "$scratch/stamp.h" && return
    echo "expected $1, got: $(cat "$scratch/stamp.h")" >&2
    exit 1
}

stamp "$scratch/source"
expect '1\.2\.3'

cd "$scratch/source"
git init -q
mkdir inner
echo one >inner/file
git add inner/file
git -c user.name=n -c user.email=e commit -qm one
stamp "$scratch/source"
expect '1\.2\.3\+[0-9a-f]{10}'

touch -d '2001-01-01' "$scratch/stamp.h"
echo other >untracked
stamp "$scratch/source"
[ "$(stat -c %Y "$scratch/stamp.h")" = "$(date -d 2001-01-01 +%s)" ] || {
    echo "a header that did not change was written again" >&2
    exit 1
}

echo two >inner/file
stamp "$scratch/source"
expect '1\.2\.3\+[0-9a-f]{10}-dirty'

stamp "$scratch/source/inner"
expect '1\.2\.3'
echo "all stamps are as they should be"
