#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "widgets/learned/learned_errors.h"

namespace orrery {

/// Pairs of exact and learned numbers binned to small squares. Defaults of tables lie in none.
struct CalibrationBins {
    static constexpr int kColumns = 64;  ///< and rows
    struct Bin {
        std::int64_t count = 0;
        std::size_t pair = 0;  ///< of the state with the largest error
    };
    double low = 0, high = 1;               ///< of both axes
    std::vector<Bin> bins = {};             ///< [rows * columns], from the lower left corner
    std::vector<std::int64_t> unseen = {};  ///< [columns] exact values of defaults
    std::int64_t most = 0;                  ///< pairs in a square

    /// The square of a pair; numbers beyond the axes count to the outermost ones.
    std::size_t binAt(double exact, double learned) const;
};
CalibrationBins calibrationOf(const LearnedPairs& pairs);

/// One quantity of a comparison with all that is drawn of it, so that showing it costs little.
/// Immutable.
struct ShownErrors {
    std::shared_ptr<const LearnedErrors> errors = {};
    std::shared_ptr<const LearnedPairs> pairs = {};
    ErrorSummary summary = {};
    CalibrationBins calibration = {};
    std::vector<ErrorBin> levels = {}, visits = {};
    /// States as worstStates gives them, at most kMostRows: by all of their pairs, and those with
    /// seen pairs by these.
    std::vector<std::int64_t> worst = {}, worstSeen = {};

    static constexpr std::size_t kMostRows = 1'000'000;
};

/// O(pairs) + O(states log states): some 100 ms for 10^6. Any thread.
/// @return null if stopped
std::shared_ptr<const ShownErrors> shownErrors(std::shared_ptr<const LearnedErrors> errors,
                                               const ValueOf& quantity,
                                               const std::stop_token& stop = {});

}  // namespace orrery
