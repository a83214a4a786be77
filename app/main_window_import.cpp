// Curves of other programs.
#include <QFileDialog>
#include <QFileInfo>

#include "app/main_window.h"
#include "core/run/import_metrics.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/common/number_text.h"
#include "widgets/frame/job_list.h"

namespace orrery {

namespace {

struct Imported {
    QStringList runs;
    std::int64_t points = 0;
    bool isWhole = true;
};

}  // namespace

void MainWindow::importCurves() {
    Workspace* workspace = m_archive->writableWorkspace();
    if (workspace == nullptr)
        return say(MessageKind::Warning, tr("The workspace is only read, so nothing can be taken "
                                            "in. Open another one."));
    const QString file = QFileDialog::getOpenFileName(
        this, tr("Import curves"), {},
        tr("Event files and tables (*tfevents* *.csv *.tsv);;All files (*)"));
    if (file.isEmpty()) return;
    const int job = jobs().add(tr("Import %1").arg(QFileInfo(file).fileName()), {});
    m_worker->append<Imported>(
        [workspace, path = file.toStdString()](std::stop_token stop) {
            Imported done;
            for (const ImportedRun& run : readImport(path, stop)) {
                const std::string id = storeImport(*workspace, run, stop);
                if (id.empty()) break;
                done.runs << QString::fromStdString(id);
                done.points += std::ssize(run.points);
                done.isWhole = done.isWhole && run.isWhole;
            }
            return done;
        },
        [this, job, file](const Imported& done) {
            const QString text = tr("%1 points of %2 are in the run %3.")
                                     .arg(countText(done.points), QFileInfo(file).fileName(),
                                          done.runs.join(QStringLiteral(", ")));
            jobs().finish(job, JobList::State::Done, text);
            noteAction(tr("Import %1").arg(QFileInfo(file).fileName()),
                       {QStringLiteral("orrery"), QStringLiteral("import"), file});
            say(done.isWhole ? MessageKind::Ok : MessageKind::Warning,
                done.isWhole ? text : text + tr(" The damaged end of the file was left out."),
                tr("Compare"), [this, runs = done.runs] { compareRuns(runs); });
            m_archive->refreshRuns();
        },
        [this, job](const QString& text) {
            jobs().finish(job, JobList::State::Failed, text);
            say(MessageKind::Error, text);
        });
}

}  // namespace orrery
