#include "widgets/common/value_bars.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/common/grid_keys.h"
#include "widgets/common/style.h"
#include "widgets/common/symbol_text.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr int kRowHeight = 24, kHeadHeight = 18;
constexpr double kColumnGap = 10, kMarkWidth = 13, kFrameWidth = 20, kLeastTrack = 18;

void paintFrameMark(QPainter& painter, const QPointF& corner, const QColor& color) {
    QPen pen(color, 1.6);
    pen.setDashPattern({2, 1.4});
    pen.setCapStyle(Qt::FlatCap);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(corner, QSizeF(11, 11)));
}

double headWidth(const BarColumn& column) {
    double width = symbolWidth(11, column.symbol, 400);
    width += QFontMetricsF(interfaceFont(11)).horizontalAdvance(column.suffix);
    return width + (column.mark && !column.marksNumbers ? kMarkWidth : 0);
}

}  // namespace

ValueBars::ValueBars(const QString& name, QWidget* parent) : PaintedWidget(parent) {
    setObjectName(name);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

void ValueBars::setBars(std::vector<ValueBar> bars, std::vector<BarColumn> columns) {
    m_bars = std::move(bars);
    m_columns = std::move(columns);
    QStringList lines;
    for (const ValueBar& bar : m_bars) {
        QString line = bar.name;
        for (std::size_t c = 0; c < bar.numbers.size() && c < m_columns.size(); ++c)
            line += QStringLiteral(" %1 %2").arg(m_columns[c].symbol, bar.numbers[c].text);
        lines << line;
    }
    setAccessibleDescription(lines.join(QStringLiteral("; ")));
    const int last = static_cast<int>(m_bars.size()) - 1;
    m_focused.row = std::min(m_focused.row, last);
    m_hovered = {};
    layOut();
    updateGeometry();
    update();
}

void ValueBars::setCurrentNumber(int row, int column) {
    if (m_current == Place{row, column}) return;
    m_current = {row, column};
    update();
}

void ValueBars::setHasBars(bool hasBars) {
    m_hasBars = hasBars;
    layOut();
    update();
}

int ValueBars::headHeight() const {
    return std::ranges::any_of(m_columns, [](const auto& c) { return !c.symbol.isEmpty(); })
               ? kHeadHeight
               : 0;
}

QSize ValueBars::sizeHint() const {
    return QSize(260, static_cast<int>(m_bars.size()) * kRowHeight + headHeight());
}

QRect ValueBars::rowRect(int row) const {
    return QRect(0, headHeight() + row * kRowHeight, width(), kRowHeight);
}

QRect ValueBars::numberRect(int row, int column) const {
    const Span& span = m_spans.at(static_cast<std::size_t>(column));
    const QRect line = rowRect(row);
    return QRectF(span.left - 4, line.top() + 2, span.right - span.left + 8, kRowHeight - 4)
        .toRect();
}

/// Columns take what their numbers need; of the rest the name takes what it needs, up to a third
/// of the width, and the bar what is left.
void ValueBars::layOut() {
    const QFontMetricsF numbers(numberFont(12));
    std::vector<double> widths;
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        double width = 0;
        for (const ValueBar& bar : m_bars)
            if (c < bar.numbers.size())
                width = std::max(width, numbers.horizontalAdvance(bar.numbers[c].text));
        if (m_columns[c].marksNumbers) width += kMarkWidth;
        widths.push_back(std::max(width, headWidth(m_columns[c])));
    }
    m_spans.assign(m_columns.size(), {});
    double right = width() - 4;
    for (std::size_t c = m_columns.size(); c-- > 0;) {
        if (m_columns[c].isBeforeBar) continue;
        m_spans[c] = {right - widths[c], right};
        right -= widths[c] + kColumnGap;
    }
    double before = 0;
    for (std::size_t c = 0; c < m_columns.size(); ++c)
        if (m_columns[c].isBeforeBar) before += widths[c] + kColumnGap;
    const QFontMetricsF names(interfaceFont(12, QFont::DemiBold));
    double wanted = 48;
    for (const ValueBar& bar : m_bars)
        wanted =
            std::max(wanted, names.horizontalAdvance(bar.name) + (bar.hasFrame ? kFrameWidth : 0));
    const double most = m_hasBars ? std::max(0.34 * width(), right - before - 80) : right - before;
    double left = 4 + std::min({wanted + 1, most, std::max(20.0, right - before)});
    m_name = {4, left};
    left += kColumnGap;
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        if (!m_columns[c].isBeforeBar) continue;
        m_spans[c] = {left, left + widths[c]};
        left += widths[c] + kColumnGap;
    }
    m_track = {left, right};
}

