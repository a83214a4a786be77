#include "widgets/plots/chart_content.h"

#include <algorithm>
#include <array>

#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr std::array kEventNames = {"steering", "checkpoint", "buffer clear",
                                    "nan",      "fork",       "note"};

}  // namespace

QString nameOf(ChartEventKind kind) {
    return QLatin1String(kEventNames[static_cast<std::size_t>(kind)]);
}

QColor colorOf(ChartEventKind kind, const Tokens& tokens) {
    switch (kind) {
        case ChartEventKind::Steering:
            return tokens.warning;
        case ChartEventKind::Checkpoint:
            return tokens.text2;
        case ChartEventKind::BufferClear:
            return tokens.info;
        case ChartEventKind::NotANumber:
            return tokens.error;
        case ChartEventKind::Fork:
            return tokens.brass;
        case ChartEventKind::Note:
            return tokens.accent;
    }
    return tokens.text2;
}

std::int64_t ChartContent::numPoints() const {
    std::int64_t total = 0;
    for (const Entry& entry : series) total += entry.points.size();
    return total;
}

std::int64_t ChartContent::bytes() const {
    std::int64_t total = 0;
    for (const Entry& entry : series)
        total += entry.points.bytes() + (entry.ema ? entry.ema->bytes() : 0);
    return total;
}

int ChartContent::numMembers(int group) const {
    return static_cast<int>(std::ranges::count_if(
        series, [group](const Entry& entry) { return entry.spec.group == group; }));
}

}  // namespace orrery
