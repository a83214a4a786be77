#pragma once

#include <QStringList>
#include <vector>

#include "core/history/records.h"

namespace orrery {

class PlanSession;
class Selection;

/// What is shown, as one chain from the whole to the part: the open world, the run whose values are
/// shown, step and state. Empty without a world. Each part is HTML.
/// @param runs  of the workspace, for their names
QStringList crumbsOfWorld(const PlanSession& session, const std::vector<RunRecord>& runs);

/// The same in Compare: how many runs are compared, and the one that is selected there.
QStringList crumbsOfCompared(const Selection& selection, const std::vector<RunRecord>& runs);

}  // namespace orrery
