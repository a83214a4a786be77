# orrery_room(<name> SOURCES <file>... [USES <room>...] [LINK <target>...])
#
# Makes the static library orrery::<name> of one room of core or widgets. USES names the rooms whose
# headers it may include; LINK names third-party targets. The test `rooms` compares USES with the
# #include lines, through the file rooms.txt in the build folder (orrery_write_rooms below).
set_property(GLOBAL PROPERTY ORRERY_ROOMS "")

function(orrery_room name)
    cmake_parse_arguments(ROOM "" "" "SOURCES;USES;LINK" ${ARGN})
    add_library(orrery_${name} STATIC ${ROOM_SOURCES})
    add_library(orrery::${name} ALIAS orrery_${name})
    target_include_directories(orrery_${name} PUBLIC "${PROJECT_SOURCE_DIR}")
    target_link_libraries(orrery_${name} PRIVATE orrery_flags)
    target_link_libraries(orrery_${name} PUBLIC Threads::Threads ${ROOM_LINK})
    foreach(used IN LISTS ROOM_USES)
        target_link_libraries(orrery_${name} PUBLIC orrery::${used})
    endforeach()
    file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
    if(NOT folder MATCHES "^core/")
        orrery_use_pch(orrery_${name})
    endif()
    string(REPLACE ";" " " uses "${ROOM_USES}")
    set_property(GLOBAL APPEND PROPERTY ORRERY_ROOMS "${name} ${folder}: ${uses}")
endfunction()

# Writes <build>/rooms.txt: one line "<name> <folder>: <used room>..." a room, lowest room first.
# Runs by itself when the top CMakeLists.txt has been read to its end.
function(orrery_write_rooms)
    get_property(rooms GLOBAL PROPERTY ORRERY_ROOMS)
    list(JOIN rooms "\n" lines)
    file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/rooms.txt" CONTENT "${lines}\n")
endfunction()
cmake_language(DEFER DIRECTORY "${PROJECT_SOURCE_DIR}" CALL orrery_write_rooms)

# orrery_test(<name> SOURCES <file>... [LINK <target>...] [LABELS <label>...] [TIMEOUT <s>] [NO_PCH]
#             [SCREEN <width>x<height>])
#
# One Qt Test program tests/<name> in the build folder, registered with ctest. The label gui runs it
# under Xvfb, with a screen of 1920x1080 or of SCREEN. NO_PCH is for programs whose flags differ
# (LibTorch's headers come first there).
function(orrery_test name)
    cmake_parse_arguments(TEST "NO_PCH" "TIMEOUT;SCREEN" "SOURCES;LINK;LABELS" ${ARGN})
    if(NOT TEST_TIMEOUT)
        set(TEST_TIMEOUT 120)
    endif()
    if(NOT TEST_SCREEN)
        set(TEST_SCREEN 1920x1080)
    endif()
    if(NOT TEST_LABELS)
        set(TEST_LABELS core)
    endif()
    add_executable(${name} ${TEST_SOURCES})
    set_target_properties(${name} PROPERTIES AUTOMOC ON
        RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
    target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${name} PRIVATE orrery_flags Qt6::Test ${TEST_LINK})
    # A test's own code is compiled more often than it is waited for.
    target_compile_options(${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
    # Core's tests name Qt6::Widgets for the precompiled header's sake; they need not load it.
    target_link_options(${name} PRIVATE -Wl,--as-needed)
    if(NOT TEST_NO_PCH)
        orrery_use_pch(${name})
    endif()
    # Only sources that name them get the folders, so that ccache shares the others between
    # checkouts. After writing the first ORRERY_... into a source, configure again.
    foreach(source IN LISTS TEST_SOURCES)
        file(REAL_PATH "${source}" source)
        if(EXISTS "${source}")
            file(STRINGS "${source}" named REGEX "ORRERY_(TEST_DATA|RESOURCES)" LIMIT_COUNT 1)
            if(named)
                set_property(SOURCE "${source}" APPEND PROPERTY COMPILE_DEFINITIONS
                    "ORRERY_TEST_DATA=\"${PROJECT_SOURCE_DIR}/tests/data\""
                    "ORRERY_RESOURCES=\"${PROJECT_SOURCE_DIR}/resources\"")
            endif()
        endif()
    endforeach()
    # orrery_tests_<label> builds the programs of one label: what the sanitizer presets need.
    foreach(label IN LISTS TEST_LABELS)
        if(NOT TARGET orrery_tests_${label})
            add_custom_target(orrery_tests_${label})
        endif()
        add_dependencies(orrery_tests_${label} ${name})
    endforeach()
    if("gui" IN_LIST TEST_LABELS)
        add_test(NAME ${name} COMMAND xvfb-run -a -s "-screen 0 ${TEST_SCREEN}x24" $<TARGET_FILE:${name}>)
    else()
        add_test(NAME ${name} COMMAND ${name})
    endif()
    # No test reads or writes what belongs to whoever runs it.
    set(home "${CMAKE_BINARY_DIR}/tests/home/${name}")
    set_tests_properties(${name} PROPERTIES LABELS "${TEST_LABELS}" TIMEOUT ${TEST_TIMEOUT}
        ENVIRONMENT "XDG_CONFIG_HOME=${home}/config;XDG_DATA_HOME=${home}/data;XDG_STATE_HOME=${home}/state;ASAN_OPTIONS=detect_container_overflow=0;TSAN_OPTIONS=die_after_fork=0 suppressions=${PROJECT_SOURCE_DIR}/tests/tsan_suppressions.txt;LC_ALL=C.UTF-8")
endfunction()
