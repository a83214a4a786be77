#pragma once

#include <string>
#include <vector>

#include "core/run/run_kind.h"

class QGridLayout;
class QWidget;

namespace orrery {

/// Whether a field is among those that a form of its kind shows at first.
bool standsFirst(const RunKind& kind, const std::string& field);
/// All fields that it may show, those of every run included.
std::vector<const RunField*> trainFormFields(const RunKind& kind);
/// Names at the left, editors at the right.
QGridLayout* makeFormGrid(QWidget* part);

}  // namespace orrery
