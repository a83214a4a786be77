#include "core/train/entity/driver/evaluation.h"

#include <algorithm>

#include "core/checkpoint/checkpoint_folder.h"
#include "core/entity/feature_map.h"
#include "core/entity/vec_metrics.h"
#include "core/train/entity/learned_spaces.h"

namespace orrery {

namespace {

constexpr std::uint64_t kPlaceStream = (std::uint64_t{1} << 32) + 3,
                        kPlayStream = (std::uint64_t{1} << 32) + 4;
constexpr std::int64_t kMostPlaces = 64;  // environments of an evaluation that nobody set up

}  // namespace

EpisodeWish evaluationWish(const EntitySpec& spec) {
    const EntityEvalSpec& eval = *spec.eval;
    return {
        .quotas = std::vector<std::int64_t>(static_cast<std::size_t>(eval.numEnvs), eval.episodes),
        .mostSteps = eval.steps,
        .maxEpisodeSteps = spec.env.maxEpisodeSteps,
        .isGreedy = eval.isGreedy,
        .seed = spec.seed};
}

PolicyEpisodes::PolicyEpisodes(ActorCritic& nets, const EnvironmentMaker& make,
                               const EpisodeWish& wish, ThreadTeam& team, SampleRecorder* recorder)
    : m_nets(nets),
      m_recorder(recorder),
      m_wish(wish),
      m_env(make,
            {.count = std::ssize(wish.quotas),
             .seed = Rng(wish.seed, kPlaceStream).next(),
             .maxEpisodeSteps = wish.maxEpisodeSteps},
            team),
      m_rng(wish.seed, kPlayStream),
      m_places(wish.quotas.size()) {
    featureMapOf(nets.learned(), m_env.layout());
    m_env.reset();
    if (m_recorder != nullptr) m_recorder->begin(m_env.count());
}

Choices PolicyEpisodes::choose() {
    const VecObs& frames = m_env.frames();
    const bool wantsLogits = m_recorder != nullptr && m_recorder->withLogits();
    if (showSame(m_nets.shown(), m_env.layout()))
        return m_nets.choose(frames, m_nets.shardsOf(frames), m_rng, m_wish.isGreedy, wantsLogits);
    const EntityLayout before = m_nets.shown();
    m_nets.setObsFilter(m_env.layout());
    Choices choices =
        m_nets.choose(frames, m_nets.shardsOf(frames), m_rng, m_wish.isGreedy, wantsLogits);
    m_nets.setObsFilter(before);
    return choices;
}

bool PolicyEpisodes::advance() {
    const Choices choices = choose();
    if (!choices.isFinite) return true;  // nothing that could be measured
    if (m_recorder != nullptr) m_recorder->record(m_env.frames(), choices);
    const VecObs& after = m_env.act(choices.chosen);
    if (m_recorder != nullptr) m_recorder->outcome(after);
    bool isDone = true;
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        Place& place = m_places[i];
        place.reward += after.reward[i];
        if (after.done[i] != 0) {
            if (!hasAll(i)) {
                place.rewards.push_back(place.reward);
                place.lengths.push_back(m_env.episodeSteps(static_cast<std::int64_t>(i)));
            }
            place.reward = 0;
        }
        isDone = isDone && hasAll(i);
    }
    return isDone || ++m_steps == m_wish.mostSteps;
}

std::int64_t PolicyEpisodes::numEpisodes() const {
    std::int64_t episodes = 0;
    for (const Place& place : m_places) episodes += std::ssize(place.rewards);
    return episodes;
}

EntityEvaluation PolicyEpisodes::result() const {
    EntityEvaluation result;
    for (const Place& place : m_places) {
        result.rewards.insert(result.rewards.end(), place.rewards.begin(), place.rewards.end());
        result.lengths.insert(result.lengths.end(), place.lengths.begin(), place.lengths.end());
    }
    return result;
}

void tellEvaluation(const EntityEvaluation& result, TrainHost& host) {
    MetricSum reward, length;
    for (const double each : result.rewards) reward.add(each);
    for (const std::int64_t each : result.lengths) length.add(static_cast<double>(each));
    const auto tell = [&host](const std::string& name, const MetricSum& sum) {
        host.metric(name + ".count", static_cast<double>(sum.count));
        if (sum.count == 0) return;
        host.metric(name + ".mean", sum.mean());
        host.metric(name + ".min", sum.min);
        host.metric(name + ".max", sum.max);
    };
    tell("eval/episodic_reward", reward);
    tell("eval/episode_length", length);
}

EntityEvaluation evaluateEntity(const EntityEvaluateRequest& request, const ProgressSink& progress,
                                std::stop_token stop) {
    const Checkpoint checkpoint = openCheckpoint(request.checkpoint);
    ThreadTeam team(request.spec.rollout.threads);
    const EntityLayout layout = entityLayoutOf(request.environment()->spaces());
    ActorCritic nets(request.spec, learnedSpaces(checkpoint, layout), team);
    nets.setObsFilter(layout);
    nets.load(checkpoint.tensors("model.safetensors"));

    EpisodeWish wish{.maxEpisodeSteps = request.spec.env.maxEpisodeSteps,
                     .isGreedy = request.isGreedy,
                     .seed = request.seed};
    const std::int64_t places = std::min(kMostPlaces, std::max<std::int64_t>(1, request.episodes));
    for (std::int64_t i = 0; i < places; ++i)
        wish.quotas.push_back(request.episodes / places + (i < request.episodes % places ? 1 : 0));
    PolicyEpisodes episodes(nets, request.environment, wish, team);
    while (!stop.stop_requested() && !episodes.advance())
        if (progress)
            progress({.phase = "evaluate",
                      .done = episodes.numEpisodes(),
                      .total = request.episodes,
                      .unit = "episodes"});
    EntityEvaluation result = episodes.result();
    result.step = checkpoint.manifest().step;
    return result;
}

}  // namespace orrery
