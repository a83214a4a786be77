#pragma once

#include <QPoint>
#include <QWidget>
#include <memory>
#include <optional>

#include "widgets/common/draws_figure.h"
#include "widgets/common/painted_view.h"
#include "widgets/learned/learned_errors.h"
#include "widgets/world/world_painter.h"

namespace orrery {

/// The world with the mean error by the cell of one agent, and the bar of its colours. A click, or
/// Return on the cell that the arrow keys went to, picks the worst state with the agent there.
class ErrorMap : public PaintedWidget, public DrawsFigure {
    Q_OBJECT

public:
    explicit ErrorMap(QWidget* parent = nullptr);

    /// Null world: nothing to show.
    void show(std::shared_ptr<const World> world, int agent, ErrorField field);

    QSize sizeHint() const override { return {320, 240}; }
    QSize minimumSizeHint() const override { return {200, 140}; }
    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;

    /// What the picture is about, for its heading on paper.
    void setHeading(const QString& heading) { m_heading = heading; }

    QString tipAt(const QPoint& point) const override;

    // The picture on paper; see DrawsFigure.
    QString figureId() const override;
    QString figureName() const override { return accessibleName(); }
    QString figureTitle() const override;
    QSizeF figureSize() const override { return size(); }
    bool hasFigure() const override;
    void paintFigure(QPainter& painter, const FigurePage& page) override;

Q_SIGNALS:
    void picked(std::int64_t state);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    WorldLayout layoutIn(const QRectF& all) const;
    WorldLayout layoutNow() const { return layoutIn(rect()); }
    std::size_t indexOf(const QPoint& cell) const;
    void paintHeat(QPainter& painter, const WorldLayout& layout) const;
    void paintScale(QPainter& painter, const QRectF& all, const Tokens& t) const;
    void pick(const QPoint& cell);

    std::shared_ptr<const World> m_world;
    WorldScene m_scene;
    ErrorField m_field;
    int m_agent = 0;
    QString m_heading;
    std::optional<QPoint> m_hover, m_key;
};

}  // namespace orrery
