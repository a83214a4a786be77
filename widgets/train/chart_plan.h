#pragma once

#include <array>
#include <span>

namespace orrery {

/// One of the charts of a training.
struct ChartPlan {
    struct Line {
        const char* metric = nullptr;
        const char* name = nullptr;
        int color = 0;
    };

    const char* id = nullptr;
    const char* title = nullptr;
    const char* unit = nullptr;
    bool isLog = false;
    std::array<Line, 6> lines = {};  ///< those without a metric are none
    bool isExact = false;            ///< follows from the step alone
};

/// The charts in their order: whether it works first, then why.
std::span<const ChartPlan> trainCharts();

}  // namespace orrery
