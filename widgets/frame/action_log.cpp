#include "widgets/frame/action_log.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/common/parts.h"
#include "widgets/common/style.h"

namespace orrery {

namespace {

constexpr std::size_t kMostActions = 10'000;
enum ActionColumn { kActionTime, kActionText, kActionCommand, kNumActionColumns };

}  // namespace

ActionLog::ActionLog(QObject* parent)
    : TableModel({{tr("Time")}, {tr("Action")}, {tr("Command line that does the same")}}, parent) {}

void ActionLog::add(const QString& what, const QString& command) {
    if (m_actions.size() == kMostActions) {
        beginRemoveRows({}, 0, 0);
        m_actions.erase(m_actions.begin());
        endRemoveRows();
    }
    const int row = static_cast<int>(m_actions.size());
    beginInsertRows({}, row, row);
    m_actions.push_back({QDateTime::currentDateTime(), what, command});
    endInsertRows();
}

QString ActionLog::lastCommand() const {
    const auto last =
        std::find_if(m_actions.rbegin(), m_actions.rend(),
                     [](const NotedAction& action) { return !action.command.isEmpty(); });
    return last == m_actions.rend() ? QString() : last->command;
}

int ActionLog::numRows() const {
    return static_cast<int>(m_actions.size());
}

QString ActionLog::text(int row, int column) const {
    const NotedAction& action = m_actions[static_cast<std::size_t>(row)];
    switch (column) {
        case kActionTime:
            return action.time.toString(QStringLiteral("HH:mm:ss"));
        case kActionText:
            return action.what;
        default:
            return action.command;
    }
}

QVariant ActionLog::extra(int row, int column, int role) const {
    if (role == Qt::FontRole && column != kActionText) return numberFont(11);
    if (role == Qt::ToolTipRole && column == kActionCommand) return text(row, column);
    return {};
}

ActionLogPanel::ActionLogPanel(ActionLog* log, QWidget* parent)
    : QWidget(parent),
      m_log(log),
      m_table(new QTableView(this)),
      m_empty(makeLabel(tr("Nothing done yet. What is solved, opened, searched and compared is "
                           "kept here with the command line that does the same."),
                        "hint", this)),
      m_copy(new QPushButton(tr("&Copy command line"), this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 0, 8, 8);
    m_empty->setContentsMargins(8, 4, 8, 4);
    m_empty->setWordWrap(true);
    column->addWidget(m_empty);
    m_table->setObjectName(QStringLiteral("actionTable"));
    m_table->setAccessibleName(tr("Actions"));
    m_table->setModel(log);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setShowGrid(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(24);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setColumnWidth(kActionTime, 80);
    m_table->setColumnWidth(kActionText, 260);
    column->addWidget(m_table, 1);
    m_copy->setObjectName(QStringLiteral("copyCommandLine"));
    m_copy->setToolTip(tr("Copies the command lines of the chosen rows, else the last one"));
    auto* foot = new QHBoxLayout;
    foot->addStretch(1);
    foot->addWidget(m_copy);
    column->addLayout(foot);
    connect(m_copy, &QPushButton::clicked, this, &ActionLogPanel::copy);
    auto* copyKeys = new QShortcut(QKeySequence::Copy, m_table);
    copyKeys->setContext(Qt::WidgetShortcut);
    connect(copyKeys, &QShortcut::activated, this, &ActionLogPanel::copy);
    connect(log, &QAbstractItemModel::rowsInserted, this, &ActionLogPanel::refresh);
    refresh();
}

void ActionLogPanel::refresh() {
    const bool isEmpty = m_log->rowCount() == 0;
    m_empty->setVisible(isEmpty);
    m_table->setVisible(!isEmpty);
    m_copy->setEnabled(!m_log->lastCommand().isEmpty());
    if (!isEmpty) m_table->scrollToBottom();
}

void ActionLogPanel::copy() {
    QList<int> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) rows << index.row();
    std::ranges::sort(rows);
    QStringList lines;
    for (const int row : rows)
        if (const QString& command = m_log->actions()[static_cast<std::size_t>(row)].command;
            !command.isEmpty())
            lines << command;
    QApplication::clipboard()->setText(lines.isEmpty() ? m_log->lastCommand() : lines.join(u'\n'));
}

}  // namespace orrery
