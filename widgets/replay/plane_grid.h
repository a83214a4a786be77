#pragma once

#include <QPoint>
#include <QWidget>
#include <memory>
#include <optional>

#include "widgets/common/painted_view.h"
#include "widgets/replay/encoded_text.h"

namespace orrery {

/// The planes of an encoded state as small heat maps with their names, as many a row as fit. The
/// pointer or the arrow keys pick a cell of a plane; planes that are all 0 are fainter.
class PlaneGrid : public PaintedWidget {
    Q_OBJECT

public:
    explicit PlaneGrid(QWidget* parent = nullptr);

    /// Null: nothing is drawn.
    void setState(std::shared_ptr<const ShownState> state, PlaneLayout layout);
    /// A cell that is outlined in every plane.
    void setCell(std::optional<QPoint> cell);

    /// "7 red agent · 3,2 = 1"; empty if no cell is picked.
    QString readout() const;

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return QSize(640, heightForWidth(640)); }
    QSize minimumSizeHint() const override { return QSize(160, 120); }
    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;

Q_SIGNALS:
    void readoutChanged(const QString& text);
    void cellPicked(const QPoint& cell);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    struct Spot {
        int place = 0;  ///< of the plane in the layout
        QPoint cell;
        bool operator==(const Spot&) const = default;
    };
    int numShown() const;
    double cellSize() const;
    QSizeF tileSize() const;
    int columns(int width) const;
    QRectF tileRect(int place) const;
    std::optional<Spot> spotAt(const QPointF& point) const;
    float value(int place, const QPoint& cell) const;
    QString nameOf(int place) const;
    void setPicked(std::optional<Spot> spot);
    void paintTile(QPainter& painter, int place) const;

    std::shared_ptr<const ShownState> m_state;
    PlaneLayout m_layout = PlaneLayout::Whole;
    std::optional<QPoint> m_cell;
    std::optional<Spot> m_picked;
};

}  // namespace orrery
