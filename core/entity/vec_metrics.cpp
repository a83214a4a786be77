#include "core/entity/vec_metrics.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace orrery {

namespace {

enum Sum : std::size_t { kStep, kReward, kThings, kEpisodeReward, kEpisodeLength, kNumCommon };

}  // namespace

void MetricSum::add(double value) {
    ++count;
    sum += value;
    min = std::min(min, value);
    max = std::max(max, value);
}

void MetricSum::add(const MetricSum& other) {
    count += other.count;
    sum += other.sum;
    min = std::min(min, other.min);
    max = std::max(max, other.max);
}

VecMetrics::VecMetrics(const VecEnv& env)
    : m_sums{{"step", {}},
             {"reward", {}},
             {"entity_count", {}},
             {"episodic_reward", {}},
             {"episode_length", {}}},
      m_open(static_cast<std::size_t>(env.count())) {
    for (const EntityLayout::Type& type : env.layout().types)
        m_sums.emplace_back("entity_count/" + type.name, MetricSum());
    for (const std::string& name : env.environment(0).spaces().metrics)
        m_sums.emplace_back(name, MetricSum());
}

void VecMetrics::clear() {
    for (auto& [name, sum] : m_sums) sum = {};
}

void VecMetrics::setSums(std::span<const MetricSum> sums) {
    assert(sums.size() == m_sums.size());
    for (std::size_t i = 0; i < m_sums.size(); ++i) at(i) = sums[i];
}

void VecMetrics::add(const VecEnv& env, bool isReset) {
    const VecObs& frames = env.frames();
    const std::size_t numTypes = frames.things.size();
    m_ended.clear();
    for (std::int64_t i = 0; i < env.count(); ++i) {
        double& open = m_open[static_cast<std::size_t>(i)];
        const double reward = frames.reward[static_cast<std::size_t>(i)];
        open = isReset ? 0 : open + reward;
        at(kStep).add(static_cast<double>(env.episodeSteps(i)));
        at(kReward).add(reward);
        std::int64_t things = 0;
        for (std::size_t type = 0; type < numTypes; ++type) {
            const std::int64_t own = frames.things[type].size1(i);
            at(kNumCommon + type).add(static_cast<double>(own));
            things += own;
        }
        at(kThings).add(static_cast<double>(things));
        if (frames.done[static_cast<std::size_t>(i)] != 0) {
            at(kEpisodeReward).add(open);
            m_ended.push_back(open);
            at(kEpisodeLength).add(static_cast<double>(env.episodeSteps(i)));
            open = 0;
        }
        const std::vector<double>& told = env.metrics(i);
        for (std::size_t k = 0; k < told.size(); ++k)
            if (!std::isnan(told[k])) at(kNumCommon + numTypes + k).add(told[k]);
    }
}

}  // namespace orrery
