#include "widgets/plots/chart_grid.h"

#include <QFrame>
#include <QJsonArray>
#include <QKeyEvent>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.h"
#include "widgets/common/ground.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr int kChartGap = 12;
constexpr int kLeastHeight = 190;     // of a row
constexpr int kLeastSeen = 150;       // of one above the statistics
constexpr int kLeastStatistics = 84;  // their title and a line
constexpr int kMostColumns = 6;
constexpr std::array kLinkNames = {"none", "A", "B"};

}  // namespace

QString nameOf(LinkGroup group) {
    return QLatin1String(kLinkNames[static_cast<std::size_t>(group)]);
}

std::optional<LinkGroup> linkGroupOf(const QString& name) {
    for (std::size_t i = 0; i < kLinkNames.size(); ++i)
        if (name == QLatin1String(kLinkNames[i])) return static_cast<LinkGroup>(i);
    return std::nullopt;
}

ChartGrid::ChartGrid(QWidget* parent) : QScrollArea(parent) {
    setObjectName(QStringLiteral("chartGrid"));
    setAccessibleName(QStringLiteral("Charts"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    m_inner = new Ground(this);
    setWidget(m_inner);
    m_dropMark = new QFrame(m_inner);
    m_dropMark->setObjectName(QStringLiteral("chartDropMark"));
    m_dropMark->hide();
    m_statistics = new ChartStatistics(this);
    connect(m_statistics, &ChartStatistics::shownChanged, this, &ChartGrid::showAboveStatistics);
}

std::size_t ChartGrid::indexOf(const QString& id) const {
    const auto found =
        std::ranges::find_if(m_cells, [&](const Cell& cell) { return cell.chart->id() == id; });
    return static_cast<std::size_t>(found - m_cells.begin());
}

std::size_t ChartGrid::indexOf(const Chart* chart) const {
    return indexOf(chart->id());
}

Chart* ChartGrid::addChart(const QString& id, LinkGroup link) {
    if (chart(id))
        throw Error("There is a chart " + id.toStdString() +
                    " already: give each chart an id of its own.");
    auto* made = new Chart(id, m_inner);
    m_cells.push_back({made, link, 1});
    if (const auto state = m_restored.constFind(id); state != m_restored.constEnd()) {
        Cell& cell = m_cells.back();
        cell.span = std::clamp(state->value(QStringLiteral("span")).toInt(1), 1, kMostColumns);
        cell.link = linkGroupOf(state->value(QStringLiteral("link")).toString()).value_or(link);
        made->restoreState(state->value(QStringLiteral("view")).toObject());
        m_restored.remove(id);
    }
    sortByRestored();
    connectChart(made);
    layOut();
    showStatistics(made);
    requestExtents();
    return made;
}

void ChartGrid::connectChart(Chart* chart) {
    connect(chart, &Chart::xChanged, this, [this, chart](const AxisView& x) { shareX(chart, x); });
    connect(chart, &Chart::crosshairMoved, this,
            [this, chart](const std::optional<double>& x) { shareCrosshair(chart, x); });
    connect(chart, &Chart::extentChanged, this, &ChartGrid::requestExtents);
    connect(chart, &Chart::remarkRowChanged, this, &ChartGrid::requestRemarkRows);
    connect(chart, &Chart::viewChanged, this, &ChartGrid::viewChanged);
    connect(chart, &Chart::momentPicked, this, &ChartGrid::momentPicked);
    connect(chart, &Chart::figureRequested, this,
            [this, chart] { Q_EMIT figureRequested(chart->id()); });
    connect(chart, &Chart::titleDragged, this, &ChartGrid::showDropMark);
    connect(chart, &Chart::titleDropped, this,
            [this, chart](const QPoint& global) { drop(chart, global); });
    connect(chart, &Chart::titleDoubleClicked, this,
            [this, chart] { setPinned(m_pinned == chart->id() ? QString() : chart->id()); });
    connect(chart, &Chart::cursorsChanged, this, [this, chart] { showStatistics(chart); });
}

/// Those of the chart whose cursors were moved last, else of any that has some.
void ChartGrid::showStatistics(Chart* changed) {
    const auto hasCursor = [](const Chart* chart) {
        return chart && (chart->view().cursorA || chart->view().cursorB);
    };
    Chart* shown = changed;
    if (!hasCursor(shown)) shown = m_statistics->chart();
    for (const Cell& cell : m_cells)
        if (!hasCursor(shown)) shown = cell.chart;
    m_statistics->setChart(hasCursor(shown) ? shown : nullptr);
}

/// At most a third of the grid: the chart that they are of is to be seen above them.
int ChartGrid::statisticsHeight() const {
    if (m_statistics->isHidden()) return 0;
    const int most = std::max(contentsRect().height() / 3, kLeastStatistics);
    return std::min(m_statistics->sizeHint().height(), most);
}

void ChartGrid::placeStatistics() {
    const int height = statisticsHeight();
    setViewportMargins(0, 0, 0, height);
    const QRect all = contentsRect();
    m_statistics->setGeometry(all.left(), all.bottom() - height + 1, all.width(), height);
}

void ChartGrid::showAboveStatistics() {
    placeStatistics();
    layOut();
    if (Chart* chart = m_statistics->chart()) ensureWidgetVisible(chart, 0, kChartGap);
}

void ChartGrid::removeChart(const QString& id) {
    const std::size_t index = indexOf(id);
    if (index == m_cells.size()) return;
    m_cells[index].chart->deleteLater();
    m_cells[index].chart->hide();
    if (m_statistics->chart() == m_cells[index].chart) m_statistics->setChart(nullptr);
    m_cells.erase(m_cells.begin() + static_cast<std::ptrdiff_t>(index));
    layOut();
    requestExtents();
}

void ChartGrid::clear() {
    while (!m_cells.empty()) removeChart(m_cells.back().chart->id());
}

Chart* ChartGrid::chart(const QString& id) const {
    const std::size_t index = indexOf(id);
    return index < m_cells.size() ? m_cells[index].chart : nullptr;
}

std::vector<Chart*> ChartGrid::charts() const {
    std::vector<Chart*> all;
    all.reserve(m_cells.size());
    for (const Cell& cell : m_cells) all.push_back(cell.chart);
    return all;
}

void ChartGrid::setColumns(int columns) {
    columns = std::clamp(columns, 1, kMostColumns);
    if (columns == m_columns) return;
    m_columns = columns;
    layOut();
    Q_EMIT layoutChanged();
}

void ChartGrid::setSpan(const QString& id, int span) {
    const std::size_t index = indexOf(id);
    span = std::clamp(span, 1, kMostColumns);
    if (index == m_cells.size() || m_cells[index].span == span) return;
    m_cells[index].span = span;
    layOut();
    Q_EMIT layoutChanged();
}

int ChartGrid::span(const QString& id) const {
    const std::size_t index = indexOf(id);
    return index < m_cells.size() ? m_cells[index].span : 0;
}

void ChartGrid::setPinned(const QString& id) {
    if (id == m_pinned) return;
    m_pinned = id;
    layOut();
    Q_EMIT layoutChanged();
}

/// Null if all are shown, also while the chart that is to fill the grid is still to come.
ChartGrid::Cell* ChartGrid::pinnedCell() {
    const std::size_t index = indexOf(m_pinned);
    return index < m_cells.size() ? &m_cells[index] : nullptr;
}

void ChartGrid::setLink(const QString& id, LinkGroup link) {
    const std::size_t index = indexOf(id);
    if (index == m_cells.size() || m_cells[index].link == link) return;
    m_cells[index].link = link;
    requestExtents();
    Q_EMIT layoutChanged();
}

LinkGroup ChartGrid::link(const QString& id) const {
    const std::size_t index = indexOf(id);
    return index < m_cells.size() ? m_cells[index].link : LinkGroup::None;
}

void ChartGrid::moveChart(const QString& id, int place) {
    const std::size_t from = indexOf(id);
    if (from == m_cells.size()) return;
    auto to = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(place, 0, std::ssize(m_cells)));
    if (to > from) --to;  // places are counted with the chart still there
    if (to == from) return;
    const Cell moved = m_cells[from];
    m_cells.erase(m_cells.begin() + static_cast<std::ptrdiff_t>(from));
    m_cells.insert(m_cells.begin() + static_cast<std::ptrdiff_t>(to), moved);
    layOut();
    Q_EMIT layoutChanged();
}

void ChartGrid::setSmoothing(const SmoothingSpec& smoothing) {
    for (const Cell& cell : m_cells) cell.chart->setSmoothing(smoothing);
}

void ChartGrid::setBands(BandKind bands) {
    for (const Cell& cell : m_cells) cell.chart->setBands(bands, cell.chart->view().showsMembers);
}

void ChartGrid::resetRanges() {
    for (const Cell& cell : m_cells) {
        cell.chart->fit();
        cell.chart->setCursors({}, {});
    }
}

void ChartGrid::shareX(Chart* from, const AxisView& x) {
    const LinkGroup group = link(from->id());
    if (group == LinkGroup::None) return;
    for (const Cell& cell : m_cells)
        if (cell.chart != from && cell.link == group) cell.chart->followX(x);
}

void ChartGrid::shareCrosshair(const Chart* from, const std::optional<double>& x) {
    const LinkGroup group = link(from->id());
    if (group == LinkGroup::None) return;
    for (const Cell& cell : m_cells)
        if (cell.chart != from && cell.link == group) cell.chart->followCrosshair(x);
    Q_EMIT crosshairMoved(x);
}

void ChartGrid::requestExtents() {
    if (std::exchange(m_isExtentDue, true)) return;
    QMetaObject::invokeMethod(this, &ChartGrid::shareExtents, Qt::QueuedConnection);
}

void ChartGrid::shareExtents() {
    m_isExtentDue = false;
    for (const LinkGroup group : {LinkGroup::None, LinkGroup::A, LinkGroup::B}) {
        std::optional<std::pair<double, double>> all;
        for (const Cell& cell : m_cells) {
            if (cell.link != group) continue;
            const auto one = cell.chart->extent();
            if (!one) continue;
            if (!all) all = one;
            all->first = std::min(all->first, one->first);
            all->second = std::max(all->second, one->second);
        }
        if (group == LinkGroup::None) all.reset();
        for (const Cell& cell : m_cells)
            if (cell.link == group) cell.chart->setLinkedExtent(all);
    }
}

void ChartGrid::requestRemarkRows() {
    if (std::exchange(m_areRemarkRowsDue, true)) return;
    QMetaObject::invokeMethod(this, &ChartGrid::shareRemarkRows, Qt::QueuedConnection);
}

void ChartGrid::shareRemarkRows() {
    m_areRemarkRowsDue = false;
    const bool isNeeded = std::ranges::any_of(m_cells, [](const Cell& cell) {
        return !cell.chart->isHidden() && cell.chart->needsRemarkRow();
    });
    for (const Cell& cell : m_cells) cell.chart->setRemarkRow(isNeeded);
}

void ChartGrid::layOut() {
    const Cell* pinned = pinnedCell();
    for (const Cell& cell : m_cells) cell.chart->setVisible(!pinned || pinned == &cell);
    // The scroll bar lies in the gap at the right.
    const QSize room = contentsRect().size();
    if (pinned) {
        const QRect above(0, 0, room.width(), room.height() - statisticsHeight());
        m_inner->resize(viewport()->width(), above.height());
        pinned->chart->setGeometry(above.adjusted(kChartGap, kChartGap, -kChartGap, -kChartGap));
    } else {
        layOutRows(room);
    }
    requestRemarkRows();
    // Tab goes through the charts in their order.
    for (std::size_t i = 1; i < m_cells.size(); ++i)
        QWidget::setTabOrder(m_cells[i - 1].chart, m_cells[i].chart);
}

void ChartGrid::layOutRows(const QSize& room) {
    struct Place {
        Chart* chart;
        int row, column, span;
    };
    std::vector<Place> places;
    int row = 0;
    int column = 0;
    for (const Cell& cell : m_cells) {
        const int span = std::min(cell.span, m_columns);
        if (column + span > m_columns) {
            ++row;
            column = 0;
        }
        places.push_back({cell.chart, row, column, span});
        column += span;
    }
    const int rows = places.empty() ? 0 : row + 1;
    // As many whole rows as fit share the height; the others are scrolled to.
    const int fitting =
        std::clamp((room.height() - kChartGap) / (kLeastHeight + kChartGap), 1, std::max(1, rows));
    // Charts keep their sizes when statistics come below them, unless a row would not be seen
    // whole.
    const int share = (room.height() - kChartGap * (fitting + 1)) / fitting;
    const int seen = room.height() - statisticsHeight() - 2 * kChartGap;
    const int height = std::min(std::max(kLeastHeight, share), std::max(kLeastSeen, seen));
    m_inner->resize(viewport()->width(),
                    std::max(room.height(), kChartGap + rows * (height + kChartGap)));
    const double each =
        (room.width() - kChartGap * (m_columns + 1)) / static_cast<double>(m_columns);
    for (const Place& place : places) {
        const int left =
            static_cast<int>(std::lround(kChartGap + place.column * (each + kChartGap)));
        const int right =
            static_cast<int>(std::lround((place.column + place.span) * (each + kChartGap)));
        place.chart->setGeometry(left, kChartGap + place.row * (height + kChartGap), right - left,
                                 height);
    }
}

void ChartGrid::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    placeStatistics();
    layOut();
}

