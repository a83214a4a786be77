#include "widgets/compare/run_row_delegate.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include "core/base/run_state.h"
#include "widgets/common/run_mark.h"
#include "widgets/common/style.h"
#include "widgets/common/symbol_text.h"
#include "widgets/common/tokens.h"
#include "widgets/compare/run_table_model.h"
#include "widgets/plots/chart_text.h"

namespace orrery {

namespace {

constexpr int kRowHeight = 28, kGroupHeight = 32;

void paintCheck(QPainter& painter, const QRectF& box, Qt::CheckState state) {
    const Tokens& t = currentTokens();
    const bool isOn = state != Qt::Unchecked;
    painter.setPen(QPen(isOn ? t.accent : t.strongBorder, 1));
    painter.setBrush(isOn ? t.accent : t.input);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setPen(QPen(t.onAccent, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF c = box.center();
    if (state == Qt::Checked)
        painter.drawPolyline(
            QPolygonF{c + QPointF(-3.5, 0), c + QPointF(-1, 2.6), c + QPointF(3.6, -2.8)});
    if (state == Qt::PartiallyChecked) painter.drawLine(c + QPointF(-3.5, 0), c + QPointF(3.5, 0));
}

void paintChevron(QPainter& painter, const QPointF& c, bool isOpen, const QColor& color) {
    painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    if (isOpen)
        painter.drawPolyline(
            QPolygonF{c + QPointF(-3.5, -1.8), c + QPointF(0, 1.8), c + QPointF(3.5, -1.8)});
    else
        painter.drawPolyline(
            QPolygonF{c + QPointF(-1.8, -3.5), c + QPointF(1.8, 0), c + QPointF(-1.8, 3.5)});
}

bool isGrouped(const QModelIndex& index) {
    const auto* model = qobject_cast<const RunTableModel*>(index.model());
    return model != nullptr && !model->group().isEmpty();
}

void paintElided(QPainter& painter, const QRectF& cell, const QString& text,
                 Qt::Alignment alignment, Qt::TextElideMode mode = Qt::ElideRight) {
    const QString shown =
        painter.fontMetrics().elidedText(text, mode, static_cast<int>(cell.width()));
    painter.drawText(cell, alignment | Qt::AlignVCenter, shown);
}

}  // namespace

void paintLineSample(QPainter& painter, const QPointF& left, int colorIndex) {
    painter.setPen(seriesPen(currentTokens(), colorIndex % 8));
    painter.drawLine(left, left + QPointF(18, 0));
}

QIcon lineSampleIcon(int colorIndex, double pixelRatio) {
    constexpr int kSide = 18;
    QPixmap picture(QSize(kSide, kSide) * pixelRatio);
    picture.setDevicePixelRatio(pixelRatio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    paintLineSample(painter, QPointF(0, kSide / 2.0), colorIndex);
    return picture;
}

QRect RunRowDelegate::checkRect(const QRect& cell, bool isGroupedTable, bool isGroup) {
    const int left = isGroup ? 28 : isGroupedTable ? 28 : 12;
    return QRect(cell.left() + left, cell.center().y() - 7, 16, 16);
}

void RunRowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
    const Tokens& t = currentTokens();
    const bool isGroup = index.data(RunTableModel::GroupRole).toBool();
    const bool isCurrent = index.data(RunTableModel::CurrentRole).toBool();
    const bool isHovered = (option.state & QStyle::State_MouseOver) != 0;
    const bool hasFocus = (option.state & QStyle::State_HasFocus) != 0;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF cell(option.rect);
    if (isCurrent)
        painter->fillRect(cell, t.currentRow);
    else if (isGroup)
        painter->fillRect(cell, t.panel);
    else if (isHovered)
        painter->fillRect(cell, mixed(t.raised, t.panel, 0.6));
    if (isCurrent && index.column() == 0)
        painter->fillRect(QRectF(cell.left(), cell.top(), 3, cell.height()), t.accent);
    painter->fillRect(QRectF(cell.left(), cell.bottom() - 1, cell.width(), 1), t.border);
    if (isGroup)
        paintGroup(*painter, cell, index);
    else
        paintRun(*painter, cell, index);
    if (hasFocus) {
        painter->setPen(QPen(t.accent, 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(cell.adjusted(1, 1, -1, -2), 3, 3);
    }
    painter->restore();
}

void RunRowDelegate::paintGroup(QPainter& painter, const QRectF& cell,
                                const QModelIndex& index) const {
    const Tokens& t = currentTokens();
    if (index.column() != 0) {
        painter.setPen(t.text);
        painter.setFont(numberFont(12, QFont::DemiBold));
        paintElided(painter, cell.adjusted(8, 0, -8, 0), index.data().toString(), Qt::AlignRight);
        return;
    }
    const double middle = cell.center().y();
    paintChevron(painter, QPointF(cell.left() + 14, middle),
                 index.data(RunTableModel::OpenRole).toBool(), t.text2);
    paintCheck(painter, checkRect(cell.toRect(), true, true),
               static_cast<Qt::CheckState>(index.data(Qt::CheckStateRole).toInt()));
    double x = cell.left() + 52;
    if (const int color = index.data(RunTableModel::ColorRole).toInt(); color >= 0) {
        paintLineSample(painter, QPointF(x, middle), color);
        x += 26;
    }
    painter.setClipRect(cell);
    painter.setPen(t.text);
    x += paintWords(painter, QPointF(x, middle + 4), 12, index.data().toString(), QFont::DemiBold);
    painter.setFont(interfaceFont(11));
    painter.setPen(t.text3);
    // The tip has the whole of it.
    paintElided(painter, QRectF(QPointF(x + 12, cell.top()), cell.bottomRight() - QPointF(6, 0)),
                tr("n = %1").arg(index.data(RunTableModel::CountRole).toInt()) +
                    index.data(RunTableModel::DifferenceRole).toString(),
                Qt::AlignLeft);
}

void RunRowDelegate::paintRun(QPainter& painter, const QRectF& cell,
                              const QModelIndex& index) const {
    const Tokens& t = currentTokens();
    const bool isCurrent = index.data(RunTableModel::CurrentRole).toBool();
    const bool isTrash = index.data(RunTableModel::TrashRole).toBool();
    const auto* model = qobject_cast<const RunTableModel*>(index.model());
    const QString text = index.data().toString();
    painter.setPen(isTrash ? t.text3 : t.text);
    QFont font = interfaceFont(12, isCurrent ? QFont::DemiBold : QFont::Normal);
    font.setStrikeOut(isTrash && index.column() == 0);
    painter.setFont(font);
    if (index.column() == 0) {
        const QRect check = checkRect(cell.toRect(), isGrouped(index), false);
        double left = check.right() + 9;
        // Names of one study begin alike; what tells them apart is at their ends.
        paintElided(painter, QRectF(left, cell.top(), cell.right() - left - 6, cell.height()), text,
                    Qt::AlignLeft, Qt::ElideMiddle);
        paintCheck(painter, check,
                   static_cast<Qt::CheckState>(index.data(Qt::CheckStateRole).toInt()));
        return;
    }
    const QString key = model == nullptr ? QString() : model->columns()[index.column() - 1];
    const QRectF inner = cell.adjusted(8, 0, -8, 0);
    if (key == QLatin1String("state")) {
        const int row = index.data(RunTableModel::RowRole).toInt();
        runMark(model->sheet()->runs[static_cast<std::size_t>(row)].state)(
            painter, QRectF(inner.left(), cell.center().y() - 7, 14, 14), t);
        painter.setPen(t.text2);
        paintElided(painter, inner.adjusted(20, 0, 0, 0), text, Qt::AlignLeft);
        return;
    }
    if (index.data(RunTableModel::NumberRole).toBool()) {
        painter.setFont(numberFont(12, isCurrent ? QFont::DemiBold : QFont::Normal));
        paintElided(painter, inner, text, Qt::AlignRight);
        return;
    }
    if (!isCurrent) painter.setPen(t.text2);
    paintElided(painter, inner, text, Qt::AlignLeft);
}

QSize RunRowDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    return QSize(80, index.data(RunTableModel::GroupRole).toBool() ? kGroupHeight : kRowHeight);
}

bool RunRowDelegate::editorEvent(QEvent* event, QAbstractItemModel* model,
                                 const QStyleOptionViewItem& option, const QModelIndex& index) {
    const bool isGroup = index.data(RunTableModel::GroupRole).toBool();
    const auto toggle = [&] {
        const QModelIndex first = index.siblingAtColumn(0);
        const bool isOn = first.data(Qt::CheckStateRole).toInt() == Qt::Checked;
        return model->setData(first, isOn ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
    };
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Space || key == Qt::Key_Select) return toggle();
        return false;
    }
    if (event->type() != QEvent::MouseButtonRelease || index.column() != 0) return false;
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (mouse->button() != Qt::LeftButton) return false;
    const QRect check = checkRect(option.rect, isGrouped(index), isGroup).adjusted(-5, -6, 5, 6);
    if (check.contains(mouse->pos())) return toggle();
    if (isGroup) {
        Q_EMIT openToggled(index.row());
        return true;
    }
    return false;
}

void RunRowDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                          const QModelIndex& index) const {
    QRect box = option.rect;
    if (index.column() == 0) box.setLeft(checkRect(box, isGrouped(index), false).right() + 4);
    editor->setGeometry(box);
}

SymbolHeader::SymbolHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
    setSectionsClickable(true);
    setSectionsMovable(true);
    setSortIndicatorShown(true);
    setHighlightSections(false);
    setMinimumSectionSize(48);
    setFixedHeight(28);
}

void SymbolHeader::paintSection(QPainter* painter, const QRect& rect, int section) const {
    const Tokens& t = currentTokens();
    const QString text = model()->headerData(section, orientation()).toString();
    const bool isNumber =
        model()->headerData(section, orientation(), RunTableModel::NumberRole).toBool();
    const bool isSorted = isSortIndicatorShown() && sortIndicatorSection() == section;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setClipRect(rect);
    painter->fillRect(QRectF(rect.left(), rect.bottom(), rect.width(), 1), t.border);
    painter->setPen(isSorted ? t.text : t.text2);
    const int weight = isSorted ? QFont::DemiBold : QFont::Normal;
    const bool isSymbol = text.contains(u'_') && !text.contains(u' ');
    painter->setFont(interfaceFont(11, weight));
    const double width =
        isSymbol ? symbolWidth(11, text, weight) : painter->fontMetrics().horizontalAdvance(text);
    const double left = isNumber ? rect.right() - 8 - width : rect.left() + (section == 0 ? 12 : 8);
    const QPointF baseline(std::max(left, rect.left() + 2.0), rect.center().y() + 4);
    if (isSymbol)
        paintSymbol(*painter, baseline, 11, text, weight);
    else
        painter->drawText(baseline, text);
    if (isSorted) {
        const bool isUp = sortIndicatorOrder() == Qt::AscendingOrder;
        const QPointF c(isNumber ? left - 9 : left + width + 10, rect.center().y() + 1);
        painter->setPen(QPen(t.accent, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const double d = isUp ? 1.8 : -1.8;
        painter->drawPolyline(QPolygonF{c + QPointF(-3, d), c + QPointF(0, -d), c + QPointF(3, d)});
    }
    painter->restore();
}

}  // namespace orrery
