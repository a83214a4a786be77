#include "app/window/import_desk.h"

#include <QFileDialog>
#include <QFileInfo>
#include <memory>

#include "app/window/export_queue.h"
#include "core/run/jobs/import_metrics.h"
#include "widgets/bridge/archive.h"
#include "widgets/common/number_text.h"
#include "widgets/frame/frame.h"

namespace orrery {

/// Filled by the worker, read when it has ended.
struct ImportDesk::Outcome {
    QStringList runs;
    std::int64_t points = 0;
    bool isWhole = true;
    bool isCancelled = false;  ///< before all was taken in
};

ImportDesk::ImportDesk(Frame* frame, Archive* archive)
    : QObject(frame), m_frame(frame), m_archive(archive) {}

void ImportDesk::ask() {
    const QString file = QFileDialog::getOpenFileName(
        m_frame, tr("Import curves"), {},
        tr("Event files and tables (*tfevents* *.csv *.tsv);;All files (*)"));
    if (!file.isEmpty()) import(file);
}

void ImportDesk::import(const QString& path) {
    if (m_archive->writableWorkspace() == nullptr)
        return m_frame->say(MessageKind::Warning,
                            tr("The workspace is only read, so nothing can be taken in. Open "
                               "another one."));
    const auto outcome = std::make_shared<Outcome>();
    auto* queue = new ExportQueue(&m_frame->jobs(), this);
    queue->start(tr("Import %1").arg(QFileInfo(path).fileName()), path,
                 [outcome, workspace = m_archive->sharedWorkspace(), file = path.toStdString()](
                     const std::stop_token& stop, const ProgressSink& progress) {
                     for (const ImportedRun& run : readImport(file, stop, progress)) {
                         if (stop.stop_requested()) return false;
                         const std::string id = storeImport(*workspace, run, stop, progress);
                         if (id.empty()) return false;
                         outcome->runs << QString::fromStdString(id);
                         outcome->points += std::ssize(run.points);
                         outcome->isWhole = outcome->isWhole && run.isWhole;
                     }
                     return !stop.stop_requested();
                 });
    const auto end = [this, queue, path, outcome] {
        queue->deleteLater();
        m_archive->refreshRuns();
        if (!outcome->runs.isEmpty()) tell(path, *outcome);
    };
    connect(queue, &ExportQueue::written, this, end);
    connect(queue, &ExportQueue::stopped, this, [this, end, path, outcome] {
        outcome->isCancelled = true;
        end();
        if (outcome->runs.isEmpty())
            m_frame->say(MessageKind::Info,
                         tr("The import of %1 was cancelled; nothing of it is kept.")
                             .arg(QFileInfo(path).fileName()));
    });
    connect(queue, &ExportQueue::failed, this, [this, end](const QString& text) {
        end();
        m_frame->say(MessageKind::Error, text);
    });
}

void ImportDesk::tell(const QString& path, const Outcome& outcome) {
    const QString text = tr("%1 points of %2 are in the run %3.")
                             .arg(countText(outcome.points), QFileInfo(path).fileName(),
                                  outcome.runs.join(QStringLiteral(", ")));
    Q_EMIT imported(path, outcome.runs);
    QString all = text;
    if (outcome.isCancelled) all += tr(" The rest of the import was cancelled.");
    if (!outcome.isWhole) all += tr(" The damaged end of the file was left out.");
    m_frame->say(outcome.isWhole && !outcome.isCancelled ? MessageKind::Ok : MessageKind::Warning,
                 all, tr("Compare"),
                 [this, runs = outcome.runs, place = std::weak_ptr(m_archive->sharedWorkspace())] {
                     // In another workspace these are names of other runs.
                     if (m_archive->sharedWorkspace() != place.lock())
                         return m_frame->say(
                             MessageKind::Info,
                             tr("Open the workspace that the curves were imported to."));
                     Q_EMIT compareRequested(runs);
                 });
}

}  // namespace orrery
