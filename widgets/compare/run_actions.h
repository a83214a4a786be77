#pragma once

#include <QObject>
#include <QStringList>
#include <memory>
#include <vector>

#include "core/history/run_edit.h"

class QUndoStack;

namespace orrery {

class Archive;
class BackgroundWorker;
struct RunSheet;

/// Carries out what a person does to stored runs: names, notes, tags and the trash through an undo
/// stack, deleting for good without. Writing is the worker's; the GUI thread never waits.
class RunActions : public QObject {
    Q_OBJECT

public:
    /// @param undo  may be null: then nothing can be undone
    RunActions(Archive* archive, BackgroundWorker* worker, QUndoStack* undo,
               QObject* parent = nullptr);

    /// A cell of the runs table: `key` is "name", "note" or "tag" (a list with commas).
    void edit(const RunSheet& sheet, const QString& runId, const QString& key, const QString& text);
    /// False if runs cannot be changed: failed() has said why.
    bool setTrashed(const QStringList& runIds, bool isTrashed);
    /// Tells by measured() what deleting would free.
    void measure(const QStringList& runIds);
    void deleteForGood(const QStringList& runIds);
    /// Deletes what has been in the trash for more than 30 days.
    void emptyOldTrash(const RunSheet& sheet);

    /// Writes edits; for the undo stack.
    void apply(const std::vector<RunEdit>& edits);

Q_SIGNALS:
    void measured(const QStringList& runIds, qint64 bytes);
    void deleted(int count, qint64 bytes);
    void failed(const QString& text);
    void changed();  ///< the database has it; runs are to be read again

private:
    bool canChange();
    void push(const QString& text, std::vector<RunEdit> before, std::vector<RunEdit> after);

    Archive* m_archive;
    BackgroundWorker* m_worker;
    QUndoStack* m_undo;
};

}  // namespace orrery