void ValueBars::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
}

void ValueBars::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintHeads(painter, t);
    for (int row = 0; row < std::ssize(m_bars); ++row) paintRow(painter, row, t);
    if (!hasFocus() || !m_showsFocus || m_focused.row < 0) return;
    const QRect box =
        m_focused.column < 0 ? rowRect(m_focused.row) : numberRect(m_focused.row, m_focused.column);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(t.accent, 2));
    painter.drawRoundedRect(QRectF(box).adjusted(1, 1, -1, -1), 4, 4);
}

void ValueBars::paintHeads(QPainter& painter, const Tokens& t) const {
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        const BarColumn& column = m_columns[c];
        if (column.symbol.isEmpty()) continue;
        double x = m_spans[c].right - headWidth(column);
        if (column.mark && !column.marksNumbers) {
            paintTrustMark(painter, QPointF(x + 4, 8), *column.mark, t);
            x += kMarkWidth;
        }
        painter.setPen(t.text2);
        x += paintSymbol(painter, QPointF(x, 12), 11, column.symbol, 400);
        painter.setFont(interfaceFont(11));
        painter.drawText(QPointF(x, 12), column.suffix);
    }
}

void ValueBars::paintRow(QPainter& painter, int row, const Tokens& t) const {
    const ValueBar& bar = m_bars[static_cast<std::size_t>(row)];
    const QRectF line(rowRect(row));
    if (m_picksRows && m_hovered.row == row && !bar.isOthers) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(t.raised);
        painter.drawRoundedRect(line.adjusted(0, 1, 0, -1), 4, 4);
    }
    double left = m_name.left;
    if (bar.hasFrame) {
        paintFrameMark(painter, QPointF(left, line.center().y() - 5.5), bar.color);
        left += kFrameWidth;
    }
    const QFont font = interfaceFont(12, bar.isStrong ? QFont::DemiBold : QFont::Normal);
    painter.setFont(font);
    painter.setPen(bar.isStrong ? t.text : t.text2);
    const double room = m_name.right - left + 2;
    painter.drawText(QRectF(left, line.top(), room, line.height()),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(font).elidedText(bar.name, Qt::ElideRight, room));
    if (m_hasBars && m_track.right - m_track.left >= kLeastTrack)
        paintBar(painter, bar, line.center().y(), t);
    for (int c = 0; c < std::ssize(bar.numbers) && c < std::ssize(m_columns); ++c)
        paintNumber(painter, row, c, t);
}

void ValueBars::paintBar(QPainter& painter, const ValueBar& bar, double centre,
                         const Tokens& t) const {
    const QRectF track(m_track.left, centre - 4.5, m_track.right - m_track.left, 9);
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.border);
    painter.drawRoundedRect(track, 2, 2);
    const double share = std::clamp(bar.share, 0.0, 1.0);
    if (share <= 0) return;
    const QRectF filled(track.topLeft(), QSizeF(std::max(1.5, share * track.width()), 9));
    painter.setBrush(bar.isOthers ? QBrush(t.text3, Qt::BDiagPattern) : QBrush(bar.color));
    painter.drawRoundedRect(filled, 2, 2);
}

