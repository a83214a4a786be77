#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/base/mutex.h"
#include "core/trace/span_recorder.h"
#include "core/train/restart_budget.h"
#include "core/train/training_flow.h"

namespace orrery {

/// One that acts in an environment. Its own thread calls it, but while it rests.
class Actor {
public:
    Actor() = default;
    Actor(const Actor&) = delete;
    Actor& operator=(const Actor&) = delete;
    virtual ~Actor() = default;

    /// Before each look at what holds it back: takes over newer weights, if there are any.
    virtual void prepare(SpanRecorder& spans) = 0;
    /// Whether it is too far ahead of the learner.
    virtual bool isThrottled() const = 0;
    /// Acts for some milliseconds and hands over what it made. Ends at once when it shall stop.
    virtual void act(SpanRecorder& spans, const std::stop_token& stop) = 0;
};

/// Actors on threads of their own, which are looked after: one that fails is replaced as long as
/// its restarts last; all of them rest while the learner asks for it, or is silent. The learner's
/// thread calls all members but isLearnerHalted(). Source: seed 003, section 3.
class ActorThreads {
public:
    /// @param restarts  of this actor so far: another random stream does not run into the same
    /// again
    using Make = std::function<std::unique_ptr<Actor>(int actor, int restarts)>;
    struct Limits {
        int restartsPerTenMinutes = 0;  ///< of one actor
        int minLiving = 1;              ///< with fewer the training ends
    };
    /// What has become of one, for observers.
    struct Status {
        ActorState state = ActorState::Running;
        int restarts = 0;
        std::string trouble = {};  ///< its last error
    };

    /// @param origin  the moment 0 of the recorded spans
    ActorThreads(int count, Limits limits, Make make, SpanRecorder::Clock::time_point origin);
    /// Waits for what they are at.
    ~ActorThreads();
    ActorThreads(const ActorThreads&) = delete;
    ActorThreads& operator=(const ActorThreads&) = delete;

    /// Starts them; later calls do nothing.
    void begin();
    /// The learner is at work. One that is silent for half a second holds all actors.
    void beat();
    bool isLearnerHalted() const;
    /// Replaces those that failed. @throws Error (Diverged) if too few are left
    void supervise();
    /// Something came from an actor, or nothing could.
    void worked() { m_waitsSince = SpanRecorder::Clock::now(); }
    /// @throws Error if nothing came for a minute although one may act
    void requireWork() const;

    int count() const { return static_cast<int>(m_lanes.size()); }
    /// @return false if there is no such actor
    bool setPaused(int actor, bool isPaused);
    bool isPaused(int actor) const;
    bool areAllPaused() const;  ///< or dead

    /// Runs `work` while all actors rest between two act().
    /// @param meanwhile  again and again until they do, so that nobody waits for room
    void atRest(const std::function<void()>& meanwhile, const std::function<void()>& work);

    Actor& actor(int index) { return *m_lanes[static_cast<std::size_t>(index)]->actor; }
    std::vector<Status> status() const;
    /// Lines for the log since the last call: "Actor 1 failed ...".
    std::vector<std::string> takeMessages();
    /// What the threads did when, as far as it is to be seen; none is null.
    std::vector<std::shared_ptr<const SpanLane>> lanes() const;
    std::size_t recordingBytes() const;  ///< memory of these, at most

private:
    /// One actor's thread, to which the actor belongs while it runs and does not rest.
    struct Lane {
        Lane(int index, int restarts, SpanRecorder::Clock::time_point origin);
        std::unique_ptr<Actor> actor;
        std::atomic<bool> isPaused = false;
        std::atomic<bool> hasFailed = false;
        bool isDead = false;  ///< the learner's
        RestartBudget budget;
        SpanRecorder spans;  ///< the thread's, but for lane()
        mutable Mutex mutex;
        Status status ORRERY_GUARDED_BY(mutex);
        std::jthread thread;
    };

    void start(Lane& lane);
    void requireLiving(const std::string& trouble) const;
    bool areAllResting();
    void run(Lane& lane, const std::stop_token& stop) noexcept;
    void fail(Lane& lane, const std::string& trouble);
    ActorState whatHolds(const Lane& lane) const;
    void rest(Lane& lane, const std::stop_token& stop);

    const Limits m_limits;
    const Make m_make;
    std::atomic<std::int64_t> m_beat = 0;  ///< when the learner was last heard of

    Mutex m_restMutex;
    std::condition_variable m_allResting;
    std::condition_variable_any m_goOn;
    bool m_isResting ORRERY_GUARDED_BY(m_restMutex) = false;
    std::ptrdiff_t m_atRest ORRERY_GUARDED_BY(m_restMutex) = 0;

    // The learner's.
    bool m_hasBegun = false;
    SpanRecorder::Clock::time_point m_waitsSince;
    std::vector<std::string> m_messages;
    std::vector<std::unique_ptr<Lane>> m_lanes;  // last: their threads use the members above
};

}  // namespace orrery
