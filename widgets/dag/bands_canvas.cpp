#include "widgets/dag/bands_canvas.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/dag/density_colors.h"

namespace orrery {

namespace {

constexpr double kBandsLeft = 84, kBandsRight = 41, kBandsTop = 8, kBandsFoot = 26;
constexpr double kBandHeight = 5;  ///< pixels of a cell, about
constexpr int kMinVisibleLevels = 3;

/// How much of the accent a cell takes of whose states a share is tinted: one state shows, and all
/// look like all.
double tintOf(double share) {
    return 0.08 + 0.62 * share;
}

}  // namespace

BandsCanvas::BandsCanvas(PlanSession* session, QWidget* parent)
    : PaintedWidget(parent), m_session(session) {
    setObjectName(QStringLiteral("levelBandsCanvas"));
    setAccessibleName(tr("Level bands"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void BandsCanvas::setDensity(std::shared_ptr<const StateGraph> graph,
                             std::shared_ptr<const LevelDensity> density) {
    const bool isOtherView = !m_density || !density ||
                             density->numLevels() != m_density->numLevels() ||
                             !(density->quantity == m_density->quantity) || graph != m_graph;
    const bool wasWhole = m_density && m_low <= m_density->low && m_high >= m_density->high;
    m_graph = std::move(graph);
    m_density = std::move(density);
    if (isOtherView) {
        zoomToFit();
    } else {
        if (wasWhole) {
            m_low = m_density->low;
            m_high = m_density->high;
        }
        clampView();
        rebuildImage();
    }
    update();
}

void BandsCanvas::setMarks(std::shared_ptr<const StateMarks> marks) {
    m_marks = std::move(marks);
    update();
}

void BandsCanvas::setTint(std::vector<std::vector<std::uint32_t>> counts) {
    m_tint = std::move(counts);
    rebuildImage();
    update();
}

void BandsCanvas::setCurrentValue(std::optional<double> value) {
    m_currentValue = value;
    update();
}

void BandsCanvas::setLoading(bool isLoading) {
    m_isLoading = isLoading;
    update();
}

bool BandsCanvas::hasValues() const {
    return m_density && m_density->quantity;
}

int BandsCanvas::numRows() const {
    return std::clamp(static_cast<int>(std::lround(plotRect().height() / kBandHeight)), 4, 256);
}

QRectF BandsCanvas::area() const {
    return m_figure ? QRectF(QPointF(0, 0), m_figure->size) : QRectF(rect());
}

const Tokens& BandsCanvas::tokens() const {
    return m_figure ? *m_figure->tokens : currentTokens();
}

QRectF BandsCanvas::plotRect() const {
    const double right = kBandsRight + m_labelWidth;
    return QRectF(kBandsLeft, kBandsTop, std::max(10.0, area().width() - kBandsLeft - right),
                  std::max(10.0, area().height() - kBandsTop - kBandsFoot));
}

QRectF BandsCanvas::columnRect(int step) const {
    const QRectF plot = plotRect();
    const double pitch = plot.width() / (m_endLevel - m_firstLevel);
    return QRectF(plot.left() + (step - m_firstLevel) * pitch, plot.top(), pitch, plot.height());
}

double BandsCanvas::yOf(double value) const {
    const QRectF plot = plotRect();
    if (!(m_high > m_low)) return plot.center().y();
    const double drawn = std::clamp(value, m_density->low, m_density->high);
    return plot.bottom() - (drawn - m_low) / (m_high - m_low) * plot.height();
}

double BandsCanvas::valueAt(double y) const {
    const QRectF plot = plotRect();
    if (!(m_high > m_low)) return m_low;
    return m_low + (plot.bottom() - y) / plot.height() * (m_high - m_low);
}

std::pair<int, int> BandsCanvas::binsOf(int row) const {
    const int rows = numRows();
    const double range = m_density->high - m_density->low;
    if (!(range > 0)) return row == rows / 2 ? std::pair{0, 1} : std::pair{0, 0};
    const auto edge = [&](int fromBottom) {
        const double value = m_low + (m_high - m_low) * fromBottom / rows;
        return std::clamp(
            static_cast<int>(std::lround((value - m_density->low) / range * LevelDensity::kBins)),
            0, LevelDensity::kBins);
    };
    return {edge(rows - 1 - row), edge(rows - row)};
}

std::int64_t BandsCanvas::countIn(int step, int row) const {
    return countIn(m_density->levels[static_cast<std::size_t>(step)].count, row);
}

std::int64_t BandsCanvas::countIn(const std::vector<std::uint32_t>& count, int row) const {
    if (count.empty()) return 0;
    const auto [first, end] = binsOf(row);
    std::int64_t sum = 0;
    for (int bin = first; bin < end; ++bin) sum += count[static_cast<std::size_t>(bin)];
    return sum;
}

QColor BandsCanvas::colorAt(int step, double value) const {
    const QRectF plot = plotRect();
    const int row = std::clamp(
        static_cast<int>((yOf(value) - plot.top()) / plot.height() * numRows()), 0, numRows() - 1);
    const std::int64_t count = countIn(step, row);
    const Tokens& t = currentTokens();
    return count == 0 ? t.canvas : densityColor(t, static_cast<double>(count), m_most);
}

BandsCanvas::Cell BandsCanvas::cellAt(const QPointF& point) const {
    Cell cell;
    const QRectF plot = plotRect();
    if (!m_density || point.x() < plot.left() || point.x() >= plot.right()) return cell;
    const double pitch = plot.width() / (m_endLevel - m_firstLevel);
    const int step = static_cast<int>(m_firstLevel + (point.x() - plot.left()) / pitch);
    if (step < 0 || step >= m_density->numLevels()) return cell;
    cell.step = step;
    if (!hasValues() || point.y() < plot.top() || point.y() >= plot.bottom()) return cell;
    const int row = static_cast<int>((point.y() - plot.top()) / plot.height() * numRows());
    if (countIn(step, row) > 0) cell.row = row;
    return cell;
}

void BandsCanvas::zoomToFit() {
    m_firstLevel = 0;
    m_endLevel = m_density ? m_density->numLevels() : 1;
    m_low = m_density ? m_density->low : 0;
    m_high = m_density ? m_density->high : 1;
    rebuildImage();
    update();
}

void BandsCanvas::clampView() {
    const double levels = m_density->numLevels();
    const double span =
        std::clamp(m_endLevel - m_firstLevel, std::min<double>(kMinVisibleLevels, levels), levels);
    m_firstLevel = std::clamp(m_firstLevel, 0.0, levels - span);
    m_endLevel = m_firstLevel + span;
    const double range = m_density->high - m_density->low;
    if (!(range > 0)) {
        m_low = m_high = m_density->low;
        return;
    }
    const double least = range * numRows() / LevelDensity::kBins;
    const double height = std::clamp(m_high - m_low, std::min(least, range), range);
    // The whole range taken from its end may come out below its beginning: rounding.
    m_low = std::clamp(m_low, m_density->low, std::max(m_density->low, m_density->high - height));
    m_high = m_low + height;
}

void BandsCanvas::zoomLevels(double factor, double x) {
    if (!m_density) return;
    const QRectF plot = plotRect();
    const double span = (m_endLevel - m_firstLevel) / factor;
    const double part = std::clamp((x - plot.left()) / plot.width(), 0.0, 1.0);
    const double fixed = m_firstLevel + part * (m_endLevel - m_firstLevel);
    m_firstLevel = fixed - part * span;
    m_endLevel = m_firstLevel + span;
    clampView();
    rebuildImage();
    update();
}

void BandsCanvas::zoomValues(double factor, double y) {
    if (!hasValues() || !(m_high > m_low)) return;
    const double fixed = valueAt(y);
    m_low = fixed - (fixed - m_low) / factor;
    m_high = fixed + (m_high - fixed) / factor;
    clampView();
    rebuildImage();
    update();
}

void BandsCanvas::setMost(double most) {
    m_most = most;
    m_labelWidth = std::max(
        35,
        QFontMetrics(numberFont(10)).horizontalAdvance(countText(static_cast<std::int64_t>(most))));
}

void BandsCanvas::rebuildImage() {
    m_image = {};
    setMost(2);
    if (!hasValues()) return;
    const int levels = m_density->numLevels();
    const int rows = numRows();
    m_group =
        std::max(1, static_cast<int>(std::ceil((m_endLevel - m_firstLevel) / plotRect().width())));
    const int columns = (levels + m_group - 1) / m_group;
    std::vector<std::int64_t> counts(static_cast<std::size_t>(columns) * rows);
    std::vector<std::int64_t> tinted(m_tint.empty() ? 0 : counts.size());
    for (int row = 0; row < rows; ++row) {
        const auto [first, end] = binsOf(row);
        for (int step = 0; step < levels; ++step) {
            const std::size_t at = static_cast<std::size_t>(step / m_group) * rows + row;
            const auto& count = m_density->levels[static_cast<std::size_t>(step)].count;
            for (int bin = first; bin < end && !count.empty(); ++bin) {
                counts[at] += count[static_cast<std::size_t>(bin)];
                if (!tinted.empty())
                    tinted[at] +=
                        m_tint[static_cast<std::size_t>(step)][static_cast<std::size_t>(bin)];
            }
        }
    }
    setMost(std::max(m_most, static_cast<double>(std::ranges::max(counts))));
    const Tokens& t = tokens();
    m_image = QImage(columns, rows, QImage::Format_RGB32);
    for (int column = 0; column < columns; ++column) {
        for (int row = 0; row < rows; ++row) {
            const std::size_t at = static_cast<std::size_t>(column) * rows + row;
            QColor color = counts[at] == 0
                               ? t.canvas
                               : densityColor(t, static_cast<double>(counts[at]), m_most);
            if (!tinted.empty() && tinted[at] > 0)
                color = mixed(color, t.accent,
                              tintOf(static_cast<double>(tinted[at]) /
                                     static_cast<double>(std::max(counts[at], tinted[at]))));
            m_image.setPixelColor(column, row, color);
        }
    }
}

void BandsCanvas::showState(int step, ConfigIndex config) {
    const auto words = m_graph->configuration(config);
    m_session->selection().setCurrent(
        {LevelItem{step}, StepItem{step},
         StateItem{step, {words.begin(), words.end()}, static_cast<std::int64_t>(config)}});
}

void BandsCanvas::pick(const QPointF& point) {
    const Cell cell = cellAt(point);
    if (cell.step < 0) return;
    if (cell.row >= 0) {
        if (const auto config = m_density->nearest(*m_graph, cell.step, valueAt(point.y())))
            return showState(cell.step, *config);
    }
    m_session->showLevel(cell.step);
}

void BandsCanvas::goToLevel(int step) {
    if (!m_density || !m_graph || step < 0 || step >= m_density->numLevels()) return;
    if (m_currentValue && hasValues())
        if (const auto config = m_density->nearest(*m_graph, step, *m_currentValue))
            return showState(step, *config);
    m_session->showLevel(step);
}

void BandsCanvas::goToValue(bool isGreater) {
    const auto state = m_session->graphState();
    if (!state || !hasValues()) return;
    if (const auto config = m_density->neighbour(*m_graph, *state, isGreater))
        showState(state->step, *config);
}

void BandsCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    m_dragFrom = event->position();
    m_wasDragged = false;
}

void BandsCanvas::mouseMoveEvent(QMouseEvent* event) {
    m_pointer = event->position();
    if (m_dragFrom && m_density) {
        const QPointF moved = event->position() - *m_dragFrom;
        if (m_wasDragged || moved.manhattanLength() > 4) {
            m_wasDragged = true;
            const QRectF plot = plotRect();
            const double levels = moved.x() / plot.width() * (m_endLevel - m_firstLevel);
            const double values = moved.y() / plot.height() * (m_high - m_low);
            m_firstLevel -= levels;
            m_endLevel -= levels;
            m_low += values;
            m_high += values;
            clampView();
            if (values != 0 && hasValues() && m_high - m_low < m_density->high - m_density->low)
                rebuildImage();
            m_dragFrom = event->position();
        }
    }
    const Cell cell = cellAt(event->position());
    m_readout.clear();
    if (cell.step >= 0) {
        const auto step = static_cast<std::size_t>(cell.step);
        m_readout =
            tr("level %1 · %2 states").arg(cell.step).arg(countText(m_density->states[step]));
        if (cell.row >= 0) {
            const double low = m_low + (m_high - m_low) * (numRows() - 1 - cell.row) / numRows();
            const double high = m_low + (m_high - m_low) * (numRows() - cell.row) / numRows();
            m_readout = tr("level %1 · %2 to %3 · %4%5 states")
                            .arg(cell.step)
                            .arg(valueText(low), valueText(high),
                                 m_density->stride > 1 ? QStringLiteral("≈ ") : QString(),
                                 countText(countIn(m_density->levels[step].count, cell.row)));
            if (!m_tint.empty())
                m_readout += tr(", %1 tinted").arg(countText(countIn(m_tint[step], cell.row)));
        }
        if (m_marks && cell.step < m_marks->numLevels() && m_marks->total() > 0)
            m_readout += tr(" · %1 in set").arg(countText(m_marks->count(cell.step)));
    }
    m_session->selection().setHover(
        cell.step >= 0 ? std::optional<SelectionItem>(LevelItem{cell.step}) : std::nullopt);
    update();
}

void BandsCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_dragFrom) return;
    m_dragFrom.reset();
    if (!m_wasDragged) pick(event->position());
}

void BandsCanvas::leaveEvent(QEvent* event) {
    m_pointer.reset();
    m_readout.clear();
    m_session->selection().setHover(std::nullopt);
    update();
    QWidget::leaveEvent(event);
}

void BandsCanvas::wheelEvent(QWheelEvent* event) {
    const double factor = std::pow(1.0015, event->angleDelta().y() + event->angleDelta().x());
    if (event->modifiers() & Qt::ControlModifier)
        zoomValues(factor, event->position().y());
    else
        zoomLevels(factor, event->position().x());
    event->accept();
}

void BandsCanvas::keyPressEvent(QKeyEvent* event) {
    if (!m_session->isOpen() || !m_density) return QWidget::keyPressEvent(event);
    const int step = m_session->state().step;
    const QPointF middle = plotRect().center();
    switch (event->key()) {
        case Qt::Key_Left:
            return goToLevel(step - 1);
        case Qt::Key_Right:
            return goToLevel(step + 1);
        case Qt::Key_Home:
            return goToLevel(0);
        case Qt::Key_End:
            return goToLevel(m_density->numLevels() - 1);
        case Qt::Key_Up:
            return goToValue(true);
        case Qt::Key_Down:
            return goToValue(false);
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            return zoomLevels(1.5, columnRect(step).center().x());
        case Qt::Key_Minus:
            return zoomLevels(1 / 1.5, middle.x());
        case Qt::Key_0:
            return zoomToFit();
        default:
            QWidget::keyPressEvent(event);
    }
}

void BandsCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) {
        rebuildImage();
        update();
    }
    QWidget::changeEvent(event);
}

void BandsCanvas::resizeEvent(QResizeEvent* event) {
    rebuildImage();
    QWidget::resizeEvent(event);
}

}  // namespace orrery
