#include "widgets/plots/chart_readout.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/plots/chart_scene.h"

namespace orrery {

namespace {

constexpr int kReadoutGap = 8;
constexpr int kEdge = 2;  // pixels that the readout keeps from the chart's edges
constexpr int kMostTableWidth = 420, kMostTableHeight = 300, kLeastTableHeight = 64;
constexpr double kRoomy = 220;     // pixels of a plot's height, from which headers are shown
constexpr double kPlaceStep = 16;  // pixels between two places tried for the readout

/// A row with every column that a reading may have.
struct FullRow {
    QString name;
    QString note;
    double value = kNaN, raw = kNaN, deviation = kNaN, low = kNaN, high = kNaN, members = kNaN,
           step = kNaN;
};

void sortByDistance(ChartReading& reading, std::vector<FullRow>& rows) {
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return reading.lines[i].distance; });
    std::vector<ChartReading::Line> lines;
    std::vector<FullRow> sorted;
    for (const std::size_t i : order) {
        lines.push_back(reading.lines[i]);
        sorted.push_back(rows[i]);
    }
    reading.lines = std::move(lines);
    rows = std::move(sorted);
}

/// What the bold numbers are: "mean", "median of smoothed", "smoothed", "value".
QString valueHeader(const ChartView& view, bool hasBands, bool isSmooth) {
    const QString smooth = QStringLiteral("smoothed");
    if (!hasBands) return isSmooth ? smooth : QStringLiteral("value");
    const QString middle =
        view.bands == BandKind::Quartiles ? QStringLiteral("median") : QStringLiteral("mean");
    return isSmooth ? middle + QStringLiteral(" of ") + smooth : middle;
}

bool isSmoothed(const ChartView& view) {
    return view.smoothing.kind == SmoothingKind::Ema ||
           view.smoothing.kind == SmoothingKind::Median;
}

/// Only columns that some row fills.
void fillTable(ChartReading& reading, const std::vector<FullRow>& rows, const QString& xName,
               const ChartView& view) {
    const auto hasAny = [&](double FullRow::*column) {
        return std::ranges::any_of(rows,
                                   [&](const FullRow& row) { return !std::isnan(row.*column); });
    };
    const bool areQuartiles = view.bands == BandKind::Quartiles;
    const std::array<std::pair<double FullRow::*, QString>, 6> columns = {
        std::pair(&FullRow::raw, QStringLiteral("raw")),
        std::pair(&FullRow::deviation, QStringLiteral("sd")),
        std::pair(&FullRow::low, areQuartiles ? QStringLiteral("25 %") : QStringLiteral("2.5 %")),
        std::pair(&FullRow::high, areQuartiles ? QStringLiteral("75 %") : QStringLiteral("97.5 %")),
        std::pair(&FullRow::members, QStringLiteral("n")),
        std::pair(&FullRow::step, xName)};
    const bool hasNote =
        std::ranges::any_of(rows, [](const FullRow& row) { return !row.note.isEmpty(); });
    reading.headers = {QStringLiteral("line"),
                       valueHeader(view, hasAny(&FullRow::members), isSmoothed(view))};
    for (const auto& [column, name] : columns)
        if (hasAny(column)) reading.headers << name;
    if (hasNote) reading.headers << QStringLiteral("differs in");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CellModel::Row row{
            .color = reading.lines[i].color,
            .cells = {CellModel::word(rows[i].name), CellModel::value(rows[i].value)},
            .tip = rows[i].note};
        for (const auto& [column, name] : columns)
            if (hasAny(column))
                row.cells.push_back(column == &FullRow::members || column == &FullRow::step
                                        ? CellModel::count(rows[i].*column)
                                        : CellModel::value(rows[i].*column));
        if (hasNote) row.cells.push_back(CellModel::word(rows[i].note));
        reading.rows.push_back(std::move(row));
    }
}

bool isWithin(const ChartScene& scene, const Series& points, double x) {
    if (points.isEmpty()) return false;
    const double at = scene.geometry().pixelX(x);
    return at >= scene.geometry().pixelX(points.firstX()) - 1 &&
           at <= scene.geometry().pixelX(points.lastX()) + 1;
}

FullRow readSeries(ChartContent::Entry& entry, const ChartView& view, double x) {
    const std::int64_t point = nearestPoint(entry.points, x);
    FullRow row{.name = entry.spec.name, .note = entry.spec.note};
    const double raw = entry.points.y(point);
    const double at = entry.points.x(point);
    const bool isSmooth = isSmoothed(view);
    row.value = isSmooth ? boldValueAt(entry, view.smoothing, at) : raw;
    if (isSmooth) row.raw = raw;
    if (at != x) row.step = at;
    return row;
}

