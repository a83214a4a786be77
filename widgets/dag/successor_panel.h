#pragma once

#include <QWidget>

class QLabel;

namespace orrery {

class PlanSession;
class RowList;

/// What the joint action may lead to, with probabilities and values. Hovering shows one in the
/// world; a double click or Enter goes there.
class SuccessorPanel : public QWidget {
    Q_OBJECT

public:
    explicit SuccessorPanel(PlanSession* session, QWidget* parent = nullptr);

private:
    void refresh();

    PlanSession* m_session;
    QLabel* m_remark = nullptr;
    RowList* m_list;
    QLabel* m_empty;
};

}  // namespace orrery
