#include "core/run/jobs/entity_kind.h"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/entity/files/sample_split.h"
#include "core/run/jobs/enn_config.h"
#include "core/run/jobs/entity_job.h"
#include "core/run/jobs/entity_run.h"
#include "core/run/jobs/environments.h"
#include "core/run/result_facts.h"

namespace orrery {

namespace {

constexpr const char *kEvaluated = "eval/episodic_reward.mean",
                     *kRecent = "episodic_reward.mean_100", *kTested = "cloning/test_loss";

const SpecTable<RunSpec>& fields() {
    static const SpecTable<RunSpec> kFields = fieldsOfJob(entityJobFields());
    return kFields;
}

/// By the reward of evaluations; where there is none by that of the last episodes, or by the loss
/// of the tests.
std::optional<CheckpointMeasure> measureByReward(const NewestMetrics& newest) {
    int rank = 2;
    for (const char* curve : {kEvaluated, kRecent}) {
        const auto found = newest.find(curve);
        if (found != newest.end() && std::isfinite(found->second))
            return CheckpointMeasure{.rank = rank, .value = -found->second};
        --rank;
    }
    const auto tested = newest.find(kTested);
    if (tested != newest.end() && std::isfinite(tested->second))
        return CheckpointMeasure{.rank = rank, .value = tested->second};
    return std::nullopt;
}

/// "MineSweeper", then "net.d_model 64" of each that a form shows at first.
std::vector<std::string> nameParts(const RunSpec& spec) {
    const EntitySpec& entity = spec.job.as<EntityJob>().entity;
    std::vector<std::string> parts{entity.env.id};
    for (const RunField& field : fields().rows()) {
        const FieldValue value = field.get(spec);
        if (field.isExpert || field.name == "env.id" || field.type == FieldType::Texts ||
            value == fieldDefault(field))
            continue;
        parts.push_back(field.name + ' ' + shortFieldText(value));
    }
    return parts;
}

void addFacts(const ResultJson& result, RunFacts& facts) {
    if (const ResultJson* train = memberOf(result, "train")) {
        addResult(facts, "steps", memberOf(*train, "steps"));
        addResult(facts, "train_seconds", memberOf(*train, "seconds"));
    }
    if (const ResultJson* last = memberOf(result, "last")) {
        addResult(facts, "reward", memberOf(*last, kRecent));
        addResult(facts, "eval_reward", memberOf(*last, kEvaluated));
    }
}

/// That such a training learns from in all its epochs.
std::int64_t clonedFrames(const CloningSpec& spec) {
    const std::int64_t epoch = framesOfEpoch(spec.file, spec.testShare, spec.bs);
    return spec.epochs * (epoch > 0 ? epoch : spec.bs);
}

/// Of samples as they lie in memory, about.
std::int64_t clonedBytes(const CloningSpec& spec) {
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(spec.file, error);
    return error ? 0 : static_cast<std::int64_t>(bytes);
}

/// Of a frame and of the networks, about.
std::vector<MemoryPart> memoryOf(const Job& job, const std::stop_token& /*stop*/) {
    const EntitySpec& spec = job.as<EntityJob>().entity;
    Observation seen;
    makeEnvironment(spec.env)->reset(spec.seed, seen);
    std::int64_t perFrame = 64;
    for (const ObservedPart& part : seen.parts)
        perFrame += static_cast<std::int64_t>(part.values.size() * sizeof(float)) + 16;
    for (const ActionOffer& offer : seen.offers)
        perFrame += static_cast<std::int64_t>(16 * offer.actors.size() +
                                              8 * offer.candidates.size() + offer.allowed.size());
    const auto net = [](const RogueNetSpec& own) {
        const std::int64_t layer = 12 * own.dModel * own.dModel;
        return (own.nLayer * layer + 64 * own.dModel) * std::int64_t{sizeof(float)};
    };
    const std::int64_t nets = net(spec.net) + (spec.vfNet ? net(*spec.vfNet) : 0);
    // Numbers of a shard's things in one layer, those of all layers and of the products in them.
    constexpr std::int64_t kShardBytes = std::int64_t{4} << 18, kTensorsEach = 24;
    const std::int64_t frames =
        spec.cloning ? clonedBytes(*spec.cloning) : 2 * perFrame * spec.rollout.frames();
    return {{spec.cloning ? "samples" : "rollout", frames},
            {"networks and optimisers", 5 * nets},
            {"gradients", kShardBytes * kTensorsEach * (spec.net.nLayer + 1) *
                              std::int64_t{spec.rollout.threads}}};
}

}  // namespace

const RunKind& entityKind() {
    static const RunKind kKind{
        .name = "entity",
        .noun = "training",
        .settings = typeid(EntityJob),
        .fresh = [] { return Job(EntityJob()); },
        .fields = fields().rows(),
        .firstFields = {"env.id", "env.kwargs", "total_timesteps", "rollout.num_envs",
                        "rollout.steps", "optim.lr", "optim.bs", "ppo.ent_coef", "ppo.gamma",
                        "net.d_model", "net.n_layer", "seed"},
        .steeredFields = {"optim.lr", "ppo.ent_coef", "ppo.clip_coef", "ppo.vf_coef",
                          "ppo.target_kl", "optim.update_epochs", "optim.max_grad_norm",
                          "eval.interval"},
        .fixedFields = {"env.id", "net.d_model", "net.n_layer", "rollout.num_envs", "rollout.steps",
                        "optim.bs", "ppo.gamma"},
        .problems = [](const Job& job) { return entityJobProblems(job.as<EntityJob>()); },
        .takeSeed = [](Job& job, std::uint64_t seed) { job.as<EntityJob>().entity.seed = seed; },
        .fromRon = specOfEnnConfig,
        .worlds = [](const Job&) { return std::vector<WorldRef>(); },
        .takeWorlds = [](Job&, const std::vector<WorldRef>&) {},
        .takeEnvironment =
            [](Job& job, std::string_view name) {
                const EnvironmentEntry* entry = findEnvironment(knownEnvironments(), name);
                if (entry == nullptr) return false;
                if (std::string_view(kindOf(entry->make("{}")->spaces())) == "sequences")
                    return false;
                job.as<EntityJob>().entity.env.id = entry->id;
                return true;
            },
        .placeTitle = "Environment",
        .training = [](Job& job) -> TrainSettings* { return &job.as<EntityJob>(); },
        .totalSteps =
            [](const Job& job) {
                const EntitySpec& spec = job.as<EntityJob>().entity;
                return spec.cloning ? clonedFrames(*spec.cloning)
                                    : spec.updates() * spec.rollout.frames();
            },
        .display = entityDisplay(),
        .memory = memoryOf,
        .measure = measureByReward,
        .isMeasured =
            [](std::string_view curve) {
                return curve == kEvaluated || curve == kRecent || curve == kTested;
            },
        .evaluate = evaluateEntityRun,
        .policy =
            [](const RunSpec& spec, const Checkpoint& checkpoint) {
                const EntitySpec& entity = spec.job.as<EntityJob>().entity;
                return entityLibrary().policy({.spec = entity,
                                               .spaces = makeEnvironment(entity.env)->spaces(),
                                               .checkpoint = checkpoint.folder()});
            },
        .work = [](const Job& job,
                   RunContext& context) { return std::make_unique<EntityRun>(job, context); },
        .firstSnapshot = [] { return JobSnapshot(TrainSnapshot()); },
        .memoryAdvice = "Take fewer environments, shorter rollouts or a smaller network.",
        .tookText = "Trained for",
        .describe = nameParts,
        .addFacts = addFacts,
        .hasCurves = true};
    return kKind;
}

}  // namespace orrery
