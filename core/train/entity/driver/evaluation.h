#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/base/thread_team.h"
#include "core/entity/vec_env.h"
#include "core/train/entity/driver/actor_critic.h"
#include "core/train/entity/driver/sample_recorder.h"
#include "core/train/entity/entity_training.h"

namespace orrery {

/// Which episodes are played.
struct EpisodeWish {
    /// [environments] the first episodes of each that count; 0 of one: all that end.
    std::vector<std::int64_t> quotas = {};
    std::int64_t mostSteps = 0;  ///< of each environment; 0: until all have their episodes
    std::int64_t maxEpisodeSteps = 0;
    bool isGreedy = false;
    std::uint64_t seed = 1;
};

/// Those of the spec's evaluations, which it has.
EpisodeWish evaluationWish(const EntitySpec& spec);

/// Episodes by a policy as it stands, step by step: nothing is taken in. They are a function of
/// the policy and of the seed.
class PolicyEpisodes {
public:
    /// @param nets, team  live as long; the networks read what is shown here while they choose
    /// @param recorder    keeps samples; null: none are kept
    /// @throws Error (BadInput) as featureMapOf
    PolicyEpisodes(ActorCritic& nets, const EnvironmentMaker& make, const EpisodeWish& wish,
                   ThreadTeam& team, SampleRecorder* recorder = nullptr);

    /// A step everywhere. @return whether all is done
    bool advance();
    std::int64_t numEpisodes() const;  ///< that count so far
    /// Those that count, environment by environment.
    EntityEvaluation result() const;

private:
    struct Place {
        double reward = 0;  // of the episode so far
        std::vector<double> rewards = {};
        std::vector<std::int64_t> lengths = {};
    };
    bool hasAll(std::size_t place) const {
        return m_wish.quotas[place] > 0 &&
               std::ssize(m_places[place].rewards) >= m_wish.quotas[place];
    }

    Choices choose();

    ActorCritic& m_nets;
    SampleRecorder* m_recorder;
    EpisodeWish m_wish;
    VecEnv m_env;
    Rng m_rng;
    std::vector<Place> m_places;
    std::int64_t m_steps = 0;
};

/// Tells what episodes came to: eval/episodic_reward and eval/episode_length.
void tellEvaluation(const EntityEvaluation& result, TrainHost& host);

/// As EntityLibrary::evaluate.
EntityEvaluation evaluateEntity(const EntityEvaluateRequest& request, const ProgressSink& progress,
                                std::stop_token stop);

}  // namespace orrery
