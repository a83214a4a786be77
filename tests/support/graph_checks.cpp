#include "tests/support/graph_checks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {

namespace {

constexpr std::size_t kMostLines = 20;

/// Collects lines; further ones are dropped.
class Report {
public:
    template <class A, class B>
    void equal(const std::string& what, const A& a, const B& b) {
        if (!(a == b)) add(what + ": " + text(a) + " and " + text(b));
    }
    void check(bool holds, const std::string& what) {
        if (!holds) add(what);
    }
    void add(const std::string& line) {
        if (m_lines.size() < kMostLines) m_lines.push_back(line);
    }
    bool isFull() const { return m_lines.size() >= kMostLines; }
    Mismatches take() { return std::move(m_lines); }

private:
    static std::string text(double value) { return formatDouble(value); }
    static std::string text(bool value) { return value ? "true" : "false"; }
    template <class Integer>
    static std::string text(const Integer& value) {
        return std::to_string(value);
    }
    Mismatches m_lines;
};

Configuration keyOf(const StateGraph& graph, ConfigIndex config) {
    const auto key = graph.configuration(config);
    return {key.begin(), key.end()};
}

std::string nameOf(const StateGraph& graph, ConfigIndex config) {
    return "configuration " + std::to_string(config) + " (" +
           describe(graph.world(), graph.configuration(config)) + ")";
}

using Row = std::map<Configuration, double>;

Row rowOf(const StateGraph& graph, ConfigIndex config, ActionProfileIndex profile) {
    Row row;
    for (const GraphOutcome& outcome : graph.outcomes(config, profile))
        row[keyOf(graph, outcome.successor)] += outcome.probability;
    return row;
}

/// The configurations of a step with their indices.
std::map<Configuration, ConfigIndex> levelOf(const StateGraph& graph, int step) {
    std::map<Configuration, ConfigIndex> level;
    for (std::int64_t k = 0; k < graph.levelSize(step); ++k) {
        const ConfigIndex config = graph.levelMember(step, k);
        level[keyOf(graph, config)] = config;
    }
    return level;
}

bool sameRows(const StateGraph& a, const StateGraph& b, ConfigIndex config) {
    if (a.isExpanded(config) != b.isExpanded(config)) return false;
    if (!a.isExpanded(config)) return true;
    const ConfigRows left = a.rows(config);
    const ConfigRows right = b.rows(config);
    if (left.numEntries != right.numEntries || (left.count == nullptr) != (right.count == nullptr))
        return false;
    if (!std::equal(left.successor, left.successor + left.numEntries, right.successor))
        return false;
    return left.count == nullptr ||
           (std::equal(left.count, left.count + a.numProfiles(), right.count) &&
            std::equal(left.probability, left.probability + left.numEntries, right.probability));
}

void checkLevel(Report& report, const StateGraph& graph, int step, GraphCounts& expected) {
    const std::string name = "level " + std::to_string(step);
    std::int64_t members = 0;
    for (ConfigIndex c = 0; c < graph.numConfigs(); ++c) {
        if (!graph.inLevel(step, c)) continue;
        report.check(c >= graph.levelBegin(step) && c < graph.levelEnd(step),
                     name + " has a member outside its range");
        if (graph.levelMember(step, members) != c)
            report.add(name + ", other member " + std::to_string(members));
        if (graph.firstStep(c) > step) report.add(name + " comes before a member's first step");
        ++members;
        if (step + 1 == graph.numLevels()) continue;
        report.check(graph.isExpanded(c), nameOf(graph, c) + " has no rows");
        expected.actionRows += graph.numProfiles();
        expected.transitionEntries += graph.rows(c).numEntries;
    }
    report.equal(name + ", size", graph.levelSize(step), members);
    report.equal(name + ", range", graph.levelIsRange(step),
                 members == graph.levelEnd(step) - graph.levelBegin(step));
    expected.states += members;
}

void checkConfig(Report& report, const StateGraph& graph, ConfigIndex config) {
    const std::string name = nameOf(graph, config);
    const int first = graph.firstStep(config);
    report.check(graph.inLevel(first, config), name + " is not in its first level");
    for (int step = 0; step < first; ++step)
        report.check(!graph.inLevel(step, config), name + " is in a level before its first");
    report.check(graph.find(graph.configuration(config), first) == config,
                 name + " is not found again");
    if (!graph.isExpanded(config)) return;
    for (ActionProfileIndex p = 0; p < graph.numProfiles(); ++p) {
        double sum = 0;
        for (const GraphOutcome& outcome : graph.outcomes(config, p)) {
            if (!(outcome.probability >= 0 && outcome.probability <= 1))
                report.add(name + " has a probability of " + formatDouble(outcome.probability));
            sum += outcome.probability;
        }
        if (!(std::abs(sum - 1) < 1e-12))
            report.add(name + ", profile " + std::to_string(p) + ": probabilities sum to " +
                       formatDouble(sum));
    }
}

}  // namespace

