// Marked cells of the edited map: copying them, and what is drawn about them.
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/tokens.h"
#include "widgets/world/edit_view.h"
#include "widgets/world/spec_edit.h"

namespace orrery {

namespace {

QString areaText(const QRect& cells) {
    if (cells.size() == QSize(1, 1)) return QStringLiteral("%1,%2").arg(cells.x()).arg(cells.y());
    return EditView::tr("%1 x %2 cells").arg(cells.width()).arg(cells.height());
}

}  // namespace

QRect EditView::markedCells() const {
    return m_marked.value_or(QRect(cursorCell(), QSize(1, 1)));
}

void EditView::mark(const std::optional<QRect>& cells) {
    m_marked = cells;
    std::vector<SelectionItem> items;
    if (cells)
        for (const QPoint& cell : cellsOf(*cells)) items.emplace_back(CellItem{cell.x(), cell.y()});
    m_session->selection().setSet(SelectionKind::Cell, std::move(items));
    refreshMarks();
}

void EditView::erase(const QRect& cells) {
    WorldSpec spec = m_editor->spec();
    paintCells(spec, cellsOf(cells), emptyCode(spec), m_editor->symmetry());
    m_editor->change(tr("Erase %1").arg(areaText(cells)), std::move(spec));
}

void EditView::copyCells() const {
    if (!m_editor->isOpen()) return;
    MapPatch patch = patchOf(m_editor->spec(), markedCells());
    QApplication::clipboard()->setText(patch.text());
    m_editor->setCopied(std::move(patch));
}

void EditView::cutCells() {
    if (!m_editor->isOpen()) return;
    copyCells();
    const QRect cells = markedCells();
    WorldSpec spec = m_editor->spec();
    setCells(spec, cellsOf(cells), emptyCode(spec));
    m_editor->change(tr("Cut %1").arg(areaText(cells)), std::move(spec));
}

void EditView::pasteCells() {
    if (!m_editor->isOpen()) return;
    WorldSpec spec = m_editor->spec();
    const QString text = QApplication::clipboard()->text();
    auto patch = patchFromText(spec, text);
    // What was copied here brings along what belongs to its agents.
    if (patch && m_editor->copied() && m_editor->copied()->text() == text)
        patch = m_editor->copied();
    if (!patch)
        return Q_EMIT m_editor->said(
            MessageKind::Info, tr("The clipboard holds no cells of such a world: mark some (M) and "
                                  "copy them, or copy rows of a map such as 'We .. We'."));
    const QRect put = putPatch(spec, *patch, markedCells().topLeft());
    const auto numLost = patch->codes.size() - static_cast<std::size_t>(put.width() * put.height());
    m_editor->change(tr("Paste %1").arg(areaText(put)), std::move(spec));
    mark(put);
    if (numLost > 0)
        Q_EMIT m_editor->said(MessageKind::Info,
                              tr("%1 cells lie outside the map and were left out.").arg(numLost));
}

bool EditView::useClipboard(const QKeyEvent& event) {
    if (event.matches(QKeySequence::Copy))
        copyCells();
    else if (event.matches(QKeySequence::Cut))
        cutCells();
    else if (event.matches(QKeySequence::Paste))
        pasteCells();
    else
        return false;
    return true;
}

void EditView::contextMenuEvent(QContextMenuEvent* event) {
    if (!m_editor->isOpen()) return;
    if (event->reason() == QContextMenuEvent::Mouse)
        if (const auto cell = worldLayout().cellAt(event->pos());
            cell && !(m_marked && m_marked->contains(*cell)))
            setCursorCell(*cell);
    const QPoint at = cursorCell();
    QMenu menu;
    menu.setObjectName(QStringLiteral("mapMenu"));
    menu.addAction(tr("Cut"), this, &EditView::cutCells);
    menu.addAction(tr("Copy"), this, &EditView::copyCells);
    menu.addAction(tr("Paste"), this, &EditView::pasteCells);
    menu.addSeparator();
    menu.addAction(tr("Insert row above %1").arg(at.y()), this, [this, at] {
        m_editor->insertLines({MapLines::Rows, at.y(), 1});
    });
    menu.addAction(tr("Insert column left of %1").arg(at.x()), this, [this, at] {
        m_editor->insertLines({MapLines::Columns, at.x(), 1});
    });
    menu.addAction(tr("Remove row %1").arg(at.y()), this, [this, at] {
        m_editor->removeLines({MapLines::Rows, at.y(), 1});
    });
    menu.addAction(tr("Remove column %1").arg(at.x()), this, [this, at] {
        m_editor->removeLines({MapLines::Columns, at.x(), 1});
    });
    menu.exec(event->globalPos());
}

/// The marked cells, and the axes about which painting is mirrored.
void EditView::paintAids(QPainter& painter, const WorldLayout& layout) const {
    const Tokens& tokens = currentTokens();
    painter.setBrush(Qt::NoBrush);
    if (m_marked) {
        const QRectF box = layout.cellRect(m_marked->left(), m_marked->top())
                               .united(layout.cellRect(m_marked->right(), m_marked->bottom()));
        QColor tint = tokens.accent;
        tint.setAlphaF(0.16F);
        painter.fillRect(box, tint);
        painter.setPen(QPen(tokens.accent, 2, Qt::DashLine));
        painter.drawRect(box);
    }
    const MapSymmetry& symmetry = m_editor->symmetry();
    if (!symmetry.leftRight && !symmetry.upDown) return;
    const QRectF map =
        layout.cellRect(0, 0).united(layout.cellRect(m_scene.width - 1, m_scene.height - 1));
    constexpr double kOver = 10;  // pixels that an axis goes beyond the map
    const QPointF middle = map.center();
    for (const QPen& pen : {QPen(tokens.canvas, 4), QPen(tokens.accent, 2, Qt::DashDotLine)}) {
        painter.setPen(pen);
        if (symmetry.leftRight)
            painter.drawLine(QPointF(middle.x(), map.top() - kOver),
                             QPointF(middle.x(), map.bottom() + kOver));
        if (symmetry.upDown)
            painter.drawLine(QPointF(map.left() - kOver, middle.y()),
                             QPointF(map.right() + kOver, middle.y()));
    }
}

}  // namespace orrery
