#pragma once

#include <QString>
#include <functional>
#include <optional>
#include <string>

#include "core/base/run_state.h"

class QPainter;
class QRectF;

namespace orrery {

struct Tokens;

/// Draws the mark of a run's state, 14 px wide: its shape alone tells the state. For Row::picture.
/// Nothing stands for a state of a newer version.
std::function<void(QPainter&, const QRectF&, const Tokens&)> runMark(std::optional<RunState> state);

/// The state in a word.
QString runStateText(std::optional<RunState> state);

/// A stored UTC time for people: the time of day if it is today's, else the date.
QString timeText(const std::string& utc);

}  // namespace orrery
