#pragma once

#include <vector>

#include "core/run/run_kind.h"

class QGridLayout;
class QWidget;

namespace orrery {

/// What a form of a kind shows at first, in this order: see RunKind::firstFields.
std::vector<const RunField*> firstFormFields(const RunKind& kind);

/// All that it may show; of a training its seed, too. Worlds, rules and what a run begins with are
/// not its business.
std::vector<const RunField*> formFields(const RunKind& kind);

/// Names at the left, editors at the right.
/// @param editorWidth  pixels, at least
QGridLayout* makeFormGrid(QWidget* part, int editorWidth = 110);

}  // namespace orrery
