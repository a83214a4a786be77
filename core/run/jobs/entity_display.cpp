#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/run/jobs/entity_job.h"
#include "core/run/jobs/entity_kind.h"
#include "core/run/snapshot.h"
#include "core/train/entity/entity_training.h"

namespace orrery {

namespace {

const EntitySnapshot* entityOf(const TrainingSnapshot* training) {
    return dynamic_cast<const EntitySnapshot*>(training);
}

std::vector<CurveChart> charts() {
    return {{.id = "entity/reward",
             .title = "Reward of an episode",
             .lines = {{"episodic_reward.mean_100", "last 100 episodes", 0},
                       {"episodic_reward.mean", "episodes of the update", 2},
                       {"eval/episodic_reward.mean", "evaluation", 1}}},
            {.id = "entity/length",
             .title = "Length of an episode",
             .unit = "steps",
             .lines = {{"episode_length.mean", "episodes of the update", 0},
                       {"eval/episode_length.mean", "evaluation", 1}}},
            {.id = "entity/loss",
             .title = "Loss",
             .lines = {{"losses/policy_loss", "policy", 0},
                       {"losses/value_loss", "value", 1},
                       {"cloning/train_loss", "cloning", 2},
                       {"cloning/test_loss", "cloning, by the tests", 3}}},
            {.id = "entity/clip",
             .title = "Divergence and clipping",
             .lines = {{"losses/approx_kl", "divergence (KL)", 0},
                       {"losses/clipfrac", "share clipped", 1}},
             .isLog = true},
            {.id = "entity/entropy",
             .title = "Entropy",
             .unit = "nats a choice",
             .lines = {{"losses/entropy", "policy", 0}}},
            {.id = "entity/explained",
             .title = "Explained variance",
             .unit = "share of the returns'",
             .lines = {{"losses/explained_variance", "values", 0}}},
            {.id = "entity/gradient",
             .title = "Gradient norm",
             .lines = {{"losses/gradnorm", "policy", 0}, {"losses/vf_gradnorm", "values", 1}},
             .isLog = true},
            {.id = "entity/rates",
             .title = "Rates",
             .lines = {{"charts/learning_rate", "learning rate", 0},
                       {"charts/entropy_coef", "weight of the entropy", 1}},
             .isLog = true,
             .isPlanned = true},
            {.id = "entity/speed",
             .title = "Speed",
             .unit = "frames a second",
             .lines = {{"throughput", "frames", 0}},
             .isLog = true}};
}

std::vector<TrainingFact> facts(const Job& /*job*/, const TrainingSnapshot& training) {
    const EntitySnapshot* now = entityOf(&training);
    if (now == nullptr) return {};
    std::vector<TrainingFact> facts{{"update", "number", now->update},
                                    {"update", "of", now->updates},
                                    {"update", "learning rate", now->rates.lr},
                                    {"update", "weight of the entropy", now->rates.entCoef},
                                    {"episodes", "ended", now->episodes}};
    if (now->recentEpisodes > 0)
        facts.push_back({"episodes", "reward of the last " + std::to_string(now->recentEpisodes),
                         now->recentReward});
    facts.push_back({"network", "parameters", now->parameters});
    return facts;
}

/// Milliseconds of an update by what they were spent on.
std::vector<TrainingFlow::Part> partsOf(const EntitySnapshot& now) {
    std::vector<TrainingFlow::Part> parts;
    if (!now.timeline || now.timeline->lanes.empty()) return parts;
    std::int64_t steps = 0;
    std::array<std::int64_t, kNumSpanKinds> ns{};
    for (const SpanBin& bin : now.timeline->laneAt(0).bins) {
        steps += bin.steps;
        for (std::size_t i = 0; i < ns.size(); ++i) ns[i] += bin.ns[i];
    }
    for (const SpanWords& words : entitySpans())
        if (words.color >= 0 && steps > 0)
            parts.push_back(
                {.name = words.title,
                 .milliseconds = 1e-6 *
                                 static_cast<double>(ns[static_cast<std::size_t>(words.kind)]) /
                                 static_cast<double>(steps),
                 .color = words.color});
    return parts;
}

TrainingFlow flow(const Job& job, const TrainingSnapshot& training) {
    const EntitySnapshot* now = entityOf(&training);
    if (now == nullptr) return {};
    const EntitySpec& spec = job.as<EntityJob>().entity;
    TrainingFlow flow{.replay = {.size = now->rolloutStep * now->numEnvironments,
                                 .capacity = spec.rollout.frames(),
                                 .produced = now->step,
                                 .consumed = now->step},
                      .batch = static_cast<int>(spec.optim.bs),
                      .parts = partsOf(*now),
                      .environmentStepsPerSecond = now->throughput,
                      .device = "cpu"};
    for (const EntitySnapshot::Place& place : now->places)
        flow.actors.push_back(
            {.environmentSteps = now->step / std::max<std::int64_t>(1, now->numEnvironments),
             .episodeStep = static_cast<int>(place.step)});
    return flow;
}

ActorView actorView(const TrainSnapshot& training, std::size_t actor, const PictureWish&) {
    const EntitySnapshot* now = entityOf(training.training.get());
    if (now == nullptr || actor >= now->places.size()) return {};
    const EntitySnapshot::Place& place = now->places[actor];
    return {.picture = place.picture,
            .remark = "step " + std::to_string(place.step) + ", reward so far " +
                      shortNumber(place.reward) + ", the policy expects " +
                      shortNumber(place.value) + " more"};
}

std::string steeringRemark(const Job& job) {
    const EntitySpec& spec = job.as<EntityJob>().entity;
    if (!spec.optim.annealLr && !spec.ppo.annealEntropy) return {};
    return "What you set is the value now; rates that fall go on falling from there.";
}

/// Where trainings are about as fast.
std::string speedKey(const Job& job) {
    const EntitySpec& spec = job.as<EntityJob>().entity;
    return spec.env.id + ' ' + spec.env.optionsJson() + ' ' + std::to_string(spec.net.dModel) +
           ' ' + std::to_string(spec.net.nLayer) + ' ' + std::to_string(spec.optim.updateEpochs) +
           ' ' + std::to_string(spec.rollout.threads);
}

}  // namespace

TrainingDisplay entityDisplay() {
    return {
        .stepName = "frames",
        .axisName = "frame",
        .charts = charts(),
        .stopCurves = {"episodic_reward.mean_100", "eval/episodic_reward.mean", "losses/entropy"},
        .resultCurves = {"episodic_reward.mean_100", "eval/", "Evaluation/", "losses/", "cloning/"},
        .returnCurve = "episodic_reward.mean",
        .lengthCurve = "episode_length.mean",
        .steeringRemark = steeringRemark,
        .rateNow =
            [](const Job& job, std::string_view field, std::int64_t step) {
                return rateNow(job.as<EntityJob>().entity, field, step);
            },
        .facts = facts,
        .spans = entitySpans(),
        .flow = flow,
        .actorView = actorView,
        .speedKey = speedKey};
}

}  // namespace orrery
