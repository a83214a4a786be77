# Sources of one target are compiled some at a time, as if they were one file: what they include is
# read once for all of them, which halves the CPU time of a build. Off for tools that look at one file
# (the preset lint; -DORRERY_UNITY=OFF for an editor). So names that stand outside of orrery's
# headers, in anonymous namespaces too, must differ within a room.
option(ORRERY_UNITY "Compile the sources of a room together" ON)
set(ORRERY_UNITY_BATCH 10 CACHE STRING "How many sources are compiled as one")

# A source with options or macros of its own is still compiled alone.
function(orrery_unite target)
    if(ORRERY_UNITY)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON
            UNITY_BUILD_BATCH_SIZE ${ORRERY_UNITY_BATCH})
        # GCC takes the sources for headers and warns of types that other files would have, too.
        target_compile_options(${target} PRIVATE
            $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    endif()
endfunction()
