#pragma once

#include <QStringList>
#include <vector>

#include "core/history/records.h"

namespace orrery {

class PlanSession;

/// A run as a part of a chain of places: HTML. One that has the name of its world is told from it
/// by its id.
/// @param runs  of the workspace, for their names
QString runCrumb(const QString& id, const std::vector<RunRecord>& runs, const QString& world = {});

/// What is shown, as one chain from the whole to the part: the open world, the run whose values are
/// shown, step and state. Empty without a world. Each part is HTML.
QStringList crumbsOfWorld(const PlanSession& session, const std::vector<RunRecord>& runs);

}  // namespace orrery
