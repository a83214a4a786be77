#include "core/run/archive/compare_runs.h"

#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "core/checkpoint/checkpoint_folder.h"
#include "core/run/archive/reopen.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/run_fields.h"
#include "core/run/run_kind.h"
#include "core/run/steering.h"

namespace orrery {

namespace {

constexpr std::int64_t kComparedBetweenChecks = 4096;

/// Collects differences of one table.
class Differences {
public:
    void add(double a, double b, State where, int human, int goal) {
        ++m_result.compared;
        if (std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b)) return;
        ++m_result.unequal;
        const double apart = std::abs(a - b);
        m_sum += apart;
        if (!(apart > m_result.largest)) return;
        m_result.largest = apart;
        m_result.where = where;
        m_result.human = human;
        m_result.goal = goal;
        m_result.a = a;
        m_result.b = b;
    }

    ValueDifference result() const {
        ValueDifference result = m_result;
        if (result.compared > 0) result.mean = m_sum / static_cast<double>(result.compared);
        return result;
    }

private:
    ValueDifference m_result;
    double m_sum = 0;
};

struct Tables {
    Differences v_r, v_h_e, v_h;
};

void compareState(const Solution& a, const Solution& b, State state, bool hasPhase2,
                  Tables& tables) {
    if (hasPhase2) tables.v_r.add(a.v_r(state), b.v_r(state), state, -1, -1);
    const auto goals = a.world().goals();
    for (int h = 0; h < static_cast<int>(goals.size()); ++h)
        for (int g = 0; g < static_cast<int>(goals[h].goals.size()); ++g) {
            tables.v_h.add(a.v_h(state, h, g), b.v_h(state, h, g), state, h, g);
            if (hasPhase2)
                tables.v_h_e.add(a.v_h_e(state, h, g), b.v_h_e(state, h, g), state, h, g);
        }
}

std::optional<ReopenedSolve> withValues(const Workspace& workspace, const std::string& id,
                                        std::string& whyNot, const std::stop_token& stop,
                                        const ProgressSink& progress) {
    const HistoryReader reader = workspace.reader();
    for (const ArtefactRow& row : reader.artefacts(id))
        if (row.kind == "values") return reopenSolution(workspace, id, stop, progress);
    const auto record = reader.run(id);
    const RunKind* kind = record ? kindOf(*record) : nullptr;
    whyNot = kind != nullptr && !kind->hasValues
                 ? "run " + id + " is a " + kind->noun + ", which has no exact values"
                 : "run " + id + " kept no values";
    return std::nullopt;
}

}  // namespace

namespace {

/// The files of what was learned; the clock's holds how long it took.
std::map<std::string, std::string> learnedFiles(const Checkpoint& checkpoint) {
    std::map<std::string, std::string> hashes;
    for (const CheckpointFile& file : checkpoint.manifest().files)
        if (file.name.ends_with(".safetensors") && file.name != "clock.safetensors")
            hashes[file.name] = file.sha256;
    return hashes;
}

/// Compares the newest checkpoints of two trainings; nothing if one has none.
std::optional<LearnedDifference> compareLearned(const Workspace& workspace, const std::string& a,
                                                const std::string& b) {
    const auto left = newestCheckpoint(workspace.runFolder(a)).checkpoint;
    const auto right = newestCheckpoint(workspace.runFolder(b)).checkpoint;
    if (!left || !right) return std::nullopt;
    LearnedDifference difference{.stepA = left->manifest().step, .stepB = right->manifest().step};
    const auto ours = learnedFiles(*left), theirs = learnedFiles(*right);
    std::set<std::string> names;
    for (const auto& [name, hash] : ours) names.insert(name);
    for (const auto& [name, hash] : theirs) names.insert(name);
    for (const std::string& name : names) {
        const auto first = ours.find(name), second = theirs.find(name);
        if (first == ours.end() || second == theirs.end() || first->second != second->second)
            difference.unequal.push_back(name);
    }
    return difference;
}

/// The changes of a training, whether its spec lists them or it was steered; taken out of the spec.
std::string takeSteering(RunSpec& spec) {
    const RunKind& kind = spec.job.kind();
    if (!kind.isTraining()) return {};
    std::string text;
    for (const TrainChange& change : std::exchange(kind.training(spec.job)->changes, {}))
        text += (text.empty() ? "" : ", ") + changeText(change);
    return text;
}

std::vector<FieldDifference> compareStored(const Workspace& workspace, const std::string& a,
                                           const std::string& b) {
    RunSpec left = repeatedSpec(workspace, a), right = repeatedSpec(workspace, b);
    FieldDifference steering{
        .field = "steering", .a = takeSteering(left), .b = takeSteering(right)};
    std::vector<FieldDifference> differences = compareSpecs(left, right);
    if (steering.a != steering.b) differences.push_back(std::move(steering));
    return differences;
}

}  // namespace

