#include <QJsonArray>
#include <algorithm>

#include "widgets/plots/chart.h"
#include "widgets/plots/chart_scene.h"
#include "widgets/plots/chart_text.h"

namespace orrery {

namespace {

constexpr std::int64_t kTail = 12;    // newest points of a line that are told one by one
constexpr std::int64_t kGaps = 4096;  // newest points between which gaps are looked for

QJsonObject lineFacts(const ChartContent::Entry& entry) {
    const Series& points = entry.points;
    QJsonObject facts{{QStringLiteral("key"), entry.key},
                      {QStringLiteral("points"), static_cast<qint64>(points.size())}};
    if (points.isEmpty()) return facts;
    facts.insert(QStringLiteral("first"), QJsonArray{points.firstX(), points.y(0)});
    QJsonArray tail;
    for (std::int64_t i = std::max<std::int64_t>(0, points.size() - kTail); i < points.size(); ++i)
        tail.append(QJsonArray{points.x(i), points.y(i)});
    facts.insert(QStringLiteral("tail"), tail);
    double widest = 0;
    for (std::int64_t i = std::max<std::int64_t>(1, points.size() - kGaps); i < points.size(); ++i)
        widest = std::max(widest, points.x(i) - points.x(i - 1));
    facts.insert(QStringLiteral("widestGap"), widest);
    if (entry.ema && entry.ema->done() > 0)
        facts.insert(QStringLiteral("smooth"), entry.ema->at(points, entry.ema->done() - 1));
    return facts;
}

QJsonArray lineFacts(const std::vector<ChartContent::Entry>& entries) {
    QJsonArray lines;
    for (const ChartContent::Entry& entry : entries) lines.append(lineFacts(entry));
    return lines;
}

QJsonArray stageFacts(const std::vector<ChartStage>& stages) {
    QJsonArray list;
    for (const ChartStage& stage : stages)
        list.append(QJsonObject{{QStringLiteral("name"), stage.name},
                                {QStringLiteral("from"), stage.from},
                                {QStringLiteral("to"), stage.to},
                                {QStringLiteral("current"), stage.isCurrent}});
    return list;
}

QJsonArray eventFacts(const std::vector<ChartEvent>& events) {
    QJsonArray list;
    for (const ChartEvent& event : events)
        list.append(QJsonObject{{QStringLiteral("x"), event.x},
                                {QStringLiteral("kind"), nameOf(event.kind)},
                                {QStringLiteral("text"), event.text}});
    return list;
}

}  // namespace

std::vector<NamedSpot> Chart::namedSpots() const {
    const QRectF plot = plotRect();
    std::vector<NamedSpot> spots{{QStringLiteral("plot"), plot.toAlignedRect()}};
    constexpr double kDiamond = 5;
    for (std::size_t i = 0; i < m_content.events.size(); ++i) {
        const ChartEvent& event = m_content.events[i];
        const QPointF at(pixelOf(event.x, shownY().low).x(), plot.top());
        if (at.x() < plot.left() || at.x() > plot.right() ||
            m_view.hiddenEvents.contains(nameOf(event.kind)))
            continue;
        spots.push_back({QStringLiteral("event %1").arg(i),
                         QRectF(at.x() - kDiamond, at.y() - kDiamond, 2 * kDiamond, 2 * kDiamond)
                             .toAlignedRect(),
                         {{QStringLiteral("text"), event.text}}});
    }
    return spots;
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
                      {QStringLiteral("unit"), m_scene->unit()},
                      {QStringLiteral("view"), saveState()},
                      {QStringLiteral("points"), static_cast<qint64>(m_content.numPoints())},
                      {QStringLiteral("bytes"), static_cast<qint64>(m_content.bytes())},
                      {QStringLiteral("x"), QJsonArray{x.low, x.high}},
                      {QStringLiteral("y"), QJsonArray{y.low, y.high}},
                      {QStringLiteral("lines"), lineFacts(m_content.series)},
                      {QStringLiteral("stages"), stageFacts(m_content.stages)},
                      {QStringLiteral("events"), eventFacts(m_content.events)},
                      {QStringLiteral("reading"), readingTsv()},
                      {QStringLiteral("settled"), isSettled()}};
    if (const auto at = crosshair()) facts.insert(QStringLiteral("crosshair"), *at);
    return facts;
}

}  // namespace orrery
