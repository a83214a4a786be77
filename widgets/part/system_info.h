#pragma once

#include <QString>

namespace orrery {

/// The program and the machine, for who is told of a fault.
QString systemInfo();

}  // namespace orrery
