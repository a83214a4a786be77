#include "widgets/learned/duration_bins.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "widgets/common/number_text.h"

namespace orrery {

namespace {

constexpr std::size_t kBins = 24;
constexpr double kClockNs = 10;  ///< what the clock tells apart

QString binText(const char* text) {
    return QCoreApplication::translate("DurationBins", text);
}

QString millisecondsOf(double ns) {
    return valueText(ns * 1e-6, 3);
}

}  // namespace

std::vector<ErrorBin> durationBins(std::vector<double> ns) {
    if (ns.empty()) return {};
    std::ranges::sort(ns);
    const double low = std::max(ns.front(), kClockNs), longest = ns.back();
    const double high = std::max(ns[(ns.size() - 1) * 99 / 100], low + 1);
    const double factor = std::pow(high / low, 1 / static_cast<double>(kBins));
    std::vector<ErrorBin> bins(kBins);
    for (const double time : ns) {
        const double place = std::log(std::max(time, low) / low) / std::log(factor);
        ++bins[std::min(static_cast<std::size_t>(place), kBins - 1)].numVisited;
    }
    for (std::size_t i = 0; i < kBins; ++i) {
        ErrorBin& bin = bins[i];
        const double begin = low * std::pow(factor, static_cast<double>(i));
        const double end = i + 1 < kBins ? begin * factor : std::max(high, longest);
        bin.visited = static_cast<double>(bin.numVisited);
        bin.label = millisecondsOf(begin);
        bin.tip = binText("%1 to %2 ms: %3 of %4 recorded steps")
                      .arg(millisecondsOf(begin), millisecondsOf(end), countText(bin.numVisited),
                           countText(std::ssize(ns)));
    }
    return bins;
}

}  // namespace orrery
