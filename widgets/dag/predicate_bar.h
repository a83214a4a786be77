#pragma once

#include <QStringList>
#include <QWidget>
#include <memory>

#include "core/dag/state_marks.h"
#include "widgets/dag/level_bands.h"

class QCompleter;
class QLabel;
class QLineEdit;
class QPushButton;
class QStringListModel;
class QToolButton;

namespace orrery {

class BackgroundWorker;
class PlanSession;
class Solution;

/// A line to ask for states: "human0.at(2,2) and door0.open and V_r < -4" (see StateQuery). Enter
/// asks all states with all threads; what is found becomes the selection's set of states. A mistake
/// is told under the line, with the caret put where it is, and leaves no set. Up and down walk
/// through earlier questions; Escape forgets the set. A press on the count asks for the list.
/// Beside it the relatives of the current state to tint.
class PredicateBar : public QWidget {
    Q_OBJECT

public:
    /// States of a found set that go into the selection's list; all of them stand in stateMarks().
    static constexpr std::int64_t kListed = 1000;

    explicit PredicateBar(PlanSession* session, QWidget* parent = nullptr);
    ~PredicateBar() override;

    QLineEdit* edit() { return m_edit; }
    /// "3 120 states · 84 ms"; empty without a result.
    QString resultText() const;
    QString problemText() const;
    /// Earlier questions, the newest first.
    const QStringList& history() const { return m_history; }
    void setHistory(const QStringList& history);
    /// Writes a question into the line and asks it.
    void ask(const QString& text);
    bool isWorking() const;

Q_SIGNALS:
    /// The count was pressed: the person wants the found states as a list.
    void listRequested();
    void kinChanged(orrery::Kin kin);
    void historyChanged();

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    struct Answer {
        std::shared_ptr<const StateMarks> marks;
        double milliseconds = 0;
    };
    void run();
    void take(const QString& text, const Answer& answer);
    void forget();
    void showProblem(const QString& text);
    void showResult(const QString& text);
    void remember(const QString& text);
    void walkHistory(int direction);
    void offerWords();
    void insertWord(const QString& word);
    void refreshSolution();

    PlanSession* m_session;
    BackgroundWorker* m_worker;
    QLineEdit* m_edit;
    QToolButton* m_result;
    QLabel* m_problem;
    QPushButton *m_descendants, *m_ancestors;
    QStringListModel* m_words;
    QCompleter* m_completer;
    QStringList m_history;
    int m_historyAt = -1;  ///< -1: the line is not from the history
    QString m_asked;       ///< the question whose answer is the set
};

}  // namespace orrery
