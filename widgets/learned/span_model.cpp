#include "widgets/learned/span_model.h"

#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/learned/span_text.h"

namespace orrery {

QString millisecondsText(double ns) {
    return QStringLiteral("%1 ms").arg(QString::number(ns * 1e-6, 'f', 4));
}

void SpanModel::setTimeline(std::shared_ptr<const SpanTimeline> timeline,
                            std::optional<SpanRange> range) {
    beginResetModel();
    m_scene.setTimeline(std::move(timeline));
    m_rows.clear();
    for (int lane = 0; lane < m_scene.numLanes(); ++lane) {
        const auto& bursts = m_scene.laneAt(lane).bursts;
        for (std::size_t b = 0; b < bursts.size(); ++b)
            for (std::size_t i = 0; i < bursts[b]->spans.size(); ++i) {
                const StageSpan& span = bursts[b]->spans[i];
                if (range && (span.endNs() <= range->beginNs || span.beginNs() >= range->endNs))
                    continue;
                m_rows.push_back({lane, static_cast<int>(b), static_cast<int>(i)});
            }
    }
    endResetModel();
}

int SpanModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SpanModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kNumColumns;
}

QVariant SpanModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const bool isText = index.column() == kThread || index.column() == kStage;
    if (role == Qt::TextAlignmentRole)
        return QVariant((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::FontRole && !isText) return numberFont(12);
    if (role != Qt::DisplayRole) return {};
    const SpanScene::Place& place = m_rows[static_cast<std::size_t>(index.row())];
    const StageSpan& span = m_scene.spanAt(place);
    switch (index.column()) {
        case kThread:
            return QString::fromStdString(m_scene.laneAt(place.lane).name);
        case kStep:
            return countText(m_scene.stepOf(place).step);
        case kStage:
            return spanPlainName(m_scene.wordsOf(span.kind()));
        case kBegin:
            return millisecondsText(static_cast<double>(span.beginNs()));
        case kDuration:
            return millisecondsText(static_cast<double>(span.lengthNs()));
        default: {
            const std::int64_t whole = m_scene.stepOf(place).lengthNs;
            return whole > 0 ? percentText(static_cast<double>(span.lengthNs()) /
                                           static_cast<double>(whole))
                             : QStringLiteral("–");
        }
    }
}

QVariant SpanModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case kThread:
            return tr("thread");
        case kStep:
            return tr("step");
        case kStage:
            return tr("stage");
        case kBegin:
            return tr("begin");
        case kDuration:
            return tr("duration");
        default:
            return tr("share of step");
    }
}

}  // namespace orrery