/// How many corners of bold lines a rectangle covers.
std::int64_t pointsWithin(const ChartScene& scene, const QRectF& rect) {
    std::int64_t count = 0;
    for (const DrawnLine& line : scene.drawn().lines)
        for (const QPolygonF& piece : line.bold.empty() ? line.rawLines : line.bold)
            count += std::ranges::count_if(
                piece, [&](const QPointF& point) { return rect.contains(point); });
    // A dense line without smoothing has only its bars.
    for (const DrawnLine& line : scene.drawn().lines)
        for (std::size_t c = 0; line.isRawBold && c < line.bars.top.size(); c += 4) {
            const double x = line.bars.left + static_cast<double>(c) * line.bars.width;
            if (x >= rect.left() && x <= rect.right() && line.bars.top[c] < rect.bottom() &&
                line.bars.bottom[c] > rect.top())
                ++count;
        }
    return count;
}

}  // namespace

ChartReading readChart(ChartScene& scene, ChartContent& content, const QPointF& pointer) {
    const double x = scene.geometry().valueX(pointer.x());
    double best = std::numeric_limits<double>::infinity();
    double snapped = x;
    for (ChartContent::Entry& entry : content.series) {
        if (!isShown(entry, scene.view()) || !isWithin(scene, entry.points, x)) continue;
        const double at = entry.points.x(nearestPoint(entry.points, x));
        const QPointF place(scene.geometry().pixelX(at), scene.geometry().pixelY(boldValueAt(
                                                             entry, scene.view().smoothing, at)));
        const double distance = std::hypot(
            place.x() - pointer.x(), std::isfinite(place.y()) ? place.y() - pointer.y() : 1e4);
        if (distance >= best) continue;
        best = distance;
        snapped = at;
    }
    return readChartAt(scene, content, snapped, pointer);
}

ChartReading readChartAt(ChartScene& scene, ChartContent& content, double x,
                         const QPointF& pointer) {
    const ChartView& view = scene.view();
    ChartReading reading;
    reading.x = x;
    std::vector<FullRow> rows;
    const auto add = [&](const FullRow& row, int series, int group, int color) {
        const QPointF at(scene.geometry().pixelX(x), scene.geometry().pixelY(row.value));
        const double distance = std::isfinite(at.y()) ? std::abs(at.y() - pointer.y())
                                                      : std::numeric_limits<double>::infinity();
        reading.lines.push_back({series, group, at, distance, color});
        rows.push_back(row);
    };
    std::vector<bool> isBanded(content.groups.size(), false);
    for (std::size_t s = 0; s < content.series.size(); ++s) {
        ChartContent::Entry& entry = content.series[s];
        if (!isShown(entry, view) || !isWithin(scene, entry.points, x)) continue;
        if (isInBand(entry, view)) isBanded[static_cast<std::size_t>(entry.spec.group)] = true;
        if (isInBand(entry, view) && !view.showsMembers) continue;
        add(readSeries(entry, view, x), static_cast<int>(s), entry.spec.group, entry.spec.color);
    }
    for (std::size_t k = 0; k < content.groups.size(); ++k) {
        if (!isBanded[k]) continue;
        const BandPoint band = bandAt(content, view, static_cast<int>(k), x, scene.bands());
        FullRow row{.name = content.groups[k].name, .note = {}};
        row.value = band.middle;
        if (view.bands == BandKind::Deviation) {
            row.deviation = band.deviation;
        } else {
            row.low = band.low;
            row.high = band.high;
        }
        row.members = band.members;
        add(row, -1, static_cast<int>(k), content.groups[k].color);
    }
    sortByDistance(reading, rows);
    fillTable(reading, rows, content.xName, view);
    return reading;
}

