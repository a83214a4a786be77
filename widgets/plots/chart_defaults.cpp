#include "widgets/plots/chart_defaults.h"

namespace orrery {

namespace {

ChartDefaults& chosen() {
    static ChartDefaults defaults;
    return defaults;
}

}  // namespace

void setChartDefaults(const ChartDefaults& defaults) {
    chosen() = defaults;
}

const ChartDefaults& chartDefaults() {
    return chosen();
}

}  // namespace orrery
