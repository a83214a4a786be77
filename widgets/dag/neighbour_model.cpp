#include "widgets/dag/neighbour_model.h"

#include "widgets/common/number_text.h"

namespace orrery {

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

int NeighbourModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int NeighbourModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : NumColumns;
}

QVariant NeighbourModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Line& line = m_lines[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((index.column() == Change ? Qt::AlignLeft : Qt::AlignRight) |
                                   Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
        case From:
            return stateText(line.from.step, line.from.config);
        case To:
            return stateText(line.to.step, line.to.config);
        case Level:
            return line.to.step;
        case Probability:
            return QString::number(line.probability, 'f', 4);
        case Value: {
            const auto value = m_texts.value ? m_texts.value(line.to) : std::nullopt;
            return value ? valueText(*value) : QString();
        }
        case Change:
            return m_texts.change ? m_texts.change(line.from, line.to) : QString();
        default:
            return {};
    }
}

QVariant NeighbourModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case From:
            return tr("from");
        case To:
            return tr("to");
        case Level:
            return tr("level");
        case Probability:
            return tr("p");
        case Value:
            return tr("V_r");
        case Change:
            return tr("change");
        default:
            return {};
    }
}

}  // namespace orrery
