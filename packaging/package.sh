#!/usr/bin/env bash
# Makes orrery_VERSION_ARCH.deb from the preset release, in build/release or the given folder.
#
#   packaging/package.sh [FOLDER]
set -euo pipefail
# shellcheck source=packaging/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

orrery_install "$ORRERY_PACKAGES dpkg-dev file"
orrery_fetch_torch
orrery_lock
orrery_configure release
orrery_build release orrery man_page completions icons
folder=$(realpath "${1:-$ORRERY_ROOT/build/release}")
cd "$ORRERY_ROOT/build/release"
cpack -G DEB -B "$folder" >package.log || {
    tail -n 5 package.log >&2
    orrery_fail "The package was not made: see build/release/package.log"
}
rm -rf "$folder/_CPack_Packages"
ls "$folder"/orrery_*.deb
