#pragma once

#include <QHash>
#include <QStringList>
#include <optional>
#include <utility>
#include <vector>

#include "widgets/common/draws_figure.h"
#include "widgets/common/painted_view.h"
#include "widgets/compare/compare_set.h"

namespace orrery {

/// The compared runs as lines over axes: the parameters in which they differ, then their results.
/// Dragging along an axis brushes a range, which filters the table; a double click on it, or
/// Delete, takes the range away. A click on a line picks its run. Left and Right choose an axis,
/// Up and Down move its range.
class ParallelPlot : public PaintedWidget, public DrawsFigure {
    Q_OBJECT

public:
    explicit ParallelPlot(QWidget* parent = nullptr);

    void setCompareSet(const CompareSet& set);
    void setCurrent(const QString& runId);
    void setHovered(const QString& runId);
    int numAxes() const { return static_cast<int>(m_axes.size()); }
    QString axisKey(int axis) const { return m_axes[static_cast<std::size_t>(axis)].key; }
    /// x of an axis, and y of a value on it, in the widget.
    double axisX(int axis) const;
    double axisY(int axis, double value) const;
    QRectF plotRect() const;
    std::optional<std::pair<double, double>> range(int axis) const;
    /// False for runs outside of a brushed range.
    bool isInside(int row) const;

    QString figureId() const override { return QStringLiteral("parallel"); }
    QString figureName() const override { return tr("Parameters and results"); }
    QSizeF figureSize() const override;
    bool hasFigure() const override { return m_axes.size() > 1 && m_set.rows.size() > 1; }
    /// The brushed ranges.
    QJsonObject figureState() const override;
    void restoreFigure(const QJsonObject& state) override;
    void paintFigure(QPainter& painter, const FigurePage& page) override;

    QSize sizeHint() const override { return QSize(300, 220); }
    QSize minimumSizeHint() const override { return QSize(200, 140); }
    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;

Q_SIGNALS:
    void rangeBrushed(const QString& key, std::optional<std::pair<double, double>> range);
    void runPicked(const QString& runId);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Axis {
        QString key, title;
        bool isNumber = true;
        bool isOneValue = false;  ///< of all runs; low and high lie about it
        double low = 0, high = 1;
        std::vector<double> values;  ///< [index into m_set.rows]; NaN: none
        QStringList words;           ///< of an axis of texts, by value
    };

    QRectF area() const;
    const Tokens& tokens() const;
    void paintInto(QPainter& painter) const;
    void addAxis(const SheetColumn& column);
    std::vector<Axis> fitting() const;
    void fitAxes();
    int axisAt(const QPointF& at) const;
    double valueAt(int axis, double y) const;
    QString valueWords(const Axis& axis, double value) const;
    void setRange(int axis, std::optional<std::pair<double, double>> range);
    QPolygonF lineOf(std::size_t run) const;
    void paintAxis(QPainter& painter, int axis) const;

    CompareSet m_set;
    QString m_current, m_hovered;
    std::vector<Axis> m_all;   ///< parameters, then results
    std::vector<Axis> m_axes;  ///< those that have room
    std::ptrdiff_t m_numParameters = 0;
    QHash<QString, std::pair<double, double>> m_ranges;
    std::optional<QPointF> m_press;
    int m_axis = -1;  ///< pressed or chosen by keys
    bool m_isBrushing = false;
    std::optional<FigurePage> m_figure;  ///< while a figure is drawn
};

}  // namespace orrery
