#pragma once

#include <QDateTime>
#include <QWidget>
#include <functional>
#include <vector>

#include "widgets/common/message_strip.h"
#include "widgets/common/table_model.h"

class QLabel;
class QPushButton;
class QTableView;

namespace orrery {

/// What can be done about a message: a button.
struct MessageAction {
    QString text = {};
    std::function<void()> run = {};
};

/// One thing that the program had to say.
struct Message {
    QDateTime time;
    MessageKind kind = MessageKind::Info;
    QString text;
    MessageAction action = {};
    QString where = {};  ///< the view that said it; empty: the window
};

/// Everything that the program had to say since its start, newest last; the oldest go at 10,000.
class MessageLog : public TableModel {
    Q_OBJECT

public:
    explicit MessageLog(QObject* parent = nullptr);

    void add(MessageKind kind, const QString& text, MessageAction action = {},
             const QString& where = {});
    const std::vector<Message>& messages() const { return m_messages; }

protected:
    int numRows() const override;
    QString text(int row, int column) const override;
    QVariant extra(int row, int column, int role) const override;

private:
    std::vector<Message> m_messages;
};

/// The messages as a table; Ctrl+C copies the chosen ones. What can be done about the current one
/// is a button below.
class MessagesPanel : public QWidget {
    Q_OBJECT

public:
    explicit MessagesPanel(MessageLog* log, QWidget* parent = nullptr);

private:
    void copy();
    void refresh();
    void refreshAction();
    int currentRow() const;

    MessageLog* m_log;
    QTableView* m_table;
    QLabel* m_empty;
    QPushButton *m_act, *m_copy;
};

}  // namespace orrery
