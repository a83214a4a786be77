#include "core/run/train_kind.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/empo/spec_fields.h"
#include "core/run/result_facts.h"
#include "core/run/steering.h"
#include "core/run/train_job.h"
#include "core/run/train_run.h"

namespace orrery {

namespace {

void takeTrainWorlds(Job& job, const std::vector<WorldRef>& worlds) {
    TrainJob& train = job.as<TrainJob>();
    train.worlds.clear();
    train.worldTexts.clear();
    train.lenient = false;
    for (const WorldRef& world : worlds) {
        train.worlds.push_back(world.name);
        if (world.text) train.worldTexts.push_back(*world.text);
        train.lenient |= world.lenient;
    }
    if (train.worldTexts.size() != worlds.size()) train.worldTexts.clear();  // all are read
}

/// As a checkpoint of that step was learned, but for when the run was to stop.
void goToTrainStep(Job& job, const std::vector<TrainChange>& recorded, std::int64_t step) {
    TrainJob& train = job.as<TrainJob>();
    TrainJob steered = train;
    steered.changes = recorded;
    applyChangesUpTo(steered, step);
    applyChangesUpTo(train, step);
    train.empo = steered.empo;
}

std::vector<std::string> steeredFields() {
    std::vector<std::string> names{"lr_v_h_e",        "lr_x_h",
                                   "lr_u_r",          "lr_q_r",
                                   "lr_v_r",          "beta_r",
                                   "epsilon_r_end",   "epsilon_h_end",
                                   "batch_size",      "max_env_steps_per_training_step",
                                   "actor_sync_freq", "curiosity_coef"};
    for (const RunField& field : trainFields())
        if (field.isLive && std::ranges::find(names, field.name) == names.end())
            names.push_back(field.name);
    return names;
}

/// "learned in tables", then "batch_size 64" of each that a form shows at first.
std::vector<std::string> trainNameParts(const RunSpec& spec) {
    const EmpoSpec& empo = spec.job.as<TrainJob>().empo;
    std::vector<std::string> parts{empo.hasTables() && !empo.hasNetworks() ? "learned in tables"
                                                                           : "learned"};
    for (const RunField& field : trainFields()) {
        const FieldValue value = field.get(spec);
        if (field.isExpert || field.type == FieldType::Texts || field.name.ends_with("_kind") ||
            value == fieldDefault(field))
            continue;
        parts.push_back(field.name + " " + shortFieldText(value));
    }
    return parts;
}

void addTrainFacts(const ResultJson& result, RunFacts& facts) {
    if (const ResultJson* train = memberOf(result, "train")) {
        addResult(facts, "steps", memberOf(*train, "steps"));
        addResult(facts, "train_seconds", memberOf(*train, "seconds"));
    }
    if (const ResultJson* last = memberOf(result, "last")) {
        addResult(facts, "error_v_h_e", memberOf(*last, "Exact/v_h_e"));
        addResult(facts, "error_pi_r", memberOf(*last, "Exact/pi_r"));
    }
}

}  // namespace

std::vector<WorldRef> worldRefs(const TrainJob& job) {
    std::vector<WorldRef> worlds;
    for (std::size_t i = 0; i < job.worlds.size(); ++i) {
        WorldRef world{.name = job.worlds[i], .lenient = job.lenient};
        if (i < job.worldTexts.size()) world.text = job.worldTexts[i];
        worlds.push_back(std::move(world));
    }
    return worlds;
}

const RunKind& trainKind() {
    static const RunKind kKind{
        .name = "train",
        .noun = "training",
        .settings = typeid(TrainJob),
        .fresh = [] { return Job(TrainJob()); },
        .fields = trainFields(),
        .presets = empoPresets(),
        .firstFields = {"num_training_steps", "batch_size", "beta_r", "lr_v_h_e", "lr_x_h",
                        "lr_q_r", "hidden_dim", "steps_per_episode", "async_training", "num_actors",
                        "seed"},
        .steeredFields = steeredFields(),
        .fixedFields = {"hidden_dim", "gamma_r", "gamma_h", "zeta", "q_r_kind", "buffer_size"},
        .problems = [](const Job& job) { return trainProblems(job.as<TrainJob>()); },
        .takeSeed = [](Job& job, std::uint64_t seed) { job.as<TrainJob>().empo.seed = seed; },
        .aliases = trainAliases(),
        .applyAliases =
            [](Job& job, const auto& given) {
                orrery::applyAliases(given, job.as<TrainJob>().empo);
            },
        .worlds = [](const Job& job) { return worldRefs(job.as<TrainJob>()); },
        .takeWorlds = takeTrainWorlds,
        .changes = [](Job & job) -> auto& {return job.as<TrainJob>().changes;
}
, .goToStep = goToTrainStep,
  .work =
      [](const Job& job, RunContext& context) {
          return std::make_unique<TrainRun>(job.as<TrainJob>(), context);
      },
  .firstSnapshot = [] { return JobSnapshot(TrainSnapshot()); },
  .memoryAdvice =
      "Take smaller networks, batches or a smaller buffer. If the run has a checkpoint, it "
      "can be resumed from it.",
  .tookText = "Trained for", .describe = trainNameParts, .addFacts = addTrainFacts,
  .hasCheckpoints = true, .hasCurves = true
};  // namespace orrery
return kKind;
}

}  // namespace orrery
