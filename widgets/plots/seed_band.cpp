#include "widgets/plots/seed_band.h"

#include <algorithm>
#include <cmath>

#include "core/base/rng.h"

namespace orrery {

namespace {

constexpr std::size_t kResamples = 400;
constexpr std::size_t kMostMembers = 65535;  // a draw is two bytes

double meanOf(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

}  // namespace

double quantileOf(std::span<const double> ascending, double q) {
    if (ascending.empty()) return std::numeric_limits<double>::quiet_NaN();
    const double place = q * static_cast<double>(ascending.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, ascending.size() - 1);
    const double part = place - static_cast<double>(below);
    return ascending[below] + part * (ascending[above] - ascending[below]);
}

const std::vector<std::uint16_t>& BandMaker::draws(std::size_t members) {
    std::vector<std::uint16_t>& list = m_draws[members];
    if (list.empty()) {
        Rng rng(20, members);
        list.resize(kResamples * members);
        for (std::uint16_t& draw : list) draw = static_cast<std::uint16_t>(rng.below(members));
    }
    return list;
}

BandPoint BandMaker::make(BandKind kind, std::vector<double>& values) {
    BandPoint point;
    point.members = static_cast<int>(values.size());
    if (values.empty()) return point;
    const double mean = meanOf(values);
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    if (values.size() > 1)
        point.deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
    point.middle = point.low = point.high = mean;
    if (kind == BandKind::Quartiles) {
        std::ranges::sort(values);
        point.middle = quantileOf(values, 0.5);
        point.low = quantileOf(values, 0.25);
        point.high = quantileOf(values, 0.75);
    } else if (values.size() < 2) {
        return point;
    } else if (kind == BandKind::Deviation) {
        point.low = mean - point.deviation;
        point.high = mean + point.deviation;
    } else if (kind == BandKind::Interval) {
        const std::size_t n = std::min(values.size(), kMostMembers);
        const std::vector<std::uint16_t>& drawn = draws(n);
        m_means.resize(kResamples);
        for (std::size_t r = 0; r < kResamples; ++r) {
            double sum = 0;
            for (std::size_t k = 0; k < n; ++k) sum += values[drawn[r * n + k]];
            m_means[r] = sum / static_cast<double>(n);
        }
        std::ranges::sort(m_means);
        point.low = quantileOf(m_means, 0.025);
        point.high = quantileOf(m_means, 0.975);
    }
    return point;
}

}  // namespace orrery
