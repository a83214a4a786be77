# One precompiled header for every target that sees LibTorch: rooms of core and their tests.
#
#     orrery_room(nn SOURCES ... LINK orrery::torch)
#     orrery_use_torch(orrery_nn)
#
# Sources include <ATen/ATen.h> and what else they name; the header makes these free. What one source
# names alone (autograd's custom functions, 1 s) is not in it: what a header leaves to be instantiated
# costs each source that loads it. Everything that uses it is position independent, since rooms end up
# in a shared library.
orrery_make_pch(orrery_torch_pch LINK orrery::torch
    HEADERS <algorithm> <array> <atomic> <cmath> <cstdint> <functional> <map> <memory> <mutex>
        <optional> <set> <span> <string> <thread> <tuple> <unordered_map> <utility> <vector>
        <ATen/ATen.h> <ATen/Parallel.h>)
set_target_properties(orrery_torch_pch PROPERTIES POSITION_INDEPENDENT_CODE ON)

# Links LibTorch and lets a target use the header. The target must link orrery_flags and no Qt PCH.
function(orrery_use_torch target)
    target_link_libraries(${target} PRIVATE orrery::torch)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
        # The property would give -fPIE, which bars a header made with -fPIC.
        target_compile_options(${target} PRIVATE -fPIC)
    else()
        set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    endif()
    orrery_reuse_pch(${target} orrery_torch_pch)
endfunction()
