#include "widgets/history/history_part.h"

#include <QDateTime>
#include <QFileDialog>
#include <algorithm>

#include "core/history/workspace.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/live_runs.h"
#include "widgets/bridge/queue_bridge.h"
#include "widgets/common/commands.h"
#include "widgets/common/run_mark.h"
#include "widgets/frame/job_list.h"
#include "widgets/history/runs_panel.h"
#include "widgets/part/process_age.h"
#include "widgets/settings/preferences.h"

namespace orrery {

HistoryPart::HistoryPart(Workbench& bench)
    : WindowPart(bench), m_runs(new RunsPanel(&selection(), &frame())) {
    m_runs->hide();
    connect(m_runs, &RunsPanel::reopenRequested, &this->bench(), &Workbench::openRun);
    connect(&archive(), &Archive::opened, this, &HistoryPart::takeOpened);
    connect(&archive(), &Archive::runsChanged, this, &HistoryPart::takeRuns);
    connect(&archive(), &Archive::failed, this, [this](const QString& text) {
        if (!archive().isListed())
            m_runs->setNoRuns(tr("The runs could not be read; the message says why."));
        say(MessageKind::Error, text);
    });
    // Another workspace counts its runs anew: what is shown bears none of its ids.
    connect(&archive(), &Archive::left, this, [this] {
        selection().setSet(SelectionKind::Run, {});
        selection().clearCurrent(SelectionKind::Run);
        session().forgetRun();
    });
}

void HistoryPart::addViews() {
    const auto make = [this](QWidget* parent) {
        m_runs->setParent(parent);
        return m_runs;
    };
    frame().addView(
        {.id = QStringLiteral("runs"),
         .title = tr("Runs"),
         .icon = QStringLiteral("document-open-recent"),
         .tip = tr("The runs of the workspace; a double click opens one with its values"),
         .place = ViewPlace::Left,
         .make = make,
         .help = QStringLiteral("compare#runs")});
}

void HistoryPart::bindCommands() {
    commands().bind("file.openWorkspace", [this] { choose(); });
}

std::vector<LocatorSource> HistoryPart::locatorSources() {
    return {
        {QStringLiteral("r"), tr("runs"), [this](const QString&) { return items(); }, true, true}};
}

std::vector<LocatorItem> HistoryPart::items() {
    std::vector<LocatorItem> items;
    for (const RunRecord& run : archive().runs()) {
        const QString id = QString::fromStdString(run.id);
        items.push_back(
            {QStringLiteral("%1 %2").arg(id, QString::fromStdString(run.name)),
             QStringLiteral("%1 · %2").arg(runStateText(run.state), timeText(run.createdUtc)),
             {},
             true,
             [this, id] { bench().openRun(id); }});
    }
    return items;
}

/// Not while something is written to it; says so.
bool HistoryPart::mayChange() {
    const bool hasRun = !live().runs().empty() || queue().isLive();
    if (!hasRun && jobs().numLive() == 0) return true;
    say(MessageKind::Warning,
        (hasRun ? tr("A run writes to this workspace.") : tr("Work goes on in this workspace.")) +
            tr(" Stop it or wait, then open another."));
    return false;
}

void HistoryPart::open(const QString& folder) {
    if (mayChange()) archive().open(folder.toStdString());
}

void HistoryPart::choose() {
    if (!mayChange()) return;
    const QString folder =
        QFileDialog::getExistingDirectory(&frame(), tr("Open a workspace folder"));
    if (!folder.isEmpty()) archive().open(folder.toStdString());
}

void HistoryPart::openFirst(const std::filesystem::path& wanted) {
    if (!wanted.empty()) return archive().open(wanted);
    const QString chosen = preferences().value(QStringLiteral("storage/workspace")).toString();
    const std::filesystem::path standard = Workspace::defaultFolder();
    archive().open(chosen.isEmpty() ? standard : standard.parent_path() / chosen.toStdString());
}

void HistoryPart::takeOpened() {
    const Workspace& workspace = *archive().workspace();
    m_runs->setPlace(QString::fromStdString(workspace.folder().string()));
    if (!workspace.writable())
        say(MessageKind::Warning, QString::fromStdString(workspace.readOnlyReason()),
            tr("Open another..."), [this] { choose(); });
}

void HistoryPart::takeRuns() {
    m_runs->setRuns(archive().runs(), archive().runSeconds());
    if (m_listedSeconds == 0) m_listedSeconds = processAge();
    if (bench().keepsPreferences())
        preferences().noteWorkspace(
            {.folder = QString::fromStdString(
                 std::filesystem::absolute(archive().workspace()->folder()).string()),
             .openedUtc = QDateTime::currentDateTimeUtc().toString(Qt::ISODate),
             .numRuns = static_cast<int>(archive().runs().size())});
    bench().refresh();
}

}  // namespace orrery