void ValueBars::paintNumber(QPainter& painter, int row, int column, const Tokens& t) const {
    const ValueBar& bar = m_bars[static_cast<std::size_t>(row)];
    const BarNumber& number = bar.numbers[static_cast<std::size_t>(column)];
    if (number.text.isEmpty()) return;
    const BarColumn& head = m_columns[static_cast<std::size_t>(column)];
    const Span& span = m_spans[static_cast<std::size_t>(column)];
    const QRectF cell(numberRect(row, column));
    const bool isHovered = m_hovered == Place{row, column} && number.isPickable;
    if (number.fill.isValid()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(number.fill);
        painter.drawRoundedRect(cell.adjusted(0, 1, 0, -1), 3, 3);
    }
    if (m_current == Place{row, column}) {
        painter.setBrush(t.currentRow);
        painter.setPen(QPen(t.accent, 1.5));
        painter.drawRoundedRect(cell.adjusted(0.75, 0.75, -0.75, -0.75), 3, 3);
    }
    QFont font = numberFont(12, bar.isStrong && column == 0 ? QFont::DemiBold : QFont::Normal);
    font.setUnderline(isHovered);
    painter.setFont(font);
    painter.setPen(number.fill.isValid() ? textOn(number.fill) : t.text);
    painter.drawText(QRectF(span.left - 40, cell.top(), span.right - span.left + 40, cell.height()),
                     Qt::AlignRight | Qt::AlignVCenter, number.text);
    if (head.marksNumbers && head.mark)
        paintTrustMark(painter,
                       QPointF(span.right - QFontMetricsF(font).horizontalAdvance(number.text) - 9,
                               cell.center().y()),
                       *head.mark, t);
}

ValueBars::Place ValueBars::placeAt(const QPointF& position) const {
    const int row = static_cast<int>(std::floor((position.y() - headHeight()) / kRowHeight));
    if (row < 0 || row >= std::ssize(m_bars)) return {};
    for (int c = 0; c < std::ssize(m_columns); ++c)
        if (QRectF(numberRect(row, c)).contains(position) && isPickable({row, c})) return {row, c};
    return {row, -1};
}

bool ValueBars::isPickable(const Place& place) const {
    if (place.row < 0 || place.row >= std::ssize(m_bars)) return false;
    const ValueBar& bar = m_bars[static_cast<std::size_t>(place.row)];
    if (place.column < 0) return m_picksRows && !bar.isOthers;
    return place.column < std::ssize(bar.numbers) &&
           bar.numbers[static_cast<std::size_t>(place.column)].isPickable;
}

void ValueBars::setHovered(const Place& place) {
    if (place == m_hovered) return;
    const bool isOtherRow = place.row != m_hovered.row;
    m_hovered = place;
    setCursor(isPickable(place) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (isOtherRow) Q_EMIT rowHovered(place.row);
    update();
}

void ValueBars::pick(const Place& place) {
    if (place.row < 0) return;
    if (place.column >= 0)
        Q_EMIT numberPicked(place.row, place.column);
    else
        Q_EMIT picked(place.row);
}

void ValueBars::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
    const Place place = placeAt(event->position());
    if (!isPickable(place) && place.column >= 0) return;
    if (place.row >= 0) m_focused = place;
    m_showsFocus = false;
    pick(place);
}

void ValueBars::mouseMoveEvent(QMouseEvent* event) {
    setHovered(placeAt(event->position()));
}

void ValueBars::leaveEvent(QEvent* event) {
    setHovered({});
    QWidget::leaveEvent(event);
}

void ValueBars::focusInEvent(QFocusEvent* event) {
    m_showsFocus = event->reason() != Qt::MouseFocusReason;
    if (m_focused.row < 0) moveFocus(1, 0);
    QWidget::focusInEvent(event);
}

void ValueBars::moveFocus(int rows, int columns) {
    if (m_bars.empty()) return;
    Place place = m_focused;
    place.row = std::clamp(place.row + rows, 0, static_cast<int>(m_bars.size()) - 1);
    const auto numColumns = static_cast<int>(m_columns.size());
    // Sideways to the next number that can be asked about; rows only where those can be picked.
    if (columns == 0 && !isPickable(place)) columns = 1;
    for (int c = place.column + columns; columns != 0 && c >= -1 && c < numColumns; c += columns)
        if (isPickable({place.row, c})) {
            place.column = c;
            break;
        }
    m_focused = place;
    update();
}

void ValueBars::keyPressEvent(QKeyEvent* event) {
    m_showsFocus = true;
    if (const auto step = arrowStep(event->key())) return moveFocus(step->y(), step->x());
    switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space:
            return pick(m_focused);
        default:
            QWidget::keyPressEvent(event);
    }
}

}  // namespace orrery
