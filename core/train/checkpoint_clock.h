#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/run_event.h"

namespace orrery {

/// When the next checkpoint of a training is due by the clock, so that a kill costs little and
/// checkpoints cost little. Does not look at the time by itself. One thread.
class CheckpointClock {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// @param wanted  seconds between two checkpoints, >= 0; 0: none is ever due
    explicit CheckpointClock(double wanted) : m_wanted(wanted), m_interval(wanted) {}

    /// The training begins. @param hasCheckpoint  it goes on from one of its own: there is no hurry
    void begin(Time now, bool hasCheckpoint);
    /// A checkpoint that is begun now is there when it has to be.
    bool isDue(Time now) const;
    /// A checkpoint became durable. @param seconds  what writing it took
    void noteWritten(Time now, double seconds);
    /// There is nothing new to write.
    void noteUnneeded(Time now) { m_last = now; }

    /// Seconds between two checkpoints, as is in force now: as wanted, or more where writing one
    /// takes over a second, so that it is 2 % of the time.
    double interval() const { return m_interval; }

private:
    double m_wanted, m_interval;
    double m_lastCost = 0;  ///< seconds that writing the last one took
    bool m_hasCheckpoint = false;
    Time m_last;
};

/// The code of the message that tells of another interval.
inline constexpr std::string_view kCheckpointIntervalCode = "checkpoint.interval";

/// "every 60 s and at each stage's end, the first within 10 s"
/// @param seconds, steps  between two checkpoints; 0: none is made by them
std::string checkpointIntervalText(double seconds, std::int64_t steps);

/// That message, with {"seconds": N}: "every 120 s from here on: writing one takes 2.3 s".
event::Message longerIntervalMessage(double seconds, double cost);

}  // namespace orrery
