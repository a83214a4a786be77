// The open world as something that can be lost: what the session keeps of it, and what is asked
// before it goes.
#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <algorithm>
#include <utility>

#include "app/window/main_window.h"
#include "core/base/address.h"
#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/run/jobs/solve_job.h"
#include "widgets/bridge/queue_bridge.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/common/number_text.h"
#include "widgets/common/selection_address.h"
#include "widgets/dag/level_bands.h"
#include "widgets/dag/predicate_bar.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/dag/state_canvas.h"
#include "widgets/dag/state_view.h"
#include "widgets/frame/session_file.h"
#include "widgets/settings/preferences.h"
#include "widgets/train/train_session.h"
#include "widgets/world/world_editor.h"
#include "widgets/world/world_files.h"

namespace orrery {

namespace {

constexpr int kStepParts = 3;
constexpr std::size_t kMostKeptNodes = 1000;  ///< of the graph around the state

QString wordsText(const std::vector<std::uint64_t>& words) {
    QStringList parts;
    for (const std::uint64_t word : words) parts << QString::number(word, 16);
    return parts.join(u'-');
}

std::vector<std::uint64_t> wordsOf(const QString& text) {
    std::vector<std::uint64_t> words;
    for (const QString& part : text.split(u'-')) words.push_back(part.toULongLong(nullptr, 16));
    return words;
}

QJsonObject jsonOf(const PlanSession& session) {
    QJsonArray steps;
    const std::vector<Moment>& walk = session.walk();
    for (std::size_t i = 1; i < walk.size(); ++i)
        steps.append(QJsonArray{static_cast<qint64>(walk[i].profile), static_cast<int>(walk[i].by),
                                wordsText(walk[i].state.words)});
    return {{QStringLiteral("step"), walk.front().state.step},
            {QStringLiteral("words"), wordsText(walk.front().state.words)},
            {QStringLiteral("steps"), steps},
            {QStringLiteral("at"), static_cast<qint64>(session.walkIndex())},
            {QStringLiteral("profile"), static_cast<qint64>(session.profile())}};
}

/// A free name for a draft below the folder of the session.
QString draftFile(const QString& title) {
    const QDir folder(QFileInfo(sessionFileName()).absolutePath() + QStringLiteral("/drafts"));
    QString stem = title.toLower();
    for (QChar& character : stem)
        if (!character.isLetterOrNumber()) character = u'_';
    for (int number = 1;; ++number) {
        QString file = folder.filePath(QStringLiteral("%1_%2.yaml").arg(stem).arg(number));
        if (!QFileInfo::exists(file)) return file;
    }
}

}  // namespace

QJsonObject MainWindow::documentState() const {
    RunSpec form = formSpec();
    form.job.as<SolveJob>().world.text.reset();
    QJsonObject state{{QStringLiteral("title"), session().loaded().title},
                      {QStringLiteral("walk"), jsonOf(session())},
                      {QStringLiteral("form"),
                       QJsonDocument::fromJson(QByteArray::fromStdString(toJson(form))).object()}};
    // The session has the draft, or what it was when it was right last.
    // A file that was saved with an error cannot be opened again.
    if (m_editor->isModified() || !m_editor->isValid())
        state.insert(
            QStringLiteral("draft"),
            QJsonObject{
                {QStringLiteral("title"), session().loaded().title},
                {QStringLiteral("isEdited"), m_editor->isOn()},
                {QStringLiteral("file"), QString::fromLatin1(m_editor->fileDigest().toHex())},
                {QStringLiteral("text"), QString::fromStdString(session().loaded().text)}});
    state.insert(QStringLiteral("plan"), planViewsState());
    return state;
}

/// Makes the world that was opened from a draft one that is in no file.
void MainWindow::restoreDraft() {
    const QJsonObject draft = m_pendingDocument.take(QStringLiteral("draft")).toObject();
    if (draft.isEmpty()) return;
    QStringList problems;
    const auto spec = specOfText(draft.value(u"text").toString().toStdString(), problems);
    if (!spec) return say(MessageKind::Warning, problems.join(u'\n'));
    const LoadedWorld loaded = session().loaded();  // copied, it is opened again
    m_editor->openNew(*spec, QString::fromStdString(loaded.name), draft.value(u"title").toString());
    m_editor->setOn(draft.value(u"isEdited").toBool());
    m_editor->setFileDigest(QByteArray::fromHex(draft.value(u"file").toString().toLatin1()));
    say(MessageKind::Info,
        tr("Your changes of %1 are back; they are in no file yet. Ctrl+S saves them.")
            .arg(session().loaded().title),
        tr("Save..."), [this] { saveWorld(*m_editor, session(), this); });
}

/// Form, walk and place of the last session, when its world and its run are there.
void MainWindow::restoreDocument() {
    const QJsonObject kept = std::exchange(m_pendingDocument, {});
    const QString address = std::exchange(m_pendingAddress, {});
    if (!session().isOpen()) return;
    if (const QJsonObject form = kept.value(u"form").toObject(); !form.isEmpty()) {
        try {
            const RunSpec spec = runSpecFromJson(
                QJsonDocument(form).toJson(QJsonDocument::Compact).toStdString(), "session");
            requireSolve(spec, "session");
            m_solvePanel->setSpec(spec);
        } catch (const Error&) {
            // Of another version: the form keeps what it has.
        }
    }
    const bool hasWalk = restoreWalk(kept.value(u"walk").toObject());
    if (auto place = parseAddress(address)) {
        if (hasWalk) {  // the rest of what was selected
            place->step = -1;
            place->stateIndex = -1;
            place->words.clear();
        }
        if (session().goTo(*place) && !place->where.empty()) {
            view(QStringLiteral("stateGraph"));
            m_search->ask(QString::fromStdString(place->where));
        }
    }
    m_keptPlan = kept.value(u"plan").toObject();
    restorePlanViews();
    undoStack().clear();
}

/// Plays the kept walk again. Each of its states must follow from the one before; what comes after
/// one that does not is left out.
bool MainWindow::restoreWalk(const QJsonObject& kept) {
    if (kept.isEmpty()) return false;
    const std::vector<std::uint64_t> first = wordsOf(kept.value(u"words").toString());
    const StateItem start{kept.value(u"step").toInt(-1), first};
    if (!(session().state() == start)) {
        session().restart();
        Address place;
        place.step = start.step;
        place.words = first;
        if (!(session().state() == start) && !session().goTo(place)) return false;
    }
    const QJsonArray steps = kept.value(u"steps").toArray();
    {
        // Views look at the last state only.
        const QSignalBlocker quiet(&session());
        for (const QJsonValue value : steps) {
            const QJsonArray step = value.toArray();
            const qint64 profile = step[0].toInteger(-1);
            if (step.size() != kStepParts || profile < 0 || session().isTerminal() ||
                static_cast<std::uint64_t>(profile) >= session().world().numProfiles())
                break;
            session().setActions(
                session().world().profileActions(static_cast<std::uint32_t>(profile)));
            const auto& rows = session().successors();
            const auto row = std::ranges::find(rows, wordsOf(step[2].toString()),
                                               [](const SuccessorRow& r) { return r.state.words; });
            if (row == rows.end()) break;
            session().followAs(static_cast<std::size_t>(row - rows.begin()),
                               static_cast<PlayedBy>(std::clamp(step[1].toInt(), 0, 2)));
        }
        session().showMoment(static_cast<std::size_t>(std::clamp<qint64>(
            kept.value(u"at").toInteger(), 0, static_cast<qint64>(session().walk().size()) - 1)));
        const qint64 profile = kept.value(u"profile").toInteger(-1);
        if (profile >= 0 && static_cast<std::uint64_t>(profile) < session().world().numProfiles())
            session().setActions(
                session().world().profileActions(static_cast<std::uint32_t>(profile)));
    }
    Q_EMIT session().stateChanged();
    Q_EMIT session().jointActionChanged();
    return true;
}

/// The session opens another world than the one that was edited: its draft becomes a file.
void MainWindow::setDraftAside() {
    const QJsonObject draft = m_pendingDocument.value(u"draft").toObject();
    m_pendingDocument = {};
    if (draft.isEmpty()) return;
    const QString title = draft.value(u"title").toString();
    const QString file = draftFile(title);
    try {
        QDir().mkpath(QFileInfo(file).absolutePath());
        atomicWrite(file.toStdString(), draft.value(u"text").toString().toStdString());
        say(MessageKind::Info,
            tr("The changes of %1 from the last session were saved as %2.").arg(title, file));
    } catch (const Error& error) {
        say(MessageKind::Error, QString::fromUtf8(error.what()));
    }
}

bool MainWindow::mayLeaveWorld() {
    if (!m_editor->isModified()) return true;
    QMessageBox box(QMessageBox::Warning, tr("The world is not saved"),
                    tr("Save the changes of %1 first?").arg(session().loaded().title),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box.setObjectName(QStringLiteral("unsavedBox"));
    box.setInformativeText(tr("Without saving they are lost."));
    box.setDefaultButton(QMessageBox::Save);
    box.exec();
    const auto answer = box.standardButton(box.clickedButton());
    if (answer == QMessageBox::Save) saveWorld(*m_editor, session(), this);
    return answer == QMessageBox::Discard || !m_editor->isModified();
}

/// Asks whether exports and imports that are at work may be lost.
bool MainWindow::mayDropJobs() {
    QStringList titles;
    for (const JobList::Job& job : jobs().jobs())
        if (job.state == JobList::State::Running) titles << job.title;
    if (titles.isEmpty()) return true;
    QMessageBox box(QMessageBox::Question, tr("Work is going on"),
                    tr("Quit and cancel %1?").arg(titles.join(QStringLiteral(", "))),
                    QMessageBox::Cancel, this);
    box.setObjectName(QStringLiteral("jobsBox"));
    box.setInformativeText(tr("What it has not written yet is not written."));
    auto* now = box.addButton(tr("Cancel it and &quit"), QMessageBox::DestructiveRole);
    now->setObjectName(QStringLiteral("cancelJobsAndQuit"));
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    return box.clickedButton() == now;
}

/// What becomes of a training that is ended by closing the window.
QString MainWindow::trainingEndText() const {
    const auto trouble = m_training->trouble();
    if (!trouble || !trouble->isLast)
        return tr("A training that is stopped keeps a checkpoint and can be resumed.");
    const auto& kept = m_training->training()->checkpoints;
    const QString text =
        tr("It waits for you: too many steps in a row were skipped. If it is "
           "ended here, it has diverged, and no checkpoint is made of it");
    return kept.empty() ? tr("%1; it has none yet.").arg(text)
                        : tr("%1; that of step %2 is kept.").arg(text, countText(kept.back().step));
}

/// Asks what is to become of what runs. @return whether the window may close now
bool MainWindow::mayLeaveRuns() {
    const bool isTraining = m_training->isLive();
    const auto trouble = m_training->trouble();
    QMessageBox box(QMessageBox::Question,
                    isTraining ? tr("A training is running") : tr("A solve is running"),
                    isTraining ? tr("What is to become of the training?")
                               : tr("What is to become of the solve?"),
                    QMessageBox::Cancel, this);
    box.setObjectName(QStringLiteral("closeBox"));
    box.setInformativeText(isTraining ? trainingEndText()
                                      : tr("What a cancelled solve has explored is lost."));
    // One that is paused would never be finished.
    QPushButton* later = nullptr;
    if (!m_training->isPaused()) {
        later = box.addButton(tr("&Finish it, then quit"), QMessageBox::AcceptRole);
        later->setObjectName(QStringLiteral("finishThenQuit"));
        box.setDefaultButton(later);
    }
    auto* now = box.addButton(!isTraining                  ? tr("Cancel it and &quit")
                              : trouble && trouble->isLast ? tr("End it and &quit")
                                                           : tr("&Checkpoint and quit"),
                              QMessageBox::DestructiveRole);
    now->setObjectName(QStringLiteral("cancelAndQuit"));
    box.exec();
    if (later == nullptr || box.clickedButton() != later) return box.clickedButton() == now;
    if (!runBridge().isLive() && !queue().isLive()) return true;
    m_closesWhenDone = !m_training->isPaused();
    if (m_closesWhenDone) showMinimized();
    return false;
}

bool MainWindow::mayClose() {
    const bool isLive = runBridge().isLive() || queue().isLive();
    if (preferences().isOn(QStringLiteral("general/asksBeforeQuit")) &&
        !(isLive ? mayLeaveRuns() : mayDropJobs()))
        return false;
    // A session keeps the changes; without one this is their end.
    return keepsSession() || mayLeaveWorld();
}

QJsonObject MainWindow::planViewsState() const {
    QJsonObject kept = m_keptPlan;
    kept.insert(QStringLiteral("run"), session().runId());
    if (m_search)
        kept.insert(QStringLiteral("questions"), QJsonArray::fromStringList(m_search->history()));
    if (!session().solution() || session().showsVariant()) return kept;
    if (m_bands) {
        QJsonObject bands = m_bands->figureState();
        bands.remove(QStringLiteral("kin"));  // its buttons are not kept
        kept.insert(QStringLiteral("bands"), bands);
    }
    if (m_states && m_states->canvas()->graph().nodes().size() <= kMostKeptNodes)
        kept.insert(QStringLiteral("graph"), m_states->figureState());
    return kept;
}

/// Gives the views of Plan what the last session kept of them, as far as they are made and their
/// values are there.
void MainWindow::restorePlanViews() {
    restorePictures();
    if (m_search && m_keptPlan.contains(u"questions")) {
        QStringList questions;
        for (const QJsonValue question : m_keptPlan.take(QStringLiteral("questions")).toArray())
            questions << question.toString();
        m_search->setHistory(questions);
    }
    if (!session().solution() || m_keptPlan.value(u"run").toString() != session().runId()) return;
    if (m_bands && m_keptPlan.contains(u"bands"))
        m_bands->restoreFigure(m_keptPlan.take(QStringLiteral("bands")).toObject());
    if (m_states && m_keptPlan.contains(u"graph"))
        m_states->restoreFigure(m_keptPlan.take(QStringLiteral("graph")).toObject());
}

void MainWindow::closeIfDone() {
    if (m_closesWhenDone && !runBridge().isLive() && !queue().isLive()) close();
}

void MainWindow::refreshTitle() {
    if (showsTraining()) return setWindowTitle(tr("%1 – Orrery").arg(m_training->title()));
    if (!session().isOpen()) return setWindowTitle(QStringLiteral("Orrery"));
    const QString& title = session().loaded().title;
    setWindowTitle(m_editor->isModified() ? tr("%1, not saved – Orrery").arg(title)
                                          : tr("%1 – Orrery").arg(title));
}

}  // namespace orrery
