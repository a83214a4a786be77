# Sourced by perf.sh build [PRESET]: what a build costs, with nothing kept from another one.
# shellcheck shell=bash

# Sums of the log of cost_of_step.sh: CPU seconds of a kind of step, of outputs that match a pattern.
cost_of() { awk -v kind="$1" -v pattern="${2:-.}" '$1 == kind && $5 ~ pattern { cpu += $2 + $3 } END { printf "%.0f", cpu }' "$costs"; }

# The dearest sources; one that was compiled with others stands by the batch's room and number of them.
dearest_sources() {
    local cpu object unity name
    awk '$1 == "compile" { printf "%.1f %s\n", $2 + $3, $5 }' "$costs" | sort -rn | head -n 20 |
        while read -r cpu object; do
            unity=$folder/${object%.o}
            name=$(sed -e 's|CMakeFiles/||' -e 's|\.dir/|: |' -e 's|\.o$||' <<<"$object")
            if [[ $object == */Unity/* && -e $unity ]]; then
                name="${name%%: *}: $(sed -n 's|^#include ".*/\([^/]*\)"$|\1|p' "$unity" | paste -sd' ')"
            fi
            printf '  %6.1f s  %s\n' "$cpu" "$name"
        done
}

perf_build() {
    local preset=${1:-release} folder costs cpu wall targets=() linker=() kind started
    case $preset in
    release) targets=(orrery) ;;  # as run.sh
    dev) ;;                       # all, as test.sh
    *) orrery_fail "'$preset' is no preset of which a build is measured: release or dev." ;;
    esac
    orrery_install "$ORRERY_PACKAGES $ORRERY_TEST_PACKAGES clang"
    orrery_fetch_torch
    folder=$ORRERY_ROOT/build/perf-$preset
    costs=$folder/costs.txt
    rm -rf "$folder"
    mkdir -p "$folder"
    local step=$ORRERY_ROOT/packaging/cost_of_step.sh
    # mold works in a process that nobody waits for, unless it is told not to.
    for kind in EXE SHARED MODULE; do linker+=("-DCMAKE_${kind}_LINKER_FLAGS=-fuse-ld=mold -Wl,--no-fork"); done
    orrery_say "Configuring and building $preset in $folder, without ccache"
    (cd "$ORRERY_ROOT" && cmake --preset "$preset" -B "$folder" -DORRERY_TORCH_DIR="$ORRERY_TORCH_DIR" \
        "-DCMAKE_CXX_COMPILER_LAUNCHER=$step;$costs;compile" "-DCMAKE_C_COMPILER_LAUNCHER=$step;$costs;compile" \
        "-DCMAKE_CXX_LINKER_LAUNCHER=$step;$costs;link" "${linker[@]}") >"$folder/configure.txt" 2>&1 ||
        orrery_fail "CMake could not configure: see $folder/configure.txt"
    started=$EPOCHREALTIME
    TIMEFORMAT='%U %S'
    { time CCACHE_DISABLE=1 ninja -C "$folder" -j "$(orrery_jobs)" "${targets[@]}" \
        >"$folder/build.txt" 2>&1; } 2>"$folder/total.txt" ||
        orrery_fail "The build failed: see $folder/build.txt"
    wall=$(awk -v a="$started" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.0f", b - a }')
    cpu=$(awk '{ printf "%.0f", $1 + $2 }' "$folder/total.txt")
    printf 'build of %s (%s), %s at a time, no ccache\n' "$preset" "${targets[*]:-all}" "$(orrery_jobs)"
    printf '  %5d s CPU (user and system), %d s by the clock\n' "$cpu" "$wall"
    printf '  %5d s compiling, of which %s s precompiled headers; %s s linking; %s s all else\n' \
        "$(cost_of compile)" "$(cost_of compile 'gch$')" "$(cost_of link)" \
        $((cpu - $(cost_of compile) - $(cost_of link)))
    printf 'dearest sources, CPU:\n'
    dearest_sources
    "$ORRERY_ROOT/packaging/dear_headers.py" "$folder" "$(orrery_jobs)"
    if [[ $preset == dev ]]; then perf_suite; fi
}

# What a later change allows itself: how long the suite takes, and what its sources cost to build.
perf_suite() {
    local tests suite cores
    cores=$(nproc)
    tests=$(($(cost_of compile '^tests/') + $(cost_of link '^tests/')))
    orrery_environment
    started=$EPOCHREALTIME
    orrery_suite "$folder" >"$folder/suite.txt" || orrery_fail "The suite failed: see $folder/suite.txt"
    suite=$(awk -v a="$started" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.0f", b - a }')
    printf 'the suite: %d s by the clock; its sources: %d s CPU, %d s by the clock on %d cores; sum %d s\n' \
        "$suite" "$tests" $((tests / cores)) "$cores" $((suite + tests / cores))
}
