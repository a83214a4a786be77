#pragma once

#include "widgets/plots/chart_view.h"

namespace orrery {

/// What a new chart starts with; a chart that was there keeps its own.
struct ChartDefaults {
    SmoothingSpec smoothing;
    BandKind bands = BandKind::Deviation;
};

/// Call it in the GUI thread.
void setChartDefaults(const ChartDefaults& defaults);
const ChartDefaults& chartDefaults();

}  // namespace orrery
