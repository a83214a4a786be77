#pragma once

#include <QString>
#include <QWidget>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/dag/state_marks.h"
#include "widgets/dag/visit_model.h"

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QTableView;
class QTimer;

namespace orrery {

class BackgroundWorker;
class MessageStrip;
class PlanSession;
class Solution;

/// Who acts in sampled paths.
enum class SamplePolicy {
    Solved,   ///< robots by pi_r; each human draws a goal by its weight and keeps to pi_h of it
    Uniform,  ///< every joint action alike
};

/// Samples paths from a state to the last step and counts which states they visit. The same for a
/// seed on every machine. Null if stopped; any thread.
std::shared_ptr<const PathSample> samplePaths(const Solution& solution, State from,
                                              SamplePolicy policy, int numPaths, std::uint64_t seed,
                                              const std::stop_token& stop = {});

/// Many paths under a policy: how often each state is visited. The visited states become the
/// selection's set, so that every view tints them; the table lists them, the most visited first.
class PathSampler : public QWidget {
    Q_OBJECT

public:
    explicit PathSampler(PlanSession* session, QWidget* parent = nullptr);
    ~PathSampler() override;

    void start();
    bool isWorking() const;
    VisitModel* model() { return &m_model; }

private:
    void take(const std::shared_ptr<const PathSample>& sample);
    void refresh();
    void goTo(int row);

    PlanSession* m_session;
    BackgroundWorker* m_worker;
    VisitModel m_model;
    std::shared_ptr<const PathSample> m_sample;
    QComboBox *m_policy, *m_from;
    QSpinBox *m_paths, *m_seed;
    QPushButton* m_run;
    QLabel *m_remark, *m_nothing;
    QTableView* m_table;
    MessageStrip* m_message;
    QTimer* m_watch;  ///< while paths are sampled: tells when that has ended
    bool m_isStopping = false;
};

}  // namespace orrery
