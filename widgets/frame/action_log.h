#pragma once

#include <QDateTime>
#include <QWidget>
#include <vector>

#include "widgets/common/table_model.h"

class QLabel;
class QPushButton;
class QTableView;

namespace orrery {

/// Something that was done in the window, and the command line that does the same without one.
struct NotedAction {
    QDateTime time;
    QString what;     ///< "Solve First steps"
    QString command;  ///< "orrery solve builtin:first_steps --beta-r 4"; empty: there is none
};

/// What was done since the start, newest last; the oldest go at 10,000. GUI thread only.
class ActionLog : public TableModel {
    Q_OBJECT

public:
    explicit ActionLog(QObject* parent = nullptr);

    void add(const QString& what, const QString& command);
    const std::vector<NotedAction>& actions() const { return m_actions; }
    /// The newest command line; empty: none yet.
    QString lastCommand() const;

protected:
    int numRows() const override;
    QString text(int row, int column) const override;
    QVariant extra(int row, int column, int role) const override;

private:
    std::vector<NotedAction> m_actions;
};

/// The log as a table; Ctrl+C copies the command lines of the chosen rows, else of the last.
class ActionLogPanel : public QWidget {
    Q_OBJECT

public:
    explicit ActionLogPanel(ActionLog* log, QWidget* parent = nullptr);

private:
    void refresh();
    void copy();

    ActionLog* m_log;
    QTableView* m_table;
    QLabel* m_empty;
    QPushButton* m_copy;
};

}  // namespace orrery