Mismatches graphDifferences(const StateGraph& a, const StateGraph& b) {
    Report report;
    report.equal("folded", a.isFolded(), b.isFolded());
    report.equal("configurations", a.numConfigs(), b.numConfigs());
    report.equal("levels", a.numLevels(), b.numLevels());
    report.equal("entries", a.numEntries(), b.numEntries());
    report.equal("palette", a.palette().size(), b.palette().size());
    if (Mismatches early = report.take(); !early.empty()) return early;
    for (std::size_t i = 0; i < a.palette().size(); ++i)
        report.equal("palette " + std::to_string(i), a.palette()[i], b.palette()[i]);
    for (int step = 0; step < a.numLevels(); ++step) {
        report.equal("begin of level", a.levelBegin(step), b.levelBegin(step));
        report.equal("end of level", a.levelEnd(step), b.levelEnd(step));
        report.equal("range", a.levelIsRange(step), b.levelIsRange(step));
    }
    for (ConfigIndex c = 0; c < a.numConfigs() && !report.isFull(); ++c) {
        if (keyOf(a, c) != keyOf(b, c)) report.add(nameOf(a, c) + " is " + nameOf(b, c));
        for (int step = 0; step < a.numLevels(); ++step)
            report.equal("membership", a.inLevel(step, c), b.inLevel(step, c));
        if (!sameRows(a, b, c)) report.add(nameOf(a, c) + " has other rows");
    }
    return report.take();
}

Mismatches meaningDifferences(const StateGraph& a, const StateGraph& b) {
    Report report;
    report.equal("levels", a.numLevels(), b.numLevels());
    report.equal("states", a.counts().states, b.counts().states);
    report.equal("rows", a.counts().actionRows, b.counts().actionRows);
    report.equal("entries", a.counts().transitionEntries, b.counts().transitionEntries);
    for (int step = 0; step < std::min(a.numLevels(), b.numLevels()) && !report.isFull(); ++step) {
        const auto left = levelOf(a, step);
        const auto right = levelOf(b, step);
        report.equal("size of level " + std::to_string(step), left.size(), right.size());
        for (const auto& [key, config] : left) {
            const auto other = right.find(key);
            if (other == right.end()) {
                report.add(nameOf(a, config) + " is in step " + std::to_string(step) + " of one");
                continue;
            }
            if (step + 1 == a.numLevels()) continue;
            for (ActionProfileIndex p = 0; p < a.numProfiles(); ++p)
                if (rowOf(a, config, p) != rowOf(b, other->second, p))
                    report.add(nameOf(a, config) + " differs in profile " + std::to_string(p));
        }
    }
    return report.take();
}

Mismatches inconsistencies(const StateGraph& graph) {
    Report report;
    GraphCounts expected;
    for (int step = 0; step < graph.numLevels() && !report.isFull(); ++step)
        checkLevel(report, graph, step, expected);
    report.equal("states", graph.counts().states, expected.states);
    report.equal("rows", graph.counts().actionRows, expected.actionRows);
    report.equal("entries", graph.counts().transitionEntries, expected.transitionEntries);
    std::int64_t entries = 0;
    for (ConfigIndex c = 0; c < graph.numConfigs() && !report.isFull(); ++c) {
        checkConfig(report, graph, c);
        if (graph.isExpanded(c)) entries += graph.rows(c).numEntries;
    }
    report.equal("stored entries", graph.numEntries(), entries);
    report.equal("levels", graph.numLevels(), graph.world().maxSteps() + 1);
    return report.take();
}

Mismatches differencesFromPlainSearch(const StateGraph& graph) {
    Report report;
    const World& world = graph.world();
    std::set<Configuration> level{world.initialConfiguration()};
    for (int step = 0; step < graph.numLevels() && !report.isFull(); ++step) {
        const auto stored = levelOf(graph, step);
        report.equal("size of level " + std::to_string(step), stored.size(), level.size());
        std::set<Configuration> next;
        for (const Configuration& key : level) {
            const auto found = stored.find(key);
            if (found == stored.end()) {
                report.add("step " + std::to_string(step) + " lacks " + describe(world, key));
                continue;
            }
            if (step == world.maxSteps()) continue;
            for (ActionProfileIndex p = 0; p < world.numProfiles(); ++p) {
                Row expected;
                for (const Outcome& outcome : world.outcomes(key, step, p)) {
                    expected[outcome.successor] += outcome.probability;
                    next.insert(outcome.successor);
                }
                if (rowOf(graph, found->second, p) != expected)
                    report.add(nameOf(graph, found->second) + ": other outcomes of " +
                               world.profileText(p) + " in step " + std::to_string(step));
            }
        }
        level = std::move(next);
    }
    return report.take();
}

bool refusedAsDamaged(const std::function<void()>& open) {
    try {
        open();
    } catch (const Error& e) {
        return e.kind() == Error::Kind::Damaged;
    }
    return false;
}

}  // namespace orrery
