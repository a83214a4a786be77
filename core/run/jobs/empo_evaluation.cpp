#include "core/run/jobs/empo_evaluation.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/run/jobs/exact_solution.h"
#include "core/run/jobs/train_job.h"
#include "core/train/empo/empo_training.h"

namespace orrery {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kWorstShown = 10;    // states, for people
constexpr std::size_t kWorstListed = 100;  // the same in JSON

struct Evaluated {
    EvaluateRequest request;
    std::vector<std::string> whyNotExact;  // [worlds] empty where there is an exact solution
    Evaluation result;

    /// Null where there was nothing to compare with.
    const ExactError* error(std::size_t world) const {
        return request.exact[world] && world < result.errors.size() ? &result.errors[world]
                                                                    : nullptr;
    }
};

double badness(const ExactError::StateError& state) {
    return std::max(state.v_h_e, state.pi_r);
}

/// The worst states, the worst first.
std::vector<ExactError::StateError> worstOf(const ExactError& error, std::size_t count) {
    std::vector<ExactError::StateError> states = error.byState;
    count = std::min(count, states.size());
    std::ranges::partial_sort(states, states.begin() + static_cast<std::ptrdiff_t>(count),
                              std::ranges::greater{}, badness);
    states.resize(count);
    return states;
}

/// Share of humans that attained their goal, and mean steps of an episode.
struct EpisodeMeans {
    double attained = 0, steps = 0;
};

EpisodeMeans meansOf(const std::vector<Evaluation::Episode>& episodes) {
    EpisodeMeans means;
    double humans = 0, attained = 0;
    for (const Evaluation::Episode& episode : episodes) {
        means.steps += static_cast<double>(episode.steps);
        humans += static_cast<double>(episode.attainedAt.size());
        attained += static_cast<double>(
            std::ranges::count_if(episode.attainedAt, [](int step) { return step >= 0; }));
    }
    if (!episodes.empty()) means.steps /= static_cast<double>(episodes.size());
    if (humans > 0) means.attained = attained / humans;
    return means;
}

Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json(formatDouble(value));
}

Json errorJson(const Evaluated& evaluated, std::size_t world) {
    Json json{{"world", evaluated.request.worlds[world]->name()},
              {"world_hash", evaluated.request.worlds[world]->contentHash()}};
    const ExactError* error = evaluated.error(world);
    if (error == nullptr) {
        json["why_not_exact"] = evaluated.whyNotExact[world];
        return json;
    }
    json["v_h_e"] = number(error->v_h_e);
    json["pi_r"] = number(error->pi_r);
    json["x_h"] = number(error->x_h);
    json["v_r"] = number(error->v_r);
    json["worst_v_h_e"] = number(error->worst_v_h_e);
    json["worst_pi_r"] = number(error->worst_pi_r);
    json["states"] = error->states;
    json["unvisited"] = error->unvisited;
    json["worst"] = Json::array();
    for (const auto& state : worstOf(*error, kWorstListed))
        json["worst"].push_back({{"step", state.state.step},
                                 {"config", state.state.config},
                                 {"v_h_e", number(state.v_h_e)},
                                 {"pi_r", number(state.pi_r)},
                                 {"visited", state.visited}});
    return json;
}

Json jsonOf(const Evaluated& evaluated) {
    auto worlds = Json::array();
    for (std::size_t w = 0; w < evaluated.request.worlds.size(); ++w)
        worlds.push_back(errorJson(evaluated, w));
    auto episodes = Json::array();
    for (const Evaluation::Episode& episode : evaluated.result.episodes)
        episodes.push_back({{"steps", episode.steps}, {"attained_at", episode.attainedAt}});
    const EpisodeMeans means = meansOf(evaluated.result.episodes);
    return {{"worlds", std::move(worlds)},
            {"attained", means.attained},
            {"mean_steps", means.steps},
            {"episodes", std::move(episodes)}};
}

