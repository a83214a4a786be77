#pragma once

#include <QTableView>
#include <QWidget>

#include "widgets/dag/level_model.h"

class QLabel;

namespace orrery {

class BackgroundWorker;
class PlanSession;

/// The levels under each other, in the order of the bands, with the number of their states as a
/// bar; the current one is marked. A press or the arrow keys go to a level.
class LevelTable : public QWidget {
    Q_OBJECT

public:
    explicit LevelTable(PlanSession* session, QWidget* parent = nullptr);
    ~LevelTable() override;

    LevelModel* model() { return &m_model; }
    QTableView* table() { return m_table; }
    QSize sizeHint() const override { return QSize(220, 360); }

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void refreshGraph();
    void refreshCurrent();

    PlanSession* m_session;
    BackgroundWorker* m_worker;
    LevelModel m_model;
    QTableView* m_table;
    QLabel* m_empty;
    bool m_isShowing = false;  ///< the table follows the session, not a person
};

}  // namespace orrery
