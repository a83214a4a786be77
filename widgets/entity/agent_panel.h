#pragma once

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;

namespace orrery {

class Archive;
class EntitySession;

/// Whose choices are shown: a run that learned in the environment, one that still does by its
/// newest checkpoint.
class AgentPanel : public QWidget {
    Q_OBJECT

public:
    AgentPanel(EntitySession* session, Archive* archive, QWidget* parent);

Q_SIGNALS:
    void filmRequested();

private:
    void fillRuns();
    void choose();
    void refresh();

    EntitySession* m_session;
    Archive* m_archive;
    QComboBox* m_runs;
    QPushButton* m_newest;
    QLabel* m_remark;
    QLabel* m_trouble;
    QCheckBox* m_greedy;
    QPushButton* m_film;
};

}  // namespace orrery
