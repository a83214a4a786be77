#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <functional>

namespace orrery {

class Archive;
class ExportQueue;
class Frame;

/// Takes curves of other programs into the workspace: as a job with its rate that can be cancelled,
/// on a worker of its own. GUI thread only.
class ImportDesk : public QObject {
    Q_OBJECT

public:
    /// Both outlive the desk.
    ImportDesk(Frame* frame, Archive* archive);

    /// Asks for a file and takes it in.
    void ask();
    /// An event file, a folder of them, a CSV or TSV table.
    void import(const QString& path);

Q_SIGNALS:
    /// The runs that it became are in the workspace.
    void imported(const QString& path, const QStringList& runIds);
    void compareRequested(const QStringList& runIds);

private:
    struct Outcome;
    void tell(const QString& path, const Outcome& outcome);

    Frame* m_frame;
    Archive* m_archive;
};

}  // namespace orrery
