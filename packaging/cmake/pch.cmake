# Precompiled headers: one for every target that uses Qt (widgets, app and tests), one for those that
# do not (core's rooms, the verbs). Those that see LibTorch have theirs in torch_pch.cmake.
#
# GCC takes a precompiled header only if the flags and the macros that its headers look at are the
# same, so all users share orrery_flags and Qt6::Widgets. QT_TESTLIB_LIB and QT_SVG_LIB may differ:
# no header in it reads them.
function(orrery_make_pch)
    set(empty "${CMAKE_BINARY_DIR}/pch/orrery_pch.cpp")
    if(NOT EXISTS "${empty}")
        file(WRITE "${empty}" "namespace orrery {}\n")
    endif()
    add_library(orrery_pch OBJECT "${empty}")
    target_link_libraries(orrery_pch PRIVATE orrery_flags Qt6::Widgets)
    target_include_directories(orrery_pch SYSTEM PRIVATE
        $<TARGET_PROPERTY:Qt6::Test,INTERFACE_INCLUDE_DIRECTORIES>)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(orrery_pch PRIVATE -fpch-preprocess)  # for ccache
    endif()
    target_precompile_headers(orrery_pch PRIVATE
        <algorithm> <array> <atomic> <chrono> <cmath> <condition_variable> <cstdint> <filesystem>
        <fstream> <functional> <map> <memory> <mutex> <optional> <random> <set> <span> <sstream>
        <stop_token> <string> <string_view> <thread> <tuple> <unordered_map> <utility> <variant>
        <vector> <QtTest/QtTest> <QtWidgets/QtWidgets>)
endfunction()

# Lets a target use it. The target must link orrery_flags; Qt6::Widgets is linked here.
function(orrery_use_pch target)
    if(NOT TARGET orrery_pch OR CMAKE_DISABLE_PRECOMPILE_HEADERS)
        return()
    endif()
    target_link_libraries(${target} PRIVATE Qt6::Widgets)
    # A test program's moc file is empty (its .cpp includes its own), not worth loading a header for.
    set_source_files_properties(
        "${CMAKE_CURRENT_BINARY_DIR}/${target}_autogen/mocs_compilation.cpp"
        PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -fpch-preprocess)
    endif()
    target_precompile_headers(${target} REUSE_FROM orrery_pch)
endfunction()

# The same without Qt, for libraries: position independent, as core's rooms end up in a shared one.
function(orrery_make_core_pch)
    set(empty "${CMAKE_BINARY_DIR}/pch/orrery_core_pch.cpp")
    if(NOT EXISTS "${empty}")
        file(WRITE "${empty}" "namespace orrery {}\n")
    endif()
    add_library(orrery_core_pch OBJECT "${empty}")
    set_target_properties(orrery_core_pch PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(orrery_core_pch PRIVATE orrery_flags)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(orrery_core_pch PRIVATE -fpch-preprocess)  # for ccache
    endif()
    target_precompile_headers(orrery_core_pch PRIVATE
        <algorithm> <array> <atomic> <charconv> <chrono> <cmath> <condition_variable> <cstdint>
        <deque> <filesystem> <fstream> <functional> <map> <memory> <mutex> <numeric> <optional>
        <random> <set> <span> <sstream> <stop_token> <string> <string_view> <thread> <tuple>
        <unordered_map> <utility> <variant> <vector>)
    if(nlohmann_json_FOUND)
        target_link_libraries(orrery_core_pch PRIVATE nlohmann_json::nlohmann_json)
        target_precompile_headers(orrery_core_pch PRIVATE <nlohmann/json.hpp>)
    endif()
endfunction()

# Lets a target use it, which must link orrery_flags.
function(orrery_use_core_pch target)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
        return()
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -fpch-preprocess)
    endif()
    target_precompile_headers(${target} REUSE_FROM orrery_core_pch)
endfunction()

orrery_make_core_pch()
if(ORRERY_GUI)
    # Qt6::Test also gives each program its folders as macros (for QFINDTESTDATA, which we do not
    # use): they would bar the precompiled header and ccache's sharing between checkouts.
    set_target_properties(Qt6::Test PROPERTIES INTERFACE_COMPILE_DEFINITIONS QT_TESTLIB_LIB)
    orrery_make_pch()
endif()
