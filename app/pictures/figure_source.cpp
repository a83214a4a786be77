#include "app/pictures/figure_source.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>

#include "core/base/error.h"
#include "core/base/thread_team.h"
#include "core/dag/state_graph.h"
#include "core/history/workspace.h"
#include "core/run/archive/reopen.h"
#include "core/run/builtin_worlds.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run_spec.h"
#include "core/solve/solution.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/selection_address.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/metric_charts.h"
#include "widgets/dag/state_query.h"

namespace orrery {

namespace {

constexpr std::size_t kMostMoments = 10'000;

/// "k1f-0a": the words of a state, as addresses write them.
QString wordsText(const std::vector<std::uint64_t>& words) {
    QStringList parts;
    for (const std::uint64_t word : words) parts << QString::number(word, 16);
    return u'k' + parts.join(u'-');
}

QJsonArray jsonOf(const Moment& moment) {
    return {moment.state.step, wordsText(moment.state.words), static_cast<qint64>(moment.profile)};
}

struct KeptMoment {
    int step = 0;
    std::vector<std::uint64_t> words;
    std::uint32_t profile = 0;
};

KeptMoment momentOf(const QJsonArray& json) {
    const auto address = parseAddress(
        QStringLiteral("orrery:t%1/%2").arg(json.at(0).toInt(-1)).arg(json.at(1).toString()));
    if (json.size() != 3 || !address || address->words.empty())
        throw Error("source.walk of the figure holds something that is no state.",
                    Error::Kind::BadInput);
    return {address->step, address->words, static_cast<std::uint32_t>(json.at(2).toInteger())};
}

std::string textOf(const QJsonObject& source, const char* key) {
    return source.value(QLatin1String(key)).toString().toStdString();
}

/// The spec that solves what is shown, where no stored run has these values.
QJsonObject solveOf(const PlanSession& session) {
    RunSpec spec;
    auto& job = spec.job.as<SolveJob>();
    job.world.name = session.loaded().name;
    job.solve = session.solution()->spec();
    spec.seed = job.solve.seed;
    return QJsonDocument::fromJson(QByteArray::fromStdString(toJson(spec))).object();
}

/// Paths that people may move together stay relative.
QString relativePath(const std::filesystem::path& path, const QString& folder) {
    return QDir(folder).relativeFilePath(
        QFileInfo(QString::fromStdString(path.string())).absoluteFilePath());
}

std::string resolved(const std::string& path, const QString& folder) {
    return QDir::cleanPath(QDir(folder).absoluteFilePath(QString::fromStdString(path)))
        .toStdString();
}

/// Explores and solves as `source.solve` says; null if stopped.
std::shared_ptr<const Solution> solved(const QJsonObject& wanted, const SolveJob& world,
                                       std::shared_ptr<const StateGraph> graph,
                                       const std::shared_ptr<const World>& opened,
                                       const std::stop_token& stop) {
    const RunSpec spec = runSpecFromJson(
        QJsonDocument(wanted).toJson(QJsonDocument::Compact).toStdString(), "source.solve");
    SolveSpec solveSpec = requireSolve(spec, "source.solve").solve;
    solveSpec.seed = spec.seed;
    solveSpec.threads = processorCount();
    if (!graph)
        graph = explore(opened,
                        {.threads = solveSpec.threads,
                         .memoryBudget = solveSpec.memoryBudget,
                         .unrolled = world.unrolled},
                        stop, {});
    return graph ? solve(graph, solveSpec, {}, stop) : nullptr;
}

/// The world and, if there is one, its solution.
bool openWorld(PlanSession& session, const QJsonObject& source,
               const std::filesystem::path& workspace, const QString& folder,
               const std::stop_token& stop) {
    const std::string run = textOf(source, "run");
    const QJsonObject solve = source.value(QLatin1String("solve")).toObject();
    std::optional<ReopenedSolve> reopened;
    SolveJob job;
    job.world.name = textOf(source, "world");
    if (!run.empty()) {
        const auto archive = Workspace::open(workspace, Workspace::Mode::ReadOnly);
        reopened = reopenSolution(*archive, run, stop);
        if (!reopened) return false;
        job = reopened->spec.job.as<SolveJob>();
        session.open(loadedOf(job.world, reopened->world));
    } else {
        if (source.contains(QLatin1String("worldText")))
            job.world.text = textOf(source, "worldText");
        else if (!isBuiltinWorld(job.world.name))
            job.world.name = resolved(job.world.name, folder);
        const LoadedWorld loaded = loadWorld(job.world);
        if (!loaded.world)
            throw Error(loaded.problems.join(u'\n').toStdString(), Error::Kind::BadInput);
        session.open(loaded);
    }
    std::shared_ptr<const Solution> solution = reopened ? reopened->solution : nullptr;
    if (!solve.isEmpty()) {
        solution =
            solved(solve, job, reopened ? reopened->graph : nullptr, session.loaded().world, stop);
        if (!solution) return false;
    }
    if (solution) session.attach(solution, QString::fromStdString(run));
    return true;
}

void replayWalk(PlanSession& session, const QJsonArray& walk) {
    const auto missing = [](int step) {
        return Error("The world of the figure has no such state at step " + std::to_string(step) +
                         ". Its world or run was changed: save the figure "
                         "again.",
                     Error::Kind::BadInput);
    };
    bool isFirst = true;
    for (const auto& value : walk) {
        const KeptMoment moment = momentOf(value.toArray());
        if (std::exchange(isFirst, false)) {
            Address address;
            address.step = moment.step;
            address.words = moment.words;
            if (!session.goTo(address)) throw missing(moment.step);
            continue;
        }
        session.selection().setCurrent(JointActionItem{moment.profile});
        const auto& rows = session.successors();
        const auto row = std::ranges::find_if(rows, [&](const SuccessorRow& r) {
            return r.state.step == moment.step && r.state.words == moment.words;
        });
        if (row == rows.end()) throw missing(moment.step);
        session.follow(static_cast<std::size_t>(row - rows.begin()));
    }
}

bool findStates(PlanSession& session, const QString& text, const std::stop_token& stop) {
    const auto solution = session.solution();
    if (text.isEmpty() || !solution) return true;
    const StateGraph& graph = solution->graph();
    const StateQuery query(session.world(), solution, text);
    const auto marks = query.run(graph, processorCount(), stop);
    if (!marks) return false;
    session.selection().setStateMarks(marks, text, {});
    return true;
}

void select(PlanSession& session, const QJsonObject& source) {
    const auto number = [&](const char* key) { return source.value(QLatin1String(key)).toInt(-1); };
    const World& world = session.world();
    Selection& selection = session.selection();
    const int human = number("human"), goal = number("goal"), agent = number("agent");
    if (human >= 0 && human < std::ssize(world.goals())) {
        selection.setCurrent(HumanItem{human});
        const auto& goals = world.goals()[static_cast<std::size_t>(human)].goals;
        if (goal >= 0 && goal < std::ssize(goals)) selection.setCurrent(GoalItem{human, goal});
    }
    if (agent >= 0 && agent < world.numAgents()) selection.setCurrent(AgentItem{agent});
    if (const qint64 profile = source.value(QLatin1String("profile")).toInteger(-1); profile >= 0)
        selection.setCurrent(JointActionItem{static_cast<std::uint32_t>(profile)});
}

}  // namespace

QJsonObject workspaceSource(const std::filesystem::path& workspace, const QString& folder) {
    if (workspace.empty() || workspace == Workspace::defaultFolder()) return {};
    return {{QStringLiteral("workspace"), relativePath(workspace, folder)}};
}

QJsonObject figureSource(const PlanSession& session, const std::filesystem::path& workspace,
                         const QString& folder) {
    QJsonObject source = workspaceSource(workspace, folder);
    if (!session.isOpen()) return source;
    const std::string& name = session.loaded().name;
    source.insert(QStringLiteral("world"), QString::fromStdString(name));
    if (!session.runId().isEmpty())
        source.insert(QStringLiteral("run"), session.runId());
    else if (!isBuiltinWorld(name))
        source.insert(QStringLiteral("worldText"), QString::fromStdString(session.loaded().text));
    if (session.solution() && (session.runId().isEmpty() || session.showsVariant()))
        source.insert(QStringLiteral("solve"), solveOf(session));
    QJsonArray walk;
    const std::size_t end = session.walkIndex() + 1;
    for (std::size_t i = end > kMostMoments ? end - kMostMoments : 0; i < end; ++i)
        walk.append(jsonOf(session.walk()[i]));
    source.insert(QStringLiteral("walk"), walk);
    source.insert(QStringLiteral("profile"), static_cast<qint64>(session.profile()));
    const Selection& selection = session.selection();
    if (const auto* human = selection.current<HumanItem>())
        source.insert(QStringLiteral("human"), human->human);
    if (const auto* goal = selection.current<GoalItem>()) {
        source.insert(QStringLiteral("human"), goal->human);
        source.insert(QStringLiteral("goal"), goal->goal);
    }
    if (const auto* agent = selection.current<AgentItem>())
        source.insert(QStringLiteral("agent"), agent->agent);
    if (selection.stateMarks() && !selection.stateMarksText().isEmpty())
        source.insert(QStringLiteral("found"), selection.stateMarksText());
    return source;
}

QJsonObject runsFigureSource(CompareView& view, const Selection& selection,
                             const std::filesystem::path& workspace, const QString& folder) {
    const CompareSet& set = view.compareSet();
    QStringList runs;
    for (const int row : set.rows) runs << set.idOf(row);
    QJsonObject source = runsFigureSource(runs, workspace, folder);
    source.insert(QStringLiteral("metrics"), QJsonArray::fromStringList(view.charts()->metrics()));
    if (const auto* current = selection.current<RunItem>())
        source.insert(QStringLiteral("current"), current->id);
    return source;
}

QJsonObject runsFigureSource(const QStringList& runIds, const std::filesystem::path& workspace,
                             const QString& folder) {
    QJsonObject source = workspaceSource(workspace, folder);
    source.insert(QStringLiteral("runs"), QJsonArray::fromStringList(runIds));
    return source;
}

std::filesystem::path figureWorkspace(const QJsonObject& source, const QString& folder) {
    const std::string named = textOf(source, "workspace");
    return named.empty() ? Workspace::defaultFolder()
                         : std::filesystem::path(resolved(named, folder));
}

bool openFigureSource(PlanSession& session, const QJsonObject& source,
                      const std::filesystem::path& workspace, const QString& folder,
                      std::stop_token stop) {
    if (!openWorld(session, source, workspace, folder, stop)) return false;
    replayWalk(session, source.value(QLatin1String("walk")).toArray());
    select(session, source);
    return findStates(session, source.value(QLatin1String("found")).toString(), stop);
}

}  // namespace orrery
