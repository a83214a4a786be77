#include "widgets/compare/run_actions.h"

#include <QPointer>
#include <QUndoCommand>
#include <QUndoStack>
#include <chrono>
#include <utility>

#include "core/history/trash.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/compare/compare_text.h"
#include "widgets/compare/run_sheet.h"

namespace orrery {

namespace {

class EditCommand : public QUndoCommand {
public:
    EditCommand(RunActions* actions, const QString& text, std::vector<RunEdit> before,
                std::vector<RunEdit> after)
        : QUndoCommand(text),
          m_actions(actions),
          m_before(std::move(before)),
          m_after(std::move(after)) {}

    void redo() override {
        if (m_actions) m_actions->apply(m_after);
    }
    void undo() override {
        if (m_actions) m_actions->apply(m_before);
    }

private:
    QPointer<RunActions> m_actions;  // the stack may live longer
    std::vector<RunEdit> m_before, m_after;
};

std::vector<std::string> tagsIn(const QString& text) {
    std::vector<std::string> tags;
    for (const QString& tag : text.split(u',', Qt::SkipEmptyParts))
        if (!tag.trimmed().isEmpty()) tags.push_back(tag.trimmed().toStdString());
    return tags;
}

std::vector<std::string> plain(const QStringList& runIds) {
    std::vector<std::string> ids;
    for (const QString& id : runIds) ids.push_back(id.toStdString());
    return ids;
}

}  // namespace

RunActions::RunActions(Archive* archive, BackgroundWorker* worker, QUndoStack* undo,
                       QObject* parent)
    : QObject(parent), m_archive(archive), m_worker(worker), m_undo(undo) {}

void RunActions::push(const QString& text, std::vector<RunEdit> before,
                      std::vector<RunEdit> after) {
    if (m_undo == nullptr) {
        apply(after);
        return;
    }
    m_undo->push(new EditCommand(this, text, std::move(before), std::move(after)));
}

void RunActions::edit(const RunSheet& sheet, const QString& runId, const QString& key,
                      const QString& text) {
    const int row = sheet.rowOf(runId);
    if (row < 0) return;
    const RunRecord& run = sheet.runs[static_cast<std::size_t>(row)];
    RunEdit before{.run = run.id}, after{.run = run.id};
    QString what;
    if (key == QLatin1String("name")) {
        what = tr("Rename %1 to %2").arg(sheet.nameOf(row), text);
        before.name = run.name;
        after.name = text.toStdString();
    } else if (key == QLatin1String("note")) {
        what = tr("Change the note of %1").arg(sheet.nameOf(row));
        before.note = run.note;
        after.note = text.toStdString();
    } else {
        what = tr("Change the tags of %1").arg(sheet.nameOf(row));
        before.tags = run.tags;
        after.tags = tagsIn(text);
    }
    push(what, {std::move(before)}, {std::move(after)});
}

/// Says by failed() if not.
bool RunActions::canChange() {
    if (m_archive->writableWorkspace() != nullptr) return true;
    Q_EMIT failed(tr("The workspace is only read, so runs cannot be changed."));
    return false;
}

bool RunActions::setTrashed(const QStringList& runIds, bool isTrashed) {
    if (runIds.isEmpty() || !canChange()) return false;
    std::vector<RunEdit> before, after;
    for (const std::string& id : plain(runIds)) {
        before.push_back({.run = id, .isTrashed = !isTrashed});
        after.push_back({.run = id, .isTrashed = isTrashed});
    }
    push(isTrashed ? tr("Put %1 into the trash").arg(runsText(runIds.size()))
                   : tr("Take %1 out of the trash").arg(runsText(runIds.size())),
         std::move(before), std::move(after));
    return true;
}

void RunActions::apply(const std::vector<RunEdit>& edits) {
    if (!canChange()) return;
    Workspace* workspace = m_archive->writableWorkspace();
    const QPointer<RunActions> self(this);
    m_worker->append<bool>(
        [workspace, edits](std::stop_token) {
            workspace->writer().editRuns(edits);
            return true;
        },
        [self](bool) {
            if (self) Q_EMIT self->changed();
        },
        [self](const QString& text) {
            if (self) Q_EMIT self->failed(text);
        });
}

void RunActions::measure(const QStringList& runIds) {
    const Workspace* workspace = m_archive->workspace();
    if (workspace == nullptr) return;
    const QPointer<RunActions> self(this);
    m_worker->append<std::int64_t>(
        [workspace, ids = plain(runIds)](std::stop_token) {
            std::int64_t bytes = 0;
            for (const std::string& id : ids) bytes += runBytes(*workspace, id);
            return bytes;
        },
        [self, runIds](std::int64_t bytes) {
            if (self) Q_EMIT self->measured(runIds, bytes);
        },
        [self](const QString& text) {
            if (self) Q_EMIT self->failed(text);
        });
}

void RunActions::deleteForGood(const QStringList& runIds) {
    Workspace* workspace = m_archive->writableWorkspace();
    if (workspace == nullptr || runIds.isEmpty()) return;
    const QPointer<RunActions> self(this);
    m_worker->append<std::int64_t>(
        [workspace, ids = plain(runIds)](std::stop_token) { return deleteRuns(*workspace, ids); },
        [self, count = static_cast<int>(runIds.size())](std::int64_t bytes) {
            if (!self) return;
            Q_EMIT self->deleted(count, bytes);
            Q_EMIT self->changed();
        },
        [self](const QString& text) {
            if (!self) return;
            Q_EMIT self->failed(text);
            Q_EMIT self->changed();
        });
}

void RunActions::emptyOldTrash(const RunSheet& sheet) {
    using namespace std::chrono;
    QStringList old;
    for (const std::string& id : expiredTrash(sheet.runs, floor<seconds>(system_clock::now())))
        old << QString::fromStdString(id);
    deleteForGood(old);
}

}  // namespace orrery
