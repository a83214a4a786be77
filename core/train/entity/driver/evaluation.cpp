#include "core/train/entity/driver/evaluation.h"

#include <algorithm>

#include "core/checkpoint/checkpoint_folder.h"

namespace orrery {

namespace {

constexpr std::uint64_t kPlaceStream = (std::uint64_t{1} << 32) + 3,
                        kPlayStream = (std::uint64_t{1} << 32) + 4;
constexpr std::int64_t kMostPlaces = 64;  // environments of an evaluation that nobody set up

}  // namespace

PolicyEpisodes::PolicyEpisodes(const ActorCritic& nets, const EnvironmentMaker& make,
                               const EpisodeWish& wish, ThreadTeam& team)
    : m_nets(nets),
      m_wish(wish),
      m_env(make,
            {.count = std::ssize(wish.quotas),
             .seed = Rng(wish.seed, kPlaceStream).next(),
             .maxEpisodeSteps = wish.maxEpisodeSteps},
            team),
      m_rng(wish.seed, kPlayStream),
      m_places(wish.quotas.size()) {
    m_env.reset();
}

bool PolicyEpisodes::advance() {
    const VecObs& frames = m_env.frames();
    const Choices choices = m_nets.choose(frames, m_nets.shardsOf(frames), m_rng, m_wish.isGreedy);
    if (!choices.isFinite) return true;  // nothing that could be measured
    const VecObs& after = m_env.act(choices.chosen);
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

EntityEvaluation evaluateEntity(const EntityEvaluateRequest& request, const ProgressSink& progress,
                                std::stop_token stop) {
    const Checkpoint checkpoint = openCheckpoint(request.checkpoint);
    ThreadTeam team(request.spec.rollout.threads);
    const EntityLayout layout = entityLayoutOf(request.environment()->spaces());
    ActorCritic nets(request.spec, layout, team);
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
