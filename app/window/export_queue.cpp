#include "app/window/export_queue.h"

#include <QTimer>
#include <memory>

#include "widgets/bridge/background_worker.h"
#include "widgets/frame/job_list.h"
#include "widgets/part/run_progress.h"

namespace orrery {

namespace {

constexpr int kShownAfterMs = 300;

}  // namespace

/// One export from its start to its end; shared by the GUI thread and the worker, which only looks
/// at `stop`.
struct ExportQueue::Export {
    QString title;
    std::stop_source stop;
    int job = 0;  ///< in the list; 0: not shown yet
    bool hasEnded = false;
    Progress progress;
};

ExportQueue::ExportQueue(JobList* jobs, QObject* parent)
    : QObject(parent), m_jobs(jobs), m_worker(new BackgroundWorker(this)) {}

ExportQueue::~ExportQueue() {
    delete m_worker;  // its job may still send progress here
}

bool ExportQueue::isBusy() const {
    return m_worker->numOpenJobs() > 0;
}

void ExportQueue::showProgress(Export& one, const Progress& progress) {
    one.progress = progress;
    if (one.job != 0 && !one.hasEnded) m_jobs->setProgress(one.job, jobProgress(progress));
}

void ExportQueue::start(const QString& title, const QString& target, ExportWork work) {
    const auto one = std::make_shared<Export>();
    one->title = title;
    QTimer::singleShot(kShownAfterMs, this, [this, one] {
        if (one->hasEnded) return;
        one->job = m_jobs->add(one->title, [one] { one->stop.request_stop(); });
        m_jobs->setProgress(one->job, jobProgress(one->progress));
    });
    const auto end = [this, one](JobList::State state, const QString& outcome) {
        one->hasEnded = true;
        if (one->job != 0) m_jobs->finish(one->job, state, outcome);
    };
    m_worker->append<bool>(
        [this, one, work = std::move(work)](std::stop_token stop) {
            const std::stop_callback forward(stop, [one] { one->stop.request_stop(); });
            return work(one->stop.get_token(), [this, one](const Progress& progress) {
                QMetaObject::invokeMethod(
                    this, [this, one, progress] { showProgress(*one, progress); },
                    Qt::QueuedConnection);
            });
        },
        [this, end, target](bool isWhole) {
            end(isWhole ? JobList::State::Done : JobList::State::Stopped,
                isWhole ? target : tr("Cancelled"));
            if (isWhole)
                Q_EMIT written(target);
            else
                Q_EMIT stopped(target);
        },
        [this, end](const QString& text) {
            end(JobList::State::Failed, text);
            Q_EMIT failed(text);
        });
}

}  // namespace orrery
