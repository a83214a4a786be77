#pragma once

#include <memory>

#include "core/dag/state_marks.h"

namespace orrery {

class Selection;

/// The set of states of a selection: what a search found, or the states that were listed one by
/// one, as far as the graph has them. Null if there is none.
std::shared_ptr<const StateMarks> selectedMarks(const Selection& selection,
                                                const StateGraph& graph);

}  // namespace orrery
