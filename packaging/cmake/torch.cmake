# Makes the imported target orrery::torch from the unpacked LibTorch wheel, which packaging/setup.sh
# fetches into the cache folder. The wheel's own CMake files are not used: they demand a CUDA
# toolkit. libtorch_cpu.so finds libcudart and libcupti by its own run path.

# The version stands here and in packaging/setup.sh.
set(ORRERY_TORCH_NAME libtorch-2.11.0)

include(cache_folder)
set(ORRERY_TORCH_DIR "${ORRERY_CACHE_FOLDER}/${ORRERY_TORCH_NAME}" CACHE PATH
    "The unpacked wheel: holds torch/include, torch/lib and nvidia/cu13/lib")

if(NOT EXISTS "${ORRERY_TORCH_DIR}/torch/lib/libtorch_cpu.so")
    message(FATAL_ERROR "LibTorch is not in ${ORRERY_TORCH_DIR}. packaging/test.sh fetches it; to "
        "build without it, configure with -DORRERY_TORCH=OFF.")
endif()

add_library(orrery_torch INTERFACE)
add_library(orrery::torch ALIAS orrery_torch)
target_include_directories(orrery_torch SYSTEM INTERFACE
    "${ORRERY_TORCH_DIR}/torch/include"
    "${ORRERY_TORCH_DIR}/torch/include/torch/csrc/api/include")
target_link_libraries(orrery_torch INTERFACE
    "${ORRERY_TORCH_DIR}/torch/lib/libtorch_cpu.so" "${ORRERY_TORCH_DIR}/torch/lib/libc10.so")
# The linker checks libtorch_cpu.so's own needs against these folders; nothing of ours names them.
target_link_options(orrery_torch INTERFACE
    "-Wl,-rpath-link,${ORRERY_TORCH_DIR}/torch/lib:${ORRERY_TORCH_DIR}/nvidia/cu13/lib")
