#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "widgets/common/draws_figure.h"
#include "widgets/common/painted_view.h"
#include "widgets/learned/learned_errors.h"

namespace orrery {

/// Bars side by side, mean errors in most places: a bar for the states that were visited, a hatched
/// one for those that never were. The arrow keys go through the bars, Return or a click picks one.
class ErrorBars : public PaintedWidget, public DrawsFigure {
    Q_OBJECT

public:
    /// @param axis  under the bars: "step"
    ErrorBars(const QString& name, const QString& axis, QWidget* parent = nullptr);

    void setBins(std::vector<ErrorBin> bins);
    /// Marks a bar; -1: none.
    void setCurrent(int bin);

    QSize sizeHint() const override { return {260, 130}; }
    QSize minimumSizeHint() const override { return {140, 96}; }
    std::vector<NamedSpot> namedSpots() const override;
    QString tipAt(const QPoint& point) const override;

    /// What the bars that are not hatched are of, for the legend on paper.
    void setLegend(const QString& legend) { m_legend = legend; }
    /// What the picture is about, for its heading on paper.
    void setHeading(const QString& heading) { m_heading = heading; }

    // The picture on paper; see DrawsFigure.
    QString figureId() const override;
    QString figureName() const override { return accessibleName(); }
    QString figureTitle() const override;
    QSizeF figureSize() const override { return size(); }
    bool hasFigure() const override;
    void paintFigure(QPainter& painter, const FigurePage& page) override;

Q_SIGNALS:
    void picked(int bin);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    static QRectF plotIn(const QRectF& all);
    /// Its column, as high as the plot.
    QRectF placeIn(const QRectF& area, std::size_t bin) const;
    QRectF placeOf(std::size_t bin) const { return placeIn(plotIn(rect()), bin); }
    std::optional<std::size_t> binAt(const QPointF& at) const;
    void paintAll(QPainter& painter, const QRectF& area, const Tokens& t) const;
    void paintBar(QPainter& painter, const QRectF& place, const ErrorBin& values,
                  const Tokens& t) const;

    QString m_axis, m_heading, m_legend = tr("visited states");
    std::vector<ErrorBin> m_bins;
    double m_most = 0;
    int m_current = -1;
};

}  // namespace orrery
