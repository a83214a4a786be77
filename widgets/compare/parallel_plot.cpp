#include "widgets/compare/parallel_plot.h"

#include <QJsonArray>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/common/figure_keys.h"
#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/compare/run_table_model.h"
#include "widgets/plots/chart_text.h"

namespace orrery {

namespace {

constexpr double kReach = 14;  // px from an axis that still count as on it
constexpr int kMostParameters = 5;
constexpr int kWidthForHint = 330;
constexpr double kLeastGap = 56;  // px between two axes, for their words
constexpr int kBetweenWords = 6;
constexpr std::size_t kMostLines = 2000;  // more would only fill the plot

double distanceTo(const QPolygonF& line, const QPointF& at) {
    double nearest = std::numeric_limits<double>::infinity();
    for (int i = 0; i + 1 < line.size(); ++i) {
        const QPointF a = line[i], d = line[i + 1] - a, p = at - a;
        const double length = QPointF::dotProduct(d, d);
        const double t = length > 0 ? std::clamp(QPointF::dotProduct(p, d) / length, 0.0, 1.0) : 0;
        const QPointF apart = p - d * t;
        nearest = std::min(nearest, std::hypot(apart.x(), apart.y()));
    }
    return nearest;
}

}  // namespace

ParallelPlot::ParallelPlot(QWidget* parent) : PaintedWidget(parent) {
    setObjectName(QStringLiteral("parallelPlot"));
    setAccessibleName(tr("Parameters and results of the compared runs"));
    setToolTip(tr("Drag along an axis to filter the table; a double click takes the range away"));
    setFocusPolicy(Qt::StrongFocus);
}

void ParallelPlot::addAxis(const SheetColumn& column) {
    Axis axis{.key = column.key,
              .title = column.title,
              .isNumber = column.kind == SheetKind::Number,
              .low = std::numeric_limits<double>::infinity(),
              .high = -std::numeric_limits<double>::infinity(),
              .values = {},
              .words = {}};
    for (const int row : m_set.rows) {
        double value = axis.isNumber ? column.number[static_cast<std::size_t>(row)] : 0;
        if (!axis.isNumber) {
            const QString& word = column.text[static_cast<std::size_t>(row)];
            if (!axis.words.contains(word)) axis.words << word;
            value = static_cast<double>(axis.words.indexOf(word));
        }
        axis.values.push_back(std::isfinite(value) ? value
                                                   : std::numeric_limits<double>::quiet_NaN());
        if (!std::isfinite(value)) continue;
        axis.low = std::min(axis.low, value);
        axis.high = std::max(axis.high, value);
    }
    if (axis.low > axis.high) return;  // nobody has a value
    axis.isOneValue = axis.low == axis.high;
    if (axis.isOneValue) {
        // Beside a large number, a half is nothing.
        const double room = std::max(0.5, std::abs(axis.low) / 100);
        axis.low -= room;
        axis.high += room;
    }
    m_all.push_back(std::move(axis));
}

/// As many as have room side by side: of too many, the last parameters go first.
std::vector<ParallelPlot::Axis> ParallelPlot::fitting() const {
    std::vector<Axis> axes = m_all;
    const double gaps = std::max(1.0, std::floor(plotRect().width() / kLeastGap));
    std::ptrdiff_t parameters = m_numParameters;
    while (std::ssize(axes) > 1 + static_cast<std::ptrdiff_t>(gaps))
        axes.erase(parameters > 1 ? axes.begin() + --parameters : axes.end() - 1);
    return axes;
}

void ParallelPlot::fitAxes() {
    m_axes = fitting();
    m_axis = std::min(m_axis, numAxes() - 1);
    update();
}

void ParallelPlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitAxes();
}

void ParallelPlot::setCompareSet(const CompareSet& set) {
    m_set = set;
    m_all.clear();
    m_numParameters = 0;
    if (set.sheet) {
        for (const QString& key : set.differing.mid(0, kMostParameters))
            addAxis(*set.sheet->column(key));
        m_numParameters = std::ssize(m_all);
        for (const char* key : {"v_r", "x_h", "error_v_h_e", "error_pi_r", "seconds"})
            if (const SheetColumn* column = set.sheet->column(QLatin1String(key))) addAxis(*column);
    }
    fitAxes();
}

void ParallelPlot::setCurrent(const QString& runId) {
    m_current = runId;
    update();
}

void ParallelPlot::setHovered(const QString& runId) {
    if (runId == m_hovered) return;
    m_hovered = runId;
    update();
}

QRectF ParallelPlot::area() const {
    return m_figure ? QRectF(QPointF(0, 0), m_figure->size) : QRectF(rect());
}

const Tokens& ParallelPlot::tokens() const {
    return m_figure ? *m_figure->tokens : currentTokens();
}

