#pragma once

#include <QFrame>

class QLabel;

namespace orrery {

class Exploration;

/// Says in one line that what the views show is not the run's, and what differs; hidden otherwise.
class ExplorationBar : public QFrame {
    Q_OBJECT

public:
    /// @param isBrief  only "exploring", for narrow places
    ExplorationBar(Exploration* exploration, bool isBrief, QWidget* parent = nullptr);

    QString text() const;

Q_SIGNALS:
    void keepRequested();

private:
    void refresh();

    Exploration* m_exploration;
    QLabel* m_text;
    bool m_isBrief;
};

}  // namespace orrery
