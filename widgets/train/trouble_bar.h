#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace orrery {

class TrainSession;

/// What is wrong where a training halted at a number that is not finite, and the three ways on.
/// Hidden otherwise.
class TroubleBar : public QFrame {
    Q_OBJECT

public:
    explicit TroubleBar(TrainSession* session, QWidget* parent = nullptr);

Q_SIGNALS:
    void goBackRequested();  ///< end the run and go on from its checkpoint
    void forkRequested(
        const QString& field);  ///< end the run and fork it; the field gets the focus

private:
    void refresh();
    QPushButton* addButton(const char* name, const QString& text, const QString& tip);

    TrainSession* m_session;
    QLabel* m_text;
    QPushButton* m_skip = nullptr;
    QPushButton* m_back = nullptr;
    QPushButton* m_fork = nullptr;
};

}  // namespace orrery