QSizeF ParallelPlot::figureSize() const {
    return QSizeF(size()).expandedTo(QSizeF(360, 260));
}

QJsonObject ParallelPlot::figureState() const {
    QJsonObject ranges;
    for (auto it = m_ranges.begin(); it != m_ranges.end(); ++it)
        ranges.insert(it.key(), QJsonArray{it->first, it->second});
    return {{QStringLiteral("ranges"), ranges}};
}

void ParallelPlot::restoreFigure(const QJsonObject& state) {
    m_ranges.clear();
    const QJsonObject ranges = state.value(QLatin1String("ranges")).toObject();
    for (auto it = ranges.begin(); it != ranges.end(); ++it) {
        const QJsonArray range = it->toArray();
        if (range.size() == 2)
            m_ranges.insert(it.key(), {range[0].toDouble(), range[1].toDouble()});
    }
    update();
}

void ParallelPlot::paintFigure(QPainter& painter, const FigurePage& page) {
    constexpr double kMargin = 12;
    std::vector<FigureKey> keys;
    for (const Setting& setting : m_set.settings) {
        const QPen pen = seriesPen(*page.tokens, setting.color % 8);
        keys.push_back(
            {pen.style() == Qt::SolidLine ? FigureKey::Sign::Line : FigureKey::Sign::Dashes,
             pen.color(), plainSymbol(setting.label)});
    }
    const double width = page.size.width() - 2 * kMargin;
    const double height = page.hasLegend ? figureKeysHeight(width, keys) + kMargin : 0;
    m_figure = page;
    m_figure->size.rheight() -= height;
    m_axes = fitting();
    painter.setRenderHint(QPainter::Antialiasing);
    paintInto(painter);
    const double top = m_figure->size.height() + 4;
    m_figure.reset();
    m_axes = fitting();
    if (page.hasLegend) paintFigureKeys(painter, QPointF(kMargin, top), width, keys, *page.tokens);
}

QRectF ParallelPlot::plotRect() const {
    return area().adjusted(44, 66, -44, -30);
}

double ParallelPlot::axisX(int axis) const {
    const QRectF plot = plotRect();
    return numAxes() < 2 ? plot.center().x() : plot.left() + plot.width() * axis / (numAxes() - 1);
}

double ParallelPlot::axisY(int axis, double value) const {
    const Axis& a = m_axes[static_cast<std::size_t>(axis)];
    const QRectF plot = plotRect();
    return plot.bottom() - (value - a.low) / (a.high - a.low) * plot.height();
}

double ParallelPlot::valueAt(int axis, double y) const {
    const Axis& a = m_axes[static_cast<std::size_t>(axis)];
    const QRectF plot = plotRect();
    const double t = std::clamp((plot.bottom() - y) / plot.height(), 0.0, 1.0);
    return a.low + t * (a.high - a.low);
}

std::optional<std::pair<double, double>> ParallelPlot::range(int axis) const {
    const auto found = m_ranges.find(axisKey(axis));
    if (found == m_ranges.end()) return std::nullopt;
    return *found;
}

bool ParallelPlot::isInside(int row) const {
    for (auto it = m_ranges.begin(); it != m_ranges.end(); ++it) {
        const SheetColumn* column = m_set.sheet->column(it.key());
        if (column == nullptr || column->number.empty()) continue;
        const double value = column->number[static_cast<std::size_t>(row)];
        if (!(value >= it->first && value <= it->second)) return false;
    }
    return true;
}

QPolygonF ParallelPlot::lineOf(std::size_t run) const {
    QPolygonF line;
    for (int axis = 0; axis < numAxes(); ++axis) {
        const double value = m_axes[static_cast<std::size_t>(axis)].values[run];
        if (!std::isnan(value)) line << QPointF(axisX(axis), axisY(axis, value));
    }
    return line;
}

int ParallelPlot::axisAt(const QPointF& at) const {
    for (int axis = 0; axis < numAxes(); ++axis)
        if (std::abs(at.x() - axisX(axis)) <= kReach) return axis;
    return -1;
}

QString ParallelPlot::valueWords(const Axis& axis, double value) const {
    if (!axis.isNumber) {
        const int word = static_cast<int>(std::lround(value));
        return word >= 0 && word < axis.words.size() ? axis.words[word] : QString();
    }
    return RunTableModel::numberText(*m_set.sheet->column(axis.key), value);
}

void ParallelPlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintInto(painter);
    if (!hasFocus()) return;
    painter.setPen(QPen(currentTokens().accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
}

void ParallelPlot::paintInto(QPainter& painter) const {
    const Tokens& t = tokens();
    painter.setPen(t.text);
    painter.setFont(interfaceFont(13, QFont::DemiBold));
    painter.drawText(QPointF(12, 24), tr("Parameters and results"));
    painter.setFont(interfaceFont(11));
    painter.setPen(t.text3);
    if (m_axes.size() < 2 || m_set.rows.size() < 2) {
        painter.drawText(
            area().adjusted(24, 30, -24, -10), Qt::AlignCenter | Qt::TextWordWrap,
            m_set.rows.size() < 2
                ? tr("Check two runs or more to see how parameters and results go together.")
                : tr("The checked runs have no two numbers in common that differ."));
        return;
    }
    if (!m_figure && area().width() >= kWidthForHint)
        painter.drawText(QRectF(12, 8, area().width() - 24, 20), Qt::AlignRight | Qt::AlignVCenter,
                         m_set.rows.size() > kMostLines
                             ? tr("the first %1 of %2 runs").arg(kMostLines).arg(m_set.rows.size())
                         : m_ranges.isEmpty() ? tr("drag along an axis to filter")
                                              : tr("double-click an axis to clear it"));
    for (const int pass : {0, 1, 2})  // outside below, current on top
        for (std::size_t i = 0; i < std::min(m_set.rows.size(), kMostLines); ++i) {
            const int row = m_set.rows[i];
            const bool isIn = isInside(row), isHovered = !m_figure && m_set.idOf(row) == m_hovered;
            const bool isCurrent = isHovered || m_set.idOf(row) == m_current;
            if (pass != (isCurrent ? 2 : isIn ? 1 : 0)) continue;
            const int setting = std::max(0, m_set.settingOf(row));
            QPen pen = seriesPen(t, m_set.settings[static_cast<std::size_t>(setting)].color % 8);
            QColor color = pen.color();
            color.setAlphaF(isIn ? (isCurrent ? 1.0F : 0.75F) : 0.12F);
            pen.setColor(color);
            pen.setWidthF(isHovered ? 2 : isCurrent ? 3 : 1.5);
            painter.setPen(pen);
            painter.setBrush(Qt::NoBrush);
            painter.drawPolyline(lineOf(i));
        }
    for (int axis = 0; axis < numAxes(); ++axis) paintAxis(painter, axis);
}

void ParallelPlot::paintAxis(QPainter& painter, int axis) const {
    const Tokens& t = tokens();
    const Axis& a = m_axes[static_cast<std::size_t>(axis)];
    const QRectF plot = plotRect();
    const double x = axisX(axis);
    painter.setPen(QPen(hasFocus() && !m_figure && axis == m_axis ? t.accent : t.chartAxis, 1.5));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    if (const auto brushed = range(axis)) {
        const double top = axisY(axis, std::min(brushed->second, a.high));
        const double bottom = axisY(axis, std::max(brushed->first, a.low));
        QColor fill = t.accent;
        fill.setAlphaF(0.25F);
        painter.setPen(QPen(t.accent, 1.5));
        painter.setBrush(fill);
        painter.drawRoundedRect(QRectF(x - 6, top - 2, 12, bottom - top + 4), 3, 3);
    }
    const int room =
        numAxes() < 2 ? 200 : static_cast<int>(plot.width() / (numAxes() - 1)) - kBetweenWords;
    const auto centred = [&](double y, const QString& whole) {
        const QString text = painter.fontMetrics().elidedText(whole, Qt::ElideMiddle, room);
        const double wide = painter.fontMetrics().horizontalAdvance(text);
        const double left = std::clamp(x - wide / 2, 2.0, std::max(2.0, area().width() - wide - 2));
        painter.drawText(QPointF(left, y), text);
    };
    painter.setPen(t.text2);
    const QString title = wordsWidth(11, a.title, QFont::DemiBold) <= room
                              ? a.title
                              : QFontMetrics(interfaceFont(11, QFont::DemiBold))
                                    .elidedText(plainSymbol(a.title), Qt::ElideRight, room);
    const double wide = wordsWidth(11, title, QFont::DemiBold);
    paintWords(painter,
               QPointF(std::clamp(x - wide / 2, 2.0, std::max(2.0, area().width() - wide - 2)),
                       plot.top() - 20),
               11, title, QFont::DemiBold);
    painter.setPen(t.text3);
    painter.setFont(numberFont(10));
    if (a.isOneValue) {
        centred(plot.top() - 6, valueWords(a, (a.low + a.high) / 2));
        return;
    }
    centred(plot.top() - 6, valueWords(a, a.high));
    centred(plot.bottom() + 14, valueWords(a, a.low));
}

void ParallelPlot::setRange(int axis, std::optional<std::pair<double, double>> range) {
    if (range)
        m_ranges.insert(axisKey(axis), *range);
    else
        m_ranges.remove(axisKey(axis));
    update();
}

void ParallelPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    m_press = event->position();
    m_axis = axisAt(event->position());
    m_isBrushing = false;
    update();
}

