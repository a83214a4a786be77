#include "widgets/plots/scene_layers.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <set>

#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/plots/chart_scene.h"
#include "widgets/plots/line_strokes.h"
#include "widgets/plots/qcustomplot_include.h"

namespace orrery {

namespace {

constexpr double kRawOpacity = 0.35;
constexpr double kAreaOpacity = 0.2;
constexpr double kDiamond = 4;  // half of 8 pixels

QColor withAlpha(QColor color, double alpha) {
    color.setAlphaF(static_cast<float>(alpha));
    return color;
}

/// A part of the scene on a layer of the plot.
class ScenePart : public QCPLayerable {
public:
    ScenePart(QCustomPlot& plot, const QString& layer, const ChartScene& scene)
        : QCPLayerable(&plot, layer), m_scene(scene) {}

protected:
    const ChartScene& scene() const { return m_scene; }
    const Tokens& tokens() const { return m_scene.tokens(); }
    const ChartGeometry& geometry() const { return m_scene.geometry(); }

    void applyDefaultAntialiasingHint(QCPPainter* painter) const override {
        painter->setAntialiasing(false);  // QCPPainter would shift by half a pixel
        painter->setRenderHint(QPainter::Antialiasing, true);
    }

private:
    const ChartScene& m_scene;
};

/// Stages behind the grid.
class StagePart : public ScenePart {
public:
    using ScenePart::ScenePart;

protected:
    void draw(QCPPainter* painter) override {
        painter->setRenderHint(QPainter::Antialiasing, false);
        const QRectF& plot = geometry().plot();
        for (const ChartStage& stage : scene().content().stages) {
            const double from =
                stage.from > geometry().x().low ? geometry().pixelX(stage.from) : plot.left();
            const double to =
                stage.to < geometry().x().high ? geometry().pixelX(stage.to) : plot.right();
            if (!(to > from)) continue;
            const QRectF part =
                QRectF(from, plot.top(), to - from, plot.height()).intersected(plot);
            const auto index = static_cast<std::size_t>(std::max(0, stage.color)) % 8;
            painter->fillRect(part, stage.isCurrent ? withAlpha(tokens().accent, 0.12)
                                                    : withAlpha(tokens().data[index], 0.06));
        }
    }
};

/// Lines, bands and exact values.
class LinePart : public ScenePart {
public:
    using ScenePart::ScenePart;

protected:
    QRect clipRect() const override { return geometry().plot().toAlignedRect(); }

    void draw(QCPPainter* painter) override {
        for (const DrawnLine& line : scene().drawn().lines) drawAreas(*painter, line);
        for (const DrawnLine& line : scene().drawn().lines) drawRaw(*painter, line);
        drawReferences(*painter);
        for (const DrawnLine& line : scene().drawn().lines) drawBold(*painter, line);
        for (const DrawnLine& line : scene().drawn().lines) drawNotFinite(*painter, line);
    }

private:
    QPen penOf(const DrawnLine& line) const {
        QPen pen = seriesPen(tokens(), line.color);
        if (line.isDimmed) pen.setColor(mixed(tokens().canvas, pen.color(), 0.4));
        return pen;
    }

    void drawAreas(QCPPainter& painter, const DrawnLine& line) const {
        const QColor color = withAlpha(penOf(line).color(), kAreaOpacity);
        for (const QPolygonF& area : line.areas) strokeArea(painter, area, color, target());
    }

    void drawRaw(QCPPainter& painter, const DrawnLine& line) const {
        const QPen pen = penOf(line);
        const QColor quiet = withAlpha(pen.color(), kRawOpacity);
        if (line.isDense)
            strokeBars(painter, line.bars, line.isRawBold ? pen.color() : quiet, target());
        else if (line.isRawBold)
            strokeBold(painter, line.rawLines, pen, target());
        else
            strokeThin(painter, line.rawLines, quiet, target());
        painter.setRenderHint(QPainter::Antialiasing, true);
    }

    void drawBold(QCPPainter& painter, const DrawnLine& line) const {
        strokeBold(painter, line.bold, penOf(line), target());
        painter.setRenderHint(QPainter::Antialiasing, true);
    }

    StrokeTarget target() const {
        return {geometry().plot(), 1 / scene().pixelRatio(), scene().isVector(), &m_scratch};
    }

    mutable QImage m_scratch;

    void drawReferences(QCPPainter& painter) const {
        painter.setPen(QPen(tokens().ok, 1.5));
        for (const ChartReference& reference : scene().content().references) {
            const double y = geometry().pixelY(reference.value);
            if (std::isfinite(y))
                painter.drawLine(QLineF(geometry().plot().left(), y, geometry().plot().right(), y));
        }
    }

