#include <QJsonArray>

#include "widgets/plots/chart.h"
#include "widgets/plots/chart_text.h"

namespace orrery {

std::vector<NamedSpot> Chart::namedSpots() const {
    return {{QStringLiteral("plot"), plotRect().toAlignedRect()}};
}

QJsonObject Chart::spotFacts() const {
    QJsonArray series;
    for (const ChartContent::Entry& entry : m_content.series) series.append(entry.key);
    QJsonArray legend;
    for (const LegendEntry& entry : legendEntries(m_content, m_view)) legend.append(entry.name);
    const AxisView x = shownX(), y = shownY();
    QJsonObject facts{{QStringLiteral("title"), m_content.title},
                      {QStringLiteral("series"), series},
                      {QStringLiteral("legend"), legend},
                      {QStringLiteral("view"), saveState()},
                      {QStringLiteral("points"), static_cast<qint64>(m_content.numPoints())},
                      {QStringLiteral("bytes"), static_cast<qint64>(m_content.bytes())},
                      {QStringLiteral("x"), QJsonArray{x.low, x.high}},
                      {QStringLiteral("y"), QJsonArray{y.low, y.high}},
                      {QStringLiteral("reading"), readingTsv()},
                      {QStringLiteral("settled"), isSettled()}};
    if (const auto at = crosshair()) facts.insert(QStringLiteral("crosshair"), *at);
    return facts;
}

}  // namespace orrery
