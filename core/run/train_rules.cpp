#include <algorithm>
#include <array>
#include <optional>

#include "core/base/text.h"
#include "core/run/steering.h"
#include "core/run/train_job.h"

namespace orrery {

namespace {

void checkStop(const StopConditions& stop, std::vector<SpecProblem>& problems) {
    const bool needsMetric = stop.atMost || stop.atLeast || stop.plateauSteps;
    if (needsMetric && !stop.metric)
        problems.push_back({"stop_metric",
                            "is not set, but a condition looks at it; name a metric such as "
                            "Loss/q_r"});
}

void checkChanges(const TrainJob& job, std::vector<SpecProblem>& problems) {
    std::int64_t before = 0;
    for (std::size_t i = 0; i < job.changes.size(); ++i) {
        const TrainChange& change = job.changes[i];
        const std::string field = "changes[" + std::to_string(i) + "]";
        if (change.step < 0) {
            problems.push_back(
                {field, "must be \"STEP KEY=VALUE\", got '" + escaped(change.value, 80) + "'"});
            continue;
        }
        if (change.step < before)
            problems.push_back({field, "is of step " + std::to_string(change.step) +
                                           ", but stands behind one of step " +
                                           std::to_string(before)});
        before = change.step;
        if (const auto problem = changeProblem(job, change.key, change.value))
            problems.push_back({field, *problem});
    }
}

}  // namespace

std::vector<SpecProblem> trainProblems(const TrainJob& job) {
    std::vector<SpecProblem> problems = validate(job.empo);
    if (!job.worldTexts.empty() && job.worldTexts.size() != job.worlds.size())
        problems.push_back({"world_text", "must have one text for each world, got " +
                                              std::to_string(job.worldTexts.size()) + " for " +
                                              std::to_string(job.worlds.size())});
    if (job.fromRun.empty() && job.fromStep > 0)
        problems.push_back({"from_step", "needs from_run, the run that the checkpoint is of"});
    checkStop(job.stop, problems);
    checkChanges(job, problems);
    return problems;
}

std::span<const SpecAlias> trainAliases() {
    static const std::vector<SpecAlias> kAliases = [] {
        std::vector<SpecAlias> aliases{
            {"use_lookup_tables", "Tables instead of networks for all that is learned."}};
        for (const Quantity quantity : kQuantities)
            aliases.push_back({"use_lookup_" + std::string(nameOf(quantity)),
                               "A table instead of a network for " + symbolOf(quantity) + "."});
        aliases.push_back(
            {"use_lookup_q_h", "A table instead of a network for Q_h, where it is learned."});
        for (const Quantity quantity : {Quantity::X_h, Quantity::U_r, Quantity::V_r})
            aliases.push_back({nameOf(quantity) + std::string("_use_network"),
                               symbolOf(quantity) + " is learned; off: computed from the others."});
        return aliases;
    }();
    return kAliases;
}

void applyAliases(const std::map<std::string, bool, std::less<>>& given, EmpoSpec& spec) {
    const auto flag = [&](const std::string& name) -> std::optional<bool> {
        const auto found = given.find(name);
        return found == given.end() ? std::nullopt : std::optional(found->second);
    };
    const std::optional<bool> tables = flag("use_lookup_tables");
    const auto decide = [tables](Approximator& kind, std::optional<bool> own) {
        if (tables == false || own == false)
            kind = Approximator::Network;
        else if (tables == true || own == true)
            kind = Approximator::Table;
    };
    for (const Quantity quantity : kQuantities) {
        const std::string name = nameOf(quantity);
        Approximator& kind = spec.of(quantity).kind;
        const std::optional<bool> isLearned = flag(name + "_use_network");
        if (isLearned == false) kind = Approximator::Computed;
        if (isLearned == true && kind == Approximator::Computed) kind = Approximator::Network;
        if (kind == Approximator::Computed) continue;
        decide(kind, flag("use_lookup_" + name));
    }
    decide(spec.q_h.kind, flag("use_lookup_q_h"));
}

}  // namespace orrery
