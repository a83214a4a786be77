#include "core/train/entity/driver/rollout_copy.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace orrery {

namespace {

constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

/// The frames that networks read, as the environments had shown them.
class CopiedFrames : public RolloutFrames {
public:
    CopiedFrames(const Rollout& rollout, EntityLayout layout, EnvironmentSpaces spaces)
        : m_layout(std::move(layout)),
          m_spaces(std::move(spaces)),
          m_frames(rollout.frames),
          m_chosen(rollout.chosen) {}

    const EnvironmentSpaces& spaces() const override { return m_spaces; }
    Observation seen(std::int64_t row) const override {
        return observationOf(m_layout, m_spaces, m_frames, row);
    }
    std::vector<ActionTaken> taken(std::int64_t row) const override {
        std::vector<ActionTaken> all;
        for (const RaggedBuffer<std::int64_t>& action : m_chosen) {
            const auto own = action.sequence(row);
            all.push_back({.indices = {own.begin(), own.end()}, .numbers = {}});
        }
        return all;
    }

private:
    EntityLayout m_layout;
    EnvironmentSpaces m_spaces;
    VecObs m_frames;
    VecActions m_chosen;
};

/// As many as there are rows, what is not known behind them or instead of them.
std::vector<float> filled(const std::vector<float>& known, std::size_t rows) {
    std::vector<float> all(
        known.begin(), known.begin() + static_cast<std::ptrdiff_t>(std::min(rows, known.size())));
    all.resize(rows, kUnknown);
    return all;
}

}  // namespace

std::shared_ptr<const RolloutCopy> copyOf(const Rollout& rollout, const EntityLayout& layout,
                                          const EnvironmentSpaces& spaces,
                                          const PpoUpdate::Record& record, const RolloutEnd& end,
                                          std::int64_t trainStep) {
    auto copy = std::make_shared<RolloutCopy>();
    copy->trainStep = trainStep;
    copy->steps = rollout.steps;
    copy->stepsDone = rollout.stepsDone();
    copy->environments = rollout.environments;
    copy->isLearned = end.isLearned;
    const auto rows = static_cast<std::size_t>(copy->rows()),
               width = static_cast<std::size_t>(rollout.environments);
    copy->reward = rollout.rewards;
    copy->value = filled(rollout.values, rows);
    copy->returns = filled(rollout.learned.returns, rows);
    copy->advantage = filled(rollout.learned.advantages, rows);
    copy->ratio = filled(record.ratio, rows);
    copy->entropy = filled(record.entropy, rows);
    copy->isFirst.assign(rollout.dones.begin(),
                         rollout.dones.begin() + static_cast<std::ptrdiff_t>(rows));
    // What ended an episode is told by the frame behind it.
    copy->done.resize(rows);
    copy->truncated.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        const bool isLast = row + width >= rows;
        const std::size_t next = isLast ? row % width : row + width;
        copy->done[row] = isLast ? end.done[next] : rollout.frames.done[next];
        copy->truncated[row] = isLast ? end.truncated[next] : rollout.frames.truncated[next];
    }
    copy->frames = std::make_shared<CopiedFrames>(rollout, layout, spaces);
    return copy;
}

}  // namespace orrery
