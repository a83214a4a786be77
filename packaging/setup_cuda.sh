# Sourced by run.sh --cuda, after setup.sh: fetches the CUDA compiler and the CUDA part of LibTorch.
# shellcheck shell=bash disable=SC2034

# The names stand here and in packaging/cmake/cuda.cmake.
ORRERY_CUDA_DIR="$ORRERY_CACHE_DIR/cuda-13.0"
ORRERY_TORCH_CUDA_DIR="$ORRERY_CACHE_DIR/libtorch-cuda-2.11.0"

# nvcc without a toolkit: "requirement sha256 member...", as in setup.sh.
ORRERY_NVCC_WHEELS=(
    "nvidia-cuda-nvcc==13.0.88 56fe502eb77625a12f25172caa3cdddb4e4c8ba2c8c17dba44b164761b380f03 nvidia/* nvidia_*.dist-info/*"
    "nvidia-cuda-crt==13.0.88 2c8043c7c9e02492716426e9919fc78d2c5b3b2a7a768a88e952676b08aa55a4 nvidia/* nvidia_*.dist-info/*"
    "nvidia-nvvm==13.0.88 c5f41ffeb6466944a026dfa5317d7d85355c119bbec279205d22f1869d1054e0 nvidia/* nvidia_*.dist-info/*"
    "nvidia-cuda-cccl==13.0.85 e0da7ad981f3a8aff08241b5bfc1af868742a63e2762f53a5171c492ef242649 nvidia/* nvidia_*.dist-info/*"
    "nvidia-cuda-runtime==13.0.96 7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548 nvidia/* nvidia_*.dist-info/*"
)

# What libtorch_cuda.so of LibTorch 2.11.0 is linked with; all but the driver's libcuda.so.1.
ORRERY_TORCH_CUDA_WHEELS=(
    "torch==2.11.0 7aa2f9bbc6d4595ba72138026b2074be1233186150e9292865e04b7a63b8c67a torch/lib/libtorch_cuda.so torch/lib/libtorch_cuda_linalg.so torch/lib/libc10_cuda.so torch/lib/libcaffe2_nvrtc.so torch/lib/libtorch_nvshmem.so torch-2.11.0.dist-info/licenses/*"
    "nvidia-cuda-runtime==13.0.96 7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548 nvidia/*/lib/lib*.so* nvidia_*.dist-info/*"
    "nvidia-cublas==13.1.0.3 ee8722c1f0145ab246bccb9e452153b5e0515fd094c3678df50b2a0888b8b171 nvidia/*/lib/lib*.so* nvidia_*.dist-info/*"
    "nvidia-cudnn-cu13==9.19.0.56 d20e1734305e9d68889a96e3f35094d733ff1f83932ebe462753973e53a572bf nvidia/*/lib/lib*.so* nvidia_*.dist-info/*"
    "nvidia-cusparselt-cu13==0.8.0 25e30a8a7323935d4ad0340b95a0b69926eee755767e8e0b1cf8dd85b197d3fd nvidia/*/lib/lib*.so* nvidia_*.dist-info/*"
    "nvidia-nccl-cu13==2.28.9 e4553a30f34195f3fa1da02a6da3d6337d28f2003943aa0a3d247bbc25fefc42 nvidia/*/lib/lib*.so* nvidia_*.dist-info/*"
    "nvidia-nvshmem-cu13==3.4.5 290f0a2ee94c9f3687a02502f3b9299a9f9fe826e6d0287ee18482e78d495b80 nvidia/*/lib/lib*.so* nvidia_*.dist-info/*"
    "nvidia-cufft==12.0.0.61 6c44f692dce8fd5ffd3e3df134b6cdb9c2f72d99cf40b62c32dde45eea9ddad3 nvidia/*/lib/lib*.so* nvidia_*.dist-info/*"
    "nvidia-cufile==1.15.1.6 08a3ecefae5a01c7f5117351c64f17c7c62efa5fffdbe24fc7d298da19cd0b44 nvidia/*/lib/lib*.so* nvidia_*.dist-info/*"
    "nvidia-curand==10.4.0.35 1aee33a5da6e1db083fe2b90082def8915f30f3248d5896bcec36a579d941bfc nvidia/*/lib/lib*.so* nvidia_*.dist-info/*"
    "nvidia-cusolver==12.0.4.66 0a759da5dea5c0ea10fd307de75cdeb59e7ea4fcb8add0924859b944babf1112 nvidia/*/lib/lib*.so* nvidia_*.dist-info/*"
    "nvidia-cusparse==12.6.3.3 2b3c89c88d01ee0e477cb7f82ef60a11a4bcd57b6b87c33f789350b59759360b nvidia/*/lib/lib*.so* nvidia_*.dist-info/*"
    "nvidia-nvjitlink==13.0.88 13a74f429e23b921c1109976abefacc69835f2f433ebd323d3946e11d804e47b nvidia/*/lib/lib*.so* nvidia_*.dist-info/*"
    "nvidia-cuda-nvrtc==13.0.88 ad9b6d2ead2435f11cbb6868809d2adeeee302e9bb94bcf0539c7a40d80e8575 nvidia/*/lib/lib*.so* nvidia_*.dist-info/*"
    "nvidia-cuda-cupti==13.0.85 4eb01c08e859bf924d222250d2e8f8b8ff6d3db4721288cf35d14252a4d933c8 nvidia/*/lib/lib*.so* nvidia_*.dist-info/*"
)

# Says so where there is no driver: everything is fetched and built all the same.
orrery_fetch_cuda() {
    if ! ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1'; then
        orrery_say "No NVIDIA driver is installed here (libcuda.so.1): training will not find a GPU."
    fi
    [[ -e $ORRERY_CUDA_DIR ]] || orrery_fetch_tree "$ORRERY_CUDA_DIR" 500 \
        "the CUDA compiler 13.0 (110 MB)" "${ORRERY_NVCC_WHEELS[@]}"
    chmod a+x "$ORRERY_CUDA_DIR"/nvidia/cu13/bin/* "$ORRERY_CUDA_DIR"/nvidia/cu13/nvvm/bin/* 2>/dev/null || true
    [[ -e $ORRERY_TORCH_CUDA_DIR ]] || orrery_fetch_tree "$ORRERY_TORCH_CUDA_DIR" 6000 \
        "LibTorch's CUDA libraries (2.1 GB)" "${ORRERY_TORCH_CUDA_WHEELS[@]}"
}