ChartReadout::ChartReadout(QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("chartReadout"));
    setAccessibleName(QStringLiteral("Values at the crosshair"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(2);
    auto* top = new QHBoxLayout;
    m_step = makeLabel(QString(), "label", this);
    m_step->setObjectName(QStringLiteral("chartReadoutStep"));
    top->addWidget(m_step, 1);
    m_close = new QToolButton(this);
    m_close->setObjectName(QStringLiteral("chartReadoutClose"));
    m_close->setProperty("look", QStringLiteral("plain"));
    m_close->setText(QStringLiteral("×"));
    m_close->setToolTip(QStringLiteral("Unpin (Esc)"));
    m_close->setAccessibleName(QStringLiteral("Unpin the values"));
    m_close->setFixedSize(24, 24);
    top->addWidget(m_close, 0, Qt::AlignTop);
    layout->addLayout(top);
    m_step->setWordWrap(true);
    m_table = new CellTable(QStringLiteral("chartReadoutTable"), this);
    m_table->setAccessibleName(QStringLiteral("Values at the crosshair"));
    layout->addWidget(m_table);
    m_hint = makeLabel(QStringLiteral("click pins · Ctrl+C copies"), "hint", this);
    m_hint->setWordWrap(true);
    layout->addWidget(m_hint);
    m_waiting.setSingleShot(true);
    connect(&m_waiting, &QTimer::timeout, this, &ChartReadout::takeClicks);
    connect(m_close, &QToolButton::clicked, this, &ChartReadout::unpinned);
    setPinned(false);
    hide();
}

void ChartReadout::setPinned(bool isPinned) {
    m_isPinned = isPinned;
    setAttribute(Qt::WA_TransparentForMouseEvents);
    if (isPinned)
        m_waiting.start(QApplication::doubleClickInterval());
    else
        m_waiting.stop();
    m_close->setVisible(isPinned);
    // Pinned headers have room for the mark of sorting.
    if (property("pinned").toBool() != isPinned) {
        setProperty("pinned", isPinned);
        style()->polish(this);
    }
    m_hint->setText(isPinned ? QStringLiteral("headers sort · Ctrl+C copies · Esc unpins")
                             : QStringLiteral("click pins · Ctrl+C copies"));
}

void ChartReadout::takeClicks() {
    m_waiting.stop();
    if (m_isPinned) setAttribute(Qt::WA_TransparentForMouseEvents, false);
}

void ChartReadout::show(const ChartReading& reading, const ChartScene& scene, const QString& xName,
                        const QString& note) {
    if (reading.rows.empty()) {
        hide();
        return;
    }
    const bool isWhole = reading.x == std::trunc(reading.x) && std::abs(reading.x) < 1e15;
    const QString smoothing = smoothingRemark(scene.content(), scene.view());
    m_step->setText(
        xName + QLatin1Char(' ') +
        (isWhole ? countText(static_cast<std::int64_t>(reading.x)) : valueText(reading.x, 4)) +
        (note.isEmpty() ? QString() : QStringLiteral(" · ") + note) +
        (smoothing.isEmpty() ? QString() : QStringLiteral(" · ") + smoothing));
    // In a low chart the lines need the room more than the words.
    const bool isRoomy = scene.geometry().plot().height() >= kRoomy;
    m_hint->setVisible(m_isPinned || isRoomy);
    m_table->setHeaderShown(m_isPinned || reading.headers.size() > 2);
    m_table->setTable(reading.headers, reading.rows);
    fit(scene.size());
    place(reading, scene);
    setVisible(true);
    raise();
}

/// Never wider than the chart: there the words fold and the names are elided.
void ChartReadout::fit(const QSize& chart) {
    ensurePolished();
    const QMargins margins = layout()->contentsMargins();
    const int sides = width() - contentsRect().width() + margins.left() + margins.right();
    const int most = chart.width() - 2 * kEdge - sides;
    m_table->elideNames(std::min(most, kMostTableWidth));
    QSize table = m_table->sizeHint();
    if (table.width() > std::min(most, kMostTableWidth))
        table.rheight() += m_table->horizontalScrollBar()->sizeHint().height();
    table = table.boundedTo({std::min(most, kMostTableWidth),
                             std::clamp(chart.height() / 2, kLeastTableHeight, kMostTableHeight)});
    m_table->setFixedSize(table);
    const auto widthOf = [](const QLabel& label) {
        label.ensurePolished();
        return label.fontMetrics().horizontalAdvance(label.text()) + 2;
    };
    const int close = m_isPinned ? m_close->width() + layout()->spacing() + 6 : 0;
    const int words = std::min(widthOf(*m_step) + close, chart.width() / 2);
    const int hint = m_hint->isHidden() ? 0 : widthOf(*m_hint);
    if (hint > most) m_hint->hide();
    const int inner = std::min(most, std::max({table.width(), words, hint}));
    const auto take = [&] {
        layout()->activate();
        resize(inner + sides, layout()->totalHeightForWidth(inner + sides));
        return height() - (chart.height() - 2 * kEdge);
    };
    if (const int excess = take(); excess > 0) {
        m_table->setFixedHeight(std::max(kLeastTableHeight, table.height() - excess));
        take();
    }
}

void ChartReadout::place(const ChartReading& reading, const ChartScene& scene) {
    const QRectF& plot = scene.geometry().plot();
    const double cross = scene.geometry().pixelX(reading.x);
    const double mostLeft = std::max<double>(kEdge, scene.size().width() - kEdge - width());
    const double right = cross + kReadoutGap, left = cross - kReadoutGap - width();
    std::vector<double> lefts;
    if (right <= mostLeft) lefts.push_back(right);
    if (left >= kEdge) lefts.push_back(left);
    if (lefts.empty()) lefts.push_back(std::clamp<double>(right, kEdge, mostLeft));
    const double mostTop = std::max<double>(kEdge, scene.size().height() - kEdge - height());
    QPointF best(lefts.front(), std::min(plot.top() + kReadoutGap, mostTop));
    auto fewest = std::numeric_limits<std::int64_t>::max();
    for (const double tried : lefts)
        for (double top = plot.top() + kReadoutGap;
             top + height() <= plot.bottom() - kReadoutGap + 1; top += kPlaceStep) {
            const std::int64_t covered = pointsWithin(scene, QRectF(tried, top, width(), height()));
            if (covered >= fewest) continue;
            fewest = covered;
            best = {tried, top};
        }
    move(best.toPoint());
}

}  // namespace orrery
