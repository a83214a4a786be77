#include "widgets/dag/neighbour_model.h"

#include "widgets/common/number_text.h"

namespace orrery {

NeighbourModel::NeighbourModel(QObject* parent)
    : TableModel({{tr("from"), CellFace::Number},
                  {tr("to"), CellFace::Number},
                  {tr("level"), CellFace::Number},
                  {tr("p"), CellFace::Number},
                  {tr("V_r"), CellFace::Number},
                  {tr("change")}},
                 parent) {}

void NeighbourModel::show(const CanvasGraph* graph, Texts texts) {
    beginResetModel();
    m_texts = std::move(texts);
    m_lines.clear();
    if (graph)
        for (const CanvasEdge& edge : graph->edges())
            m_lines.push_back({graph->nodes()[static_cast<std::size_t>(edge.from)].state,
                               graph->nodes()[static_cast<std::size_t>(edge.to)].state,
                               edge.probability});
    endResetModel();
}

int NeighbourModel::numRows() const {
    return static_cast<int>(m_lines.size());
}

QString NeighbourModel::text(int row, int column) const {
    const Line& line = m_lines[static_cast<std::size_t>(row)];
    switch (column) {
        case From:
            return stateText(line.from.step, line.from.config);
        case To:
            return stateText(line.to.step, line.to.config);
        case Level:
            return QString::number(line.to.step);
        case Probability:
            return QString::number(line.probability, 'f', 4);
        case Value: {
            const auto value = m_texts.value ? m_texts.value(line.to) : std::nullopt;
            return value ? valueText(*value) : QString();
        }
        default:
            return m_texts.change ? m_texts.change(line.from, line.to) : QString();
    }
}

}  // namespace orrery
