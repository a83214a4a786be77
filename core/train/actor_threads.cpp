#include "core/train/actor_threads.h"

#include <sys/resource.h>

#include <algorithm>
#include <new>
#include <utility>

#include "core/base/error.h"
#include "core/base/stoppable_sleep.h"

namespace orrery {

namespace {

using Clock = SpanRecorder::Clock;
using std::chrono::milliseconds;

constexpr milliseconds kNap{10};    ///< between looks at what holds an actor back
constexpr milliseconds kBeat{500};  ///< a learner that is silent for longer is halted
constexpr std::chrono::seconds kStalled{60};
/// Where threads are more than processors the learner goes first: the actors only feed it.
constexpr int kNice = 10;
/// Of one sample of what an actor does: 16 times acting, handing over and what holds it.
constexpr std::size_t kLaneSpans = 64;

SpanKind spanOf(ActorState held) {
    if (held == ActorState::Paused) return SpanKind::Paused;
    return held == ActorState::Throttled ? SpanKind::Throttled : SpanKind::Waiting;
}

}  // namespace

ActorThreads::Lane::Lane(int index, int restarts, Clock::time_point origin)
    : budget(restarts), spans("actor " + std::to_string(index), origin, kLaneSpans) {}

ActorThreads::ActorThreads(int count, Limits limits, Make make, Clock::time_point origin)
    : m_limits(limits), m_make(std::move(make)) {
    for (int i = 0; i < count; ++i) {
        m_lanes.push_back(std::make_unique<Lane>(i, m_limits.restartsPerTenMinutes, origin));
        m_lanes.back()->actor = m_make(i, 0);
    }
}

ActorThreads::~ActorThreads() {
    for (const auto& lane : m_lanes) lane->thread.request_stop();
}

void ActorThreads::begin() {
    if (std::exchange(m_hasBegun, true)) return;
    for (const auto& lane : m_lanes) start(*lane);
}

void ActorThreads::beat() {
    if (isLearnerHalted()) worked();
    m_beat = Clock::now().time_since_epoch().count();
}

bool ActorThreads::isLearnerHalted() const {
    return Clock::now().time_since_epoch() - Clock::duration(m_beat.load()) > kBeat;
}

void ActorThreads::start(Lane& lane) {
    lane.hasFailed = false;
    lane.thread =
        std::jthread([this, &lane](const std::stop_token& stop) noexcept { run(lane, stop); });
}

void ActorThreads::supervise() {
    for (int i = 0; i < count(); ++i) {
        Lane& lane = *m_lanes[static_cast<std::size_t>(i)];
        if (!lane.hasFailed || lane.isDead) continue;
        lane.thread.join();
        Status status;
        {
            const MutexLock lock(lane.mutex);
            ++lane.status.restarts;
            status = lane.status;
        }
        lane.isDead = !lane.budget.take();
        m_messages.push_back(
            "Actor " + std::to_string(i) + " failed" +
            (lane.isDead ? " too often and is given up: " : " and is started again: ") +
            status.trouble);
        if (lane.isDead) {
            requireLiving(status.trouble);
            continue;
        }
        lane.actor = m_make(i, status.restarts);
        start(lane);
    }
}

void ActorThreads::requireLiving(const std::string& trouble) const {
    const auto living =
        std::ranges::count_if(m_lanes, [](const auto& lane) { return !lane->isDead; });
    if (living < m_limits.minLiving)
        throw Error("Only " + std::to_string(living) +
                        " actors are left, which is less than min_living_actors: " + trouble +
                        " The run can be resumed from its last checkpoint.",
                    Error::Kind::Diverged);
}

void ActorThreads::requireWork() const {
    if (Clock::now() - m_waitsSince <= kStalled || areAllPaused()) return;
    throw Error(
        "No actor made a step for 60 s: the run is stalled. It can be resumed from its last "
        "checkpoint.");
}

bool ActorThreads::setPaused(int actor, bool isPaused) {
    if (actor < 0 || actor >= count()) return false;
    m_lanes[static_cast<std::size_t>(actor)]->isPaused = isPaused;
    worked();
    return true;
}

bool ActorThreads::isPaused(int actor) const {
    return m_lanes[static_cast<std::size_t>(actor)]->isPaused;
}

bool ActorThreads::areAllPaused() const {
    return std::ranges::all_of(m_lanes,
                               [](const auto& lane) { return lane->isPaused || lane->isDead; });
}

void ActorThreads::atRest(const std::function<void()>& meanwhile,
                          const std::function<void()>& work) {
    {
        const MutexLock lock(m_restMutex);
        m_isResting = true;
    }
    while (!areAllResting()) meanwhile();
    work();
    {
        const MutexLock lock(m_restMutex);
        m_isResting = false;
    }
    m_goOn.notify_all();
    worked();
}

bool ActorThreads::areAllResting() {
    const auto acting = std::ranges::count_if(
        m_lanes, [](const auto& lane) { return !lane->isDead && !lane->hasFailed; });
    MutexLock lock(m_restMutex);
    return m_allResting.wait_for(lock.native(), kNap,
                                 [&]() ORRERY_REQUIRES(m_restMutex) { return m_atRest >= acting; });
}

std::vector<ActorThreads::Status> ActorThreads::status() const {
    std::vector<Status> all;
    for (const auto& lane : m_lanes) {
        const MutexLock lock(lane->mutex);
        all.push_back(lane->status);
    }
    return all;
}

std::vector<std::string> ActorThreads::takeMessages() {
    return std::exchange(m_messages, {});
}

std::vector<std::shared_ptr<const SpanLane>> ActorThreads::lanes() const {
    std::vector<std::shared_ptr<const SpanLane>> all;
    for (const auto& lane : m_lanes)
        if (auto shown = lane->spans.lane()) all.push_back(std::move(shown));
    return all;
}

std::size_t ActorThreads::recordingBytes() const {
    return m_lanes.size() * SpanRecorder::mostBytes(kLaneSpans);
}

void ActorThreads::run(Lane& lane, const std::stop_token& stop) noexcept {
    ::setpriority(PRIO_PROCESS, 0, kNice);  // of this thread alone, on Linux
    try {
        while (!stop.stop_requested()) {
            rest(lane, stop);
            lane.actor->prepare(lane.spans);
            const ActorState held = whatHolds(lane);
            {
                const MutexLock lock(lane.mutex);
                lane.status.state = held;
            }
            if (held == ActorState::Running) {
                lane.actor->act(lane.spans, stop);
                continue;
            }
            lane.spans.enter(spanOf(held));
            sleepUnlessStopped(kNap, stop);
        }
    } catch (const std::bad_alloc&) {
        fail(lane, "memory ran out");
    } catch (const std::exception& error) {
        fail(lane, error.what());
    }
}

void ActorThreads::fail(Lane& lane, const std::string& trouble) {
    {
        const MutexLock lock(lane.mutex);
        lane.status.trouble = trouble;
        lane.status.state = ActorState::Dead;
    }
    lane.hasFailed = true;
}

ActorState ActorThreads::whatHolds(const Lane& lane) const {
    if (lane.isPaused) return ActorState::Paused;
    if (isLearnerHalted()) return ActorState::Waiting;
    return lane.actor->isThrottled() ? ActorState::Throttled : ActorState::Running;
}

void ActorThreads::rest(Lane& lane, const std::stop_token& stop) {
    MutexLock lock(m_restMutex);
    if (!m_isResting) return;
    lane.spans.enter(SpanKind::Waiting);
    lane.spans.flush();
    ++m_atRest;
    m_allResting.notify_all();
    m_goOn.wait(lock, stop, [this]() ORRERY_REQUIRES(m_restMutex) { return !m_isResting; });
    --m_atRest;
}

}  // namespace orrery