bool RunComparison::same() const {
    if (learned && !learned->same()) return false;
    const auto isEqual = [](const std::optional<ValueDifference>& table) {
        return !table || table->unequal == 0;
    };
    return fields.empty() && isEqual(v_r) && isEqual(v_h_e) && isEqual(v_h);
}

std::vector<FieldDifference> compareSpecs(const RunSpec& a, const RunSpec& b) {
    std::vector<FieldDifference> differences;
    const RunKind &kind = a.job.kind(), &other = b.job.kind();
    if (&kind != &other) return {{.field = "job", .a = kind.name, .b = other.name}};
    for (const auto& fields : {runFields(), kind.fields})
        for (const RunField& field : fields) {
            if (field.name == "name" || field.name == "note" || field.name == "world_text")
                continue;
            const FieldValue left = field.get(a);
            const FieldValue right = field.get(b);
            if (left != right)
                differences.push_back(
                    {.field = field.name, .a = fieldText(left), .b = fieldText(right)});
        }
    return differences;
}

std::optional<RunComparison> compareSolutions(const Solution& a, const Solution& b,
                                              std::stop_token stop, const ProgressSink& progress) {
    RunComparison comparison;
    comparison.sameWorld = a.world().contentHash() == b.world().contentHash();
    const StateGraph& graph = a.graph();
    if (!comparison.sameWorld || graph.isFolded() != b.graph().isFolded()) {
        comparison.whyNoValues =
            comparison.sameWorld ? "one graph is folded, the other is not" : "the worlds differ";
        return comparison;
    }
    const bool hasPhase2 = !a.spec().phase1Only && !b.spec().phase1Only;
    Tables tables;
    std::int64_t done = 0;
    for (int step = 0; step < graph.numLevels(); ++step) {
        for (ConfigIndex c = graph.levelBegin(step); c < graph.levelEnd(step); ++c) {
            if (!graph.inLevel(step, c)) continue;
            if (++done % kComparedBetweenChecks == 0 && stop.stop_requested()) return std::nullopt;
            compareState(a, b, {step, c}, hasPhase2, tables);
        }
        if (progress) progress({.phase = "compare", .done = done, .unit = "states", .level = step});
    }
    comparison.v_h = tables.v_h.result();
    if (hasPhase2) {
        comparison.v_r = tables.v_r.result();
        comparison.v_h_e = tables.v_h_e.result();
    }
    return comparison;
}

std::optional<RunComparison> compareRuns(const Workspace& workspace, const std::string& a,
                                         const std::string& b, std::stop_token stop,
                                         const ProgressSink& progress) {
    const HistoryReader reader = workspace.reader();
    const RunRecord left = reader.findRun(a);
    const RunRecord right = reader.findRun(b);
    RunComparison comparison;
    std::string whyNoValues;
    const bool sameWorld = !left.worldHash.empty() && left.worldHash == right.worldHash;
    if (!sameWorld) {
        whyNoValues = "the worlds differ";
    } else {
        const auto first = withValues(workspace, left.id, whyNoValues, stop, progress);
        const auto second = withValues(workspace, right.id, whyNoValues, stop, progress);
        if (stop.stop_requested()) return std::nullopt;
        if (first && second) {
            auto values = compareSolutions(*first->solution, *second->solution, stop, progress);
            if (!values) return std::nullopt;
            comparison = std::move(*values);
            whyNoValues = comparison.whyNoValues;
        }
    }
    if (isTraining(left) && isTraining(right))
        comparison.learned = compareLearned(workspace, left.id, right.id);
    comparison.a = left.id;
    comparison.b = right.id;
    comparison.sameWorld = sameWorld;
    comparison.whyNoValues = whyNoValues;
    comparison.fields = compareStored(workspace, left.id, right.id);
    return comparison;
}

}  // namespace orrery
