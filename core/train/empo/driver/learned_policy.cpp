#include "core/train/empo/driver/learned_policy.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "core/encode/state_encoder.h"

namespace orrery {

namespace {

class LearnedPolicy final : public GoalPolicy {
public:
    LearnedPolicy(std::shared_ptr<const HumanValues> humans, const EmpoSpec& spec,
                  std::shared_ptr<const World> world, const WorldFacts& facts, int layout)
        : m_world(std::move(world)),
          m_layout(layout),
          m_reader(std::move(humans)),
          m_encoder(*m_world, {.shape = facts.shape,
                               .includesStepCount = spec.includesStepCount,
                               .hidesWhatIsUnder = spec.originalRules}),
          m_state(facts.shape.bytes() / sizeof(std::int32_t)) {}

    void fill(std::span<const std::uint64_t> configuration, int step,
              std::span<float> out) override {
        const auto bytes = std::as_writable_bytes(std::span(m_state));
        m_encoder.encode(configuration, step, bytes);
        m_reader.pi_h(bytes, m_layout, out);
    }

private:
    std::shared_ptr<const World> m_world;
    int m_layout;
    HumanReader m_reader;
    StateEncoder m_encoder;
    std::vector<std::int32_t> m_state;  ///< encoded; its numbers are aligned to 4 bytes
};

}  // namespace

std::unique_ptr<GoalPolicy> makeLearnedPolicy(std::shared_ptr<const HumanValues> humans,
                                              const EmpoSpec& spec, const TrainWorlds& worlds,
                                              std::size_t layout) {
    return std::make_unique<LearnedPolicy>(std::move(humans), spec, worlds.worlds[layout],
                                           worlds.facts[layout], static_cast<int>(layout));
}

}  // namespace orrery
