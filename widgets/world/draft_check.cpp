#include "widgets/world/draft_check.h"

#include <QCoreApplication>
#include <algorithm>
#include <chrono>
#include <functional>
#include <map>

#include "core/base/error.h"
#include "core/dag/state_graph.h"
#include "core/world/world_editing.h"
#include "widgets/common/agent_letters.h"
#include "widgets/common/number_text.h"
#include "widgets/world/rules_form.h"
#include "widgets/world/spec_edit.h"
#include "widgets/world/spec_scene.h"

namespace orrery {

namespace {

constexpr double kMostSeconds = 1.5;
constexpr std::int64_t kMostConfigs = 300'000;
constexpr std::size_t kMostAgents = 20;  ///< whose ways are looked at
constexpr std::int64_t kMostBytes = std::int64_t{256} << 20;

QString findingText(const char* text) {
    return QCoreApplication::translate("DraftCheck", text);
}

/// The cells that agents of a class may come to stand in, row by row.
std::vector<bool> allWays(const WorldSpec& spec, int wayClass) {
    const WorldEditing& editing = editingOf(spec);
    const QSize size = sizeOf(spec);
    std::vector<bool> ways;
    ways.reserve(static_cast<std::size_t>(size.width()) * static_cast<std::size_t>(size.height()));
    for (int y = 0; y < size.height(); ++y)
        for (int x = 0; x < size.width(); ++x)
            ways.push_back(editing.isWay(editing.codeAt(spec, x, y), wayClass));
    return ways;
}

/// Those of them that an agent may get to.
std::vector<bool> waysFrom(const QPoint& from, const std::vector<bool>& ways, const QSize& size) {
    std::vector<bool> seen(ways.size());
    std::vector<QPoint> open{from};
    const auto indexOf = [&](const QPoint& cell) {
        return static_cast<std::size_t>(cell.y()) * static_cast<std::size_t>(size.width()) +
               static_cast<std::size_t>(cell.x());
    };
    seen[indexOf(from)] = true;
    while (!open.empty()) {
        const QPoint at = open.back();
        open.pop_back();
        for (const QPoint& side : {QPoint(1, 0), QPoint(0, 1), QPoint(-1, 0), QPoint(0, -1)}) {
            const QPoint next = at + side;
            if (!QRect(QPoint(0, 0), size).contains(next)) continue;
            if (!ways[indexOf(next)] || seen[indexOf(next)]) continue;
            seen[indexOf(next)] = true;
            open.push_back(next);
        }
    }
    return seen;
}

bool isAnyOpen(const std::vector<bool>& ways, const Goal& goal, const QSize& size) {
    for (int y = std::max(0, goal.y1); y <= std::min(size.height() - 1, goal.y2); ++y)
        for (int x = std::max(0, goal.x1); x <= std::min(size.width() - 1, goal.x2); ++x)
            if (ways[static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width()) +
                     static_cast<std::size_t>(x)])
                return true;
    return false;
}

void findEnclosed(const WorldSpec& spec, std::vector<WorldFinding>& findings) {
    const std::vector<SpecAgent> agents = agentsOf(spec);
    const std::vector<QString> letters = specLetters(spec);
    const std::vector<GoalList> lists = goalListsOf(spec);
    std::map<int, std::vector<bool>> all;  // by class of agents
    for (std::size_t i = 0; i < std::min(agents.size(), kMostAgents); ++i) {
        const int wayClass = editingOf(spec).wayClass(spec, static_cast<int>(i));
        if (!all.contains(wayClass)) all[wayClass] = allWays(spec, wayClass);
        const std::vector<bool> ways = waysFrom(agents[i].cell, all[wayClass], sizeOf(spec));
        if (std::ranges::count(ways, true) == 1)
            findings.push_back(
                {WorldFinding::Kind::Warning,
                 findingText("%1 is enclosed: it cannot leave its cell").arg(letters[i]),
                 agents[i].cell});
        if (!agents[i].isHuman) continue;
        const auto own = std::ranges::find(lists, static_cast<int>(i), &GoalList::agent);
        for (const Goal& goal : (own == lists.end() ? lists.front() : *own).goals)
            if (!isAnyOpen(ways, goal, sizeOf(spec)))
                findings.push_back({WorldFinding::Kind::Warning,
                                    findingText("Goal %1 is enclosed: %2 cannot get there")
                                        .arg(QString::fromStdString(goalText(goal)), letters[i]),
                                    QPoint(goal.x1, goal.y1)});
    }
}

/// Goals of humans that hold in no state at all.
void findNeverAttained(const StateGraph& graph, std::vector<WorldFinding>& findings) {
    const World& world = graph.world();
    const std::vector<QString> letters = agentLetters(world);
    const auto humans = world.goals();
    for (int h = 0; h < std::ssize(humans); ++h) {
        std::uint64_t attained = 0;
        for (ConfigIndex config = 0; config < graph.numConfigs(); ++config)
            attained |= world.attainedGoals(graph.configuration(config), h);
        const HumanGoals& human = humans[static_cast<std::size_t>(h)];
        for (std::size_t g = 0; g < human.goals.size(); ++g)
            if ((attained >> g & 1) == 0)
                findings.push_back({WorldFinding::Kind::Warning,
                                    findingText("%1 never attains goal %2 within %3 steps")
                                        .arg(letters[static_cast<std::size_t>(human.agent)],
                                             QString::fromStdString(goalText(human.goals[g])))
                                        .arg(world.maxSteps()),
                                    QPoint(human.goals[g].x1, human.goals[g].y1)});
    }
}

}  // namespace

