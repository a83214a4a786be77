#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/base/thread_team.h"
#include "core/checkpoint/tensor_map.h"
#include "core/entity/net/rogue_net.h"
#include "core/entity/vec_obs.h"
#include "core/train/entity/entity_spec.h"

namespace orrery {

/// Some of many frames, as the networks read them: what one thread computes at a time.
struct FrameShard {
    std::vector<std::int64_t> frames;  ///< of those that it is a part of
    NetFrames policy;
    std::optional<NetFrames> values;  ///< where values have a network of their own
};

/// What was decided in many frames.
struct Choices {
    VecActions chosen;
    std::vector<RaggedBuffer<float>> logProbabilities;  ///< [actions] as `chosen`
    /// [actions][deciders x options] of all, as samples have them; empty: not asked for.
    std::vector<RaggedBuffer<float>> logits;
    std::vector<float> values;  ///< [frames]
    bool isFinite = true;       ///< else the networks are ruined, and choices may not be allowed
};

/// The networks that say what is done and what that is worth. Many frames are computed in shards
/// whose size does not depend on threads, and neither do the numbers.
class ActorCritic {
public:
    /// @param team  lives as long
    /// @throws Error (BadInput) where the spec does not fit the environment
    ActorCritic(const EntitySpec& spec, const EntityLayout& layout, ThreadTeam& team);

    /// Makes new networks that read what others learned from, for load(). Frames are shown as
    /// before. @throws Error (BadInput) as featureMapOf
    void learnFrom(const EntityLayout& learned);
    /// Other frames are shown from now on. @throws Error (BadInput) likewise
    void setObsFilter(const EntityLayout& offered);
    const EntityLayout& learned() const { return m_policy->inputs().learned; }
    const EntityLayout& shown() const { return m_policy->inputs().layout; }

    /// Parts of about as many things, in their order.
    /// @param most  frames of a shard at most; 0: any number
    std::vector<FrameShard> shardsOf(const VecObs& all, std::span<const std::int64_t> frames,
                                     std::int64_t most = 0) const;
    std::vector<FrameShard> shardsOf(const VecObs& all) const;
    /// Merges frames into the statistics of features.
    void takeIn(std::span<const FrameShard> shards);

    struct Output {
        std::vector<ActionLogits> actions;
        at::Tensor value;  ///< [frames of the shard]
    };
    /// @param probe  is told what goes on in the policy's network; null: nobody asks
    Output forward(const FrameShard& shard, Rng* training = nullptr,
                   const NetProbe* probe = nullptr) const;

    /// Draws what is done in frames, or takes the likeliest.
    Choices choose(const VecObs& frames, std::span<const FrameShard> shards, Rng& rng,
                   bool isGreedy, bool wantsLogits = false) const;
    std::vector<float> valuesOf(const VecObs& frames) const;  ///< [frames]

    /// Those of the policy, then those of the values behind "value/".
    const std::vector<NetParameter>& parameters() const { return m_parameters; }
    std::size_t numPolicyParameters() const { return m_policy->parameters().size(); }
    bool hasValueNet() const { return m_values != nullptr; }
    std::int64_t numbers() const;  ///< of all parameters

    void save(TensorMap& out) const;
    /// @throws Error (Damaged) where a tensor is missing or of another shape
    void load(const TensorMap& from);

private:
    std::vector<NetParameter> all() const;
    void make(const EntityLayout& learned);
    FrameShard shardOf(const VecObs& all, std::vector<std::int64_t> frames) const;

    ThreadTeam& m_team;
    std::int64_t m_shardRows;
    std::uint64_t m_seed;
    RogueNetSpec m_net;
    std::optional<RogueNetSpec> m_valueNet;
    std::unique_ptr<RogueNet> m_policy;
    std::unique_ptr<RogueNet> m_values;
    std::vector<NetParameter> m_parameters;
};

/// Copies tensors of single-precision numbers.
void putTensors(const std::vector<NetParameter>& tensors, TensorMap& out);
/// @throws Error (Damaged) where one is missing or of another shape
void takeTensors(const TensorMap& from, const std::vector<NetParameter>& tensors);

}  // namespace orrery
