#include "widgets/common/ui_dump_parts.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QAction>
#include <QButtonGroup>
#include <QComboBox>
#include <QHeaderView>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QTabBar>
#include <QTextDocument>
#include <QTextEdit>
#include <QToolBar>
#include <QToolButton>
#include <QTreeView>
#include <optional>

#include "widgets/common/painted_view.h"

namespace orrery {

namespace {

constexpr int kMostCells = 3000, kMostText = 4000;

/// True if a label or a button has more text on a line than room for it.
bool isTextCut(const QWidget* widget) {
    if (const auto* label = qobject_cast<const QLabel*>(widget))
        return !label->text().isEmpty() && !label->wordWrap() &&
               !(label->property("elides").toBool() && !Qt::mightBeRichText(label->text())) &&
               label->minimumSizeHint().width() > label->width();
    const auto* button = qobject_cast<const QPushButton*>(widget);
    if (button == nullptr || button->text().isEmpty()) return false;
    const int icon = button->icon().isNull() ? 0 : button->iconSize().width() + 4;
    return button->fontMetrics().size(Qt::TextShowMnemonic, button->text()).width() + icon >
           button->width();
}

void insertTexts(QJsonObject& entry, const QWidget* widget) {
    if (isTextCut(widget)) entry.insert(QStringLiteral("cut"), true);
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
        entry.insert(QStringLiteral("text"), button->text());
        if (button->isCheckable()) entry.insert(QStringLiteral("checked"), button->isChecked());
        const bool isOneOf =
            button->autoExclusive() || (button->group() && button->group()->exclusive());
        if (isOneOf) entry.insert(QStringLiteral("oneOf"), true);
        if (const auto* tool = qobject_cast<const QToolButton*>(widget);
            tool && tool->defaultAction())
            entry.insert(QStringLiteral("action"), tool->defaultAction()->objectName());
    } else if (const auto* label = qobject_cast<const QLabel*>(widget)) {
        if (!label->text().isEmpty()) entry.insert(QStringLiteral("text"), label->text());
    } else if (const auto* line = qobject_cast<const QLineEdit*>(widget)) {
        entry.insert(QStringLiteral("text"), line->text());
        entry.insert(QStringLiteral("hint"), line->placeholderText());
        entry.insert(QStringLiteral("cursor"), line->cursorPosition());
    } else if (const auto* plain = qobject_cast<const QPlainTextEdit*>(widget)) {
        entry.insert(QStringLiteral("text"), plain->toPlainText().left(kMostText));
    } else if (const auto* rich = qobject_cast<const QTextEdit*>(widget)) {
        entry.insert(QStringLiteral("text"), rich->toPlainText().left(kMostText));
    } else if (const auto* spin = qobject_cast<const QAbstractSpinBox*>(widget)) {
        entry.insert(QStringLiteral("text"), spin->text());
    } else if (const auto* bar = qobject_cast<const QProgressBar*>(widget)) {
        entry.insert(QStringLiteral("value"), bar->value());
        entry.insert(QStringLiteral("max"), bar->maximum());
    } else if (const auto* slider = qobject_cast<const QAbstractSlider*>(widget)) {
        entry.insert(QStringLiteral("value"), slider->value());
        entry.insert(QStringLiteral("min"), slider->minimum());
        entry.insert(QStringLiteral("max"), slider->maximum());
    }
}

void insertChoices(QJsonObject& entry, const QWidget* widget) {
    QJsonArray items;
    if (const auto* combo = qobject_cast<const QComboBox*>(widget)) {
        for (int i = 0; i < combo->count(); ++i) items.append(combo->itemText(i));
        entry.insert(QStringLiteral("text"), combo->currentText());
        entry.insert(QStringLiteral("items"), items);
    } else if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) {
        for (int i = 0; i < tabs->count(); ++i)
            items.append(QJsonObject{{QStringLiteral("text"), tabs->tabText(i)},
                                     {QStringLiteral("global"), globalJson(tabs, tabs->tabRect(i))},
                                     {QStringLiteral("current"), i == tabs->currentIndex()}});
        entry.insert(QStringLiteral("tabs"), items);
    } else if (const auto* menu = qobject_cast<const QMenu*>(widget)) {
        for (const QAction* action : menu->actions())
            if (action->isVisible() && !action->isSeparator())
                items.append(QJsonObject{
                    {QStringLiteral("text"), action->text()},
                    {QStringLiteral("name"), action->objectName()},
                    {QStringLiteral("enabled"), action->isEnabled()},
                    {QStringLiteral("global"),
                     globalJson(menu, menu->actionGeometry(const_cast<QAction*>(action)))}});
        entry.insert(QStringLiteral("entries"), items);
        entry.insert(QStringLiteral("title"), menu->title());
    }
}

