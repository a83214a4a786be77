#include "widgets/common/value_bars.h"

namespace orrery {

std::vector<NamedSpot> ValueBars::namedSpots() const {
    std::vector<NamedSpot> spots;
    for (int row = 0; row < std::ssize(m_bars); ++row) {
        const ValueBar& bar = m_bars[static_cast<std::size_t>(row)];
        spots.push_back({QStringLiteral("row %1").arg(row),
                         rowRect(row),
                         {{QStringLiteral("text"), bar.name}, {QStringLiteral("share"), bar.share}},
                         bar.tip});
        for (int column = 0; column < std::ssize(bar.numbers); ++column) {
            const BarNumber& number = bar.numbers[static_cast<std::size_t>(column)];
            if (number.text.isEmpty()) continue;
            spots.push_back({QStringLiteral("number %1,%2").arg(row).arg(column),
                             numberRect(row, column),
                             {{QStringLiteral("text"), number.text},
                              {QStringLiteral("pickable"), number.isPickable}}});
        }
    }
    return spots;
}

QJsonObject ValueBars::spotFacts() const {
    return {{QStringLiteral("rows"), static_cast<qint64>(m_bars.size())}};
}

}  // namespace orrery
