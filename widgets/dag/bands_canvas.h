#pragma once

#include <QImage>
#include <QWidget>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/dag/state_marks.h"
#include "widgets/common/draws_figure.h"
#include "widgets/common/painted_view.h"
#include "widgets/dag/level_density.h"

namespace orrery {

class PlanSession;
struct Tokens;

/// Draws a LevelDensity as columns by level and lets a person walk in it. What is drawn is kept as
/// an image of one pixel a cell, so that panning and zooming only stretch it.
///
/// Mouse: a press in a cell picks the state nearest to that value, elsewhere the level; wheel
/// zooms along the levels, with Ctrl along the values; dragging pans. Keys: left and right change
/// the level, up and down go to the next state by value, + and - zoom, 0 shows everything.
class BandsCanvas : public PaintedWidget {
    Q_OBJECT

public:
    explicit BandsCanvas(PlanSession* session, QWidget* parent);

    /// What is shown; null graph: nothing. Another quantity resets the zoom.
    void setDensity(std::shared_ptr<const StateGraph> graph,
                    std::shared_ptr<const LevelDensity> density);
    const std::shared_ptr<const LevelDensity>& density() const { return m_density; }
    /// States under the columns; may be null.
    void setMarks(std::shared_ptr<const StateMarks> marks);
    /// How many states of a tinted set fall into each bin; empty: no tint. [L][kBins]
    void setTint(std::vector<std::vector<std::uint32_t>> counts);
    /// The value of the current state; nothing hides the dot.
    void setCurrentValue(std::optional<double> value);
    void setLoading(bool isLoading);

    void zoomToFit();
    /// Zooms along the levels about a place in the widget. factor > 1 enlarges.
    void zoomLevels(double factor, double x);
    void zoomValues(double factor, double y);

    /// The part of the levels and of the values that is seen, for a session or a figure.
    QJsonObject saveZoom() const;
    /// Takes effect at once; does nothing where the numbers make no sense.
    void restoreZoom(const QJsonObject& zoom);
    /// Draws the picture on paper, without hover.
    void paintFigure(QPainter& painter, const FigurePage& page);

    QRectF plotRect() const;
    QRectF columnRect(int step) const;
    double yOf(double value) const;
    QColor colorAt(int step, double value) const;  ///< of a cell; the canvas where it is empty
    QString readout() const { return m_readout; }

    QSize sizeHint() const override { return QSize(640, 170); }
    QSize minimumSizeHint() const override { return QSize(260, 72); }

    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Cell {
        int step = -1;
        int row = -1;  ///< from the top; -1: not on a cell
    };
    bool hasValues() const;
    int numRows() const;
    Cell cellAt(const QPointF& point) const;
    double valueAt(double y) const;
    /// Bins [first, end) of a row from the top.
    std::pair<int, int> binsOf(int row) const;
    std::int64_t countIn(int step, int row) const;
    std::int64_t countIn(const std::vector<std::uint32_t>& count, int row) const;  ///< [kBins]
    void clampView();
    void rebuildImage();
    void setMost(double most);
    void pick(const QPointF& point);
    void goToLevel(int step);
    void goToValue(bool isGreater);
    void showState(int step, ConfigIndex config);

    QRectF area() const;
    const Tokens& tokens() const;
    void paintPicture(QPainter& painter) const;
    void paintCells(QPainter& painter, const Tokens& t) const;
    void paintAxes(QPainter& painter, const Tokens& t) const;
    void paintColumns(QPainter& painter, const Tokens& t) const;
    void paintBars(QPainter& painter, const Tokens& t) const;
    void paintMarks(QPainter& painter, const Tokens& t) const;
    void paintOutlines(QPainter& painter, const Tokens& t) const;
    void paintColorBar(QPainter& painter, const Tokens& t) const;
    void paintReadout(QPainter& painter, const Tokens& t) const;
    void paintEmpty(QPainter& painter, const Tokens& t) const;

    PlanSession* m_session;
    std::shared_ptr<const StateGraph> m_graph;
    std::shared_ptr<const LevelDensity> m_density;
    std::shared_ptr<const StateMarks> m_marks;
    std::vector<std::vector<std::uint32_t>> m_tint;
    std::optional<double> m_currentValue;
    bool m_isLoading = false;
    double m_firstLevel = 0, m_endLevel = 1;  ///< visible part of the x axis
    double m_low = 0, m_high = 1;             ///< visible part of the y axis
    QImage m_image;                           ///< [rows x levels / m_group]
    int m_group = 1;                          ///< levels a column of the image
    double m_most = 1;                        ///< states in the fullest cell, for the colours
    int m_labelWidth = 35;  ///< of the colour bar's longest label, the count at its top
    QString m_readout;
    std::optional<QPointF> m_pointer, m_dragFrom;
    bool m_wasDragged = false;
    std::optional<FigurePage> m_figure;  ///< while a figure is drawn
};

}  // namespace orrery
