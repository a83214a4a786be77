#include <algorithm>

#include "core/dag/state_marks.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/dag/bands_canvas.h"
#include "widgets/dag/state_canvas.h"
#include "widgets/dag/value_matrix.h"

namespace orrery {

namespace {

/// "state t4/s17": the same words as in an address.
QString stateName(int step, std::int64_t index) {
    return QStringLiteral("state t%1/s%2").arg(step).arg(index);
}

}  // namespace

std::vector<NamedSpot> BandsCanvas::namedSpots() const {
    std::vector<NamedSpot> spots;
    if (!m_density) return spots;
    const QRectF plot = plotRect();
    spots.push_back({QStringLiteral("plot"), plot.toAlignedRect()});
    for (int step = 0; step < m_density->numLevels(); ++step) {
        const QRectF column = columnRect(step).intersected(plot);
        if (column.isEmpty()) continue;
        const auto& level = m_density->levels[static_cast<std::size_t>(step)];
        QJsonObject facts{{QStringLiteral("states"),
                           static_cast<qint64>(m_density->states[static_cast<std::size_t>(step)])},
                          {QStringLiteral("current"), step == m_session->state().step}};
        if (m_marks)
            facts.insert(QStringLiteral("found"), static_cast<qint64>(m_marks->count(step)));
        spots.push_back({QStringLiteral("level %1").arg(step), column.toAlignedRect(), facts});
        if (!hasValues() || level.numValues == 0) continue;
        // The fullest cell that is in sight: a press in it finds a state, its colour is a density.
        int best = -1;
        std::int64_t most = 0;
        for (int row = 0; row < numRows(); ++row)
            if (const std::int64_t count = countIn(step, row); count > most) {
                most = count;
                best = row;
            }
        if (best < 0) continue;
        const double height = plot.height() / numRows();
        const QRectF cell(column.left(), plot.top() + best * height, column.width(), height);
        const double value = valueAt(cell.center().y());
        spots.push_back({QStringLiteral("level %1 fullest").arg(step),
                         cell.toAlignedRect(),
                         {{QStringLiteral("states"), static_cast<qint64>(most)},
                          {QStringLiteral("value"), value},
                          {QStringLiteral("color"), colorAt(step, value).name()}}});
    }
    return spots;
}

QJsonObject BandsCanvas::spotFacts() const {
    QJsonObject facts{{QStringLiteral("loading"), m_isLoading},
                      {QStringLiteral("readout"), m_readout},
                      {QStringLiteral("firstLevel"), m_firstLevel},
                      {QStringLiteral("endLevel"), m_endLevel},
                      {QStringLiteral("low"), m_low},
                      {QStringLiteral("high"), m_high}};
    if (m_density) {
        facts.insert(QStringLiteral("levels"), m_density->numLevels());
        facts.insert(QStringLiteral("states"), static_cast<qint64>(m_density->total()));
        facts.insert(QStringLiteral("exact"), m_density->stride == 1);
    }
    if (m_marks) facts.insert(QStringLiteral("found"), static_cast<qint64>(m_marks->total()));
    if (m_currentValue) facts.insert(QStringLiteral("currentValue"), *m_currentValue);
    return facts;
}

std::vector<NamedSpot> StateCanvas::namedSpots() const {
    std::vector<NamedSpot> spots;
    const auto now = current();
    for (int node = 0; node < std::ssize(m_graph.nodes()); ++node) {
        const QRect card = cardRect(node).toAlignedRect().intersected(rect());
        if (card.isEmpty()) continue;
        const CanvasNode& shown = m_graph.nodes()[static_cast<std::size_t>(node)];
        QJsonObject facts{
            {QStringLiteral("step"), shown.state.step},
            {QStringLiteral("index"), static_cast<qint64>(shown.state.config)},
            {QStringLiteral("tip"), tipOf(shown.state)},
            {QStringLiteral("current"), now && *now == shown.state},
            {QStringLiteral("highlighted"), m_highlighted && *m_highlighted == shown.state}};
        spots.push_back({stateName(shown.state.step, shown.state.config), card, facts});
    }
    return spots;
}

QJsonObject StateCanvas::spotFacts() const {
    return {{QStringLiteral("shown"), static_cast<qint64>(m_graph.nodes().size())},
            {QStringLiteral("edges"), static_cast<qint64>(m_graph.edges().size())},
            {QStringLiteral("total"), static_cast<qint64>(m_numStates)},
            {QStringLiteral("complete"), m_graph.isComplete()},
            {QStringLiteral("zoom"), m_zoom},
            {QStringLiteral("working"), isWorking()},
            {QStringLiteral("moving"), isMoving()}};
}

std::vector<NamedSpot> ValueMatrix::namedSpots() const {
    std::vector<NamedSpot> spots;
    for (int cell = 0; cell < std::ssize(m_content.values); ++cell) {
        const auto at = static_cast<std::size_t>(cell);
        QJsonObject facts{{QStringLiteral("row"), m_content.rows.value(cell / numColumns())},
                          {QStringLiteral("column"), m_content.columns.value(cell % numColumns())},
                          {QStringLiteral("value"), m_content.values[at]},
                          {QStringLiteral("color"), cellColor(cell).name()},
                          {QStringLiteral("current"), cell == m_current}};
        if (compares()) facts.insert(QStringLiteral("compared"), m_content.compared[at]);
        spots.push_back({QStringLiteral("cell %1").arg(cell), cellRect(cell), facts});
    }
    return spots;
}

QJsonObject ValueMatrix::spotFacts() const {
    return {{QStringLiteral("low"), m_low}, {QStringLiteral("high"), m_high}};
}

}  // namespace orrery
