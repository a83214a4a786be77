#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/collect/human_prior.h"
#include "core/encode/state_encoder.h"
#include "core/replay/step_model.h"
#include "core/replay/world_facts.h"
#include "core/world/world.h"

namespace orrery {

struct StepModellerOptions {
    bool includesStepCount = true;  ///< of the encoding
    bool hidesWhatIsUnder = false;  ///< of the encoding
    std::size_t cacheBytes = std::size_t{64} << 20;
};

/// The rows of a state with what a collector needs beside the model: the configurations behind the
/// successors. Several of those may look alike when encoded.
struct ModelledRows {
    std::shared_ptr<const StepModel> model;
    Fingerprint state;                                ///< of model->state, by layout
    std::vector<std::uint32_t> outcomeBegin;          ///< [rows + 1]
    std::vector<double> outcomeProbability;           ///< [O] each row sums to 1
    std::vector<std::uint32_t> outcomeConfiguration;  ///< [O] in [0, C)
    std::vector<std::uint64_t> configurations;        ///< [C x keyWords]
    std::vector<std::uint32_t> encodedAs;             ///< [C] in [0, U)
    std::vector<Fingerprint> fingerprints;            ///< [U] of the encoded successors
};

/// What is known of a state before anybody acts.
struct ModelledState {
    std::vector<std::byte> state;  ///< encoded
    std::vector<float> prior;      ///< as StepModel::prior
    Fingerprint fingerprint;       ///< of `state`, by layout as the modeller was told
};

/// Computes what can follow a state, and keeps it while there is room: worlds come back to the same
/// states all the time. Everything is a function of the state alone, so that the cache changes no
/// result. One thread.
class StepModeller {
public:
    /// @param policy  the humans'
    /// @param layout  of the world in its run; enters fingerprints
    /// @throws Error (BadInput) if the world is of a family that has no encoding
    StepModeller(std::shared_ptr<const World> world, WorldFacts facts,
                 std::unique_ptr<GoalPolicy> policy, std::uint16_t layout = 0,
                 const StepModellerOptions& options = {});
    ~StepModeller();

    const World& world() const { return *m_world; }
    const WorldFacts& facts() const { return m_facts; }

    /// Of a state that is not terminal. Valid until the next call of a member.
    const ModelledState& state(std::span<const std::uint64_t> configuration, int step);

    /// Its rows: all (profile -1), or those of one human profile. Valid until the next call.
    /// @throws Error (BadInput) if all rows are asked for in a world with more than
    ///         kMaxPlannedProfiles joint actions
    const ModelledRows& rows(std::span<const std::uint64_t> configuration, int step, int profile);

    std::shared_ptr<const StepModel> model(std::span<const std::uint64_t> configuration, int step,
                                           int profile = -1) {
        return rows(configuration, step, profile).model;
    }

    std::size_t cachedBytes() const;
    std::int64_t hits() const { return m_hits; }      ///< rows that were there
    std::int64_t misses() const { return m_misses; }  ///< rows that were computed

private:
    struct Entry;
    class Builder;
    Entry& entryOf(std::span<const std::uint64_t> configuration, int step);

    std::shared_ptr<const World> m_world;
    WorldFacts m_facts;
    std::size_t m_cacheBytes;
    std::unique_ptr<Builder> m_builder;
    // Two generations: a full young one becomes the old one, whose unused entries go.
    struct Generation;
    std::unique_ptr<Generation> m_young, m_old;
    std::int64_t m_hits = 0, m_misses = 0;
};

}  // namespace orrery
