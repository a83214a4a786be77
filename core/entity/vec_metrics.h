#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/entity/vec_env.h"

namespace orrery {

/// What a number came to over many steps and environments.
struct MetricSum {
    std::int64_t count = 0;
    double sum = 0;
    double min = std::numeric_limits<double>::infinity();
    double max = -std::numeric_limits<double>::infinity();

    void add(double value);
    void add(const MetricSum& other);
    double mean() const { return sum / static_cast<double>(count); }  ///< NaN of nothing
    bool operator==(const MetricSum&) const = default;
};

/// What batches of many environments tell: "step", "reward", "entity_count" and
/// "entity_count/<type>" of each frame, "episodic_reward" and "episode_length" of each episode that
/// ended, and what the environments tell themselves. In the batch of a reset steps are 0.
/// Source: spec entity, section 3.
class VecMetrics {
public:
    explicit VecMetrics(const VecEnv& env);

    /// Takes in the frames of the last call of the environments.
    /// @param isReset  they began episodes everywhere: what went on is forgotten
    void add(const VecEnv& env, bool isReset);
    /// By name, in a fixed order. Since the last clear().
    const std::vector<std::pair<std::string, MetricSum>>& sums() const { return m_sums; }
    /// Begins to sum anew; episodes go on.
    void clear();
    /// Rewards of the episodes that ended with the frames taken in last, by environment.
    const std::vector<double>& ended() const { return m_ended; }

    /// Rewards of the episodes that go on, for checkpoints.
    const std::vector<double>& open() const { return m_open; }
    void setOpen(std::vector<double> rewards) { m_open = std::move(rewards); }
    /// Goes on from sums() of another time. @param sums  as many
    void setSums(std::span<const MetricSum> sums);

private:
    MetricSum& at(std::size_t index) { return m_sums[index].second; }

    std::vector<std::pair<std::string, MetricSum>> m_sums;
    std::vector<double> m_open;  // [environments] reward of the episode so far
    std::vector<double> m_ended;
};

}  // namespace orrery
