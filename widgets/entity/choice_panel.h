#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace orrery {

class ActorGrid;
class EntitySession;
class RowList;

/// Who decides now, and among what: a click or its letter chooses. What the agent says of it, and
/// of all that is decided in the frame.
class ChoicePanel : public QWidget {
    Q_OBJECT

public:
    ChoicePanel(EntitySession* session, QWidget* parent);

    ActorGrid* grid() const { return m_grid; }

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void refresh();
    void refreshAgent();
    void fillList();
    QString question() const;

    EntitySession* m_session;
    QLabel* m_question;
    QLabel* m_actor;
    RowList* m_list;
    QLabel* m_numbers;
    ActorGrid* m_grid;
    QPushButton* m_take;
    QPushButton* m_back;
    QPushButton* m_again;
};

}  // namespace orrery
