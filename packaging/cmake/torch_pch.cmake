# One precompiled header for every target that sees LibTorch: rooms of core and their tests.
#
#     orrery_room(nn SOURCES ... LINK orrery::torch)
#     orrery_use_torch(orrery_nn)
#
#     orrery_test(nn_test SOURCES ... LINK orrery::nn LABELS torch NO_PCH)
#     orrery_use_torch(nn_test)
#
# Sources include <ATen/ATen.h> and what else they name; the header makes these free. Everything that
# uses it is position independent, since rooms end up in a shared library.
function(orrery_make_torch_pch)
    set(empty "${CMAKE_BINARY_DIR}/pch/orrery_torch_pch.cpp")
    if(NOT EXISTS "${empty}")
        file(WRITE "${empty}" "namespace orrery {}\n")
    endif()
    add_library(orrery_torch_pch OBJECT "${empty}")
    set_target_properties(orrery_torch_pch PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(orrery_torch_pch PRIVATE orrery_flags orrery::torch)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(orrery_torch_pch PRIVATE -fpch-preprocess)  # for ccache
    endif()
    target_precompile_headers(orrery_torch_pch PRIVATE
        <algorithm> <array> <atomic> <cmath> <cstdint> <functional> <map> <memory> <mutex> <optional>
        <set> <span> <string> <thread> <tuple> <unordered_map> <utility> <vector>
        <ATen/ATen.h> <ATen/Parallel.h> <torch/csrc/autograd/custom_function.h>)
endfunction()

# Links LibTorch and lets a target use the header. The target must link orrery_flags and no Qt PCH.
function(orrery_use_torch target)
    target_link_libraries(${target} PRIVATE orrery::torch)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
        # The property would give -fPIE, which bars a header made with -fPIC.
        target_compile_options(${target} PRIVATE -fPIC)
        set_source_files_properties(
            "${CMAKE_CURRENT_BINARY_DIR}/${target}_autogen/mocs_compilation.cpp"
            PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    else()
        set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    endif()
    if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
        return()
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -fpch-preprocess)
    endif()
    target_precompile_headers(${target} REUSE_FROM orrery_torch_pch)
endfunction()

orrery_make_torch_pch()