QJsonObject cellJson(const QAbstractItemView* view, const QModelIndex& index, const QRect& rect) {
    QJsonObject cell{{QStringLiteral("row"), index.row()},
                     {QStringLiteral("column"), index.column()},
                     {QStringLiteral("text"), index.data(Qt::DisplayRole).toString()},
                     {QStringLiteral("global"), globalJson(view->viewport(), rect)}};
    if (view->selectionModel() && view->selectionModel()->isSelected(index))
        cell.insert(QStringLiteral("selected"), true);
    if (const QVariant checked = index.data(Qt::CheckStateRole); checked.isValid())
        cell.insert(QStringLiteral("checked"), checked.toInt() == Qt::Checked);
    if (const QVariant tip = index.data(Qt::ToolTipRole); !tip.toString().isEmpty())
        cell.insert(QStringLiteral("tip"), tip.toString());
    if (const QVariant spoken = index.data(Qt::AccessibleTextRole); !spoken.toString().isEmpty())
        cell.insert(QStringLiteral("spoken"), spoken.toString());
    return cell;
}

void insertRow(QJsonArray& cells, const QAbstractItemView* view, const QModelIndex& first) {
    const QRect area = view->viewport()->rect();
    const QAbstractItemModel* model = view->model();
    for (int column = 0; column < model->columnCount(first.parent()); ++column) {
        const QModelIndex index = first.siblingAtColumn(column);
        const QRect rect = view->visualRect(index);
        if (rect.isValid() && rect.intersects(area) && cells.size() < kMostCells)
            cells.append(cellJson(view, index, rect.intersected(area)));
    }
}

QJsonArray visibleCells(const QAbstractItemView* view) {
    QJsonArray cells;
    const QAbstractItemModel* model = view->model();
    const QRect area = view->viewport()->rect();
    if (const auto* tree = qobject_cast<const QTreeView*>(view)) {
        QModelIndex index = tree->indexAt(QPoint(1, 1));
        for (; index.isValid() && cells.size() < kMostCells; index = tree->indexBelow(index)) {
            const QModelIndex first = index.siblingAtColumn(0);
            if (tree->visualRect(first).top() > area.bottom()) break;
            insertRow(cells, view, first);
        }
        return cells;
    }
    const QModelIndex top = view->indexAt(QPoint(1, 1));
    const int rows = model->rowCount(view->rootIndex());
    for (int row = top.isValid() ? top.row() : 0; row < rows && cells.size() < kMostCells; ++row) {
        const QModelIndex first = model->index(row, 0, view->rootIndex());
        if (view->visualRect(first).top() > area.bottom()) break;
        insertRow(cells, view, first);
    }
    return cells;
}

QJsonArray headerJson(const QHeaderView* header) {
    QJsonArray sections;
    if (!header || !header->isVisible() || header->orientation() != Qt::Horizontal) return sections;
    const QRect area = header->viewport()->rect();
    for (int section = 0; section < header->count(); ++section) {
        if (header->isSectionHidden(section)) continue;
        const QRect rect(header->sectionViewportPosition(section), 0, header->sectionSize(section),
                         header->height());
        if (!rect.intersects(area)) continue;
        sections.append(QJsonObject{
            {QStringLiteral("column"), section},
            {QStringLiteral("text"),
             header->model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString()},
            {QStringLiteral("global"), globalJson(header->viewport(), rect.intersected(area))}});
    }
    return sections;
}

void insertItems(QJsonObject& entry, const QAbstractItemView* view) {
    const QAbstractItemModel* model = view->model();
    if (!model || qobject_cast<const QHeaderView*>(view)) return;
    entry.insert(QStringLiteral("rows"), model->rowCount(view->rootIndex()));
    entry.insert(QStringLiteral("columns"), model->columnCount(view->rootIndex()));
    entry.insert(QStringLiteral("cells"), visibleCells(view));
    for (const auto* header :
         view->findChildren<QHeaderView*>(QString(), Qt::FindDirectChildrenOnly))
        if (const QJsonArray sections = headerJson(header); !sections.isEmpty())
            entry.insert(QStringLiteral("headers"), sections);
}

QJsonObject userFacts(const QAccessibleInterface* access) {
    return QJsonDocument::fromJson(access->text(QAccessible::UserText).toUtf8()).object();
}

