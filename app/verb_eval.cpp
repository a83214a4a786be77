#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/stored_run.h"
#include "app/verb.h"
#include "app/workspace_option.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/run/best_checkpoint.h"
#include "core/run/exact_solution.h"
#include "core/run/reopen.h"
#include "core/run/train_job.h"
#include "core/train/empo/empo_training.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kWorstShown = 10;    // states, for people
constexpr std::size_t kWorstListed = 100;  // the same in JSON

struct EvalOptions {
    std::string run, workspace;
    std::string checkpoint;  // "best", a step, or empty: the newest good one
    std::int64_t episodes = 100;
    std::int64_t exactStates = -1;
    bool json = false;
};

/// What was asked for and what came out.
struct Evaluated {
    std::string run;
    EvaluateRequest request;
    std::vector<std::string> whyNotExact;  // [worlds] empty where there is an exact solution
    Evaluation result;
};

/// @return false if stopped
bool addExact(const TrainJob& job, const EvalOptions& options, Evaluated& evaluated,
              VerbContext& context) {
    const std::int64_t most = options.exactStates >= 0 ? options.exactStates : job.exactStates;
    for (const auto& world : evaluated.request.worlds) {
        ExactSolution exact =
            exactSolutionOf(world, job.empo, most, context.stop, context.console.progressSink());
        if (context.stop.stop_requested()) return false;
        evaluated.request.exact.push_back(exact.solution);
        evaluated.whyNotExact.push_back(exact.whyNot);
    }
    return true;
}

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

Json errorJson(const Evaluated& evaluated, std::size_t world) {
    Json json{{"world", evaluated.request.worlds[world]->name()},
              {"world_hash", evaluated.request.worlds[world]->contentHash()}};
    if (!evaluated.request.exact[world] || world >= evaluated.result.errors.size()) {
        json["why_not_exact"] = evaluated.whyNotExact[world];
        return json;
    }
    const ExactError& error = evaluated.result.errors[world];
    json["v_h_e"] = jsonNumber(error.v_h_e);
    json["pi_r"] = jsonNumber(error.pi_r);
    json["x_h"] = jsonNumber(error.x_h);
    json["v_r"] = jsonNumber(error.v_r);
    json["worst_v_h_e"] = jsonNumber(error.worst_v_h_e);
    json["worst_pi_r"] = jsonNumber(error.worst_pi_r);
    json["states"] = error.states;
    json["unvisited"] = error.unvisited;
    json["worst"] = Json::array();
    for (const auto& state : worstOf(error, kWorstListed))
        json["worst"].push_back({{"step", state.state.step},
                                 {"config", state.state.config},
                                 {"v_h_e", jsonNumber(state.v_h_e)},
                                 {"pi_r", jsonNumber(state.pi_r)},
                                 {"visited", state.visited}});
    return json;
}

Json evaluatedJson(const Evaluated& evaluated) {
    auto worlds = Json::array();
    for (std::size_t w = 0; w < evaluated.request.worlds.size(); ++w)
        worlds.push_back(errorJson(evaluated, w));
    auto episodes = Json::array();
    for (const Evaluation::Episode& episode : evaluated.result.episodes)
        episodes.push_back({{"steps", episode.steps}, {"attained_at", episode.attainedAt}});
    const EpisodeMeans means = meansOf(evaluated.result.episodes);
    return {{"run", evaluated.run},        {"checkpoint", evaluated.result.step},
            {"worlds", std::move(worlds)}, {"attained", means.attained},
            {"mean_steps", means.steps},   {"episodes", std::move(episodes)}};
}

void printError(const Evaluated& evaluated, std::size_t world, Console& console) {
    const std::string name = escaped(evaluated.request.worlds[world]->name(), 60);
    if (!evaluated.request.exact[world] || world >= evaluated.result.errors.size()) {
        console.line(name + ": no exact values to compare with: " +
                     escaped(evaluated.whyNotExact[world], 200));
        return;
    }
    const ExactError& error = evaluated.result.errors[world];
    console.line(name + ": error to the exact solution over " + grouped(error.states) +
                 " states, " + grouped(error.unvisited) + " of them never visited");
    TextTable table({{"quantity"}, {"error"}, {"mean", true}, {"worst 1 %", true}});
    table.add(
        {"V_h^e", "|learned - exact|", shortNumber(error.v_h_e), shortNumber(error.worst_v_h_e)});
    table.add({"pi_r", "total variation", shortNumber(error.pi_r), shortNumber(error.worst_pi_r)});
    table.add({"X_h", "|learned / exact - 1|", shortNumber(error.x_h), ""});
    table.add({"V_r", "|learned / exact - 1|", shortNumber(error.v_r), ""});
    table.print(console);
    TextTable worst({{"worst states: step", true},
                     {"configuration", true},
                     {"V_h^e", true},
                     {"pi_r", true},
                     {"visited"}});
    for (const auto& state : worstOf(error, kWorstShown))
        worst.add({std::to_string(state.state.step), std::to_string(state.state.config),
                   shortNumber(state.v_h_e), shortNumber(state.pi_r),
                   state.visited ? "yes" : "no"});
    if (!worst.isEmpty()) worst.print(console);
}

