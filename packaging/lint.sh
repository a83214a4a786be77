#!/usr/bin/env bash
# Runs clang-tidy with the preset lint.
#
#   packaging/lint.sh FILE.cpp...   these files
#   packaging/lint.sh --changed     the .cpp files that differ from the base: ORRERY_BASE, else where
#                                   this branch left origin/main, else the commit before; all files
#                                   where there is no such commit
#   packaging/lint.sh --all
#
# It stops starting files after ORRERY_LINT_SECONDS (default 420) and says how many it left.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=packaging/setup.sh
. packaging/setup.sh

# The commit to compare with; empty where there is none.
base_commit() {
    local head base
    head=$(git rev-parse --verify --quiet HEAD) || return 0
    base=${ORRERY_BASE:-$(git merge-base HEAD origin/main 2>/dev/null || true)}
    if [[ -z $base || $base == "$head" ]]; then base=HEAD~1; fi
    git rev-parse --verify --quiet "$base" || true
}

# All .cpp files, core's first: what is checked when time runs short.
all_files() { find core app widgets tests -name '*.cpp' ! -path 'tests/torch/*' | LC_ALL=C sort -s -t/ -k1,1; }

changed_files() {
    local base
    base=$(base_commit)
    if [[ -z $base ]]; then
        all_files
    else
        { git diff --name-only --diff-filter=d "$base" -- && git ls-files --others --exclude-standard; } |
            grep -E '^(core|app|widgets|tests)/.*\.cpp$' | LC_ALL=C sort -u || true
    fi
}

case ${1:---changed} in
    --changed) mapfile -t files < <(changed_files) ;;
    --all) mapfile -t files < <(all_files) ;;
    *) files=("$@") ;;
esac
if ((${#files[@]} == 0)); then
    echo "lint: no C++ file changed" >&2
    exit 0
fi

orrery_lock
orrery_configure lint
# The commands to check with are those of the CMakeLists.txt of now.
cmake --build build/lint --target build.ninja >/dev/null
orrery_unlock

# What moc makes of a file that includes it is made here: no target has to be built for it.
moc=$(find build/lint -name AutogenInfo.json -exec sed -n 's/.*"QT_MOC_EXECUTABLE" : "\(.*\)",/\1/p' {} + -quit)
export moc
results=$(mktemp -d "${TMPDIR:-/tmp}/orrery-lint.XXXXXX")
trap 'rm -rf "$results" "$results.moc"' EXIT

# check_file DEADLINE RESULTS FILE: prints what clang-tidy finds; leaves a mark for a checked file.
# shellcheck disable=SC2317
check_file() {
    local seconds=$(($1 - $(date +%s))) mark="$2/${3//\//_}" found status=0
    ((seconds > 0)) || return 0
    # A file that is not compiled here (CUDA, another option) has no command to check it with.
    if grep -qF "/$3\"" build/lint/compile_commands.json; then
        local own="$2.moc/${3//\//_}" name
        name=$(basename "$3" .cpp).moc
        mkdir -p "$own"
        if grep -qF "#include \"$name\"" "$3"; then
            "$moc" -DQT_NO_KEYWORDS -I. "$3" -o "$own/$name" || status=$?
        fi
        found=$(timeout "$seconds" clang-tidy --quiet -p build/lint \
            --extra-arg=-Wno-unknown-warning-option --extra-arg="-I$own" "$3" 2>/dev/null) || status=$?
        if ((status == 124)); then return 0; fi
        if ((status != 0)); then printf '%s\n' "$found"; fi
    fi
    : >"$mark"
    return "$status"
}
export -f check_file

status=0
# shellcheck disable=SC2016
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(orrery_jobs)" bash -c 'check_file "$@"' lint \
    "$(($(date +%s) + ${ORRERY_LINT_SECONDS:-420}))" "$results" || status=1
echo "lint: $(find "$results" -type f | wc -l) of ${#files[@]} files checked" >&2
exit "$status"
