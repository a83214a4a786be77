#include "widgets/learned/shown_errors.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace orrery {

namespace {

constexpr double kRangeMargin = 0.02;  ///< of the range, on either side

/// The range of both axes: all exact numbers, and the learned ones that are no defaults.
void setRange(CalibrationBins& to, const LearnedPairs& pairs) {
    const auto [low, high] = std::ranges::minmax(pairs.exact);
    to.low = low;
    to.high = high;
    for (std::size_t i = 0; i < pairs.learned.size(); ++i) {
        if (pairs.isSeen[i] == 0 || !std::isfinite(pairs.learned[i])) continue;
        to.low = std::min<double>(to.low, pairs.learned[i]);
        to.high = std::max<double>(to.high, pairs.learned[i]);
    }
    if (factsOf(pairs.quantity.kind).isProbability) to.low = std::min(to.low, 0.0);
    if (to.high - to.low < 1e-9) to.high = to.low + 1;
    const double margin = kRangeMargin * (to.high - to.low);
    to.low -= margin;
    to.high += margin;
}

}  // namespace

std::size_t CalibrationBins::binAt(double exact, double learned) const {
    const auto place = [&](double value) {
        const int at = static_cast<int>((value - low) / (high - low) * kColumns);
        return static_cast<std::size_t>(std::clamp(at, 0, kColumns - 1));
    };
    return place(learned) * kColumns + place(exact);
}

CalibrationBins calibrationOf(const LearnedPairs& pairs) {
    CalibrationBins all;
    all.bins.resize(std::size_t{CalibrationBins::kColumns} * CalibrationBins::kColumns);
    all.unseen.resize(CalibrationBins::kColumns);
    if (pairs.exact.empty()) return all;
    setRange(all, pairs);
    for (std::size_t i = 0; i < pairs.exact.size(); ++i) {
        if (pairs.isSeen[i] == 0) {
            ++all.unseen[all.binAt(pairs.exact[i], all.low) % CalibrationBins::kColumns];
            continue;
        }
        if (!std::isfinite(pairs.learned[i])) continue;
        CalibrationBins::Bin& bin = all.bins[all.binAt(pairs.exact[i], pairs.learned[i])];
        if (bin.count == 0 || pairs.error[i / pairs.each] > pairs.error[bin.pair / pairs.each])
            bin.pair = i;
        ++bin.count;
        all.most = std::max(all.most, bin.count);
    }
    return all;
}

std::shared_ptr<const ShownErrors> shownErrors(std::shared_ptr<const LearnedErrors> errors,
                                               const ValueOf& quantity,
                                               const std::stop_token& stop) {
    auto shown = std::make_shared<ShownErrors>();
    const auto pairs = std::make_shared<const LearnedPairs>(pairsOf(*errors, quantity));
    shown->pairs = pairs;
    if (stop.stop_requested()) return nullptr;
    shown->summary = summaryOf(*errors, *pairs);
    if (stop.stop_requested()) return nullptr;
    shown->calibration = calibrationOf(*pairs);
    if (stop.stop_requested()) return nullptr;
    shown->levels = errorByLevel(*errors, *pairs);
    shown->visits = errorByVisits(*errors, *pairs);
    if (stop.stop_requested()) return nullptr;
    shown->worst = worstStates(pairs->error, ShownErrors::kMostRows);
    if (stop.stop_requested()) return nullptr;
    shown->worstSeen = worstStates(pairs->seenError, ShownErrors::kMostRows);
    shown->errors = std::move(errors);
    return shown;
}

}  // namespace orrery