void printEvaluated(const Evaluated& evaluated, Console& console) {
    console.line(console.inked(Ink::Bold, "run " + evaluated.run + ", checkpoint of step " +
                                              grouped(evaluated.result.step)));
    for (std::size_t w = 0; w < evaluated.request.worlds.size(); ++w)
        printError(evaluated, w, console);
    if (evaluated.result.episodes.empty()) return;
    const EpisodeMeans means = meansOf(evaluated.result.episodes);
    console.line(grouped(std::ssize(evaluated.result.episodes)) + " episodes: " +
                 shortNumber(100 * means.attained) + " % of the humans attained their goal, " +
                 shortNumber(means.steps) + " steps in the mean");
}

/// Keeps the outcome as points of the run's curves, at the checkpoint's step.
void store(const Evaluated& evaluated, Workspace& workspace) {
    DbWriter& writer = workspace.writer();
    const auto add = [&](const std::string& key, double value) {
        RunEvent event;
        event.body = event::Metric{.step = evaluated.result.step, .key = key, .value = value};
        writer.record(evaluated.run, event);
    };
    for (std::size_t w = 0; w < evaluated.result.errors.size(); ++w) {
        if (!evaluated.request.exact[w]) continue;
        const std::string end = w == 0 ? "" : "_" + std::to_string(w + 1);
        add("Evaluation/v_h_e_error" + end, evaluated.result.errors[w].v_h_e);
        add("Evaluation/pi_r_error" + end, evaluated.result.errors[w].pi_r);
    }
    if (!evaluated.result.episodes.empty()) {
        const EpisodeMeans means = meansOf(evaluated.result.episodes);
        add("Evaluation/attained", means.attained);
        add("Evaluation/steps", means.steps);
    }
    writer.flush();
}

int runEval(const EvalOptions& options, VerbContext& context) {
    // A live run of another process can be evaluated too; then nothing is stored.
    const std::filesystem::path folder = workspaceFolder(options.workspace);
    openForReading(options.workspace, context.console);
    const auto workspace = Workspace::open(folder, Workspace::Mode::ReadWrite);
    Evaluated evaluated;
    evaluated.run = workspace->reader().findRun(options.run).id;
    requireTraining(
        *workspace, evaluated.run,
        "its values are exact. `orrery rollout " + evaluated.run + "` samples episodes of it.");
    const Checkpoint checkpoint = chosenCheckpoint(
        *workspace, evaluated.run, options.checkpoint,
        [&](const std::string& line) { context.console.message("warning: " + escaped(line)); });
    const RunSpec spec = storedSpecAt(*workspace, evaluated.run, checkpoint.manifest().step);
    const auto& job = spec.job.as<TrainJob>();
    EvaluateRequest& request = evaluated.request;
    request.spec = job.empo;
    request.worlds = requireWorlds(worldRefs(job));
    request.checkpoint = checkpoint.folder();
    request.episodes = options.episodes;
    const EmpoLibrary& library = empoLibrary();
    const bool isWhole = addExact(job, options, evaluated, context);
    if (isWhole)
        evaluated.result = library.evaluate(
            request, [&](const Progress& progress) { context.console.progress(progress); },
            context.stop);
    context.console.endProgress();
    if (!isWhole || context.stop.stop_requested()) return kStopped;
    if (options.json)
        context.console.json(evaluatedJson(evaluated));
    else
        printEvaluated(evaluated, context.console);
    if (workspace->writable())
        store(evaluated, *workspace);
    else
        context.console.message("note: not stored: " + escaped(workspace->readOnlyReason(), 300));
    return 0;
}

}  // namespace

void addEvalVerb(Verb& program) {
    auto options = std::make_shared<EvalOptions>();
    Verb& verb = program.add(
        {.name = "eval",
         .summary =
             "Measure what a training learned: episodes, and the error to the exact solution",
         .description =
             "Takes the run's newest good checkpoint, samples episodes of the learned policy and, "
             "where the world is small enough to be solved, compares every state: the mean error "
             "of V_h^e, the total variation of pi_r, and the worst states. The figures become "
             "points of the run's curves under Evaluation/.",
         .examples = {{"orrery eval 12", "the newest checkpoint of r00012"},
                      {"orrery eval 12 --checkpoint 4000 --episodes 1000 --json",
                       "an older one, as JSON with the hundred worst states"},
                      {"orrery eval 12 --checkpoint best",
                       "the one with the least error, or the least losses"}}},
        [options](VerbContext& context) { return runEval(*options, context); });
    verb.option("RUN", &options->run, "Id, number or name of a training", {.isRequired = true});
    verb.option("--checkpoint", &options->checkpoint,
                "Step of the checkpoint, or best; without it, the newest good one");
    verb.option("--episodes", &options->episodes, "Episodes to sample",
                {.showsDefault = true, .range = kNotNegative});
    verb.option("--exact-states", &options->exactStates,
                "Solve worlds with at most so many states; without it, as the run did",
                {.range = kNotNegative});
    addWorkspaceOption(verb, options->workspace);
    addJsonOption(verb, options->json);
}

}  // namespace orrery
