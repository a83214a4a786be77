#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace orrery {

class EntitySession;
class RowList;

/// Who decides now, and among what: a click or its letter chooses.
class ChoicePanel : public QWidget {
    Q_OBJECT

public:
    ChoicePanel(EntitySession* session, QWidget* parent);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void refresh();

    EntitySession* m_session;
    QLabel* m_question;
    QLabel* m_actor;
    RowList* m_list;
    QPushButton* m_back;
    QPushButton* m_again;
};

}  // namespace orrery
