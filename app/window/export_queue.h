#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <stop_token>

#include "core/base/progress.h"

namespace orrery {

class BackgroundWorker;
class JobList;

/// Writes a file on a worker. False if stopped; throws Error.
using ExportWork = std::function<bool(const std::stop_token& stop, const ProgressSink& progress)>;

/// Carries out exports one after the other on a worker of its own, each as a job in the list that
/// can be cancelled. GUI thread only; nothing here waits but the destructor, which stops the work.
class ExportQueue : public QObject {
    Q_OBJECT

public:
    /// @param jobs  outlives the queue
    explicit ExportQueue(JobList* jobs, QObject* parent = nullptr);
    ~ExportQueue() override;

    /// @param title  for the job list: "Export values"
    void start(const QString& title, const QString& target, ExportWork work);
    bool isBusy() const;

Q_SIGNALS:
    void written(const QString& target);
    void stopped(const QString& target);
    void failed(const QString& text);

private:
    struct Export;
    void showProgress(Export& one, const Progress& progress);

    JobList* m_jobs;
    BackgroundWorker* m_worker;
};

}  // namespace orrery
