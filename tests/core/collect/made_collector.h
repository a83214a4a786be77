#pragma once

#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "core/collect/collector.h"
#include "tests/core/collect/collect_worlds.h"

namespace orrery::test {

inline Collector collectorOf(const std::vector<std::shared_ptr<const World>>& worlds,
                             CollectorSpec spec, double beta_h = 2.0) {
    return {std::move(spec), collectorWorlds(worlds, beta_h), std::make_shared<MadeValues>()};
}

inline std::vector<Transition> stepsOf(Collector& collector, int count, const ActingRates& rates) {
    std::vector<Transition> list;
    list.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) list.push_back(collector.step(rates));
    return list;
}

/// Sum of (found - expected)^2 / expected; what is not expected must not be found.
inline double chiSquare(const std::vector<double>& found, const std::vector<double>& expected) {
    double sum = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (expected[i] == 0 && found[i] > 0) return std::numeric_limits<double>::infinity();
        if (expected[i] > 0)
            sum += (found[i] - expected[i]) * (found[i] - expected[i]) / expected[i];
    }
    return sum;
}

}  // namespace orrery::test
