#pragma once

#include <QString>

#include "core/solve/explain.h"

namespace orrery {

class InspectorState;

/// Everything that an inspector shows as tab-separated text, numbers with all their digits: the
/// state, every quantity (with A, B and B - A while a state is pinned) and its kind, and, if given,
/// the sum behind one of them.
QString inspectorTsv(const InspectorState& state, const std::optional<Explanation>& sum);

/// The sum alone.
QString sumTsv(const InspectorState& state, const Explanation& sum);

}  // namespace orrery
