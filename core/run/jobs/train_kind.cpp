#include "core/run/jobs/train_kind.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/empo/snapshot.h"
#include "core/empo/spec_fields.h"
#include "core/run/jobs/empo_display.h"
#include "core/run/jobs/empo_evaluation.h"
#include "core/run/jobs/empo_run.h"
#include "core/run/jobs/train_job.h"
#include "core/run/result_facts.h"
#include "core/run/world_ref.h"
#include "core/train/empo/empo_memory.h"

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

std::shared_ptr<const TrainingSnapshot> restoredEmpo(const Job&, const TrainingSnapshot& common,
                                                     const NewestMetrics& last) {
    const auto rate = [&](const char* key) {
        const auto found = last.find(key);
        return found == last.end() ? 0.0 : found->second;
    };
    EmpoSnapshot empo;
    static_cast<TrainingSnapshot&>(empo) = common;
    empo.learner.step = empo.step;
    empo.stepsPerSecond = rate("Rates/training_steps_per_second");
    empo.environmentStepsPerSecond = rate("Rates/environment_steps_per_second");
    if (empo.stepsPerSecond > 0)
        empo.seconds = static_cast<double>(empo.step) / empo.stepsPerSecond;
    return std::make_shared<const EmpoSnapshot>(std::move(empo));
}

constexpr int kExactRank = 100;
constexpr std::string_view kPowerCurve = "Warmup/effective_beta_r";

/// "Exact/v_h_e" and "Exact/pi_r", of further worlds with their number behind.
bool isExactError(std::string_view key) {
    return key.starts_with("Exact/v_h_e") || key.starts_with("Exact/pi_r");
}

bool isLoss(std::string_view key) {
    for (const Quantity quantity : kQuantities)
        if (key == std::string("Loss/") + nameOf(quantity)) return true;
    return false;
}

bool isMeasured(std::string_view key) {
    return isExactError(key) || isLoss(key) || key == kPowerCurve;
}

/// By the error to the exact solution, the mean of those of V_h^e and pi_r over all worlds; where
/// there is none by the sum of the losses.
std::optional<CheckpointMeasure> measureByErrors(const NewestMetrics& newest) {
    CheckpointMeasure exact{.rank = kExactRank}, losses;
    for (const auto& [key, value] : newest) {
        if (!isMeasured(key) || !std::isfinite(value)) continue;
        if (key == kPowerCurve) {
            losses.power = value;
            continue;
        }
        CheckpointMeasure& sum = isLoss(key) ? losses : exact;
        ++sum.rank;
        sum.value += value;
    }
    if (exact.rank > kExactRank) {
        exact.value /= exact.rank - kExactRank;
        return exact;
    }
    if (losses.rank > 0) return losses;
    return std::nullopt;
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

TrainJob trainingIn(std::vector<std::string> worlds) {
    TrainJob job;
    job.worlds = std::move(worlds);
    return job;
}

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
        .formerValues = {{"whole_encoding", "false"}},
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
        .training = [](Job& job) -> TrainSettings* { return &job.as<TrainJob>(); },
        .totalSteps = [](const Job& job) { return job.as<TrainJob>().empo.trainingSteps; },
        .restored = restoredEmpo,
        .display = empoDisplay(),
        .memory =
            [](const Job& job, const std::stop_token& stop) {
                const TrainJob& train = job.as<TrainJob>();
                return empoMemory(train.empo, requireWorlds(worldRefs(train)), stop);
            },
        .numActors = [](const Job& job) { return job.as<TrainJob>().empo.numCollectors; },
        .measure = measureByErrors,
        .isMeasured = isMeasured,
        .evaluate = evaluateEmpoRun,
        .work = [](const Job& job,
                   RunContext& context) { return std::make_unique<EmpoRun>(job, context); },
        .firstSnapshot = [] { return JobSnapshot(TrainSnapshot()); },
        .memoryAdvice = "Take smaller networks, batches or a smaller buffer.",
        .tookText = "Trained for",
        .describe = trainNameParts,
        .addFacts = addTrainFacts,
        .isUsual = true,
        .hasCurves = true};
    return kKind;
}

bool learnsPlanning(const RunRecord& run) {
    return kindOf(run) == &trainKind();
}

const TrainJob& requireTrainJob(const RunSpec& spec, const std::string& what) {
    if (const auto* train = spec.job.find<TrainJob>()) return *train;
    throw Error(what + " has the job '" + spec.job.kind().name +
                    "', not learned planning: it has no replay buffer and no values of states.",
                Error::Kind::BadInput);
}

}  // namespace orrery
