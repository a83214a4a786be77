#pragma once

#include <QAbstractTableModel>
#include <QDateTime>
#include <QWidget>
#include <vector>

#include "widgets/common/message_strip.h"

class QLabel;
class QTableView;

namespace orrery {

/// One thing that the program had to say.
struct Message {
    QDateTime time;
    MessageKind kind = MessageKind::Info;
    QString text;
};

/// Everything that the program had to say since its start, newest last; the oldest go at 10,000.
class MessageLog : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void add(MessageKind kind, const QString& text);
    const std::vector<Message>& messages() const { return m_messages; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<Message> m_messages;
};

/// The messages as a table; Ctrl+C copies the chosen ones.
class MessagesPanel : public QWidget {
    Q_OBJECT

public:
    explicit MessagesPanel(MessageLog* log, QWidget* parent = nullptr);

private:
    void copy();
    void refresh();

    MessageLog* m_log;
    QTableView* m_table;
    QLabel* m_empty;
};

}  // namespace orrery
