#include "core/train/checkpoint_clock.h"

#include <algorithm>
#include <cmath>

#include "core/base/text.h"

namespace orrery {

namespace {

constexpr double kFirstSeconds = 5;       // so that it is there within 10 s
constexpr double kCheapSeconds = 1;       // writing one may take so long at any interval
constexpr double kShare = 0.02;           // of the time, where it takes longer
constexpr double kIntervalStep = 10;      // so that little noise does not change it
constexpr double kLeastPartOfTime = 0.5;  // of an interval goes into training
constexpr std::string_view kEvery = "every ";

}  // namespace

void CheckpointClock::begin(Time now, bool hasCheckpoint) {
    m_last = now;
    m_hasCheckpoint = hasCheckpoint;
}

bool CheckpointClock::isDue(Time now) const {
    if (m_wanted <= 0) return false;
    const double since = std::chrono::duration<double>(now - m_last).count();
    if (!m_hasCheckpoint) return since >= std::min(kFirstSeconds, m_interval);
    return since >= std::max(m_interval - m_lastCost, m_interval * kLeastPartOfTime);
}

void CheckpointClock::noteWritten(Time now, double seconds) {
    m_last = now;
    m_hasCheckpoint = true;
    m_lastCost = seconds;
    m_interval = m_wanted;
    if (m_wanted > 0 && seconds > kCheapSeconds)
        m_interval =
            std::max(m_wanted, std::ceil(seconds / kShare / kIntervalStep) * kIntervalStep);
}

std::string checkpointIntervalText(double seconds, std::int64_t steps) {
    std::string text;
    if (seconds > 0)
        text = std::string(kEvery) + formatDouble(seconds) +
               " s and at each stage's end, the first within 10 s";
    if (steps > 0)
        text += (text.empty() ? "" : "; ") + std::string(kEvery) + std::to_string(steps) + " steps";
    return text.empty() ? "at the end alone" : text;
}

event::Message longerIntervalMessage(double seconds, double cost) {
    return {.code = std::string(kCheckpointIntervalCode),
            .text = "Checkpoints are made " + std::string(kEvery) + formatDouble(seconds) +
                    " s from here on: writing one takes " +
                    formatDouble(std::round(cost * 10) / 10) + " s",
            .data = "{\"seconds\":" + formatDouble(seconds) + "}"};
}

}  // namespace orrery
