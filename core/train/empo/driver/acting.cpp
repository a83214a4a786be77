#include "core/train/empo/driver/acting.h"

#include "core/base/error.h"
#include "core/collect/facts.h"
#include "core/train/empo/driver/learned_policy.h"

namespace orrery {

namespace {

CuriositySpec curiosityOf(const EmpoSpec& spec, Curiosity kind) {
    CuriositySpec curiosity;
    curiosity.scale = spec.curiosityScale;
    switch (kind) {
        case Curiosity::None:
            curiosity.kind = CuriositySpec::Kind::None;
            break;
        case Curiosity::Counts:
            curiosity.kind = CuriositySpec::Kind::Counts;
            break;
        case Curiosity::CountsUcb:
            curiosity.kind = CuriositySpec::Kind::CountsUcb;
            break;
        case Curiosity::Rnd:
            curiosity.kind = CuriositySpec::Kind::Given;
            break;
    }
    return curiosity;
}

RobotExplorationSpec::Kind kindOf(RobotExploration exploration) {
    switch (exploration) {
        case RobotExploration::Policy:
            break;
        case RobotExploration::Forward:
            return RobotExplorationSpec::Kind::Forward;
        case RobotExploration::Macro:
            return RobotExplorationSpec::Kind::Macro;
    }
    return RobotExplorationSpec::Kind::Policy;
}

}  // namespace

void LearnedValuesReader::use(std::shared_ptr<const ActingWeights> weights) {
    m_step = weights->step;
    m_reader.use(std::move(weights));
}

TrainWorlds trainWorldsOf(const std::vector<std::shared_ptr<const World>>& worlds,
                          const std::vector<std::shared_ptr<const Solution>>& exact,
                          EncodingRules rules) {
    TrainWorlds result{.worlds = worlds, .exact = exact, .facts = factsOf(worlds, rules)};
    result.exact.resize(worlds.size());
    return result;
}

std::unique_ptr<GoalPolicy> makeGoalPolicy(const EmpoSpec& spec, const TrainWorlds& worlds,
                                           std::size_t world) {
    const auto& exact = worlds.exact[world];
    switch (spec.humanPrior) {
        case HumanPrior::Exact:
            if (!exact)
                throw Error(
                    "World '" + worlds.worlds[world]->name() +
                        "' has no exact solution for human_prior: exact. Raise exact_states,"
                        " or set human_prior to shortest_paths.",
                    Error::Kind::BadInput);
            return makeExactPolicy(exact);
        case HumanPrior::Auto:
            if (exact) return makeExactPolicy(exact);
            return makeShortestPathPolicy(worlds.worlds[world], spec.beta_h);
        case HumanPrior::Learned:
            if (worlds.humans) return makeLearnedPolicy(worlds.humans, spec, worlds, world);
            return makeShortestPathPolicy(worlds.worlds[world], spec.beta_h);
        case HumanPrior::ShortestPaths:
            return makeShortestPathPolicy(worlds.worlds[world], spec.beta_h);
        case HumanPrior::Uniform:
            break;
    }
    return makeUniformPolicy(*worlds.worlds[world]);
}

ActingCollector makeActingCollector(const EmpoSpec& spec, const TrainWorlds& worlds, int index) {
    CollectorSpec collector;
    collector.index = static_cast<std::uint16_t>(index);
    collector.seed = spec.seed;
    collector.expectsHumans = spec.humanModel == HumanModel::Expected;
    collector.stepsPerEpisode = spec.stepsPerEpisode;
    collector.goalResampleProbability = spec.goalResampleProbability;
    collector.exploration_r = {.kind = kindOf(spec.exploration_r),
                               .macroSteps = spec.macroSteps,
                               .weights = spec.explorationPolicy};
    collector.exploration_h = spec.explorationPolicy_h;
    collector.curiosity_r = curiosityOf(spec, spec.curiosity_r);
    collector.curiosity_h = curiosityOf(spec, spec.curiosity_h);
    collector.modeller.includesStepCount = spec.includesStepCount;
    collector.modeller.hidesWhatIsUnder = spec.originalRules;

    std::vector<CollectorWorld> acted;
    for (std::size_t w = 0; w < worlds.worlds.size(); ++w)
        acted.push_back({worlds.worlds[w], worlds.facts[w], makeGoalPolicy(spec, worlds, w)});
    ActingCollector result;
    result.values = std::make_shared<LearnedValuesReader>(worlds.facts);
    result.collector =
        std::make_unique<Collector>(collector, std::move(acted), result.values, result.values);
    return result;
}

}  // namespace orrery