/// What a screen reader is told of the things that a view paints.
void insertSpots(QJsonObject& entry, const QWidget* widget) {
    const QAccessibleInterface* view =
        QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
    QJsonArray spots;
    const int count = view->childCount();
    for (int i = 0; i < count; ++i) {
        const QAccessibleInterface* spot = view->child(i);
        if (spot == nullptr || spot->object() != nullptr) continue;
        const QRect rect = spot->rect();
        QJsonObject one = userFacts(spot);
        one.insert(QStringLiteral("name"), spot->text(QAccessible::Name));
        one.insert(QStringLiteral("rect"),
                   rectJson(QRect(widget->mapFromGlobal(rect.topLeft()), rect.size())));
        one.insert(QStringLiteral("global"), rectJson(rect));
        spots.append(one);
    }
    entry.insert(QStringLiteral("spots"), spots);
    if (const QJsonObject facts = userFacts(view); !facts.isEmpty())
        entry.insert(QStringLiteral("facts"), facts);
}

/// Where an action can be pressed in one of the things that show it.
std::optional<QJsonArray> placeOf(QAction* action, const QObject* shownBy) {
    if (const auto* menu = qobject_cast<const QMenu*>(shownBy))
        return menu->isVisible() ? std::optional(globalJson(menu, menu->actionGeometry(action)))
                                 : std::nullopt;
    if (const auto* bar = qobject_cast<const QMenuBar*>(shownBy))
        return globalJson(bar, bar->actionGeometry(action));
    if (const auto* bar = qobject_cast<const QToolBar*>(shownBy)) {
        const QWidget* button = bar->widgetForAction(action);
        if (button && button->isVisible()) return globalJson(button, button->rect());
    }
    const auto* button = qobject_cast<const QToolButton*>(shownBy);
    if (button && button->isVisible() && button->defaultAction() == action)
        return globalJson(button, button->rect());
    return std::nullopt;
}

}  // namespace

QJsonArray rectJson(const QRect& rect) {
    return {rect.x(), rect.y(), rect.width(), rect.height()};
}

QJsonArray globalJson(const QWidget* widget, const QRect& rect) {
    return rectJson(QRect(widget->mapToGlobal(rect.topLeft()), rect.size()));
}

QString idText(const QWidget* widget) {
    return QString::number(reinterpret_cast<quintptr>(widget), 16);
}

bool takesInput(const QWidget* widget) {
    if (qobject_cast<const QHeaderView*>(widget) || qobject_cast<const QScrollBar*>(widget))
        return false;
    // The field of a spin box or of a combo box is a part of it.
    if (widget->focusProxy() && widget->focusProxy()->isAncestorOf(widget)) return false;
    // So is what clears a field.
    if (qobject_cast<const QLineEdit*>(widget->parentWidget())) return false;
    return dynamic_cast<const PaintedView*>(widget) ||
           qobject_cast<const QAbstractButton*>(widget) ||
           qobject_cast<const QAbstractItemView*>(widget) ||
           qobject_cast<const QAbstractSlider*>(widget) ||
           qobject_cast<const QAbstractSpinBox*>(widget) ||
           qobject_cast<const QComboBox*>(widget) || qobject_cast<const QLineEdit*>(widget) ||
           qobject_cast<const QPlainTextEdit*>(widget) || qobject_cast<const QTabBar*>(widget) ||
           qobject_cast<const QTextEdit*>(widget);
}

QJsonObject widgetFacts(const QWidget* widget) {
    QJsonObject entry;
    insertTexts(entry, widget);
    insertChoices(entry, widget);
    if (const auto* view = qobject_cast<const QAbstractItemView*>(widget)) insertItems(entry, view);
    if (dynamic_cast<const PaintedView*>(widget)) insertSpots(entry, widget);
    return entry;
}

QJsonArray actionsJson(const QWidget* window) {
    QJsonArray actions;
    for (QAction* action : window->findChildren<QAction*>()) {
        if (action->isSeparator() || action->text().isEmpty()) continue;
        QJsonArray keys, menus, places;
        for (const QKeySequence& key : action->shortcuts())
            keys.append(key.toString(QKeySequence::PortableText));
        for (const QObject* shownBy : action->associatedObjects()) {
            if (const auto* menu = qobject_cast<const QMenu*>(shownBy)) menus.append(menu->title());
            if (const auto place = placeOf(action, shownBy)) places.append(*place);
        }
        QJsonObject entry{{QStringLiteral("name"), action->objectName()},
                          {QStringLiteral("text"), action->text()},
                          {QStringLiteral("enabled"), action->isEnabled()},
                          {QStringLiteral("keys"), keys},
                          {QStringLiteral("menus"), menus},
                          {QStringLiteral("places"), places}};
        if (action->isCheckable()) entry.insert(QStringLiteral("checked"), action->isChecked());
        actions.append(entry);
    }
    return actions;
}

}  // namespace orrery
