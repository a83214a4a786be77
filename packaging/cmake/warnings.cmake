# Warnings, floating point and sanitizer flags of our own targets.
add_library(orrery_flags INTERFACE)
target_compile_options(orrery_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    # Who only builds the program to use it does not fail on what an optimiser thinks it sees.
    $<$<NOT:$<CONFIG:Release>>:-Werror>
    # GCC 12 sees overlapping copies in std::string that are not there (its bug 105651).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
    # At -O3 it takes the alternatives of a std::variant for uninitialised ones (its bug 80635).
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-maybe-uninitialized>
    # Every code path gives the same bits: no fused multiply-add behind our back.
    -ffp-contract=off)
target_compile_definitions(orrery_flags INTERFACE
    $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS> QT_NO_KEYWORDS)
if(ORRERY_SANITIZE STREQUAL "address")
    target_compile_options(orrery_flags INTERFACE -fsanitize=address,undefined
        -fno-sanitize-recover=all -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS
        # GCC 12 warns of what the checks it adds may read, and crashes in this pass on widgets/plots.
        $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized -fno-ipa-cp>)
    target_link_options(orrery_flags INTERFACE -fsanitize=address,undefined)
elseif(ORRERY_SANITIZE STREQUAL "thread")
    target_compile_options(orrery_flags INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
    target_link_options(orrery_flags INTERFACE -fsanitize=thread)
elseif(NOT ORRERY_SANITIZE STREQUAL "")
    message(FATAL_ERROR "ORRERY_SANITIZE is '${ORRERY_SANITIZE}': set it to address, thread or nothing")
endif()
