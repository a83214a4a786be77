// What people and sessions do with a chart: views, commands and the menu.
#include <QActionGroup>
#include <QMenu>
#include <QMetaMethod>
#include <algorithm>
#include <array>
#include <cmath>

#include "widgets/plots/chart.h"
#include "widgets/plots/chart_export.h"
#include "widgets/plots/chart_picture.h"
#include "widgets/plots/chart_readout.h"
#include "widgets/plots/chart_scene.h"
#include "widgets/plots/chart_text.h"
#include "widgets/plots/qcustomplot_include.h"

namespace orrery {

namespace {

/// The range of an axis moved and stretched in places: low + from * size ... low + to * size.
std::optional<AxisView> withPart(const AxisView& axis, double from, double to) {
    const double low = axis.scale.place(axis.low);
    const double size = axis.scale.place(axis.high) - low;
    AxisView moved = axis;
    moved.isFitted = false;
    moved.low = axis.scale.value(low + from * size);
    moved.high = axis.scale.value(low + to * size);
    // Never so far in that neighbouring doubles lie pixels apart, nor out of the numbers.
    const double largest = std::max(std::abs(moved.low), std::abs(moved.high));
    const double width = moved.high - moved.low;
    if (!std::isfinite(moved.low) || !std::isfinite(moved.high) || !(width > 1e-11 * largest) ||
        !(axis.scale.place(moved.low) < axis.scale.place(moved.high)))
        return std::nullopt;
    return moved;
}

}  // namespace

void Chart::changeView(const ChartView& view) {
    if (view == m_view) return;
    const bool areCursorsNew = view.cursorA != m_view.cursorA || view.cursorB != m_view.cursorB;
    m_view = view;
    updateEmptyState();
    requestFrame();
    if (areCursorsNew) Q_EMIT cursorsChanged();
    Q_EMIT viewChanged();
}

void Chart::setView(const ChartView& view) {
    changeView(view);
}

void Chart::setSmoothing(const SmoothingSpec& smoothing) {
    ChartView view = m_view;
    view.smoothing = smoothing;
    if (!(smoothing.window > 0)) view.smoothing.window = m_view.smoothing.window;
    changeView(view);
}

void Chart::setScales(ScaleKind x, ScaleKind y) {
    ChartView view = m_view;
    const auto take = [](AxisView& axis, ScaleKind kind, double largest) {
        if (axis.scale.kind == kind) return;
        axis.scale.kind = kind;
        if (kind == ScaleKind::SymLog) axis.scale.threshold = symLogThreshold(largest);
        if (!(axis.scale.place(axis.low) < axis.scale.place(axis.high))) axis.isFitted = true;
    };
    double largestX = 0;
    double largestY = 0;
    for (const ChartContent::Entry& entry : m_content.series) {
        if (entry.points.isEmpty()) continue;
        const SeriesExtent extent = entry.points.extent(0, entry.points.size());
        largestX =
            std::max({largestX, std::abs(entry.points.firstX()), std::abs(entry.points.lastX())});
        if (extent.finite > 0)
            largestY = std::max({largestY, std::abs(extent.least), std::abs(extent.most)});
    }
    take(view.x, x, largestX);
    take(view.y, y, largestY);
    const bool isXNew = !(view.x == m_view.x);
    changeView(view);
    if (isXNew) Q_EMIT xChanged(m_view.x);
}

void Chart::setBands(BandKind bands, bool showsMembers) {
    ChartView view = m_view;
    view.bands = bands;
    view.showsMembers = showsMembers;
    changeView(view);
}

void Chart::setCursors(std::optional<double> a, std::optional<double> b) {
    ChartView view = m_view;
    view.cursorA = a;
    view.cursorB = b;
    changeView(view);
}

void Chart::setTableShown(bool isShown) {
    ChartView view = m_view;
    view.isTable = isShown;
    changeView(view);
}

void Chart::setEventsShown(ChartEventKind kind, bool isShown) {
    ChartView view = m_view;
    if (isShown)
        view.hiddenEvents.remove(nameOf(kind));
    else
        view.hiddenEvents.insert(nameOf(kind));
    changeView(view);
}

void Chart::toggleShown(const QString& key) {
    ChartView view = m_view;
    if (!view.hiddenSeries.remove(key)) view.hiddenSeries.insert(key);
    changeView(view);
    Q_EMIT extentChanged();
}

void Chart::showAll() {
    ChartView view = m_view;
    view.hiddenSeries.clear();
    changeView(view);
    Q_EMIT extentChanged();
}

void Chart::fit() {
    ChartView view = m_view;
    view.x.isFitted = view.y.isFitted = true;
    changeView(view);
    Q_EMIT xChanged(m_view.x);
}

void Chart::takeX(const AxisView& x) {
    ChartView view = m_view;
    view.x = x;
    changeView(view);
    Q_EMIT xChanged(m_view.x);
}

void Chart::zoom(double factor) {
    const QRectF& plot = m_scene->geometry().plot();
    const auto cross = m_scene->overlay().crosshair;
    const double at = cross ? m_scene->geometry().pixelX(*cross) : plot.center().x();
    zoomAxis(true, factor, std::clamp((at - plot.left()) / plot.width(), 0.0, 1.0));
}

void Chart::zoomAxis(bool isX, double factor, double centre) {
    // From the ranges of the view, for several steps may come before the next frame.
    const AxisView from = isX ? (m_view.x.isFitted ? fittedX(m_content, m_view) : m_view.x)
                              : (m_view.y.isFitted ? m_scene->view().y : m_view.y);
    const auto moved = withPart(from, centre - factor * centre, centre + factor * (1 - centre));
    if (!moved) return;
    if (isX) {
        takeX(*moved);
        return;
    }
    ChartView view = m_view;
    view.y = *moved;
    changeView(view);
}

void Chart::panFrom(const QPointF& now) {
    const QRectF& plot = m_scene->geometry().plot();
    const double byX = (m_dragFrom.x() - now.x()) / plot.width();
    const double byY = (now.y() - m_dragFrom.y()) / plot.height();
    if (m_drag == Drag::Pan || m_drag == Drag::PanY)
        if (const auto y = withPart(m_dragY, byY, 1 + byY)) {
            ChartView view = m_view;
            view.y = *y;
            changeView(view);
        }
    if (m_drag == Drag::Pan || m_drag == Drag::PanX)
        if (const auto x = withPart(m_dragX, byX, 1 + byX)) takeX(*x);
}

void Chart::zoomInto(const QRectF& pixels) {
    const QRectF& plot = m_scene->geometry().plot();
    const QRectF part = pixels.intersected(plot);
    if (part.width() < 4 || part.height() < 4) return;
    const auto y = withPart(m_scene->view().y, (plot.bottom() - part.bottom()) / plot.height(),
                            (plot.bottom() - part.top()) / plot.height());
    const auto x = withPart(m_scene->view().x, (part.left() - plot.left()) / plot.width(),
                            (part.right() - plot.left()) / plot.width());
    if (y) {
        ChartView view = m_view;
        view.y = *y;
        changeView(view);
    }
    if (x) takeX(*x);
}

void Chart::followX(const AxisView& x) {
    ChartView view = m_view;
    view.x = x;
    changeView(view);
}

void Chart::followCrosshair(std::optional<double> x) {
    if (isPinned() || m_scene->overlay().crosshair == x) return;
    m_scene->overlay().crosshair = x;
    m_isPointerInside = false;
    drawOverlayTimed();
}

void Chart::setCursorHere(bool isA) {
    const double middle = m_scene->geometry().valueX(m_scene->geometry().plot().center().x());
    const double x = m_scene->overlay().crosshair.value_or(middle);
    setCursors(isA ? x : m_view.cursorA, isA ? m_view.cursorB : x);
}

QString Chart::figureName() const {
    return tr("Chart: %1").arg(m_content.title);
}

QString Chart::figureCaption() const {
    return chartCaption(m_content, m_view);
}

QSizeF Chart::figureSize() const {
    return QSizeF(size()).expandedTo(QSizeF(minimumSizeHint()));
}

void Chart::paintFigure(QPainter& painter, const FigurePage& page) {
    paintChartFigure(m_content, m_view, static_cast<QCPPainter&>(painter), page);
}

std::int64_t Chart::exportData(const QString& file, const DataSpec& spec) {
    return orrery::exportData(m_content, m_view, file, spec);
}

/// The one in force is checked; one that is none of the usual ones stands in front of them.
void Chart::fillSmoothingMenu(QMenu& menu) {
    const SmoothingSpec& now = m_view.smoothing;
    const auto addChoice = [&](const SmoothingSpec& spec) {
        QString text = textOf(spec, m_content.xName);
        if (!text.isEmpty()) text[0] = text[0].toUpper();
        QAction* action = menu.addAction(text.isEmpty() ? tr("None") : text, this,
                                         [this, spec] { setSmoothing(spec); });
        action->setCheckable(true);
        action->setChecked(spec.kind == SmoothingKind::None ? now.kind == spec.kind : now == spec);
    };
    std::vector<SmoothingSpec> usual{{SmoothingKind::None, now.window}};
    for (const SmoothingKind kind :
         {SmoothingKind::Ema, SmoothingKind::Median, SmoothingKind::Envelope})
        for (const double window : {10.0, 100.0, 1000.0, 10000.0}) usual.push_back({kind, window});
    if (now.kind != SmoothingKind::None && std::ranges::find(usual, now) == usual.end())
        usual.insert(usual.begin() + 1, now);
    for (const SmoothingSpec& spec : usual) addChoice(spec);
}

void Chart::fillMenu(QMenu& menu) {
    const auto add = [this](QMenu& to, const QString& text, const auto& run) {
        return to.addAction(text, this, run);
    };
    const auto addChoice = [&](QMenu& to, const QString& text, bool isOn, const auto& run) {
        QAction* action = add(to, text, run);
        action->setCheckable(true);
        action->setChecked(isOn);
    };
    add(menu, tr("&Fit\tF"), [this] { fit(); });
    add(menu, tr("Zoom &in\tCtrl+="), [this] { zoom(0.5); });
    add(menu, tr("Zoom &out\tCtrl+-"), [this] { zoom(2); });
    // In a grid of charts.
    if (isSignalConnected(QMetaMethod::fromSignal(&Chart::titleDoubleClicked)))
        add(menu, tr("Fill the &grid, or back"), [this] { Q_EMIT titleDoubleClicked(); });
    menu.addSeparator();
    for (const bool isX : {true, false}) {
        QMenu* scales = menu.addMenu(isX ? tr("&X axis") : tr("&Y axis"));
        for (const ScaleKind kind : {ScaleKind::Linear, ScaleKind::Log, ScaleKind::SymLog})
            addChoice(*scales, nameOf(kind), (isX ? m_view.x : m_view.y).scale.kind == kind,
                      [this, isX, kind] {
                          setScales(isX ? kind : m_view.x.scale.kind,
                                    isX ? m_view.y.scale.kind : kind);
                      });
    }
    fillSmoothingMenu(*menu.addMenu(tr("&Smoothing")));
    if (!m_content.groups.empty()) {
        QMenu* bands = menu.addMenu(tr("&Bands"));
        for (const BandKind kind :
             {BandKind::None, BandKind::Deviation, BandKind::Quartiles, BandKind::Interval})
            addChoice(*bands, textOf(kind), m_view.bands == kind,
                      [this, kind] { setBands(kind, m_view.showsMembers); });
        addChoice(*bands, tr("Every member too"), m_view.showsMembers,
                  [this] { setBands(m_view.bands, !m_view.showsMembers); });
    }
    if (!m_content.events.empty()) {
        QMenu* events = menu.addMenu(tr("&Events"));
        for (int k = 0; k <= static_cast<int>(ChartEventKind::Note); ++k) {
            const auto kind = static_cast<ChartEventKind>(k);
            const bool isShownNow = !m_view.hiddenEvents.contains(nameOf(kind));
            if (std::ranges::any_of(m_content.events,
                                    [kind](const ChartEvent& e) { return e.kind == kind; }))
                addChoice(*events, nameOf(kind), isShownNow,
                          [this, kind, isShownNow] { setEventsShown(kind, !isShownNow); });
        }
    }
    menu.addSeparator();
    add(menu, tr("Cursor &A here\tA"), [this] { setCursorHere(true); });
    add(menu, tr("Cursor &B here\tB"), [this] { setCursorHere(false); });
    add(menu, tr("&Remove cursors\tEsc"), [this] { setCursors({}, {}); });
    menu.addSeparator();
    addChoice(menu, tr("Show as &table\tF8"), m_view.isTable,
              [this] { setTableShown(!m_view.isTable); });
    add(menu, tr("E&xport figure or data..."), [this] { Q_EMIT figureRequested(); });
}

}  // namespace orrery