    /// Ticks at the bottom where values are NaN or infinite.
    void drawNotFinite(QCPPainter& painter, const DrawnLine& line) const {
        painter.setRenderHint(QPainter::Antialiasing, false);
        const double bottom = geometry().plot().bottom();
        double last = -10;
        for (const double x : line.notFiniteAt) {
            if (x - last < 1) continue;
            painter.fillRect(QRectF(x - 1, bottom - 6, 2, 6), tokens().error);
            last = x;
        }
    }
};

/// Title, legend, events, footer, badges and the card's edge.
class FramePart : public ScenePart {
public:
    using ScenePart::ScenePart;

protected:
    /// The library draws a layer within this moved up by a row; the card's border lies in the last.
    QRect clipRect() const override { return QRect(QPoint(0, 0), scene().size() + QSize(0, 1)); }

    void draw(QCPPainter* painter) override {
        drawTitle(*painter);
        drawLegend(*painter);
        drawEvents(*painter);
        drawEndLabel(*painter);
        if (scene().hasFooter()) drawFooter(*painter);
        if (scene().overlay().hasFrame) drawCard(*painter);
    }

private:
    void drawTitle(QCPPainter& painter) const {
        const ChartContent& content = scene().content();
        painter.setPen(tokens().text);
        const double width = paintWords(painter, {12, 22}, 12.5, content.title, 600);
        painter.setPen(tokens().text3);
        paintWords(painter, {12 + width + 8, 22}, 11, scene().unit(), 400);
        if (scene().remark().isEmpty()) return;
        painter.setPen(tokens().text2);
        paintWords(painter, scene().remarkAt(), 11, scene().remark(), 400);
    }

    void drawLegend(QCPPainter& painter) const {
        for (const auto& [rect, entry] : scene().legend()) {
            QPen pen = entry.color < 0 ? QPen(tokens().ok, 1.5) : seriesPen(tokens(), entry.color);
            if (entry.isHidden) pen.setColor(withAlpha(pen.color(), 0.4));
            const double middle = rect.center().y();
            painter.setPen(pen);
            painter.drawLine(QLineF(rect.left(), middle, rect.left() + 18, middle));
            painter.setPen(entry.isHidden ? tokens().text3 : tokens().text2);
            const double left = rect.left() + 24;
            const double width = paintWords(painter, {left, middle + 4}, 11, entry.name, 400);
            if (entry.isHidden) painter.drawLine(QLineF(left, middle, left + width, middle));
        }
        if (scene().legendRest().isEmpty()) return;
        painter.setPen(tokens().text3);
        paintWords(painter, {scene().legendRestX(), 22}, 11,
                   QStringLiteral("+%1").arg(scene().legendRest().size()), 400);
    }

    void drawEvents(QCPPainter& painter) const {
        const QRectF& plot = geometry().plot();
        std::set<std::pair<int, int>> taken;  // one diamond a kind and pixel
        for (const ChartEvent& event : scene().content().events) {
            if (scene().view().hiddenEvents.contains(nameOf(event.kind))) continue;
            const double x = geometry().pixelX(event.x);
            if (!(x >= plot.left() && x <= plot.right())) continue;
            if (!taken.emplace(static_cast<int>(event.kind), static_cast<int>(x)).second) continue;
            const QColor color = colorOf(event.kind, tokens());
            QPen pen(color, 1);
            pen.setDashPattern({2, 3});
            painter.setPen(pen);
            painter.drawLine(QLineF(x, plot.top() + kDiamond, x, plot.bottom()));
            painter.setPen(Qt::NoPen);
            painter.setBrush(color);
            painter.drawPolygon(QPolygonF({{x, plot.top() - kDiamond},
                                           {x + kDiamond, plot.top()},
                                           {x, plot.top() + kDiamond},
                                           {x - kDiamond, plot.top()}}));
            painter.setBrush(Qt::NoBrush);
        }
    }

    void drawEndLabel(QCPPainter& painter) const {
        if (scene().endLabel().isEmpty() || scene().content().numPoints() == 0) return;
        painter.setFont(ChartScene::tickFont());
        painter.setPen(tokens().text2);
        painter.drawText(scene().endLabelPlace(), Qt::AlignRight | Qt::AlignTop,
                         scene().endLabel());
    }

    void drawFooter(QCPPainter& painter) const {
        const double baseline = scene().size().height() - 8;
        painter.setPen(tokens().text3);
        double right = scene().size().width() - 16;
        for (const ChartBadge& badge : badgesOf(scene().view(), scene().drawn())) {
            const double width = wordsWidth(10, badge.text, 600) + 12;
            const QRectF chip(right - width, baseline - 11, width, 15);
            right -= width + 6;
            painter.setPen(Qt::NoPen);
            painter.setBrush(badge.isError ? tokens().errorBack : tokens().warningBack);
            painter.drawRoundedRect(chip, 7, 7);
            painter.setBrush(Qt::NoBrush);
            painter.setPen(badge.isError ? tokens().error : tokens().warning);
            paintWords(painter, {chip.left() + 6, baseline}, 10, badge.text, 600);
        }
        const QFont font = interfaceFont(10);
        painter.setFont(font);
        painter.setPen(tokens().text3);
        painter.drawText(QPointF(12, baseline), fittingFooter(QFontMetricsF(font), right - 20));
    }

