# Faster builds where the tools are there: ccache in front of the compiler, mold as the linker.
# Both are only defaults: -DCMAKE_CXX_COMPILER_LAUNCHER=... and -DORRERY_MOLD=OFF win.

find_program(ORRERY_CCACHE ccache)
find_program(ORRERY_ENV env)
if(ORRERY_CCACHE AND ORRERY_ENV AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    # base_dir and hash_dir let checkouts in different folders share results; the sloppiness is
    # what ccache asks for before it caches files that use a precompiled header.
    set(ORRERY_LAUNCHER ${ORRERY_ENV} "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
        "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
        ${ORRERY_CCACHE})
    set(CMAKE_C_COMPILER_LAUNCHER ${ORRERY_LAUNCHER})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${ORRERY_LAUNCHER})
endif()

find_program(ORRERY_MOLD_PROGRAM mold)
option(ORRERY_MOLD "Link with mold where it is installed" ON)
if(ORRERY_MOLD AND ORRERY_MOLD_PROGRAM)
    add_link_options(-fuse-ld=mold)
endif()
