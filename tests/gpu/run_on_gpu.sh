#!/usr/bin/env bash
# For a machine with an NVIDIA GPU, a CUDA toolkit (12 or newer) and a compiler, but no Qt: builds
# core without a window, checks the kernels against the CPU, trains the same networks on both and
# prints how fast each is. Nothing is fetched or installed.
#
#   tests/gpu/run_on_gpu.sh [TORCH] [BUILD]
#
# TORCH is a folder that holds torch/include, torch/lib and nvidia/: that of packaging/run.sh --cuda,
# or the site-packages of a Python that has PyTorch for CUDA (the default, if python3 finds one).
# The status is 0 if all is equal, 1 if not, and 6 if something is missing.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${2:-$root/build/gpu}

fail() {
    echo "run_on_gpu: $*" >&2
    exit 6
}

torch=${1:-}
if [[ -z $torch ]]; then
    torch=$(python3 -c 'import importlib.util as u, os
spec = u.find_spec("torch")
print(os.path.dirname(os.path.dirname(spec.origin)) if spec else "")' 2>/dev/null || true)
fi
torch_cuda=$torch
if [[ -z $torch ]]; then
    cache=${ORRERY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/orrery}
    torch=$cache/libtorch-2.11.0
    torch_cuda=$cache/libtorch-cuda-2.11.0
fi
[[ -e $torch/torch/lib/libtorch_cpu.so ]] || fail "there is no LibTorch in $torch; name its folder"
command -v cmake >/dev/null || fail "there is no cmake"
generator=()
command -v ninja >/dev/null && generator=(-G Ninja)

mkdir -p "$build"
log=$build/build.log
broken() {
    tail -n 20 "$log" >&2
    fail "$1 failed, see $log"
}
echo "== configure and build in $build (LibTorch of $torch)"
cmake -S "$root" -B "$build" "${generator[@]}" -DCMAKE_BUILD_TYPE=Release \
    -DORRERY_GUI=OFF -DORRERY_HISTORY=OFF -DORRERY_TORCH=ON -DORRERY_CUDA=ON \
    "-DORRERY_TORCH_DIR=$torch" "-DORRERY_TORCH_CUDA_DIR=$torch_cuda" \
    "-DORRERY_CUDA_ARCHITECTURES=${ORRERY_CUDA_ARCHITECTURES:-native}" >"$log" 2>&1 ||
    broken configuring
cmake --build "$build" -j "$(nproc)" --target gpu_check gpu_training >>"$log" 2>&1 ||
    broken building
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || true

export ORRERY_CUDA_LIBRARY=$build/lib/liborrery_cuda.so ORRERY_TORCH_CUDA=$torch_cuda
status=0
echo "== kernels against the CPU"
"$build/tests/gpu_check" || status=$?
if ((status == 6)); then exit 6; fi
echo "== training with the kernels"
"$build/tests/gpu_training" || status=$?
echo "== training by tensor operations alone"
ORRERY_CUDA_LIBRARY=/nowhere/liborrery_cuda.so "$build/tests/gpu_training" || status=$?
exit "$status"
