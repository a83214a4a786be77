#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "widgets/common/table_model.h"

class QLabel;
class QPushButton;
class QTableView;

namespace orrery {

/// How far a job is. Where nothing can be counted, `total` is 0.
struct JobProgress {
    QString phase;
    double done = 0, total = 0;
    QString rate = {};       ///< "85 200 per second"
    QString remaining = {};  ///< "3 s left"
};

/// What runs now and what has ended, newest first. Only long work comes here: who reports it shows
/// a job after kShownAfterMs.
class JobList : public TableModel {
    Q_OBJECT

public:
    static constexpr int kShownAfterMs = 300;

    enum class State { Running, Paused, Done, Stopped, Failed };
    struct Job {
        int id = 0;
        QString title;
        State state = State::Running;
        JobProgress progress = {};
        QString outcome = {};  ///< how it ended
        std::function<void()> cancel = {};
    };
    enum Column { kTitle, kState, kProgress, kRate, kRemaining, kNumColumns };

    explicit JobList(QObject* parent = nullptr);

    /// @param cancel  asks the job to end; returns at once
    /// @return the job's id
    int add(const QString& title, std::function<void()> cancel);
    void setProgress(int id, const JobProgress& progress, bool isPaused = false);
    void finish(int id, State state, const QString& outcome);
    void cancel(int row);

    const std::vector<Job>& jobs() const { return m_jobs; }
    int numLive() const;

protected:
    int numRows() const override;
    QString text(int row, int column) const override;
    QVariant extra(int row, int column, int role) const override;

Q_SIGNALS:
    void liveJobsChanged();

private:
    Job* find(int id);
    void tell(const Job& job);

    std::vector<Job> m_jobs;  ///< newest first, at most 200
    int m_nextId = 1;
};

/// The jobs as a table with a cancel button for the chosen one.
class JobsPanel : public QWidget {
    Q_OBJECT

public:
    explicit JobsPanel(JobList* jobs, QWidget* parent = nullptr);

private:
    void refresh();
    int meantRow() const;

    JobList* m_jobs;
    QTableView* m_table;
    QLabel* m_empty;
    QPushButton* m_cancel;
};

}  // namespace orrery