void ChartGrid::keyPressEvent(QKeyEvent* event) {
    const bool isMove = event->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier) &&
                        (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right);
    for (std::size_t i = 0; isMove && i < m_cells.size(); ++i) {
        if (!m_cells[i].chart->hasFocus()) continue;
        const int place = static_cast<int>(i) + (event->key() == Qt::Key_Left ? -1 : 2);
        moveChart(m_cells[i].chart->id(), std::max(0, place));
        return;
    }
    QScrollArea::keyPressEvent(event);
}

std::size_t ChartGrid::placeAt(const QPoint& global) const {
    const QPoint at = m_inner->mapFromGlobal(global);
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        const QRect place = m_cells[i].chart->geometry();
        if (at.y() > place.bottom() + kChartGap / 2) continue;
        if (at.y() < place.top() - kChartGap / 2) return i;
        if (at.x() < place.center().x()) return i;
        if (at.x() <= place.right() + kChartGap / 2) return i + 1;
    }
    return m_cells.size();
}

void ChartGrid::showDropMark(const QPoint& global) {
    if (m_cells.empty()) return;
    const std::size_t place = placeAt(global);
    const bool isEnd = place == m_cells.size();
    const QRect next = m_cells[isEnd ? place - 1 : place].chart->geometry();
    const int x = isEnd ? next.right() + kChartGap / 2 : next.left() - kChartGap / 2;
    m_dropMark->setGeometry(x - 1, next.top(), 3, next.height());
    m_dropMark->raise();
    m_dropMark->show();
}

