#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "widgets/plots/chart_view.h"

namespace orrery {

/// A middle and its range over the members of a group at one place.
struct BandPoint {
    double middle = std::numeric_limits<double>::quiet_NaN();
    double low = std::numeric_limits<double>::quiet_NaN();
    double high = std::numeric_limits<double>::quiet_NaN();
    double deviation = std::numeric_limits<double>::quiet_NaN();  ///< sample; NaN below n = 2
    int members = 0;                                              ///< with a value here
};

/// Sums up members' values. Bootstrap intervals are drawn with fixed random numbers, so that equal
/// values give equal intervals.
class BandMaker {
public:
    /// @param values  one of each member that has one here; finite. Is reordered.
    BandPoint make(BandKind kind, std::vector<double>& values);

private:
    const std::vector<std::uint16_t>& draws(std::size_t members);

    std::map<std::size_t, std::vector<std::uint16_t>> m_draws;  ///< [resample * n + k] by n
    std::vector<double> m_means;
};

/// The quantile q in [0, 1] of ascending values, linear between neighbours. NaN if there is none.
double quantileOf(std::span<const double> ascending, double q);

}  // namespace orrery
