# Sources of one target are compiled some at a time, as if they were one file: what they include is
# read once for all of them, which halves the CPU time of a build. Off for tools that look at one file
# (the preset lint; -DORRERY_UNITY=OFF for an editor). So names that stand outside of orrery's
# headers, in anonymous namespaces too, must differ within a room.
option(ORRERY_UNITY "Compile the sources of a room together" ON)
set(ORRERY_UNITY_BATCH 12 CACHE STRING "About how many sources are compiled as one")

# Makes as many batches of about that size, and of the same size, as suit what the target has.
function(orrery_set_batches target)
    get_target_property(sources ${target} SOURCES)
    set(united 0)
    foreach(source IN LISTS sources)
        get_source_file_property(options "${source}" COMPILE_OPTIONS)
        get_source_file_property(macros "${source}" COMPILE_DEFINITIONS)
        if(source MATCHES "\\.cpp$" AND NOT options AND NOT macros)
            math(EXPR united "${united} + 1")
        endif()
    endforeach()
    math(EXPR batches "(${united} + ${ORRERY_UNITY_BATCH} / 2) / ${ORRERY_UNITY_BATCH}")
    if(batches GREATER 1)
        math(EXPR united "(${united} + ${batches} - 1) / ${batches}")
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE ${united})
endfunction()

# A source with options or macros of its own is still compiled alone.
function(orrery_unite target)
    if(ORRERY_UNITY)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON)
        # When the folder's file has been read to its end, all sources are known.
        cmake_language(EVAL CODE "cmake_language(DEFER CALL orrery_set_batches ${target})")
        # GCC takes the sources for headers and warns of types that other files would have, too.
        target_compile_options(${target} PRIVATE
            $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    endif()
endfunction()