void ParallelPlot::mouseMoveEvent(QMouseEvent* event) {
    if (!m_press || m_axis < 0 || !m_axes[static_cast<std::size_t>(m_axis)].isNumber) return;
    if (!m_isBrushing && std::abs(event->position().y() - m_press->y()) < 4) return;
    m_isBrushing = true;
    const double a = valueAt(m_axis, m_press->y()), b = valueAt(m_axis, event->position().y());
    setRange(m_axis, std::pair(std::min(a, b), std::max(a, b)));
}

void ParallelPlot::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_press) return;
    const bool wasBrushing = std::exchange(m_isBrushing, false);
    m_press.reset();
    if (wasBrushing) {
        Q_EMIT rangeBrushed(axisKey(m_axis), range(m_axis));
        return;
    }
    double nearest = 8;
    QString picked;
    for (std::size_t i = 0; i < m_set.rows.size(); ++i) {
        const double distance = distanceTo(lineOf(i), event->position());
        if (distance >= nearest) continue;
        nearest = distance;
        picked = m_set.idOf(m_set.rows[i]);
    }
    if (!picked.isEmpty()) Q_EMIT runPicked(picked);
}

void ParallelPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    const int axis = axisAt(event->position());
    if (axis < 0) return;
    setRange(axis, std::nullopt);
    Q_EMIT rangeBrushed(axisKey(axis), std::nullopt);
}

void ParallelPlot::keyPressEvent(QKeyEvent* event) {
    const int last = numAxes() - 1;
    const int key = event->key();
    if (last < 0) return QWidget::keyPressEvent(event);
    if (key == Qt::Key_Left || key == Qt::Key_Right) {
        m_axis = std::clamp(m_axis + (key == Qt::Key_Left ? -1 : 1), 0, last);
        update();
        return;
    }
    const bool isMove = key == Qt::Key_Up || key == Qt::Key_Down;
    if (m_axis < 0 || (!isMove && key != Qt::Key_Delete)) return QWidget::keyPressEvent(event);
    const Axis& axis = m_axes[static_cast<std::size_t>(m_axis)];
    if (key == Qt::Key_Delete) {
        setRange(m_axis, std::nullopt);
    } else if (axis.isNumber) {
        // The first press takes the upper or lower half; the next move it by a tenth.
        const double tenth = (axis.high - axis.low) / 10 * (key == Qt::Key_Up ? 1 : -1);
        const double middle = (axis.low + axis.high) / 2;
        auto now = range(m_axis);
        now =
            now ? std::pair(now->first + tenth, now->second + tenth)
                : (key == Qt::Key_Up ? std::pair(middle, axis.high) : std::pair(axis.low, middle));
        setRange(m_axis, now);
    }
    Q_EMIT rangeBrushed(axisKey(m_axis), range(m_axis));
}

/// The axes, from their titles to the values below, as far from the line as the mouse takes hold.
std::vector<NamedSpot> ParallelPlot::namedSpots() const {
    std::vector<NamedSpot> spots;
    if (!hasFigure()) return spots;
    const QRectF plot = plotRect();
    for (int axis = 0; axis < numAxes(); ++axis) {
        const Axis& a = m_axes[static_cast<std::size_t>(axis)];
        const QString title = plainSymbol(a.title);
        QJsonObject facts{{QStringLiteral("text"), title}};
        QString values;
        if (a.isOneValue) {
            values = valueWords(a, (a.low + a.high) / 2);
            facts.insert(QStringLiteral("value"), values);
        } else {
            const QString low = valueWords(a, a.low), high = valueWords(a, a.high);
            values = tr("%1 to %2").arg(low, high);
            facts.insert(QStringLiteral("low"), low);
            facts.insert(QStringLiteral("high"), high);
        }
        if (const auto brushed = range(axis)) {
            facts.insert(QStringLiteral("from"), valueWords(a, brushed->first));
            facts.insert(QStringLiteral("to"), valueWords(a, brushed->second));
        }
        spots.push_back(
            {QStringLiteral("axis %1").arg(a.key),
             QRectF(axisX(axis) - kReach, plot.top() - 34, 2 * kReach, plot.height() + 34 + 18)
                 .toAlignedRect(),
             facts, QStringLiteral("%1: %2\n%3").arg(title, values, toolTip())});
    }
    return spots;
}

QJsonObject ParallelPlot::spotFacts() const {
    return {{QStringLiteral("runs"), static_cast<qint64>(m_set.rows.size())},
            {QStringLiteral("axis"), m_axis < 0 ? QString() : axisKey(m_axis)}};
}

}  // namespace orrery
