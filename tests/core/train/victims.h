#pragma once

#include <QProcess>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "core/run/run_spec.h"

namespace orrery::test {

/// A training that something happens to. The first order for a workspace begins its only run, the
/// others resume it.
struct VictimOrder {
    std::string workspace = {};
    std::string spec = {};         ///< file
    std::string clock = {};        ///< file of a StepClock; empty: none
    std::string faults = {};       ///< plans, see core/base/fault.h
    std::int64_t memory = 0;       ///< bytes of address space beyond those at the start; 0: any
    std::int64_t allocation = 0;   ///< the one of operator new that fails; 0: none
    std::int64_t cancelAfter = 0;  ///< milliseconds; 0: never
};

struct VictimEnd {
    int signal = 0;                     ///< that it died of; 0: it ended by itself
    int status = -1;                    ///< then its exit status
    std::string state = {};             ///< of the run then: "finished"; "error": it did not begin
    std::string text = {};              ///< and why
    std::int64_t committed = 0;         ///< points of curves that it was told are durable
    double afterFailure = 0;            ///< seconds from an actor's last failure to the end
    bool isHanging = false;             ///< it did not end in time and was killed
    std::chrono::nanoseconds diedAt{};  ///< of the steady clock, when kill() was called
};

/// Trainings by the true library of the learners, each in a process of its own: children of the
/// program train_victim. One at a time; use it from one thread.
class Victims {
public:
    Victims();
    ~Victims();
    Victims(const Victims&) = delete;
    Victims& operator=(const Victims&) = delete;

    void start(const VictimOrder& order);
    /// @return whether it has ended
    bool waitFor(std::chrono::microseconds patience);
    void kill(int signal);
    /// Until it has ended; after a minute it is killed.
    VictimEnd wait();
    VictimEnd run(const VictimOrder& order) {
        start(order);
        return wait();
    }

private:
    void take(const std::string& line);

    QProcess m_process;
    QByteArray m_unread;
    qint64 m_pid = 0;
    bool m_hasEnded = true;
    VictimEnd m_end;
};

/// What is wrong with a workspace after a victim's end; empty: it is sound, holds at least `points`
/// points of curves, and its newest listed checkpoint loads.
QString problemOf(const std::string& workspace, std::int64_t points = 0);

/// All points of curves that are stored.
std::int64_t pointsIn(const std::string& workspace);

/// Hashes of what a checkpoint of the run keeps, but for the time it took; empty if there is none.
std::map<std::string, std::string> contentOf(const std::string& workspace, std::int64_t step);

/// Whether the run's end is stored: it cannot be resumed.
bool isFinished(const std::string& workspace);

/// The run's newest checkpoint that is good; -1: none.
std::int64_t newestStep(const std::string& workspace);

/// Whether every number of the newest good checkpoint is finite; true if there is none.
bool isNewestFinite(const std::string& workspace);

/// A training on a small room, in tables or in small networks with dropout, two actors in turn: it
/// is the same whenever it is done again. Saves every fourth of its steps.
RunSpec victimSpec(const std::string& worldFile, bool hasNetworks, std::int64_t steps);

/// A training among things, of updates of 32 frames in four minibatches and with evaluations: it is
/// the same whenever it is done again. Saves every fourth of its frames, within updates.
RunSpec entityVictimSpec(std::int64_t updates);

}  // namespace orrery::test
