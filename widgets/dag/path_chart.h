#pragma once

#include <vector>

#include "widgets/common/painted_view.h"

namespace orrery {

/// A value of one level on a PathChart.
struct PathPoint {
    int step = 0;
    double value = 0;
};

/// A small chart of an exact value along a path: by level, with a square at each state. A click
/// picks the nearest one, Left and Right that before and after the current one.
class PathChart : public PaintedWidget {
    Q_OBJECT

public:
    explicit PathChart(QWidget* parent = nullptr);

    /// @param symbol  of the value, for the legend: "V_r"
    void setPoints(std::vector<PathPoint> points, const QString& symbol);
    /// What is said while there are no points.
    void setEmptyText(const QString& text);
    /// The point to emphasise; -1: none.
    void setCurrent(int index);
    const std::vector<PathPoint>& points() const { return m_points; }
    QPointF placeOf(std::size_t index) const;  ///< in the widget

    QSize sizeHint() const override { return QSize(300, 160); }
    QSize minimumSizeHint() const override { return QSize(180, 100); }
    std::vector<NamedSpot> namedSpots() const override;
    QString tipAt(const QPoint& point) const override;

Q_SIGNALS:
    void picked(int index);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QRectF plotRect() const;
    /// Where the legend is farthest from the line, at the plot's top or bottom.
    double legendY() const;
    int nearest(const QPointF& point) const;
    QRectF ringOf(std::size_t index) const;
    QString tipOf(std::size_t index) const;

    std::vector<PathPoint> m_points;
    QString m_symbol, m_emptyText;
    double m_low = 0, m_high = 1;
    int m_current = -1, m_hovered = -1;
};

}  // namespace orrery
