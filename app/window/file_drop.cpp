#include "app/window/file_drop.h"

#include <QApplication>
#include <QDir>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QUrl>
#include <QWidget>
#include <optional>

#include "app/cli/solve_input.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/files/diagnostic.h"
#include "core/files/world_file.h"
#include "core/run/builtin_worlds.h"
#include "core/run/run_kind.h"
#include "widgets/figure/figure_file.h"

namespace orrery {

namespace {

/// The files of a drag; empty for anything else, which is left to the view below.
QStringList filesOf(const QMimeData* data) {
    QStringList files;
    for (const QUrl& url : data->urls())
        if (url.isLocalFile()) files << url.toLocalFile();
    return files;
}

/// A window, what is in it, and the windows that were opened from it.
bool belongsTo(const QWidget* window, const QObject* object) {
    for (const auto* at = qobject_cast<const QWidget*>(object); at; at = at->parentWidget())
        if (at == window) return true;
    return false;
}

QString firstError(const std::vector<Diagnostic>& diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics)
        if (diagnostic.severity == Severity::Error)
            return QString::fromStdString(diagnosticLine(diagnostic));
    return {};
}

/// A spec names its worlds from where it lies, or from where the program was started.
void placeWorlds(RunSpec& spec, const QDir& folder) {
    const RunKind& kind = spec.job.kind();
    std::vector<WorldRef> worlds = kind.worlds(spec.job);
    for (WorldRef& world : worlds) {
        const QString name = QString::fromStdString(world.name);
        if (!isBuiltinWorld(world.name) && folder.exists(name))
            world.name = folder.absoluteFilePath(name).toStdString();
    }
    if (!worlds.empty()) kind.takeWorlds(spec.job, worlds);
}

}  // namespace

FileDrop::FileDrop(QWidget* window) : QObject(window), m_window(window) {
    window->setAcceptDrops(true);
    qApp->installEventFilter(this);  // fields would take a file for its name
}

bool FileDrop::eventFilter(QObject* object, QEvent* event) {
    const auto type = event->type();
    // A panel that floats and a dialog are windows of their own.
    if (type == QEvent::Show && belongsTo(m_window, object))
        static_cast<QWidget*>(object)->window()->setAcceptDrops(true);
    if (type != QEvent::DragEnter && type != QEvent::DragMove && type != QEvent::Drop) return false;
    if (!belongsTo(m_window, object)) return false;
    auto* drop = static_cast<QDropEvent*>(event);
    const QStringList files = filesOf(drop->mimeData());
    if (files.isEmpty()) return false;
    drop->setDropAction(Qt::CopyAction);
    drop->accept();
    if (type == QEvent::Drop)
        // When the drag is over: a question would hold up the program that it comes from.
        QMetaObject::invokeMethod(
            this,
            [this, files] {
                for (const QString& file : files) take(file);
            },
            Qt::QueuedConnection);
    return true;
}

void FileDrop::take(const QString& path) {
    const QFileInfo info(path);
    const QString name = info.fileName(), ending = info.suffix().toLower();
    if (!info.exists()) return Q_EMIT refused(tr("%1 is not there any more.").arg(path));
    if (info.isDir()) return takeFolder(path);
    if (name == QLatin1String("workspace.db")) return takeFolder(info.absolutePath());
    if (name.contains(QLatin1String("tfevents")) || ending == QLatin1String("csv") ||
        ending == QLatin1String("tsv"))
        return Q_EMIT curvesDropped(path);
    if (name.endsWith(QLatin1String(kFigureEnding)))
        return Q_EMIT refused(
            tr("%1 is a figure file: `orrery figure %1` draws its picture.").arg(name));
    if (ending == QLatin1String("yaml") || ending == QLatin1String("yml") ||
        ending == QLatin1String("json"))
        return takeText(path);
    Q_EMIT refused(tr("%1 cannot be opened: drop a world or a spec (.yaml, .json), curves (.csv, "
                      ".tsv, TensorBoard) or the folder of a workspace.")
                       .arg(name));
}

void FileDrop::takeFolder(const QString& folder) {
    if (QFileInfo::exists(folder + QStringLiteral("/workspace.db")))
        return Q_EMIT workspaceDropped(folder);
    Q_EMIT curvesDropped(folder);  // a folder is searched for event files as a job
}

void FileDrop::takeText(const QString& file) {
    try {
        const std::string path = file.toStdString();
        const WorldFile world = readWorldFile(path);
        if (!world.hasErrors) return Q_EMIT worldDropped(file);
        RunSpecReading reading = readRunSpec(readFile(path, kMaxSpecBytes), path);
        if (reading.spec) {
            placeWorlds(*reading.spec, QFileInfo(file).absoluteDir());
            return Q_EMIT specDropped(*reading.spec, file);
        }
        // It is more like what has fewer errors.
        const bool isSpec = reading.diagnostics.size() < world.diagnostics.size();
        Q_EMIT refused(firstError(isSpec ? reading.diagnostics : world.diagnostics));
    } catch (const Error& error) {
        Q_EMIT refused(QString::fromUtf8(error.what()));
    }
}

}  // namespace orrery
