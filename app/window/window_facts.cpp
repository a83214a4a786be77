#include "app/window/window_facts.h"

#include <QJsonArray>
#include <algorithm>

#include "app/window/event_watch.h"
#include "app/window/main_window.h"
#include "core/dag/state_marks.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/live_runs.h"
#include "widgets/frame/centre_area.h"
#include "widgets/frame/job_list.h"
#include "widgets/frame/message_log.h"
#include "widgets/part/live_part.h"
#include "widgets/part/plan_scope.h"
#include "widgets/settings/setting_spec.h"
#include "widgets/train/train_session.h"

namespace orrery {

namespace {

QJsonObject sessionFacts(const PlanSession& session) {
    QJsonObject facts{{QStringLiteral("open"), session.isOpen()}};
    if (!session.isOpen()) return facts;
    facts.insert(QStringLiteral("world"), session.loaded().title);
    facts.insert(QStringLiteral("run"), session.runId());
    facts.insert(QStringLiteral("worldName"), QString::fromStdString(session.loaded().name));
    facts.insert(QStringLiteral("step"), session.state().step);
    facts.insert(QStringLiteral("state"), static_cast<qint64>(session.state().index));
    facts.insert(QStringLiteral("moments"), static_cast<qint64>(session.walk().size()));
    facts.insert(QStringLiteral("moment"), static_cast<qint64>(session.walkIndex()));
    facts.insert(QStringLiteral("profile"), static_cast<qint64>(session.profile()));
    facts.insert(QStringLiteral("solved"), session.solution() != nullptr);
    facts.insert(QStringLiteral("stale"), session.isStale());
    if (session.values()) facts.insert(QStringLiteral("v_r"), session.values()->v_r);
    QJsonArray successors;
    for (const SuccessorRow& row : session.successors()) {
        QJsonObject one{{QStringLiteral("probability"), row.probability},
                        {QStringLiteral("text"), row.text},
                        {QStringLiteral("state"), static_cast<qint64>(row.state.index)}};
        if (row.v_r) one.insert(QStringLiteral("v_r"), *row.v_r);
        successors.append(one);
    }
    facts.insert(QStringLiteral("successors"), successors);
    if (const auto solution = session.solution()) {
        const StateGraph& graph = solution->graph();
        std::int64_t states = 0;
        for (int step = 0; step < graph.numLevels(); ++step) states += graph.levelSize(step);
        facts.insert(QStringLiteral("states"), static_cast<qint64>(states));
        facts.insert(QStringLiteral("levels"), graph.numLevels());
        facts.insert(QStringLiteral("initialV_r"), solution->v_r(State{}));
    }
    return facts;
}

/// The run by the name under which it is listed.
QJsonObject withRunName(QJsonObject session, const Archive& archive) {
    const QString id = session.value(u"run").toString();
    const auto& runs = archive.runs();
    const auto run = std::ranges::find(runs, id.toStdString(), &RunRecord::id);
    const bool hasName = run != runs.end() && !run->name.empty();
    session.insert(QStringLiteral("runName"), hasName ? QString::fromStdString(run->name) : id);
    return session;
}

QJsonArray jobFacts(const JobList& jobs) {
    QJsonArray list;
    for (const JobList::Job& job : jobs.jobs())
        list.append(QJsonObject{{QStringLiteral("title"), job.title},
                                {QStringLiteral("state"), static_cast<int>(job.state)},
                                {QStringLiteral("phase"), job.progress.phase},
                                {QStringLiteral("done"), job.progress.done},
                                {QStringLiteral("total"), job.progress.total},
                                {QStringLiteral("outcome"), job.outcome}});
    return list;
}

/// At work first, then those that wait in the order of their turns.
QJsonArray liveFacts(const LiveRuns& live) {
    QJsonArray list;
    for (const LiveRun* run : live.runs()) {
        QJsonObject one{{QStringLiteral("number"), run->number()},
                        {QStringLiteral("title"), liveTitle(*run)},
                        {QStringLiteral("atWork"), run->isAtWork()},
                        {QStringLiteral("held"), run->isHeld()}};
        if (const auto now = run->snapshot()) {
            one.insert(QStringLiteral("id"), QString::fromStdString(now->id));
            one.insert(QStringLiteral("step"), static_cast<qint64>(now->progress.done));
        }
        list.append(one);
    }
    return list;
}

QJsonArray messageFacts(const MessageLog& log) {
    constexpr std::size_t kLast = 50;
    const auto& messages = log.messages();
    QJsonArray list;
    for (std::size_t i = messages.size() > kLast ? messages.size() - kLast : 0; i < messages.size();
         ++i)
        list.append(QJsonObject{{QStringLiteral("kind"), static_cast<int>(messages[i].kind)},
                                {QStringLiteral("text"), messages[i].text}});
    return list;
}

QJsonObject undoFacts(const QUndoStack& stack) {
    QJsonArray names;
    for (int i = 0; i < stack.count(); ++i) names.append(stack.text(i));
    return {{QStringLiteral("names"), names}, {QStringLiteral("index"), stack.index()}};
}

/// What there is to be reached, shown or not; commands are among the actions.
QJsonObject allNames(const std::vector<ViewSpec>& specs) {
    QJsonObject views;
    QJsonArray settings;
    for (const ViewSpec& spec : specs) views.insert(spec.id, spec.title);
    for (const SettingSpec& spec : settingTable()) settings.append(QLatin1String(spec.key));
    return {{QStringLiteral("views"), views}, {QStringLiteral("settings"), settings}};
}

QJsonObject trainingFacts(const TrainSession& training) {
    QJsonObject facts{{QStringLiteral("shown"), training.record().hasRun()},
                      {QStringLiteral("live"), training.record().isLive()},
                      {QStringLiteral("paused"), training.record().isPaused()},
                      {QStringLiteral("title"), training.record().title()}};
    if (training.record().numbers() == nullptr) return facts;
    facts.insert(QStringLiteral("step"), static_cast<qint64>(training.record().step()));
    facts.insert(QStringLiteral("total"), static_cast<qint64>(training.record().totalSteps()));
    if (const auto& snapshot = training.record().snapshot())
        facts.insert(QStringLiteral("id"), QString::fromStdString(snapshot->id));
    return facts;
}

QJsonObject scopeFacts(Frame& frame) {
    QJsonObject facts;
    for (const QString& id : frame.instances()) {
        auto* one = qobject_cast<PlanScope*>(frame.scope(id));
        if (!one || !frame.isViewShown(id)) continue;
        const PlanSession& session = one->session();
        facts.insert(id, QJsonObject{{QStringLiteral("text"), one->text()},
                                     {QStringLiteral("frozen"), one->isFrozen()},
                                     {QStringLiteral("run"), session.runId()},
                                     {QStringLiteral("world"),
                                      session.isOpen() ? session.loaded().title : QString()}});
    }
    return facts;
}

}  // namespace

QJsonObject windowFacts(MainWindow& window, const EventWatch* watch) {
    QJsonArray shown;
    for (const ViewSpec& spec : window.views())
        if (window.isViewShown(spec.id)) shown.append(spec.id);
    QJsonObject facts{{QStringLiteral("firstPaintSeconds"), window.firstPaintSeconds()},
                      {QStringLiteral("runsListedSeconds"), window.runsListedSeconds()},
                      {QStringLiteral("settled"), window.isSettled()},
                      {QStringLiteral("minimized"), window.isMinimized()},
                      {QStringLiteral("maximized"), window.isMaximized()},
                      {QStringLiteral("perspective"), window.perspective()},
                      {QStringLiteral("views"), shown},
                      {QStringLiteral("currentView"), window.centre().currentView()},
                      {QStringLiteral("scopes"), scopeFacts(window)},
                      {QStringLiteral("theme"), nameOf(window.theme())},
                      {QStringLiteral("canGoBack"), window.selection().canGoBack()},
                      {QStringLiteral("canGoForward"), window.selection().canGoForward()},
                      {QStringLiteral("jobs"), jobFacts(window.jobs())},
                      {QStringLiteral("messages"), messageFacts(window.messages())},
                      {QStringLiteral("undo"), undoFacts(window.undoStack())}};
    facts.insert(QStringLiteral("session"),
                 withRunName(sessionFacts(window.session()), window.archive()));
    if (const auto& marks = window.selection().stateMarks()) {
        facts.insert(QStringLiteral("foundStates"), static_cast<qint64>(marks->total()));
        facts.insert(QStringLiteral("foundText"), window.selection().stateMarksText());
    }
    QJsonObject run{{QStringLiteral("live"), window.live().isLive()}};
    if (const auto& snapshot = window.live().last()) {
        const std::string_view state = nameOf(snapshot->state);
        run.insert(QStringLiteral("id"), QString::fromStdString(snapshot->id));
        run.insert(QStringLiteral("state"),
                   QString::fromUtf8(state.data(), static_cast<qsizetype>(state.size())));
        run.insert(QStringLiteral("seconds"), snapshot->seconds);
    }
    facts.insert(QStringLiteral("run"), run);
    facts.insert(QStringLiteral("liveRuns"), liveFacts(window.live()));
    if (const Workspace* workspace = window.archive().workspace())
        facts.insert(
            QStringLiteral("workspace"),
            QString::fromStdString(std::filesystem::absolute(workspace->folder()).string()));
    facts.insert(QStringLiteral("training"), trainingFacts(window.training()));
    facts.insert(QStringLiteral("all"), allNames(window.views()));
    if (watch != nullptr) facts.insert(QStringLiteral("watch"), watch->toJson());
    return facts;
}

}  // namespace orrery
