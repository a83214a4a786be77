#include "widgets/frame/message_log.h"

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

#include "widgets/common/icons.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr std::size_t kMaxMessages = 10'000;
enum MessageColumn { kMessageTime, kMessageKind, kMessageText, kMessagePlace, kNumMessageColumns };

QString kindText(MessageKind kind) {
    switch (kind) {
        case MessageKind::Info:
            return MessageLog::tr("note");
        case MessageKind::Ok:
            return MessageLog::tr("done");
        case MessageKind::Warning:
            return MessageLog::tr("warning");
        case MessageKind::Error:
            return MessageLog::tr("error");
    }
    return {};
}

QColor kindColor(MessageKind kind) {
    const Tokens& tokens = currentTokens();
    switch (kind) {
        case MessageKind::Ok:
            return tokens.ok;
        case MessageKind::Warning:
            return tokens.warning;
        case MessageKind::Error:
            return tokens.error;
        default:
            return tokens.info;
    }
}

}  // namespace

MessageLog::MessageLog(QObject* parent)
    : TableModel({{tr("Time")}, {tr("Kind")}, {tr("Message")}, {tr("View")}}, parent) {}

void MessageLog::add(MessageKind kind, const QString& text, MessageAction action,
                     const QString& where) {
    if (m_messages.size() == kMaxMessages) {
        beginRemoveRows({}, 0, 0);
        m_messages.erase(m_messages.begin());
        endRemoveRows();
    }
    const int row = static_cast<int>(m_messages.size());
    beginInsertRows({}, row, row);
    m_messages.push_back({QDateTime::currentDateTime(), kind, text, std::move(action), where});
    endInsertRows();
}

int MessageLog::numRows() const {
    return static_cast<int>(m_messages.size());
}

QString MessageLog::text(int row, int column) const {
    const Message& message = m_messages[static_cast<std::size_t>(row)];
    switch (column) {
        case kMessageTime:
            return message.time.toString(QStringLiteral("HH:mm:ss"));
        case kMessageKind:
            return kindText(message.kind);
        case kMessagePlace:
            return message.where;
        default:
            return message.text;
    }
}

QVariant MessageLog::extra(int row, int column, int role) const {
    const Message& message = m_messages[static_cast<std::size_t>(row)];
    if (role == Qt::ToolTipRole && column == kMessageText) return message.text;
    if (role == Qt::ForegroundRole && column == kMessageKind) return kindColor(message.kind);
    return {};
}

MessagesPanel::MessagesPanel(MessageLog* log, QWidget* parent)
    : QWidget(parent),
      m_log(log),
      m_table(new QTableView(this)),
      m_empty(makeLabel(tr("No messages yet. What the program has to say is kept here."), "hint",
                        this)),
      m_act(new QPushButton(this)),
      m_copy(new QPushButton(tr("&Copy"), this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 0, 8, 8);
    m_empty->setContentsMargins(8, 4, 8, 4);
    layout->addWidget(m_empty, 0, Qt::AlignTop);
    m_table->setObjectName(QStringLiteral("messageTable"));
    m_table->setAccessibleName(tr("Messages"));
    m_table->setModel(log);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(24);
    m_table->horizontalHeader()->setSectionResizeMode(kMessageText, QHeaderView::Stretch);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setColumnWidth(kMessageTime, 80);
    m_table->setColumnWidth(kMessageKind, 80);
    m_table->setColumnWidth(kMessagePlace, 140);
    layout->addWidget(m_table, 1);
    m_act->setObjectName(QStringLiteral("messageDo"));
    m_act->setToolTip(tr("What can be done about the chosen message"));
    m_copy->setObjectName(QStringLiteral("messageCopy"));
    m_copy->setToolTip(tr("Copies the chosen messages, else the last one"));
    auto* foot = new QHBoxLayout;
    foot->addStretch(1);
    foot->addWidget(m_act);
    foot->addWidget(m_copy);
    layout->addLayout(foot);
    connect(m_copy, &QPushButton::clicked, this, &MessagesPanel::copy);
    connect(m_act, &QPushButton::clicked, this, [this] {
        const int row = currentRow();
        if (row < 0) return;
        const auto run = m_log->messages()[static_cast<std::size_t>(row)].action.run;
        if (run) run();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &MessagesPanel::refreshAction);
    auto* copyKeys = new QShortcut(QKeySequence::Copy, m_table);
    copyKeys->setContext(Qt::WidgetShortcut);
    connect(copyKeys, &QShortcut::activated, this, &MessagesPanel::copy);
    connect(log, &QAbstractItemModel::rowsInserted, this, &MessagesPanel::refresh);
    refresh();
}

void MessagesPanel::refresh() {
    const bool isEmpty = m_log->rowCount() == 0;
    m_empty->setVisible(isEmpty);
    m_table->setVisible(!isEmpty);
    if (!isEmpty) m_table->scrollToBottom();
    m_copy->setVisible(!isEmpty);
    refreshAction();
}

/// The row that buttons mean: the current one, else the newest; -1 without any.
int MessagesPanel::currentRow() const {
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? current.row() : m_log->rowCount() - 1;
}

void MessagesPanel::refreshAction() {
    const int row = currentRow();
    const MessageAction* action =
        row < 0 ? nullptr : &m_log->messages()[static_cast<std::size_t>(row)].action;
    m_act->setVisible(action != nullptr && action->run != nullptr);
    if (action != nullptr) m_act->setText(action->text);
}

void MessagesPanel::copy() {
    QModelIndexList rows = m_table->selectionModel()->selectedRows();
    if (rows.isEmpty() && m_log->rowCount() > 0) rows << m_log->index(m_log->rowCount() - 1, 0);
    std::ranges::sort(rows, {}, &QModelIndex::row);
    QStringList lines;
    for (const QModelIndex& row : rows) {
        const Message& message = m_log->messages()[static_cast<std::size_t>(row.row())];
        lines << QStringLiteral("%1\t%2\t%3")
                     .arg(message.time.toString(Qt::ISODate), kindText(message.kind), message.text);
    }
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace orrery
