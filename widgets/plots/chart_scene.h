#pragma once

#include <QFontMetricsF>
#include <QRectF>
#include <QSize>
#include <QString>
#include <optional>
#include <utility>
#include <vector>

#include "widgets/plots/chart_picture.h"
#include "widgets/plots/chart_text.h"

class QCPPainter;
class QCustomPlot;
class QWidget;

namespace orrery {

struct Tokens;

/// What moves over a chart without the chart itself changing.
struct ChartOverlay {
    struct Dot {
        QPointF at;  ///< pixels
        int color = 0;
    };
    std::optional<double> crosshair;  ///< value of x
    std::vector<Dot> dots;
    std::optional<QRectF> band;  ///< rubber band, pixels
    std::optional<double> cursorA, cursorB;
    bool hasFocus = false;
    bool hasFrame = true;  ///< a card with round corners; none in figures
};

/// A chart as QCustomPlot draws it: axes, stages, grid, lines, events, title row with the legend,
/// footer and badges. On screen for the widget Chart, on paper for paintChartFigure. It is handed
/// the columns of the pyramid, never the points.
class ChartScene {
public:
    /// @param content  outlives the scene
    ChartScene(ChartContent& content, QWidget* parent);
    ~ChartScene();
    ChartScene(const ChartScene&) = delete;
    ChartScene& operator=(const ChartScene&) = delete;

    /// The widget; owned by its parent, or by the scene without one.
    QCustomPlot* plot() const { return m_plot; }

    void setTokens(const Tokens& tokens);
    /// In a figure nothing of legend and unit is left out: what has no room beside the title stands
    /// in rows below it.
    void setFigure(bool isFigure) { m_isFigure = isFigure; }
    bool isFigure() const { return m_isFigure; }
    void setLegendShown(bool isShown) { m_hasLegend = isShown; }
    /// Badges are shown even without.
    void setFooterShown(bool isShown) { m_mayHaveFooter = isShown; }
    /// Cuts the content down to the columns of a surface. Fits the axes that follow the data.
    /// @param pixelRatio  device pixels a unit
    void prepare(const ChartView& view, const QSize& size, double pixelRatio = 1);
    /// Draws what was prepared, at once.
    void draw();
    /// Draws again only what moves over the chart.
    void drawOverlay();
    /// Gives the plot its place in its parent.
    void setPlace(const QRect& place);
    /// Draws what was prepared by another painter, e.g. of a PDF.
    /// @param isVector  lines as paths with their pens, instead of the quickest for pixels
    void paint(QCPPainter& painter, bool isVector);
    bool isVector() const { return m_isVector; }
    double pixelRatio() const { return m_pixelRatio; }

    const Tokens& tokens() const { return *m_tokens; }
    const ChartContent& content() const { return m_content; }
    const ChartView& view() const { return m_view; }  ///< as prepared, with fitted ranges
    const ChartGeometry& geometry() const { return m_geometry; }
    const DrawnChart& drawn() const { return m_drawn; }
    BandMaker& bands() { return m_bands; }
    ChartOverlay& overlay() { return m_overlay; }
    const ChartOverlay& overlay() const { return m_overlay; }

    /// The labelled ticks, as drawn.
    const std::vector<AxisTick>& ticks(bool ofX) const { return ofX ? m_xTicks : m_yTicks; }
    /// The last label of x where it would reach beyond the plot, with which it ends; else empty.
    const QString& endLabel() const { return m_endLabel; }
    QRectF endLabelPlace() const;
    static QFont tickFont();
    /// Where the entries of the legend are drawn, in their order; those left out are missing.
    const std::vector<std::pair<QRectF, LegendEntry>>& legend() const { return m_legend; }
    /// Names of legend entries for which there is no room.
    const QStringList& legendRest() const { return m_legendRest; }
    double legendRestX() const { return m_legendRestX; }
    /// What stands beside the title: the unit, and the scale unless it is linear.
    const QString& unit() const { return m_unit; }
    /// What is done to the values, and where it is written: never left out. Empty if nothing is.
    const QString& remark() const { return m_remark; }
    QPointF remarkAt() const { return m_remarkAt; }
    /// Beside the title it has no room.
    bool needsRemarkRow() const { return m_needsRemarkRow; }
    /// Keeps a row for the remark anyway, as a chart beside this one needs it.
    void setRemarkRow(bool isKept) { m_hasRemarkRow = isKept; }
    bool hasRemarkRow() const { return m_hasRemarkRow; }
    bool hasFooter() const { return m_hasFooter; }
    QSize size() const { return m_size; }

private:
    void cutDown();
    void placeLegend();
    void placeLegendBelow(const std::vector<LegendEntry>& entries);
    void placeRemark(double left, double taken);
    ChartGeometry geometryFor(bool hasFooter);
    void prepareAxes();
    std::vector<AxisTick> withoutEndLabel();
    double labelWidth(const QString& label) const;

    ChartContent& m_content;
    QCustomPlot* m_plot;
    QWidget* m_overlayWidget = nullptr;  ///< above the plot; none in figures
    const Tokens* m_tokens;
    ChartView m_view;
    ChartGeometry m_geometry;
    DrawnChart m_drawn;
    BandMaker m_bands;
    ChartOverlay m_overlay;
    QSize m_size;
    QFontMetricsF m_tickMetrics{tickFont()};
    std::vector<AxisTick> m_xTicks, m_yTicks;
    QString m_endLabel;
    std::vector<std::pair<QRectF, LegendEntry>> m_legend;
    QStringList m_legendRest;
    double m_legendRestX = 0;
    int m_legendRows = 0;  ///< below the title
    QString m_remark;
    QPointF m_remarkAt;  ///< its baseline's left end
    bool m_needsRemarkRow = false;
    bool m_hasRemarkRow = false;
    bool m_isFigure = false;
    bool m_hasLegend = true;
    bool m_isVector = false;
    double m_pixelRatio = 1;
    QString m_unit;
    bool m_mayHaveFooter = true;
    bool m_hasFooter = false;
};

}  // namespace orrery