    /// The longest that has room; at last cut.
    QString fittingFooter(const QFontMetricsF& metrics, double room) const {
        QString text;
        for (const FooterLength length :
             {FooterLength::Full, FooterLength::Short, FooterLength::Least}) {
            text = footerText(scene().content(), scene().view(), scene().drawn(), length);
            if (metrics.horizontalAdvance(text) <= room) break;
        }
        return metrics.elidedText(text, Qt::ElideRight, room);
    }

    /// Round corners on the window's colour, and the border.
    void drawCard(QCPPainter& painter) const {
        const QRectF all(QPointF(0, 0), QSizeF(scene().size()));
        const bool hasFocus = scene().overlay().hasFocus;
        QPainterPath corners;
        corners.addRect(all.adjusted(-1, -1, 1, 1));
        corners.addRoundedRect(all, 6, 6);
        painter.setPen(Qt::NoPen);
        painter.setBrush(tokens().window);
        painter.drawPath(corners);
        painter.setBrush(Qt::NoBrush);
        const double half = hasFocus ? 1 : 0.5;
        painter.setPen(QPen(hasFocus ? tokens().accent : tokens().border, 2 * half));
        painter.drawRoundedRect(all.adjusted(half, half, -half, -half), 6, 6);
    }
};

/// What moves above the scene, as drawn at one moment.
class OverlayPainter {
public:
    OverlayPainter(QPainter& painter, const ChartScene& scene)
        : m_painter(painter),
          m_scene(scene),
          m_tokens(scene.tokens()),
          m_plot(scene.geometry().plot()) {}

    void draw() {
        const ChartOverlay& overlay = m_scene.overlay();
        if (m_scene.content().numPoints() == 0) return;
        m_painter.setRenderHint(QPainter::Antialiasing, true);
        drawCursor(overlay.cursorA, QStringLiteral("A"));
        drawCursor(overlay.cursorB, QStringLiteral("B"));
        if (overlay.crosshair) drawCrosshair(*overlay.crosshair);
        if (!overlay.band) return;
        m_painter.setPen(QPen(m_tokens.accent, 1));
        m_painter.setBrush(withAlpha(m_tokens.accent, 0.12));
        m_painter.drawRect(overlay.band->intersected(m_plot));
    }

private:
    std::optional<double> pixel(double value) const {
        const double x = m_scene.geometry().pixelX(value);
        if (!(x >= m_plot.left() - 0.5 && x <= m_plot.right() + 0.5)) return std::nullopt;
        return std::floor(x) + 0.5;
    }

    void drawCrosshair(double value) {
        const auto x = pixel(value);
        if (!x) return;
        m_painter.setPen(QPen(m_tokens.accent, 1));
        m_painter.drawLine(QLineF(*x, m_plot.top(), *x, m_plot.bottom()));
        for (const ChartOverlay::Dot& dot : m_scene.overlay().dots) {
            if (!m_plot.adjusted(-1, -1, 1, 1).contains(dot.at)) continue;
            m_painter.setPen(QPen(m_tokens.canvas, 1.5));
            m_painter.setBrush(seriesPen(m_tokens, dot.color).color());
            m_painter.drawEllipse(dot.at, 4.25, 4.25);  // 7 pixels within the ring
            m_painter.setBrush(Qt::NoBrush);
        }
    }

    void drawCursor(const std::optional<double>& value, const QString& letter) {
        const auto x = value ? pixel(*value) : std::nullopt;
        if (!x) return;
        m_painter.setPen(QPen(m_tokens.text2, 1));
        m_painter.drawLine(QLineF(*x, m_plot.top(), *x, m_plot.bottom()));
        const QRectF tag(*x - 8, m_plot.top(), 16, 16);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(m_tokens.text2);
        m_painter.drawRoundedRect(tag, 3, 3);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setFont(interfaceFont(10, QFont::DemiBold));
        m_painter.setPen(m_tokens.canvas);
        m_painter.drawText(tag, Qt::AlignCenter, letter);
    }

    QPainter& m_painter;
    const ChartScene& m_scene;
    const Tokens& m_tokens;
    const QRectF& m_plot;
};

/// The same in figures, where no widget lies above the plot.
class FigureOverlayPart : public ScenePart {
public:
    using ScenePart::ScenePart;

protected:
    void draw(QCPPainter* painter) override {
        if (scene().isFigure()) drawSceneOverlay(*painter, scene());
    }
};

}  // namespace

void drawSceneOverlay(QPainter& painter, const ChartScene& scene) {
    OverlayPainter(painter, scene).draw();
}

void addSceneLayers(QCustomPlot& plot, const ChartScene& scene) {
    // The plot's layers own their parts.
    new StagePart(plot, QStringLiteral("background"), scene);
    new LinePart(plot, QStringLiteral("main"), scene);
    new FramePart(plot, QStringLiteral("legend"), scene);
    new FigureOverlayPart(plot, QStringLiteral("overlay"), scene);
}

}  // namespace orrery
