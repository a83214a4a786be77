#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/learned/span_scene.h"

namespace orrery {

/// Recorded spans as a table, one row each, by thread and time: all, or those of a range. GUI
/// thread only.
class SpanModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { kThread, kStep, kStage, kBegin, kDuration, kShare, kNumColumns };

    using QAbstractTableModel::QAbstractTableModel;

    void setTimeline(std::shared_ptr<const SpanTimeline> timeline, std::optional<SpanRange> range);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    SpanScene m_scene;  ///< of which only the places of spans are used
    std::vector<SpanScene::Place> m_rows;
};

/// "1.520 ms" of ns.
QString millisecondsText(double ns);

}  // namespace orrery
