#include <algorithm>

#include "core/base/error.h"
#include "core/train/empo/driver/acting.h"
#include "core/train/empo/driver/empo_method.h"
#include "core/train/empo/driver/exact_error.h"
#include "core/train/empo/driver/training.h"
#include "core/train/train_checkpoint.h"

namespace orrery {

namespace {

/// An episode of the learned policy: the first goals of the humans are what counts.
Evaluation::Episode sampleEpisode(Collector& collector, const ActingRates& rates,
                                  const std::vector<WorldFacts>& facts,
                                  const std::stop_token& stop) {
    Evaluation::Episode episode;
    std::vector<std::int8_t> goals;
    bool ends = false;
    while (!ends && !stop.stop_requested()) {
        const Transition transition = collector.step(rates);
        const WorldFacts& world = facts[transition.layout];
        if (goals.empty()) {
            goals.assign(transition.goals.begin(),
                         transition.goals.begin() + std::ssize(world.humans));
            episode.attainedAt.assign(world.humans.size(), -1);
        }
        ++episode.steps;
        const auto state = transition.model->successorBytes(transition.reached);
        for (std::size_t h = 0; h < world.humans.size(); ++h) {
            const WorldFacts::Human& human = world.humans[h];
            const GoalRectangle& goal = human.goals[static_cast<std::size_t>(goals[h])];
            if (episode.attainedAt[h] < 0 && isAttained(world, state, human, goal))
                episode.attainedAt[h] = static_cast<int>(episode.steps);
        }
        ends = transition.endsEpisode;
    }
    return episode;
}

}  // namespace

Evaluation evaluateEmpo(const EvaluateRequest& request, const ProgressSink& progress,
                        std::stop_token stop) {
    Training training(request.spec,
                      trainWorldsOf(request.worlds, request.exact, request.spec.encodingRules()));
    std::vector<std::vector<std::byte>> collectors;
    const Checkpoint checkpoint = openCheckpoint(request.checkpoint);
    loadTraining(checkpoint, progressIn(checkpoint), training, collectors);
    Evaluation evaluation;
    evaluation.step = training.learner.stepsDone();
    const auto tell = [&](const char* phase, std::int64_t done, std::int64_t total) {
        if (progress) progress({.phase = phase, .done = done, .total = total, .unit = phase});
    };
    const auto numWorlds = static_cast<std::int64_t>(request.worlds.size());
    for (std::int64_t w = 0; w < numWorlds; ++w) {
        if (!training.worlds.exact[static_cast<std::size_t>(w)]) continue;
        ExactComparison comparison(request.spec, training.worlds, static_cast<int>(w), true);
        const auto error = comparison.compare(
            training.learner, training.visits, true, stop,
            [&](std::int64_t done) { tell("states", done, comparison.numStates()); });
        if (!error) return evaluation;
        evaluation.errors.resize(request.worlds.size());
        evaluation.errors[static_cast<std::size_t>(w)] = *error;
    }
    if (request.episodes == 0) return evaluation;
    // Goals are kept for the whole episode unless they are attained; a stream of its own.
    EmpoSpec spec = request.spec;
    spec.goalResampleProbability = 0;
    const ActingCollector acting = makeActingCollector(spec, training.worlds, 60'000);
    acting.values->use(training.learner.actingWeights());
    const ActingRates rates{.epsilon_r = 0,
                            .epsilon_h = 0,
                            .beta_r = training.learner.beta_eff(),
                            .curiosity = spec.curiosityCoefficient};
    for (std::int64_t k = 0; k < request.episodes && !stop.stop_requested(); ++k) {
        tell("episodes", k, request.episodes);
        evaluation.episodes.push_back(
            sampleEpisode(*acting.collector, rates, training.worlds.facts, stop));
    }
    return evaluation;
}

}  // namespace orrery
