#pragma once

#include <string>

namespace orrery {

/// A curve's name and a value of it.
struct MetricValue {
    std::string name;
    double value = 0;
};

}  // namespace orrery