std::vector<WorldFinding> findProblems(const WorldSpec& spec) {
    std::vector<WorldFinding> findings;
    bool hasErrors = false;
    for (const SpecProblem& problem : validate(spec)) {
        WorldFinding finding;
        finding.kind = problem.isWarning ? WorldFinding::Kind::Warning : WorldFinding::Kind::Error;
        hasErrors = hasErrors || !problem.isWarning;
        finding.text = QStringLiteral("%1: %2").arg(ruleLabel(problem.field),
                                                    QString::fromStdString(problem.text));
        if (problem.field == "map") {
            finding.text = QString::fromStdString(problem.text);
            if (!finding.text.isEmpty()) finding.text[0] = finding.text[0].toUpper();
            if (problem.row >= 0 && problem.column >= 0) {
                finding.cell = QPoint(problem.column, problem.row);
                finding.text = findingText("%1,%2: %3")
                                   .arg(problem.column)
                                   .arg(problem.row)
                                   .arg(QString::fromStdString(problem.text));
            }
        }
        findings.push_back(std::move(finding));
    }
    if (!hasErrors) findEnclosed(spec, findings);
    std::ranges::stable_sort(findings, std::greater(), &WorldFinding::kind);
    return findings;
}

std::shared_ptr<const StateEstimate> estimateStates(const std::shared_ptr<const World>& world,
                                                    std::stop_token stop) {
    auto estimate = std::make_shared<StateEstimate>();
    if (const auto why = world->whyNotPlannable()) {
        estimate->whyNot = QString::fromStdString("The world " + *why);
        return estimate;
    }
    std::stop_source enough;
    const std::stop_callback forward(stop, [&] { enough.request_stop(); });
    const auto start = std::chrono::steady_clock::now();
    const ProgressSink progress = [&](const Progress& now) {
        estimate->configs = now.done;
        estimate->step = std::max(0, now.level);
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
        if (now.done > kMostConfigs || spent.count() > kMostSeconds) enough.request_stop();
    };
    try {
        const auto graph = explore(world, {.threads = 1, .memoryBudget = kMostBytes},
                                   enough.get_token(), progress);
        if (stop.stop_requested()) return nullptr;
        if (!graph) return estimate;
        estimate->isExact = true;
        estimate->configs = graph->numConfigs();
        estimate->step = world->maxSteps();
        for (int step = 0; step < graph->numLevels(); ++step)
            estimate->states += graph->levelSize(step);
        findNeverAttained(*graph, estimate->findings);
    } catch (const Error& error) {
        if (error.kind() != Error::Kind::Resource)
            estimate->whyNot = QString::fromUtf8(error.what());
    }
    return estimate;
}

QString estimateText(const StateEstimate& estimate, int maxSteps) {
    if (!estimate.whyNot.isEmpty()) return estimate.whyNot;
    if (estimate.isExact)
        return findingText("%1 states, %2 steps (explored)")
            .arg(countText(estimate.states))
            .arg(maxSteps);
    return findingText("Over %1 configurations by step %2 of %3 (explored briefly)")
        .arg(countText(estimate.configs))
        .arg(estimate.step)
        .arg(maxSteps);
}

}  // namespace orrery
