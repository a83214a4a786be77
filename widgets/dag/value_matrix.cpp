#include "widgets/dag/value_matrix.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/common/color_map.h"
#include "widgets/common/grid_keys.h"
#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/dag/value_colors.h"

namespace orrery {

namespace {

constexpr int kHead = 18;
constexpr double kGap = 4;

}  // namespace

ValueMatrix::ValueMatrix(const QString& name, QWidget* parent) : PaintedWidget(parent) {
    setObjectName(name);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

void ValueMatrix::setContent(Content content) {
    m_content = std::move(content);
    const std::vector<double>& values = m_content.values;
    if (!values.empty()) {
        m_low = *std::ranges::min_element(values);
        m_high = *std::ranges::max_element(values);
    }
    m_most = 0;
    for (std::size_t i = 0; i < m_content.compared.size(); ++i)
        m_most = std::max(m_most, std::abs(shownDifference(values[i], m_content.compared[i])));
    m_focused = std::clamp(m_focused, 0, std::max(0, static_cast<int>(values.size()) - 1));
    QStringList lines;
    for (int cell = 0; cell < std::ssize(values); ++cell)
        lines << QStringLiteral("%1, %2: %3")
                     .arg(m_content.rows[cell / numColumns()],
                          m_content.columns[cell % numColumns()],
                          linesOf(cell, columnFormat(values)).join(u' '));
    setAccessibleDescription(lines.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

void ValueMatrix::setCurrentCell(int cell) {
    if (cell == m_current) return;
    m_current = cell;
    update();
}

QSize ValueMatrix::sizeHint() const {
    const int height = compares() ? 50 : 26;
    return QSize(
        260, kHead + static_cast<int>(m_content.rows.size()) * (height + static_cast<int>(kGap)));
}

double ValueMatrix::headWidth() const {
    double wanted = 0;
    for (const QString& row : m_content.rows)
        wanted = std::max(wanted, QFontMetricsF(interfaceFont(11)).horizontalAdvance(row));
    return std::min(wanted, 0.25 * width()) + 8;
}

QRect ValueMatrix::cellRect(int cell) const {
    if (numColumns() == 0) return {};
    const int row = cell / numColumns(), column = cell % numColumns();
    const double left = headWidth();
    const double wide = (width() - left + kGap - 2) / numColumns();
    const double tall = compares() ? 50 + kGap : 26 + kGap;
    return QRectF(left + column * wide, kHead + row * tall, wide - kGap, tall - kGap).toRect();
}

QColor ValueMatrix::cellColor(int cell) const {
    const auto i = static_cast<std::size_t>(cell);
    if (compares())
        return divergingColor(m_most > 0 ? (m_content.values[i] - m_content.compared[i]) / m_most
                                         : 0);
    return sequentialColor(m_high > m_low ? (m_content.values[i] - m_low) / (m_high - m_low) : 0.5);
}

QStringList ValueMatrix::linesOf(int cell, const NumberFormat& format) const {
    const auto i = static_cast<std::size_t>(cell);
    const double b = m_content.values[i];
    if (!compares()) return {valueText(b, format)};
    const double a = m_content.compared[i];
    return {valueText(b, format), QStringLiteral("A ") + valueText(a, format),
            QStringLiteral("Δ ") + signedText(shownDifference(b, a), format)};
}

/// Three decimals, or fewer where a cell is too narrow for them.
NumberFormat ValueMatrix::formatFor(double width) const {
    std::vector<double> all = m_content.values;
    all.insert(all.end(), m_content.compared.begin(), m_content.compared.end());
    NumberFormat format = columnFormat(all);
    const QFontMetricsF metrics(numberFont(10));
    const auto fits = [&] {
        return std::ranges::all_of(all, [&](double value) {
            return metrics.horizontalAdvance(valueText(value, format)) <= width - 4;
        });
    };
    while (!format.isScientific && format.decimals > 0 && !fits()) --format.decimals;
    return format;
}

void ValueMatrix::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(interfaceFont(11));
    painter.setPen(t.text2);
    const QFontMetricsF metrics(painter.font());
    for (int column = 0; column < numColumns(); ++column) {
        const QRectF box(cellRect(column));
        painter.drawText(
            QRectF(box.left(), 0, box.width(), kHead - 2), Qt::AlignCenter,
            metrics.elidedText(m_content.columns[column], Qt::ElideRight, box.width()));
    }
    for (int row = 0; row < m_content.rows.size(); ++row) {
        const QRectF box(cellRect(row * numColumns()));
        painter.drawText(QRectF(0, box.top(), headWidth() - 8, box.height()),
                         Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(m_content.rows[row], Qt::ElideRight, headWidth() - 8));
    }
    for (int cell = 0; cell < std::ssize(m_content.values); ++cell) paintCell(painter, cell, t);
}

void ValueMatrix::paintCell(QPainter& painter, int cell, const Tokens& t) const {
    const QRectF box(cellRect(cell));
    const QColor fill = cellColor(cell);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(box, 2, 2);
    const NumberFormat format = formatFor(box.width());
    const QStringList lines = linesOf(cell, format);
    QFont font = numberFont(12, cell == m_current ? QFont::DemiBold : QFont::Normal);
    if (QFontMetricsF(font).horizontalAdvance(lines.first()) > box.width() - 4)
        font = numberFont(10);
    font.setUnderline(cell == m_hovered);
    painter.setPen(textOn(fill));
    painter.setFont(font);
    QRectF line(box.left(), box.top(), box.width(), lines.size() > 1 ? 20 : box.height());
    painter.drawText(line, Qt::AlignCenter, lines.first());
    painter.setFont(numberFont(10));
    for (int i = 1; i < lines.size(); ++i) {
        line = QRectF(box.left(), box.top() + 4 + 14 * i, box.width(), 14);
        painter.drawText(line, Qt::AlignCenter, lines[i]);
    }
    painter.setBrush(Qt::NoBrush);
    const bool isFocused = hasFocus() && m_showsFocus && cell == m_focused;
    if (cell == m_current) {
        painter.setPen(QPen(t.underHeat, 5));
        painter.drawRoundedRect(box, 3, 3);
        painter.setPen(QPen(t.accent, 3));
        painter.drawRoundedRect(box, 3, 3);
    } else if (cell == m_hovered || isFocused) {
        painter.setPen(QPen(t.underHeat, 4));
        painter.drawRoundedRect(box, 3, 3);
        painter.setPen(QPen(isFocused ? t.accent : t.hover, 2));
        painter.drawRoundedRect(box, 3, 3);
    }
}

int ValueMatrix::cellAt(const QPointF& position) const {
    for (int cell = 0; cell < std::ssize(m_content.values); ++cell)
        if (QRectF(cellRect(cell)).contains(position)) return cell;
    return -1;
}

void ValueMatrix::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
    const int cell = cellAt(event->position());
    if (cell < 0) return;
    m_focused = cell;
    m_showsFocus = false;
    Q_EMIT picked(cell);
}

void ValueMatrix::mouseMoveEvent(QMouseEvent* event) {
    const int cell = cellAt(event->position());
    if (cell == m_hovered) return;
    m_hovered = cell;
    setCursor(cell >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void ValueMatrix::leaveEvent(QEvent* event) {
    m_hovered = -1;
    update();
    QWidget::leaveEvent(event);
}

void ValueMatrix::focusInEvent(QFocusEvent* event) {
    m_showsFocus = event->reason() != Qt::MouseFocusReason;
    QWidget::focusInEvent(event);
}

void ValueMatrix::keyPressEvent(QKeyEvent* event) {
    const auto cells = static_cast<int>(m_content.values.size());
    if (const auto step = gridStep(event->key(), numColumns())) {
        m_showsFocus = true;
        if (m_focused + *step >= 0 && m_focused + *step < cells) m_focused += *step;
        return update();
    }
    switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space:
            if (cells > 0) Q_EMIT picked(m_focused);
            return;
        default:
            QWidget::keyPressEvent(event);
    }
}

}  // namespace orrery
