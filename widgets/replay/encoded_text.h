#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/encode/compact_state.h"

namespace orrery {

class World;

/// An encoded state to be looked at: its bytes, whose they are and what they are called.
/// Immutable once made; any thread.
struct ShownState {
    EncodingShape shape;
    std::shared_ptr<const World> world;  ///< names of agents; may be null
    QString title;                       ///< "step 3, the selected state"
    std::vector<std::byte> encoded;      ///< [shape.bytes()] as it was given
    std::vector<float> planes40, planes39;
    std::vector<std::int32_t> cells;
    std::vector<float> globals;
    std::vector<std::int16_t> agents, interactive;
};

/// @param encoded  shape.bytes() of them, of any alignment
std::shared_ptr<const ShownState> shownState(const EncodingShape& shape,
                                             std::span<const std::byte> encoded,
                                             std::shared_ptr<const World> world,
                                             const QString& title);

/// Names of all bits of a cell that say something, for people: "door red locked; agent yellow".
QString cellBitsText(const CellBits& cell);

/// One line a cell: x, y, all parts of its bits by name, the number as stored (hex).
QStringList cellHeadings();
std::vector<QStringList> cellRows(const ShownState& state);

/// One line a number: what it is of, its name, its value.
QStringList numberHeadings();
std::vector<QStringList> agentRows(const ShownState& state);
std::vector<QStringList> interactiveRows(const ShownState& state);
std::vector<QStringList> globalRows(const ShownState& state);

/// One line a plane: its name, how many cells are not 0, their sum, the cells.
QStringList planeHeadings();
std::vector<QStringList> planeRows(const ShownState& state, PlaneLayout layout);

}  // namespace orrery
