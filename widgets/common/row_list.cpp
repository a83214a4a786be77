#include "widgets/common/row_list.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>

#include "widgets/common/style.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr double kTallRow = 50;  ///< rows from this height on have two quiet lines

void paintShare(QPainter& painter, const QRectF& box, const Row& row, const Tokens& t) {
    const QRectF track(box.left(), box.center().y() - 11, box.width(), 5);
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.border);
    painter.drawRoundedRect(track, 2.5, 2.5);
    QRectF filled = track;
    filled.setWidth(std::max(3.0, track.width() * row.share.value_or(0)));
    painter.setBrush(t.accent);
    painter.drawRoundedRect(filled, 2.5, 2.5);
    painter.setFont(numberFont(12));
    painter.setPen(t.text);
    painter.drawText(QRectF(box.left(), track.bottom(), box.width(), 18),
                     Qt::AlignLeft | Qt::AlignVCenter, row.shareText);
}

/// The words of a text in one line of that width; gives back what is left for the next line.
QString takeLine(QString& rest, const QFontMetricsF& metrics, double width) {
    QString line;
    while (!rest.isEmpty()) {
        const QString word = rest.section(u' ', 0, 0);
        const QString longer = line.isEmpty() ? word : line + u' ' + word;
        if (!line.isEmpty() && metrics.horizontalAdvance(longer) > width) break;
        line = longer;
        rest = rest.mid(word.size() + 1);
    }
    return line;
}

/// Title and quiet text under it: one line, or two in tall rows; elided.
void paintTexts(QPainter& painter, const QRectF& box, const Row& row, const Tokens& t) {
    const QFont titleFont = interfaceFont(12, row.isCurrent ? QFont::DemiBold : QFont::Normal);
    const QFont subtitleFont = interfaceFont(11);
    const QFontMetricsF metrics(subtitleFont);
    QStringList lines;
    QString rest = row.subtitle;
    if (box.height() >= kTallRow && metrics.horizontalAdvance(rest) > box.width())
        lines << takeLine(rest, metrics, box.width());
    if (!rest.isEmpty()) lines << rest;
    const double height = 17 + 15.0 * static_cast<double>(lines.size());
    QRectF line(box.left(), box.center().y() - height / 2, box.width(), 17);
    painter.setFont(titleFont);
    painter.setPen(t.text);
    // Titles of a list often begin alike; what tells them apart is at their ends.
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(titleFont).elidedText(row.title, Qt::ElideMiddle, line.width()));
    painter.setFont(subtitleFont);
    painter.setPen(t.text2);
    line = QRectF(line.left(), line.bottom(), line.width(), 15);
    for (const QString& text : lines) {
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(text, Qt::ElideRight, line.width()));
        line.translate(0, 15);
    }
}

class RowDelegate : public QStyledItemDelegate {
public:
    RowDelegate(RowList* list, int pictureWidth)
        : QStyledItemDelegate(list), m_list(list), m_pictureWidth(pictureWidth) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Row& row = m_list->rowModel()->rows()[static_cast<std::size_t>(index.row())];
        const Tokens& t = currentTokens();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const QRectF card = QRectF(option.rect).adjusted(1, 1, -1, -1);
        paintBack(*painter, card, option, row, t);
        QRectF rest = card.adjusted(10, 0, -10, 0);
        if (m_pictureWidth > 0) {
            const QRectF box(rest.left(), rest.top() + 4, m_pictureWidth, rest.height() - 8);
            if (row.share)
                paintShare(*painter, box, row, t);
            else if (row.picture)
                row.picture(*painter, box, t);
            rest.setLeft(box.right() + 10);
        }
        if (row.isExact) {
            painter->fillRect(QRectF(rest.right() - 8, rest.center().y() - 4, 8, 8), t.ok);
            rest.setRight(rest.right() - 16);
        }
        if (!row.value.isEmpty()) {
            const QFont font = numberFont(12);
            painter->setFont(font);
            painter->setPen(t.text);
            painter->drawText(rest, Qt::AlignRight | Qt::AlignVCenter, row.value);
            rest.setRight(rest.right() - QFontMetricsF(font).horizontalAdvance(row.value) - 10);
        }
        paintTexts(*painter, rest, row, t);
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return QSize(120, m_list->sizeHintForRowHeight());
    }

