# cmake -DSOURCE=DIR -DVERSION=0.1.0 -DOUTPUT=FILE -P code_version.cmake
#
# Writes a header with the version that runs record, "0.1.0+a1b2c3d-dirty": with the commit that is
# checked out in DIR and whether tracked files differ from it. Without git, or where DIR is not the
# top of a checkout, it is the plain version. A file that would not change is not touched.
set(ENV{GIT_OPTIONAL_LOCKS} 0)  # looking must not get in the way of a commit

function(git result)
    execute_process(COMMAND git -C "${SOURCE}" ${ARGN} OUTPUT_VARIABLE text
        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(failed)
        set(text "")
    endif()
    set(${result} "${text}" PARENT_SCOPE)
endfunction()

set(code_version "${VERSION}")
git(top rev-parse --show-toplevel)
file(REAL_PATH "${SOURCE}" source)
if(top STREQUAL source)
    git(commit rev-parse --short=10 HEAD)
    if(commit)
        git(changes status --porcelain --untracked-files=no)
        string(APPEND code_version "+${commit}")
        if(changes)
            string(APPEND code_version "-dirty")
        endif()
    endif()
endif()

set(text "#pragma once\n#define ORRERY_CODE_VERSION \"${code_version}\"\n")
set(before "")
if(EXISTS "${OUTPUT}")
    file(READ "${OUTPUT}" before)
endif()
if(NOT before STREQUAL text)
    file(WRITE "${OUTPUT}" "${text}")
endif()
