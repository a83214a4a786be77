# Finds nvcc and makes orrery_cuda_library(). CMake's own CUDA language is not used: it wants a whole
# toolkit, and the wheels of nvcc that packaging/run.sh --cuda fetches are laid out in another way.
# No GPU is needed to compile.

include(cache_folder)

# The names stand here and in packaging/setup_cuda.sh.
set(ORRERY_CUDA_NAME cuda-13.0)
set(ORRERY_TORCH_CUDA_DIR "${ORRERY_CACHE_FOLDER}/libtorch-cuda-2.11.0" CACHE PATH
    "Where the program looks for the CUDA part of LibTorch")

find_program(ORRERY_NVCC nvcc
    HINTS "$ENV{CUDA_HOME}/bin" "$ENV{CUDA_PATH}/bin"
          "${ORRERY_CACHE_FOLDER}/${ORRERY_CUDA_NAME}/nvidia/cu13/bin" /usr/local/cuda/bin
    DOC "The CUDA compiler, of a toolkit or of its wheels")
if(ORRERY_NVCC)
    get_filename_component(ORRERY_CUDA_ROOT "${ORRERY_NVCC}" REALPATH)
    get_filename_component(ORRERY_CUDA_ROOT "${ORRERY_CUDA_ROOT}/../.." ABSOLUTE)
    find_library(ORRERY_CUDART NAMES cudart libcudart.so.13 libcudart.so.12 PATHS "${ORRERY_CUDA_ROOT}"
        PATH_SUFFIXES lib64 lib targets/x86_64-linux/lib NO_DEFAULT_PATH
        DOC "The CUDA runtime that liborrery_cuda.so is linked with")
endif()
set(ORRERY_NVCC_RELEASE 0)
if(ORRERY_NVCC)
    execute_process(COMMAND "${ORRERY_NVCC}" --version OUTPUT_VARIABLE version ERROR_QUIET)
    if(version MATCHES "release ([0-9]+)")
        set(ORRERY_NVCC_RELEASE ${CMAKE_MATCH_1})
    endif()
endif()
# Earlier ones do not know C++20.
if(ORRERY_NVCC_RELEASE GREATER_EQUAL 12 AND ORRERY_CUDART)
    set(ORRERY_CUDA_DEFAULT ON)
else()
    set(ORRERY_CUDA_DEFAULT OFF)
endif()
option(ORRERY_CUDA "Build the library of CUDA kernels" ${ORRERY_CUDA_DEFAULT})
if(ORRERY_CUDA AND NOT (ORRERY_NVCC_RELEASE GREATER_EQUAL 12 AND ORRERY_CUDART))
    message(FATAL_ERROR "ORRERY_CUDA is ON, but nvcc (12 or newer) or libcudart was not found. Set ORRERY_NVCC and "
        "ORRERY_CUDART, run packaging/run.sh --cuda, or configure with -DORRERY_CUDA=OFF.")
endif()
set(ORRERY_CUDA_ARCHITECTURES all-major CACHE STRING
    "What nvcc compiles for (its option -arch): all-major, native, sm_90, ...")

# orrery_cuda_library(<target> OUTPUT <name> SOURCES <file.cu>...)
#
# Makes the shared library lib/lib<name>.so in the build folder from CUDA sources.
function(orrery_cuda_library target)
    cmake_parse_arguments(CUDA "" "OUTPUT" "SOURCES" ${ARGN})
    set(objects "")
    foreach(source IN LISTS CUDA_SOURCES)
        set(object "${CMAKE_CURRENT_BINARY_DIR}/${source}.o")
        add_custom_command(OUTPUT "${object}"
            COMMAND "${ORRERY_NVCC}" -ccbin "${CMAKE_CXX_COMPILER}" -std=c++20 -O3
                -arch=${ORRERY_CUDA_ARCHITECTURES} -Wno-deprecated-gpu-targets
                --fmad=false -Xcompiler=-fPIC,-fvisibility=hidden,-Wall,-Wextra
                -Werror all-warnings
                -I "${PROJECT_SOURCE_DIR}" -MD -MF "${object}.d"
                -c "${CMAKE_CURRENT_SOURCE_DIR}/${source}" -o "${object}"
            DEPENDS "${source}" DEPFILE "${object}.d"
            COMMENT "Building CUDA object ${source}" VERBATIM)
        list(APPEND objects "${object}")
    endforeach()
    add_library(${target} SHARED ${objects})
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME ${CUDA_OUTPUT}
        LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
    target_link_libraries(${target} PRIVATE "${ORRERY_CUDART}")
endfunction()
