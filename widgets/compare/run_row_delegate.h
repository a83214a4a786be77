#pragma once

#include <QHeaderView>
#include <QIcon>
#include <QStyledItemDelegate>

namespace orrery {

/// Draws the lines of a RunTableModel: check boxes, marks of states, groups with the line sample of
/// their colour. A press on a check box or a group's arrow acts; so do Space and, on a group,
/// Left and Right.
class RunRowDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;

    /// The check box of a line within its first cell.
    static QRect checkRect(const QRect& cell, bool isGrouped, bool isGroup);

Q_SIGNALS:
    void openToggled(int line);

private:
    void paintGroup(QPainter& painter, const QRectF& cell, const QModelIndex& index) const;
    void paintRun(QPainter& painter, const QRectF& cell, const QModelIndex& index) const;
};

/// Heads columns with symbols and an arrow at the sorted one.
class SymbolHeader : public QHeaderView {
    Q_OBJECT

public:
    explicit SymbolHeader(QWidget* parent);
    QSize sizeHint() const override { return QSize(200, 28); }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
};

/// A line sample, 18 px wide, in the colour and dashes of an index.
void paintLineSample(QPainter& painter, const QPointF& left, int colorIndex);
/// The same for a menu.
QIcon lineSampleIcon(int colorIndex, double pixelRatio);

}  // namespace orrery