void ChartGrid::drop(Chart* chart, const QPoint& global) {
    m_dropMark->hide();
    moveChart(chart->id(), static_cast<int>(placeAt(global)));
}

QJsonObject ChartGrid::saveState() const {
    QJsonArray charts;
    for (const Cell& cell : m_cells)
        charts.append(QJsonObject{{QStringLiteral("id"), cell.chart->id()},
                                  {QStringLiteral("span"), cell.span},
                                  {QStringLiteral("link"), nameOf(cell.link)},
                                  {QStringLiteral("view"), cell.chart->saveState()}});
    return {{QStringLiteral("columns"), m_columns},
            {QStringLiteral("pinned"), m_pinned},
            {QStringLiteral("charts"), charts}};
}

void ChartGrid::restoreState(const QJsonObject& state) {
    m_columns = std::clamp(state.value(QStringLiteral("columns")).toInt(3), 1, kMostColumns);
    m_pinned = state.value(QStringLiteral("pinned")).toString();
    m_restored.clear();
    m_restoredOrder.clear();
    for (const auto& value : state.value(QStringLiteral("charts")).toArray()) {
        const QJsonObject one = value.toObject();
        const QString id = one.value(QStringLiteral("id")).toString();
        m_restoredOrder << id;
        const std::size_t index = indexOf(id);
        if (index == m_cells.size()) {
            m_restored.insert(id, one);
            continue;
        }
        Cell& cell = m_cells[index];
        cell.span = std::clamp(one.value(QStringLiteral("span")).toInt(1), 1, kMostColumns);
        cell.link = linkGroupOf(one.value(QStringLiteral("link")).toString()).value_or(cell.link);
        cell.chart->restoreState(one.value(QStringLiteral("view")).toObject());
    }
    sortByRestored();
    layOut();
    requestExtents();
    Q_EMIT layoutChanged();
}

void ChartGrid::sortByRestored() {
    // Charts that the state did not know keep their order, behind the others.
    std::ranges::stable_sort(m_cells, {}, [this](const Cell& cell) {
        const qsizetype place = m_restoredOrder.indexOf(cell.chart->id());
        return place < 0 ? m_restoredOrder.size() : place;
    });
}

}  // namespace orrery
