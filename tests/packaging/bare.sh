#!/usr/bin/env bash
# bare.sh ROOT FOLDER: core builds, and lacks nothing, on a machine with a compiler alone (the preset
# bare), which tests/gpu/run_on_gpu.sh relies on. Not optimised, as nothing of it runs.
set -euo pipefail
root=$1
folder=$2

cmake -S "$root" --preset bare -B "$folder" -DCMAKE_CXX_FLAGS_RELEASE=-O0 -DORRERY_UNITY_BATCH=100 \
    -DORRERY_CUDA=OFF -DCMAKE_SHARED_LINKER_FLAGS=-Wl,--no-undefined >/dev/null
cmake --build "$folder" -j 2