private:
    static void paintBack(QPainter& painter, const QRectF& card, const QStyleOptionViewItem& option,
                          const Row& row, const Tokens& t) {
        painter.setPen(Qt::NoPen);
        if (row.isCurrent) {
            painter.setBrush(t.currentRow);
            painter.drawRoundedRect(card, 5, 5);
            painter.setBrush(t.accent);
            painter.drawRoundedRect(QRectF(card.left(), card.top() + 5, 3, card.height() - 10), 1.5,
                                    1.5);
        } else if (option.state.testFlag(QStyle::State_MouseOver)) {
            painter.setBrush(t.raised);
            painter.drawRoundedRect(card, 5, 5);
        }
        if (option.state.testFlag(QStyle::State_HasFocus)) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(t.accent, 2));
            painter.drawRoundedRect(card, 5, 5);
        }
    }

    RowList* m_list;
    int m_pictureWidth;
};

}  // namespace

RowList::RowList(const QString& name, int rowHeight, int pictureWidth, QWidget* parent)
    : QListView(parent), m_rowHeight(rowHeight) {
    setObjectName(name);
    setModel(&m_model);
    setItemDelegate(new RowDelegate(this, pictureWidth));
    setMouseTracking(true);
    setFrameShape(QFrame::NoFrame);
    setUniformItemSizes(true);
    setSelectionMode(QAbstractItemView::NoSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    viewport()->setAttribute(Qt::WA_Hover);
}

void RowList::setRows(std::vector<Row> rows) {
    const bool isResized = rows.size() != m_model.rows().size();
    m_model.setRows(std::move(rows));
    if (m_hovered >= m_model.rowCount()) setHovered(-1);
    if (isResized && m_fitsRows) refreshHeight();
}

void RowList::setFitsRows(bool fits, int most) {
    m_fitsRows = fits;
    m_mostRows = most;
    setSizePolicy(QSizePolicy::Preferred, fits ? QSizePolicy::Fixed : QSizePolicy::Expanding);
    refreshHeight();
}

void RowList::refreshHeight() {
    const bool isWhole = m_fitsRows && m_model.rowCount() <= m_mostRows;
    setVerticalScrollBarPolicy(isWhole ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    updateGeometry();
}

QSize RowList::sizeHint() const {
    const int rows = m_fitsRows ? std::min(m_model.rowCount(), m_mostRows) : 4;
    return QSize(160, rows * m_rowHeight);
}

QSize RowList::minimumSizeHint() const {
    return m_fitsRows ? sizeHint() : QSize(80, m_rowHeight);
}

void RowList::mouseMoveEvent(QMouseEvent* event) {
    setHovered(indexAt(event->position().toPoint()).row());
    QListView::mouseMoveEvent(event);
}

void RowList::leaveEvent(QEvent* event) {
    setHovered(-1);
    QListView::leaveEvent(event);
}

void RowList::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QListView::currentChanged(current, previous);
    if (hasFocus() && current.isValid()) setHovered(current.row());
}

void RowList::mousePressEvent(QMouseEvent* event) {
    QListView::mousePressEvent(event);
    const QModelIndex index = indexAt(event->position().toPoint());
    if (index.isValid() && event->button() == Qt::LeftButton) Q_EMIT picked(index.row());
}

void RowList::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && currentIndex().isValid()) {
        Q_EMIT picked(currentIndex().row());
        return;
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) &&
        currentIndex().isValid()) {
        Q_EMIT activated(currentIndex());
        return;
    }
    QListView::keyPressEvent(event);
}

void RowList::setHovered(int row) {
    if (row == m_hovered) return;
    m_hovered = row;
    Q_EMIT hovered(row);
}

}  // namespace orrery
