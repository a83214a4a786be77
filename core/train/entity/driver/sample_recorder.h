#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/checkpoint/tensor_map.h"
#include "core/entity/files/sample_file.h"
#include "core/train/entity/driver/actor_critic.h"

namespace orrery {

/// Which samples are kept, and where.
struct SampleWish {
    std::filesystem::path file = {};
    bool withLogits = false;
    std::int64_t subsample = 1;  ///< one of so many frames, by chance
    std::uint64_t seed = 1;
};

/// Writes what is seen and done in environments into a file of samples. Episodes are numbered as
/// they begin, from 0.
class SampleRecorder {
public:
    /// @param layout  of what is shown; lives as long
    /// @param state   where an earlier life of the training was, as save() put it there; null: a
    ///                new file
    /// @throws Error (Resource), (Damaged) the state
    SampleRecorder(const EntityLayout& layout, SampleWish wish, const TensorMap* state,
                   const std::string& name);

    /// Episodes begin in so many environments.
    void begin(std::int64_t environments);
    bool hasBegun() const { return !m_episodes.empty(); }
    bool withLogits() const { return m_wish.withLogits; }
    /// What is seen in them, and done. @throws Error (Resource; DiskFullError)
    void record(const VecObs& frames, const Choices& choices);
    /// What came of it.
    void outcome(const VecObs& after);

    /// From here on state() tells of this moment, until release().
    void hold();
    void release() { m_held.reset(); }
    /// So that what a checkpoint tells of is there after a power cut. @param name  of its numbers
    void save(TensorMap& state, const std::string& name);

private:
    std::vector<std::uint64_t> numbers() const;

    const EntityLayout& m_layout;
    SampleWish m_wish;
    Rng m_rng;
    std::vector<std::int64_t> m_episodes, m_steps;  ///< [environments]
    /// [environments] of the step before: environments that go on from a checkpoint do not know.
    std::vector<float> m_rewards;
    std::vector<std::uint8_t> m_dones;
    std::int64_t m_next = 0;  ///< number of the next episode
    std::optional<std::vector<std::uint64_t>> m_held;
    std::optional<SampleWriter> m_writer;
};

}  // namespace orrery
