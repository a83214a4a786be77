#include "widgets/plots/smoothing.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "widgets/common/number_text.h"
#include "widgets/plots/series.h"

namespace orrery {

namespace {

constexpr std::int64_t kBlock = 64;
constexpr std::int64_t kAbove = 8;  // blocks in one entry of the upper level
constexpr std::size_t kMostKnown = 20000;

constexpr std::array kKindNames = {"none", "ema", "median", "envelope"};

template <typename WriteCount>
QString textWith(const SmoothingSpec& smoothing, const QString& xName, const WriteCount& count) {
    if (smoothing.kind == SmoothingKind::None) return {};
    const QString what = smoothing.kind == SmoothingKind::Ema ? QStringLiteral("exponential mean")
                         : smoothing.kind == SmoothingKind::Median
                             ? QStringLiteral("median")
                             : QStringLiteral("least and most");
    const bool isPlural = smoothing.window == 1 || xName.endsWith(QLatin1Char('s'));
    // A slider makes windows with many digits, which say nothing.
    const double window = smoothing.window;
    return QStringLiteral("%1 over %2 %3%4")
        .arg(what, window >= 100 ? count(std::llround(window)) : QString::number(window, 'g', 3),
             xName, isPlural ? QString() : QStringLiteral("s"));
}

}  // namespace

QString nameOf(SmoothingKind kind) {
    return QLatin1String(kKindNames[static_cast<std::size_t>(kind)]);
}

std::optional<SmoothingKind> smoothingKindOf(const QString& name) {
    for (std::size_t i = 0; i < kKindNames.size(); ++i)
        if (name == QLatin1String(kKindNames[i])) return static_cast<SmoothingKind>(i);
    return std::nullopt;
}

QString textOf(const SmoothingSpec& smoothing, const QString& xName) {
    return textWith(smoothing, xName, [](std::int64_t window) { return QString::number(window); });
}

QString captionOf(const SmoothingSpec& smoothing, const QString& xName) {
    return textWith(smoothing, xName, countText);
}

double emaWindowOf(double factor) {
    return -1 / std::log(factor);
}

void EmaLine::State::add(double atX, double y, double window) {
    if (!std::isfinite(y)) return;
    if (weight == 0) {
        mean = y;
        weight = 1;
    } else {
        const double distance = atX - x;
        if (distance != decayFor) {
            decayFor = distance;
            decay = std::exp(-distance / window);
        }
        weight = 1 + decay * weight;
        mean += (y - mean) / weight;  // a constant stays as it is
    }
    x = atX;
}

std::int64_t EmaLine::advance(const Series& series, std::int64_t most) {
    const std::int64_t end = m_done + std::min(series.size() - m_done, most);
    for (; m_done < end; ++m_done) {
        if (m_done % kBlock == 0) beginBlock();
        m_state.add(series.x(m_done), series.y(m_done), m_window);
        // Comparisons with NaN are false: points before the first finite value leave no trace.
        for (Extremes* extremes : {&m_within.back(), &m_above.back()}) {
            if (m_state.mean < extremes->least) extremes->least = m_state.mean;
            if (m_state.mean > extremes->most) extremes->most = m_state.mean;
        }
    }
    return series.size() - m_done;
}

void EmaLine::beginBlock() {
    const Range empty;
    if (m_starts.size() == m_starts.capacity()) {  // by an eighth: it must stay small
        m_starts.reserve(m_starts.size() + m_starts.size() / 8 + 8);
        m_within.reserve(m_starts.capacity());
    }
    m_starts.push_back({m_state.mean, m_state.weight, m_state.x});
    m_within.push_back({empty.least, empty.most});
    if (m_done % (kBlock * kAbove) == 0) m_above.push_back({empty.least, empty.most});
}

EmaLine::State EmaLine::before(std::int64_t block) const {
    const Start& start = m_starts[static_cast<std::size_t>(block)];
    State state;
    state.mean = start.mean;
    state.weight = start.weight;
    state.x = start.x;
    return state;
}

double EmaLine::at(const Series& series, std::int64_t index) const {
    if (index < 0 || index >= m_done) return std::numeric_limits<double>::quiet_NaN();
    State state = before(index / kBlock);
    for (std::int64_t i = index / kBlock * kBlock; i <= index; ++i)
        state.add(series.x(i), series.y(i), m_window);
    return state.mean;
}

std::vector<EmaLine::Range> EmaLine::ranges(const Series& series,
                                            std::span<const std::int64_t> edges) const {
    std::vector<Range> result(edges.empty() ? 0 : edges.size() - 1);
    if (result.empty() || edges.front() >= m_done) return result;
    const bool isByBlocks = edges.back() - edges.front() > kBlock / 2 * std::ssize(result);
    const std::int64_t blocks = (edges.back() - edges.front()) / (kBlock * std::ssize(result));
    const std::int64_t granule = blocks >= 4 * kAbove ? kAbove : 1;
    const auto roundedUp = [granule](std::int64_t point) {
        const std::int64_t block = (point + kBlock - 1) / kBlock;
        return (block + granule - 1) / granule * granule;
    };
    State state;
    std::int64_t next = -1;  // the point that comes after `state`
    for (std::size_t c = 0; c < result.size(); ++c) {
        const std::int64_t begin = edges[c];
        const std::int64_t end = std::min(edges[c + 1], m_done);
        if (begin >= end) continue;
        if (isByBlocks) {
            const bool isLast = c + 1 == result.size() || end == m_done;
            result[c] =
                rangeOfBlocks(roundedUp(begin), isLast ? std::ssize(m_starts) : roundedUp(end));
            continue;
        }
        if (next < 0) {
            next = begin / kBlock * kBlock;
            state = before(begin / kBlock);
        }
        for (; next < end; ++next) {
            state.add(series.x(next), series.y(next), m_window);
            if (next < begin || !std::isfinite(state.mean)) continue;
            result[c].least = std::min(result[c].least, state.mean);
            result[c].most = std::max(result[c].most, state.mean);
            result[c].last = state.mean;
        }
    }
    return result;
}

/// Over the blocks [begin, end); `last` is the mean before block `end`.
EmaLine::Range EmaLine::rangeOfBlocks(std::int64_t begin, std::int64_t end) const {
    Range range;
    end = std::min(end, std::ssize(m_starts));
    for (std::int64_t block = begin; block < end;) {
        const bool isWhole = block % kAbove == 0 && block + kAbove <= end;
        const auto& [least, most] = isWhole ? m_above[static_cast<std::size_t>(block / kAbove)]
                                            : m_within[static_cast<std::size_t>(block)];
        range.least = std::min(range.least, least);
        range.most = std::max(range.most, most);
        block += isWhole ? kAbove : 1;
    }
    if (!range.isEmpty())
        range.last = end < std::ssize(m_starts) ? m_starts[static_cast<std::size_t>(end)].mean
                                                : m_state.mean;
    return range;
}

std::int64_t EmaLine::bytes() const {
    return static_cast<std::int64_t>(sizeof *this + m_starts.capacity() * sizeof(Start) +
                                     (m_within.capacity() + m_above.capacity()) * sizeof(Extremes));
}

double medianOf(std::vector<double>& values) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    const double below = *std::max_element(values.begin(), middle);
    return below == *middle ? below : below / 2 + *middle / 2;
}

double MedianLine::at(const Series& series, double x) {
    if (const auto known = m_known.find(x); known != m_known.end()) return known->second;
    const double value = compute(series, x);
    if (m_known.size() >= kMostKnown) m_known.clear();
    // Windows that later points may still fall into are computed again.
    if (!series.isEmpty() && x + m_window / 2 < series.lastX()) m_known.emplace(x, value);
    return value;
}

double MedianLine::compute(const Series& series, double x) {
    if (series.isEmpty() || x < series.firstX() || x > series.lastX())
        return std::numeric_limits<double>::quiet_NaN();
    const std::int64_t begin = series.lowerBound(x - m_window / 2);
    const std::int64_t end = series.lowerBound(
        std::nextafter(x + m_window / 2, std::numeric_limits<double>::infinity()));
    const std::int64_t stride = (end - begin + kMostPoints - 1) / kMostPoints;
    m_stride = std::max(m_stride, stride);
    m_values.clear();
    for (std::int64_t i = begin; i < end; i += std::max<std::int64_t>(1, stride))
        if (const double y = series.y(i); std::isfinite(y)) m_values.push_back(y);
    return medianOf(m_values);
}

}  // namespace orrery
