# orrery_room(<name> SOURCES <file>... [USES <room>...] [LINK <target>...] [LEARNERS] [NO_QT])
#
# Makes orrery::<name> of one room of core, widgets or app. USES names the rooms whose headers it may
# include; LINK names third-party targets. The test `rooms` compares USES with the #include lines,
# through the file rooms.txt in the build folder (orrery_write_rooms below).
#
# The rooms of core are parts of one shared library, liborrery_core.so, so that the program and the
# learners have one copy of them; whoever links orrery::<room> links that. LEARNERS marks those that
# are part of liborrery_learn.so instead. Theirs and those of widgets and app are static libraries.
# NO_QT marks rooms of app that name no class of Qt.
set_property(GLOBAL PROPERTY ORRERY_ROOMS "")

function(orrery_room name)
    cmake_parse_arguments(ROOM "LEARNERS;NO_QT" "" "SOURCES;USES;LINK" ${ARGN})
    file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
    set(uses ${ROOM_USES})
    list(TRANSFORM uses PREPEND "orrery::")
    if(folder MATCHES "^core/" AND NOT ROOM_LEARNERS)
        add_library(orrery_${name} OBJECT ${ROOM_SOURCES})
        target_sources(orrery_core PRIVATE $<TARGET_OBJECTS:orrery_${name}>)
        target_link_libraries(orrery_core PUBLIC ${ROOM_LINK})
        # What a user of the room gets: its folders, and the library, which other objects of that
        # library must not wait for.
        add_library(orrery_${name}_use INTERFACE)
        add_library(orrery::${name} ALIAS orrery_${name}_use)
        target_include_directories(orrery_${name}_use INTERFACE "${PROJECT_SOURCE_DIR}")
        target_link_libraries(orrery_${name}_use INTERFACE Threads::Threads ${ROOM_LINK} ${uses}
            $<$<NOT:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,OBJECT_LIBRARY>>:orrery_core>)
    else()
        add_library(orrery_${name} STATIC ${ROOM_SOURCES})
        add_library(orrery::${name} ALIAS orrery_${name})
    endif()
    target_include_directories(orrery_${name} PUBLIC "${PROJECT_SOURCE_DIR}")
    target_link_libraries(orrery_${name} PRIVATE orrery_flags)
    target_link_libraries(orrery_${name} PUBLIC Threads::Threads ${ROOM_LINK} ${uses})
    orrery_unite(orrery_${name})
    if(ROOM_NO_QT OR folder MATCHES "^core/" AND NOT ROOM_LEARNERS)
        orrery_use_core_pch(orrery_${name})
    elseif(NOT ROOM_LEARNERS)
        orrery_use_pch(orrery_${name})
    endif()
    if(ROOM_NO_QT)
        list(APPEND ROOM_USES no_qt)
    endif()
    string(REPLACE ";" " " used "${ROOM_USES}")
    set_property(GLOBAL APPEND PROPERTY ORRERY_ROOMS "${name} ${folder}: ${used}")
endfunction()

# The shared library of core's rooms; called before the first of them. Its calls of its own functions
# are bound when it is linked, as in a program.
function(orrery_make_core)
    add_library(orrery_core SHARED)
    target_link_libraries(orrery_core PRIVATE orrery_flags PUBLIC Threads::Threads)
    target_link_options(orrery_core PRIVATE -Wl,-Bsymbolic-functions)
    set_target_properties(orrery_core PROPERTIES LINKER_LANGUAGE CXX
        LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
endfunction()

# Writes <build>/rooms.txt: one line "<name> <folder>: <used room>... [no_qt]" a room, lowest first.
# Runs by itself when the top CMakeLists.txt has been read to its end.
function(orrery_write_rooms)
    get_property(rooms GLOBAL PROPERTY ORRERY_ROOMS)
    list(JOIN rooms "\n" lines)
    file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/rooms.txt" CONTENT "${lines}\n")
endfunction()
cmake_language(DEFER DIRECTORY "${PROJECT_SOURCE_DIR}" CALL orrery_write_rooms)
