#include <optional>

#include "core/run/jobs/train_job.h"

namespace orrery {

std::vector<SpecProblem> trainProblems(const TrainJob& job) {
    std::vector<SpecProblem> problems = validate(job.empo);
    if (!job.worldTexts.empty() && job.worldTexts.size() != job.worlds.size())
        problems.push_back({"world_text", "must have one text for each world, got " +
                                              std::to_string(job.worldTexts.size()) + " for " +
                                              std::to_string(job.worlds.size())});
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
