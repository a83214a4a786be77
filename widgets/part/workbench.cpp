#include "widgets/part/workbench.h"

#include <QApplication>
#include <QClipboard>
#include <QStatusBar>
#include <filesystem>

#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/live_runs.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/bridge/queue_bridge.h"
#include "widgets/common/notice.h"
#include "widgets/common/selection.h"
#include "widgets/frame/action_log.h"
#include "widgets/frame/frame.h"
#include "widgets/part/command_text.h"
#include "widgets/settings/preferences.h"

namespace orrery {

namespace {

constexpr int kSaidMs = 4000;  ///< in the status line

}  // namespace

Workbench::Workbench(Frame* frame, const QString& preferencesFile, bool keepsPreferences)
    : m_frame(frame),
      m_selection(std::make_unique<Selection>()),
      m_session(std::make_unique<PlanSession>(m_selection.get())),
      m_worker(std::make_unique<BackgroundWorker>()),
      m_archive(std::make_unique<Archive>(m_worker.get())),
      m_live(std::make_unique<LiveRuns>(m_worker.get())),
      m_queue(std::make_unique<QueueBridge>(m_worker.get())),
      m_preferences(std::make_unique<Preferences>(preferencesFile)),
      m_actions(new ActionLog(this)),
      m_keepsPreferences(keepsPreferences) {}

Workbench::~Workbench() {
    // Runs write to the workspace until their end: they go before the archive that holds it.
    m_live.reset();
    m_queue.reset();
    m_worker.reset();
}

void Workbench::note(const QString& what, const QStringList& arguments) {
    QStringList whole = arguments;
    const bool namesRun = arguments.value(1) == QLatin1String("show");
    if (namesRun && !workspaceText().isEmpty())
        whole << QStringLiteral("--workspace") << workspaceText();
    m_actions->add(what, shellLine(whole));
}

QString Workbench::workspaceText() const {
    const Workspace* workspace = m_archive->workspace();
    if (workspace == nullptr || workspace->folder() == Workspace::defaultFolder()) return {};
    return QString::fromStdString(std::filesystem::absolute(workspace->folder()).string());
}

QString Workbench::workspaceFolder() const {
    const Workspace* workspace = m_archive->workspace();
    return workspace == nullptr ? QString() : QString::fromStdString(workspace->folder().string());
}

void Workbench::copy(const QString& text, const QString& said) {
    QApplication::clipboard()->setText(text);
    m_frame->statusBar()->showMessage(said, kSaidMs);
}

void Workbench::tellOutside(const QString& title, const QString& text) {
    if (m_frame->isActiveWindow()) return;
    QApplication::alert(m_frame);
    if (m_preferences->isOn(QStringLiteral("general/notifies"))) notifyDesktop(title, text);
}

void Workbench::prefer(const QString& key, const QVariant& value) {
    if (m_keepsPreferences) m_preferences->setValue(key, value);
}

}  // namespace orrery
