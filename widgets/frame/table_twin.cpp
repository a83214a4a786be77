#include "widgets/frame/table_twin.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QPushButton>
#include <QShortcut>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/common/parts.h"

namespace orrery {

namespace {

constexpr int kRowsLookedAt = 200;  ///< for the width of the columns

}  // namespace

TableTwin::TableTwin(const QString& title, QAbstractItemModel* model, QWidget* parent)
    : QDialog(parent), m_table(new QTableView(this)) {
    setObjectName(QStringLiteral("tableTwin"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("%1 as a table").arg(title));
    resize(620, 480);
    auto* layout = new QVBoxLayout(this);
    m_table->setObjectName(QStringLiteral("tableTwinTable"));
    m_table->setAccessibleName(windowTitle());
    m_table->setModel(model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(26);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setResizeContentsPrecision(kRowsLookedAt);
    m_table->resizeColumnsToContents();
    layout->addWidget(m_table);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton* copyAll = buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole);
    copyAll->setToolTip(tr("Copies the chosen rows, or all, with tabs between the columns"));
    connect(copyAll, &QPushButton::clicked, this, &TableTwin::copy);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    auto* keys = new QShortcut(QKeySequence::Copy, m_table);
    keys->setContext(Qt::WidgetShortcut);
    connect(keys, &QShortcut::activated, this, &TableTwin::copy);
    connect(model, &QObject::destroyed, this, &QDialog::reject);
}

void TableTwin::copy() {
    const QAbstractItemModel& model = *m_table->model();
    QList<int> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) rows << index.row();
    std::ranges::sort(rows);
    if (rows.isEmpty())
        for (int row = 0; row < model.rowCount(); ++row) rows << row;
    QStringList lines, cells;
    const int numColumns = model.columnCount();
    for (int column = 0; column < numColumns; ++column)
        cells << model.headerData(column, Qt::Horizontal).toString();
    lines << cells.join(QLatin1Char('\t'));
    for (const int row : rows) {
        cells.clear();
        for (int column = 0; column < numColumns; ++column)
            cells << model.index(row, column).data().toString();
        lines << cells.join(QLatin1Char('\t'));
    }
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace orrery
