#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "core/empo/snapshot.h"
#include "widgets/common/painted_view.h"
#include "widgets/replay/replay_source.h"

class QAbstractItemModel;

namespace orrery {

class ReadyTable;

/// How a buffer is: fill, made and sampled, distinct states, what was lost, and the ages as a
/// histogram; its twin says all of it as a table. GUI thread only.
class ReplayHealth : public PaintedWidget {
    Q_OBJECT

public:
    explicit ReplayHealth(QWidget* parent = nullptr);

    void setSource(std::shared_ptr<const ReplaySource> source);
    /// Of the live training now; nothing: it does not run.
    void setLive(const std::optional<ReplayNumbers>& numbers);
    QAbstractItemModel* tableModel();

    QSize sizeHint() const override { return QSize(620, 84); }
    QSize minimumSizeHint() const override { return QSize(240, 84); }
    std::vector<NamedSpot> namedSpots() const override;
    QString tipAt(const QPoint& point) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Card {
        QString name, value, more, tip;
        double share = -1;  ///< of a bar; below 0: none
    };
    /// A training step from which on transitions count that were stored.
    struct Mark {
        std::int64_t step = 0;
        QString text;
    };
    std::vector<Mark> marks() const;
    std::optional<double> placeOf(const Mark& mark) const;
    void paintHistogram(QPainter& painter) const;
    void refresh();
    void fillTable();
    QRectF cardRect(int card) const;
    QRectF histogramRect() const;
    int cardsThatFit() const;
    QString binText(std::size_t bin) const;

    std::shared_ptr<const ReplaySource> m_source;
    std::optional<ReplayNumbers> m_live;
    std::vector<Card> m_cards;
    ReadyTable* m_table;
};

}  // namespace orrery