void addError(const Evaluated& evaluated, std::size_t world,
              std::vector<RunEvaluation::Part>& parts) {
    const std::string name = escaped(evaluated.request.worlds[world]->name(), 60);
    const ExactError* error = evaluated.error(world);
    if (error == nullptr) {
        parts.push_back({.line = name + ": no exact values to compare with: " +
                                 escaped(evaluated.whyNotExact[world], 200)});
        return;
    }
    parts.push_back({.line = name + ": error to the exact solution over " + grouped(error->states) +
                             " states, " + grouped(error->unvisited) + " of them never visited",
                     .columns = {{"quantity"}, {"error"}, {"mean", true}, {"worst 1 %", true}},
                     .rows = {{"V_h^e", "|learned - exact|", error->v_h_e, error->worst_v_h_e},
                              {"pi_r", "total variation", error->pi_r, error->worst_pi_r},
                              {"X_h", "|learned / exact - 1|", error->x_h, ""},
                              {"V_r", "|learned / exact - 1|", error->v_r, ""}}});
    RunEvaluation::Part worst{.columns = {{"worst states: step", true},
                                          {"configuration", true},
                                          {"V_h^e", true},
                                          {"pi_r", true},
                                          {"visited"}}};
    for (const auto& state : worstOf(*error, kWorstShown))
        worst.rows.push_back({std::to_string(state.state.step), std::to_string(state.state.config),
                              state.v_h_e, state.pi_r, state.visited ? "yes" : "no"});
    if (!worst.rows.empty()) parts.push_back(std::move(worst));
}

RunEvaluation reportOf(const Evaluated& evaluated) {
    RunEvaluation report{.json = jsonOf(evaluated).dump()};
    for (std::size_t w = 0; w < evaluated.request.worlds.size(); ++w) {
        addError(evaluated, w, report.parts);
        const ExactError* error = evaluated.error(w);
        if (error == nullptr) continue;
        const std::string end = w == 0 ? "" : "_" + std::to_string(w + 1);
        report.metrics.push_back({"Evaluation/v_h_e_error" + end, error->v_h_e});
        report.metrics.push_back({"Evaluation/pi_r_error" + end, error->pi_r});
    }
    if (evaluated.result.episodes.empty()) return report;
    const EpisodeMeans means = meansOf(evaluated.result.episodes);
    report.parts.push_back({.line = grouped(std::ssize(evaluated.result.episodes)) +
                                    " episodes: " + shortNumber(100 * means.attained) +
                                    " % of the humans attained their goal, " +
                                    shortNumber(means.steps) + " steps in the mean"});
    report.metrics.push_back({"Evaluation/attained", means.attained});
    report.metrics.push_back({"Evaluation/steps", means.steps});
    return report;
}

}  // namespace

std::optional<RunEvaluation> evaluateEmpoRun(const RunSpec& spec, const Checkpoint& checkpoint,
                                             const EvaluationWish& wish,
                                             const ProgressSink& progress, std::stop_token stop) {
    const auto& job = spec.job.as<TrainJob>();
    Evaluated evaluated;
    EvaluateRequest& request = evaluated.request;
    request.spec = job.empo;
    request.worlds = requireWorlds(worldRefs(job));
    request.checkpoint = checkpoint.folder();
    request.episodes = wish.episodes;
    const EmpoLibrary& library = empoLibrary();
    const std::int64_t most = wish.exactStates.value_or(job.exactStates);
    for (const auto& world : request.worlds) {
        ExactSolution exact = exactSolutionOf(world, job.empo, most, stop, progress);
        if (stop.stop_requested()) return std::nullopt;
        request.exact.push_back(exact.solution);
        evaluated.whyNotExact.push_back(exact.whyNot);
    }
    evaluated.result = library.evaluate(request, progress, stop);
    if (stop.stop_requested()) return std::nullopt;
    return reportOf(evaluated);
}

}  // namespace orrery
