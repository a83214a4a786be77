#include "widgets/plots/chart_defaults.h"

namespace orrery {

namespace {

SmoothingSpec& chosen() {
    static SmoothingSpec smoothing;
    return smoothing;
}

}  // namespace

void setDefaultSmoothing(const SmoothingSpec& smoothing) {
    chosen() = smoothing;
}

const SmoothingSpec& defaultSmoothing() {
    return chosen();
}

}  // namespace orrery
