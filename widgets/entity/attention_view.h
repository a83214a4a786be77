#pragma once

#include <QWidget>
#include <optional>

#include "widgets/common/draws_figure.h"
#include "widgets/common/painted_view.h"
#include "widgets/frame/view_spec.h"
#include "widgets/plots/cell_table.h"

class QCheckBox;
class QComboBox;
class QLabel;

namespace orrery {

class EntitySession;
struct FrameInsight;

/// How much each thing looks at each other one in a layer and a head, as heat: rows look, columns
/// are seen. Below each other where the agent's network has several layers. A click picks the
/// thing of the row.
class AttentionHeat : public PaintedWidget {
    Q_OBJECT

public:
    AttentionHeat(EntitySession* session, QWidget* parent);

    std::vector<NamedSpot> namedSpots() const override;
    QString tipAt(const QPoint& point) const override;
    const FrameInsight* insight() const;
    /// Heads of the chosen layer, the chosen one's share of i at j.
    double lookOf(std::int64_t from, std::int64_t to) const;
    QString nameOf(std::int64_t row) const;
    void paintInto(QPainter& painter, const QRectF& room, const Tokens& tokens) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Grid {
        QRectF cells = {};  ///< of the heat
        double cell = 0;
        double names = 0;  ///< room for those of rows
        double below = 0;  ///< and of columns
    };
    Grid gridIn(const QRectF& room) const;
    std::optional<QPoint> cellAt(const QPointF& point) const;

    EntitySession* m_session;
    std::optional<QPoint> m_hover;  ///< column, row
};

/// The heat with the choice of layer and head.
class AttentionView : public QWidget, public DrawsFigure, public KeepsState {
    Q_OBJECT

public:
    AttentionView(EntitySession* session, QWidget* parent);

    QAbstractItemModel* tableModel();

    QString figureId() const override { return QStringLiteral("entityAttention"); }
    QString figureName() const override { return tr("Attention"); }
    QString figureTitle() const override;
    QSizeF figureSize() const override;
    bool hasFigure() const override;
    void paintFigure(QPainter& painter, const FigurePage& page) override;

    QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void refresh();
    void choose();

    EntitySession* m_session;
    QComboBox *m_layer, *m_head;
    QCheckBox* m_lines;
    QLabel* m_remark;
    AttentionHeat* m_heat;
    CellModel* m_table = nullptr;
};

}  // namespace orrery
