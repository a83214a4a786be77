# Precompiled headers: one for every target that uses Qt (widgets, app and tests), one for those that
# do not (core's rooms, the verbs). Those that see LibTorch have theirs in torch_pch.cmake.
#
# GCC takes a precompiled header only if the flags and the macros that its headers look at are the
# same, so all users of one share orrery_flags and what it links. QT_TESTLIB_LIB and QT_SVG_LIB may
# differ: no header in it reads them.

# orrery_make_pch(<name> [LINK <target>...] HEADERS <header>...)
function(orrery_make_pch name)
    cmake_parse_arguments(PCH "" "" "LINK;HEADERS" ${ARGN})
    set(empty "${CMAKE_BINARY_DIR}/pch/${name}.cpp")
    if(NOT EXISTS "${empty}")
        file(WRITE "${empty}" "namespace orrery {}\n")
    endif()
    add_library(${name} OBJECT "${empty}")
    target_link_libraries(${name} PRIVATE orrery_flags ${PCH_LINK})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${name} PRIVATE -fpch-preprocess)  # for ccache
    endif()
    target_precompile_headers(${name} PRIVATE ${PCH_HEADERS})
endfunction()

# orrery_reuse_pch(<target> <name>): lets a target, which must link orrery_flags, use such a header.
function(orrery_reuse_pch target name)
    if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
        return()
    endif()
    # A program's moc file is empty (its .cpp includes its own), not worth loading a header for. A
    # room's holds all its classes and takes half as long with the header as without.
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
        set_source_files_properties(
            "${CMAKE_CURRENT_BINARY_DIR}/${target}_autogen/mocs_compilation.cpp"
            PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -fpch-preprocess)
    endif()
    target_precompile_headers(${target} REUSE_FROM ${name})
endfunction()

# Lets a target use the header with Qt; Qt6::Widgets is linked here.
function(orrery_use_pch target)
    if(TARGET orrery_pch AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
        target_link_libraries(${target} PRIVATE Qt6::Widgets)
        orrery_reuse_pch(${target} orrery_pch)
    endif()
endfunction()

# Lets a library use the header without Qt.
function(orrery_use_core_pch target)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    orrery_reuse_pch(${target} orrery_core_pch)
endfunction()

# Position independent, as core's rooms end up in a shared library.
set(json "")
if(nlohmann_json_FOUND)
    set(json <nlohmann/json.hpp>)
endif()
orrery_make_pch(orrery_core_pch LINK $<TARGET_NAME_IF_EXISTS:nlohmann_json::nlohmann_json>
    HEADERS <algorithm> <array> <atomic> <charconv> <chrono> <cmath> <condition_variable> <cstdint>
        <deque> <filesystem> <fstream> <functional> <map> <memory> <mutex> <numeric> <optional>
        <random> <set> <span> <sstream> <stop_token> <string> <string_view> <thread> <tuple>
        <unordered_map> <utility> <variant> <vector> ${json})
set_target_properties(orrery_core_pch PROPERTIES POSITION_INDEPENDENT_CODE ON)

if(ORRERY_GUI)
    # Qt6::Test also gives each program its folders as macros (for QFINDTESTDATA, which we do not
    # use): they would bar the precompiled header and ccache's sharing between checkouts.
    set_target_properties(Qt6::Test PROPERTIES INTERFACE_COMPILE_DEFINITIONS QT_TESTLIB_LIB)
    # What many rooms name, and no more: what a header leaves to be instantiated is instantiated in
    # each source that loads it. All of Qt's modules here were 0.8 s a source, these are 0.3 s.
    orrery_make_pch(orrery_pch LINK Qt6::Widgets
        HEADERS <algorithm> <array> <atomic> <chrono> <cmath> <condition_variable> <cstdint>
            <filesystem> <fstream> <functional> <map> <memory> <mutex> <optional> <set> <span>
            <sstream> <stop_token> <string> <string_view> <thread> <tuple> <unordered_map> <utility>
            <variant> <vector>
            <QAbstractTableModel> <QAction> <QApplication> <QBoxLayout> <QCheckBox> <QClipboard>
            <QColor> <QComboBox> <QDateTime> <QDialog> <QElapsedTimer> <QFile> <QFileInfo> <QFont>
            <QFontMetricsF> <QFrame> <QGridLayout> <QHash> <QHeaderView> <QIcon> <QImage>
            <QJsonArray> <QJsonDocument> <QJsonObject> <QKeyEvent> <QLabel> <QLineEdit> <QListView>
            <QMainWindow> <QMenu> <QPainter> <QPainterPath> <QPen> <QPointer> <QPushButton>
            <QRegularExpression> <QScrollArea> <QScrollBar> <QSet> <QSettings> <QSignalBlocker>
            <QSpinBox> <QStackedWidget> <QStringList> <QStyle> <QStyledItemDelegate> <QTableView>
            <QTimer> <QToolButton> <QUndoStack> <QVariant> <QWidget>)
endif()
