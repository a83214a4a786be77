#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/text.h"
#include "core/run/jobs/entity_job.h"
#include "core/run/jobs/entity_kind.h"
#include "core/run/jobs/entity_run.h"
#include "core/train/entity/entity_training.h"

namespace orrery {

namespace {

using Json = nlohmann::ordered_json;

/// What episodes came to in one number each.
struct Spread {
    double mean = 0, deviation = 0, low = 0, high = 0, least = 0, most = 0;
};

/// Not empty. The interval holds the mean with 95 %, as if numbers were normal.
Spread spreadOf(const std::vector<double>& numbers) {
    const auto count = static_cast<double>(numbers.size());
    Spread spread{.mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / count};
    double squares = 0;
    for (const double number : numbers) squares += (number - spread.mean) * (number - spread.mean);
    if (numbers.size() > 1) spread.deviation = std::sqrt(squares / (count - 1));
    const double half = 1.96 * spread.deviation / std::sqrt(count);
    spread.low = spread.mean - half;
    spread.high = spread.mean + half;
    const auto [least, most] = std::ranges::minmax_element(numbers);
    spread.least = *least;
    spread.most = *most;
    return spread;
}

Json jsonOf(const Spread& spread) {
    return {{"mean", spread.mean},
            {"sd", spread.deviation},
            {"interval_95", {spread.low, spread.high}},
            {"min", spread.least},
            {"max", spread.most}};
}

std::vector<RunEvaluation::Cell> rowOf(const std::string& name, const Spread& spread) {
    return {name,
            spread.mean,
            spread.deviation,
            shortNumber(spread.low) + " to " + shortNumber(spread.high),
            spread.least,
            spread.most};
}

}  // namespace

std::optional<RunEvaluation> evaluateEntityRun(const RunSpec& spec, const Checkpoint& checkpoint,
                                               const EvaluationWish& wish,
                                               const ProgressSink& progress, std::stop_token stop) {
    const EntitySpec& entity = spec.job.as<EntityJob>().entity;
    const EntityEvaluation played = entityLibrary().evaluate(
        {.spec = entity,
         .environment =
             makerOf(entity.env,
                     {.processes = entity.rollout.threads, .stop = stop, .recordsSteps = false}),
         .checkpoint = checkpoint.folder(),
         .episodes = wish.episodes,
         .isGreedy = wish.isGreedy,
         .seed = spec.seed},
        progress, stop);
    if (stop.stop_requested()) return std::nullopt;
    RunEvaluation report;
    const std::string chosen = wish.isGreedy ? "likeliest choices" : "choices drawn";
    report.parts.push_back({.line = grouped(std::ssize(played.rewards)) + " episodes of " +
                                    escaped(entity.env.id, 60) + ", " + chosen});
    Json json{{"greedy", wish.isGreedy}, {"episodes", std::ssize(played.rewards)}};
    if (!played.rewards.empty()) {
        const Spread reward = spreadOf(played.rewards),
                     length = spreadOf({played.lengths.begin(), played.lengths.end()});
        report.parts.back().columns = {{"of an episode"},   {"mean", true},
                                       {"deviation", true}, {"95 % of the mean", true},
                                       {"least", true},     {"most", true}};
        report.parts.back().rows = {rowOf("reward", reward), rowOf("steps", length)};
        json["reward"] = jsonOf(reward);
        json["length"] = jsonOf(length);
        json["rewards"] = played.rewards;
        json["lengths"] = played.lengths;
        report.metrics = {{"Evaluation/episodic_reward", reward.mean},
                          {"Evaluation/episode_length", length.mean}};
    }
    report.json = json.dump();
    return report;
}

}  // namespace orrery
