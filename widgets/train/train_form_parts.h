#pragma once

#include <QStringList>
#include <vector>

#include "core/run/run_fields.h"

class QGridLayout;
class QWidget;

namespace orrery {

/// The fields that stand first in the form of a training, in their order; `seed` is of every run.
const QStringList& trainFormMain();
/// All fields that it may show, those of every run included.
std::vector<const RunField*> trainFormFields();
/// Names at the left, editors at the right.
QGridLayout* makeFormGrid(QWidget* part);

}  // namespace orrery
