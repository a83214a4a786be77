# orrery_test(<name> SOURCES <file>... [LINK <target>...] [LABELS <label>...] [SCREEN <width>x<height>]
#             [NEEDS <target>...] [TORCH] [ALONE])
#
# One test class, registered with ctest as <name>. The classes of a folder share a program,
# <folder>_tests of tests/ in the build folder. Those that need a screen, the learners or the program
# have one of their own there, so that the others can be built without: <folder>_gui_tests by the label
# gui, <folder>_torch_tests by TORCH (which gives them LibTorch's precompiled header),
# <folder>_learning_tests by the label torch, <folder>_app_tests by the label app. `<program> <file>`
# runs the class of one file, `<program> <file> <function>` one function of it. ALONE is for a source
# that changes the whole program (its operators new, its main). SOURCES begins with the file of the
# class, which ends with one of the macros of tests/support/test_program.h (or, ALONE, a main).
#
# The label gui runs it under Xvfb, with a screen of 1920x1080 or of SCREEN. NEEDS is built before it
# runs. What a test reads or starts it names by tests/support/places.h.
function(orrery_test name)
    cmake_parse_arguments(TEST "TORCH;ALONE" "SCREEN" "SOURCES;LINK;LABELS;NEEDS" ${ARGN})
    if(NOT TEST_LABELS)
        set(TEST_LABELS core)
    endif()
    orrery_test_program(program ${name} "${TEST_LABELS}" "${TEST_TORCH}" "${TEST_ALONE}")
    get_target_property(known ${program} SOURCES)
    foreach(source IN LISTS TEST_SOURCES)
        file(REAL_PATH "${source}" source)
        if(NOT source IN_LIST known)
            target_sources(${program} PRIVATE "${source}")
        endif()
    endforeach()
    target_link_libraries(${program} PRIVATE ${TEST_LINK})
    if(TEST_NEEDS)
        add_dependencies(${program} ${TEST_NEEDS})
    endif()
    # orrery_tests_<label> builds the programs of one label: what the sanitizer presets need.
    foreach(label IN LISTS TEST_LABELS)
        if(NOT TARGET orrery_tests_${label})
            add_custom_target(orrery_tests_${label})
        endif()
        add_dependencies(orrery_tests_${label} ${program})
    endforeach()
    set(class "")
    if(NOT TEST_ALONE)
        list(GET TEST_SOURCES 0 main)
        cmake_path(GET main STEM class)
    endif()
    orrery_add_test(${name} PROGRAM ${program} ARGUMENTS ${class} LABELS ${TEST_LABELS}
        SCREEN ${TEST_SCREEN})
endfunction()

# How long a test may take before it is taken for one that hangs; also beside much other work.
set(ORRERY_TEST_TIMEOUT 600)

# orrery_add_test(<name> PROGRAM <target> [ARGUMENTS <word>...] LABELS <label>...
#                 [SCREEN <width>x<height>] [ENVIRONMENT <name>=<value>...])
#
# Registers a run of a test program, once more for instance with other surroundings.
function(orrery_add_test name)
    cmake_parse_arguments(TEST "" "PROGRAM;SCREEN" "ARGUMENTS;LABELS;ENVIRONMENT" ${ARGN})
    set(command $<TARGET_FILE:${TEST_PROGRAM}> ${TEST_ARGUMENTS})
    if("gui" IN_LIST TEST_LABELS)
        if(NOT TEST_SCREEN)
            set(TEST_SCREEN 1920x1080)
        endif()
        set(command xvfb-run -a -s "-screen 0 ${TEST_SCREEN}x24" ${command})
    endif()
    add_test(NAME ${name} COMMAND ${command})
    # No test reads or writes what belongs to whoever runs it.
    set(home "${CMAKE_BINARY_DIR}/tests/home/${name}")
    set(environment
        "XDG_CONFIG_HOME=${home}/config" "XDG_DATA_HOME=${home}/data" "XDG_STATE_HOME=${home}/state"
        "ASAN_OPTIONS=detect_container_overflow=0"
        "TSAN_OPTIONS=die_after_fork=0 suppressions=${PROJECT_SOURCE_DIR}/tests/tsan_suppressions.txt"
        "LC_ALL=C.UTF-8" ${TEST_ENVIRONMENT})
    set_tests_properties(${name} PROPERTIES LABELS "${TEST_LABELS}" TIMEOUT ${ORRERY_TEST_TIMEOUT}
        ENVIRONMENT "${environment}")
    # What takes long is begun first, so that the end of the suite does not wait for it alone.
    if("slow" IN_LIST TEST_LABELS)
        set_tests_properties(${name} PROPERTIES COST 100)
    endif()
endfunction()

# orrery_test_library(<name> SOURCES <file>... [LINK <target>...])
#
# Makes orrery::<name>, what several tests share. It must not use Qt.
function(orrery_test_library name)
    cmake_parse_arguments(LIBRARY "" "" "SOURCES;LINK" ${ARGN})
    add_library(orrery_${name} STATIC ${LIBRARY_SOURCES})
    add_library(orrery::${name} ALIAS orrery_${name})
    target_include_directories(orrery_${name} PUBLIC "${PROJECT_SOURCE_DIR}")
    target_link_libraries(orrery_${name} PRIVATE orrery_flags PUBLIC ${LIBRARY_LINK})
    orrery_unite(orrery_${name})
    orrery_use_core_pch(orrery_${name})
endfunction()

# Names in `result` the program that a test belongs to, and makes it where it is its first.
function(orrery_test_program result name labels torch alone)
    set(program ${name})
    if(NOT alone)
        file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}/tests" "${CMAKE_CURRENT_SOURCE_DIR}")
        string(REPLACE "/" "_" program "${folder}")
        if("gui" IN_LIST labels)
            string(APPEND program _gui)
        elseif(torch)
            string(APPEND program _torch)
        elseif("torch" IN_LIST labels)
            string(APPEND program _learning)
        elseif("app" IN_LIST labels AND NOT folder STREQUAL "app")
            string(APPEND program _app)
        endif()
        string(APPEND program _tests)
    endif()
    set(${result} ${program} PARENT_SCOPE)
    if(TARGET ${program})
        return()
    endif()
    add_executable(${program})
    if(NOT alone)
        target_link_libraries(${program} PRIVATE orrery_test_main)
    endif()
    set_target_properties(${program} PROPERTIES AUTOMOC ON
        RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
    target_include_directories(${program} PRIVATE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${program} PRIVATE orrery_flags Qt6::Test)
    # A test's own code is compiled more often than it is waited for.
    target_compile_options(${program} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
    # Core's tests name Qt6::Widgets for the precompiled header's sake; they need not load it.
    target_link_options(${program} PRIVATE -Wl,--as-needed)
    if(torch)
        orrery_use_torch(${program})
    else()
        orrery_use_pch(${program})
    endif()
    orrery_unite(${program})
endfunction()
