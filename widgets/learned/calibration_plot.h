#pragma once

#include <QImage>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/common/draws_figure.h"
#include "widgets/common/painted_view.h"
#include "widgets/learned/shown_errors.h"

namespace orrery {

/// Learned against exact numbers: every pair of every state, binned to small squares whose colour
/// is how many pairs lie there, and the line on which they would be equal. Defaults of tables are
/// not drawn; their exact values are a hatched strip below. The pointer or the arrow keys pick a
/// square; of its pairs the state with the largest error is meant.
class CalibrationPlot : public PaintedWidget, public DrawsFigure {
    Q_OBJECT

public:
    explicit CalibrationPlot(QWidget* parent = nullptr);

    /// Null: nothing to show.
    void show(std::shared_ptr<const ShownErrors> shown);
    /// Rings the pairs of a state (index in ExactError::byState); -1: none.
    void setCurrent(std::int64_t state);
    /// Where a pair is drawn (an index into LearnedPairs::learned).
    QPointF pointOf(std::size_t pair) const;

    QSize sizeHint() const override { return {320, 300}; }
    QSize minimumSizeHint() const override { return {220, 200}; }
    std::vector<NamedSpot> namedSpots() const override;
    QString tipAt(const QPoint& point) const override;
    QJsonObject spotFacts() const override;

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
    void hovered(std::int64_t state);  ///< -1: none
    void picked(std::int64_t state);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    static QRectF plotIn(const QRectF& all);
    QRectF plot() const { return plotIn(rect()); }
    QPointF pointIn(const QRectF& area, std::size_t pair) const;
    const LearnedPairs& pairs() const { return *m_shown->pairs; }
    const CalibrationBins& calibration() const { return m_shown->calibration; }
    std::optional<std::size_t> binNear(const QPointF& at) const;
    std::int64_t stateOf(std::size_t bin) const;
    void hover(std::optional<std::size_t> bin);
    void paintAxes(QPainter& painter, const QRectF& area, const Tokens& t) const;
    void paintBins(QPainter& painter, const QRectF& area, const Tokens& t) const;
    void paintCurrent(QPainter& painter, const QRectF& area, const Tokens& t) const;
    void paintFrame(QPainter& painter, const QRectF& area, const QPen& pen) const;
    QString tipOf(std::size_t bin) const;

    std::shared_ptr<const ShownErrors> m_shown;  ///< never null; without pairs: nothing to show
    std::optional<std::size_t> m_hovered;
    std::int64_t m_current = -1;
    QString m_heading;
};

}  // namespace orrery
