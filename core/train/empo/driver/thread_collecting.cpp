#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>

#include "core/base/bounded_queue.h"
#include "core/base/error.h"
#include "core/base/fault.h"
#include "core/base/latest.h"
#include "core/train/empo/driver/collecting.h"

namespace orrery {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kNap{10};        ///< between looks at what holds a collector back
constexpr milliseconds kPatience{100};  ///< with a full queue, then the transition is lost
constexpr milliseconds kLearnerWait{50};
constexpr milliseconds kBeat{500};  ///< a learner that is silent for longer is halted
constexpr std::chrono::seconds kStalled{60};
/// Where threads are more than processors the learner goes first: the collectors only feed it.
constexpr int kNice = 10;
/// A collector hands over so many transitions at once: one lock and one wake-up for all.
constexpr std::int64_t kHandedOver = 32;
/// Of one sample of what a collector does: 16 chunks of acting, handing over and what holds it.
constexpr std::size_t kLaneSpans = 64;

using Chunk = std::vector<Transition>;

class ThreadCollecting : public Collecting {
public:
    ThreadCollecting(EmpoSpec spec, TrainWorlds worlds,
                     std::span<const std::vector<std::byte>> saved, std::int64_t environmentSteps,
                     SpanRecorder::Clock::time_point origin)
        : m_spec(std::move(spec)),
          m_worlds(std::move(worlds)),
          m_chunk(std::min(kHandedOver, m_spec.queueCapacity)),
          m_queue(static_cast<std::size_t>(m_spec.queueCapacity / m_chunk)),
          m_produced(environmentSteps) {
        for (int i = 0; i < m_spec.numCollectors; ++i) {
            m_lanes.push_back(std::make_unique<Lane>(i, m_spec.restartsPerTenMinutes, origin));
            Lane& lane = *m_lanes.back();
            lane.faultName = faultNameOf(i);
            lane.acting = makeActingCollector(m_spec, m_worlds, i);
            if (static_cast<std::size_t>(i) < saved.size())
                lane.acting.collector->load(saved[static_cast<std::size_t>(i)]);
        }
    }

    ~ThreadCollecting() override {
        for (const auto& lane : m_lanes) lane->thread.request_stop();
        m_queue.close();
    }

    void publish(std::shared_ptr<const ActingState> state) override {
        m_state.store(std::move(state));
        beat();
        if (std::exchange(m_hasBegun, true)) return;
        for (int i = 0; i < std::ssize(m_lanes); ++i) start(i);
    }

    bool collect(Training& training) override {
        beat();
        supervise();
        takeAll(training);
        if (mayTrain(training)) {
            m_waitsSince = Clock::now();
            return true;
        }
        if (const auto chunk = m_queue.popFor(kLearnerWait)) {
            take(*chunk, training);
            takeAll(training);
        } else if (Clock::now() - m_waitsSince > kStalled && !areAllPaused()) {
            throw Error(
                "No actor made a step for 60 s: the run is stalled. It can be resumed from "
                "its last checkpoint.");
        }
        return mayTrain(training);
    }

    bool setPaused(int collector, bool isPaused) override {
        if (collector < 0 || collector >= std::ssize(m_lanes)) return false;
        m_lanes[static_cast<std::size_t>(collector)]->isPaused = isPaused;
        m_waitsSince = Clock::now();
        return true;
    }
    bool isPaused(int collector) const override {
        return m_lanes[static_cast<std::size_t>(collector)]->isPaused;
    }

    std::vector<std::vector<std::byte>> save(Training& training) override {
        {
            const std::lock_guard lock(m_parkMutex);
            m_isParking = true;
        }
        while (!areAllParked()) takeAll(training);
        takeAll(training);
        std::vector<std::vector<std::byte>> saved;
        for (const auto& lane : m_lanes) saved.push_back(lane->acting.collector->save());
        {
            const std::lock_guard lock(m_parkMutex);
            m_isParking = false;
        }
        m_unpark.notify_all();
        m_waitsSince = Clock::now();
        return saved;
    }

    std::vector<CollectorNumbers> numbers() const override {
        std::vector<CollectorNumbers> all;
        for (const auto& lane : m_lanes) {
            const std::lock_guard lock(lane->mutex);
            all.push_back(lane->numbers);
        }
        return all;
    }

    void addNumbers(ReplayNumbers& numbers) const override {
        numbers.queueSize = static_cast<std::int64_t>(m_queue.size()) * m_chunk;
        numbers.queueCapacity = static_cast<std::int64_t>(m_queue.capacity()) * m_chunk;
        numbers.produced = m_produced;
        numbers.dropped = m_dropped;
    }

    std::vector<std::string> takeMessages() override { return std::exchange(m_messages, {}); }

    std::vector<std::shared_ptr<const SpanLane>> lanes() const override {
        std::vector<std::shared_ptr<const SpanLane>> all;
        for (const auto& lane : m_lanes)
            if (auto shown = lane->spans.lane()) all.push_back(std::move(shown));
        return all;
    }
    std::size_t recordingBytes() const override {
        return m_lanes.size() * SpanRecorder::mostBytes(kLaneSpans);
    }

private:
    /// One collector's thread. Numbers and trouble are guarded by the mutex; acting belongs to the
    /// thread while it runs and is not parked.
    struct Lane {
        Lane(int index, int restarts, SpanRecorder::Clock::time_point origin)
            : budget(restarts), spans("actor " + std::to_string(index), origin, kLaneSpans) {}
        std::string faultName;
        ActingCollector acting;
        std::atomic<bool> isPaused = false;
        std::atomic<bool> hasFailed = false;
        bool isDead = false;  ///< the learner's
        RestartBudget budget;
        SpanRecorder spans;  ///< the thread's, but for lane()
        mutable std::mutex mutex;
        CollectorNumbers numbers;
        std::jthread thread;
    };

    void beat() {
        if (isLearnerHalted()) m_waitsSince = Clock::now();
        m_beat = Clock::now().time_since_epoch().count();
    }
    bool isLearnerHalted() const {
        return Clock::now().time_since_epoch() - Clock::duration(m_beat.load()) > kBeat;
    }

    // The learner's side.

    void start(int index) {
        Lane& lane = *m_lanes[static_cast<std::size_t>(index)];
        lane.hasFailed = false;
        lane.thread =
            std::jthread([this, &lane](const std::stop_token& stop) noexcept { act(lane, stop); });
    }

    void supervise() {
        for (int i = 0; i < std::ssize(m_lanes); ++i) {
            Lane& lane = *m_lanes[static_cast<std::size_t>(i)];
            if (!lane.hasFailed || lane.isDead) continue;
            lane.thread.join();
            std::string trouble;
            int restarts = 0;
            {
                const std::lock_guard lock(lane.mutex);
                trouble = lane.numbers.trouble;
                restarts = ++lane.numbers.restarts;
            }
            lane.isDead = !lane.budget.take();
            m_messages.push_back(
                "Actor " + std::to_string(i) + " failed" +
                (lane.isDead ? " too often and is given up: " : " and is started again: ") +
                trouble);
            if (lane.isDead) {
                requireLiving(trouble);
                continue;
            }
            // Another random stream, so that it does not run into the same again.
            lane.acting =
                makeActingCollector(m_spec, m_worlds, i + m_spec.numCollectors * restarts);
            start(i);
        }
    }

    void requireLiving(const std::string& trouble) const {
        const auto living =
            std::ranges::count_if(m_lanes, [](const auto& lane) { return !lane->isDead; });
        if (living < m_spec.minLivingCollectors)
            throw Error("Only " + std::to_string(living) +
                            " actors are left, which is less than min_living_actors: " + trouble +
                            " The run can be resumed from its last checkpoint.",
                        Error::Kind::Diverged);
    }

    void take(const Chunk& chunk, Training& training) {
        for (const Transition& transition : chunk) training.take(transition);
        m_waitsSince = Clock::now();
    }
    void takeAll(Training& training) {
        for (const Chunk& chunk : m_queue.drain()) take(chunk, training);
    }

    /// Enough to begin with, and the learner is not ahead of what was collected, or nobody collects
    /// before it trains.
    bool mayTrain(const Training& training) {
        m_hasEnough = m_hasEnough || static_cast<std::int64_t>(training.buffer.size()) >=
                                         std::min(m_spec.minBufferSize, m_spec.bufferCapacity);
        const std::int64_t most =
            training.environmentSteps * m_spec.trainingStepsPerEnvironmentStep;
        return m_hasEnough && (training.learner.stepsDone() < most || areAllPaused() ||
                               isThrottled(*m_state.load()));
    }
    bool areAllPaused() const {
        return std::ranges::all_of(m_lanes,
                                   [](const auto& lane) { return lane->isPaused || lane->isDead; });
    }
    bool areAllParked() {
        const auto acting = std::ranges::count_if(
            m_lanes, [](const auto& lane) { return !lane->isDead && !lane->hasFailed; });
        std::unique_lock lock(m_parkMutex);
        return m_allParked.wait_for(lock, kNap, [&] { return m_parked >= acting; });
    }

    // The collectors' side.

    void act(Lane& lane, const std::stop_token& stop) noexcept {
        ::setpriority(PRIO_PROCESS, 0, kNice);  // of this thread alone, on Linux
        try {
            while (!stop.stop_requested()) {
                park(lane, stop);
                const auto state = m_state.load();
                if (lane.acting.values->weightsStep() != state->weights->step) {
                    lane.spans.enter(SpanKind::Weights);
                    lane.acting.values->use(state->weights);
                }
                const CollectorNumbers::State held = whatHolds(lane, *state);
                show(lane, held);
                if (held != CollectorNumbers::State::Running) {
                    lane.spans.enter(spanOf(held));
                    nap(stop);
                    continue;
                }
                actSome(lane, *state, stop);
            }
            return;
        } catch (const std::bad_alloc&) {
            fail(lane, "memory ran out");
        } catch (const std::exception& error) {
            fail(lane, error.what());
        }
    }

    void fail(Lane& lane, const std::string& trouble) {
        {
            const std::lock_guard lock(lane.mutex);
            lane.numbers.trouble = trouble;
            lane.numbers.state = CollectorNumbers::State::Dead;
        }
        lane.hasFailed = true;
    }

    static SpanKind spanOf(CollectorNumbers::State held) {
        if (held == CollectorNumbers::State::Paused) return SpanKind::Paused;
        return held == CollectorNumbers::State::Throttled ? SpanKind::Throttled : SpanKind::Waiting;
    }

    CollectorNumbers::State whatHolds(const Lane& lane, const ActingState& state) const {
        using enum CollectorNumbers::State;
        if (lane.isPaused) return Paused;
        if (isLearnerHalted()) return Waiting;
        return isThrottled(state) ? Throttled : Running;
    }

    /// Whether there are as many transitions as so few training steps allow; lost ones do not
    /// count.
    bool isThrottled(const ActingState& state) const {
        // A learner that waits for its buffer to fill trains no step that would let them go on.
        if (!state.mostPerTrainingStep || (!m_hasEnough && state.trainingSteps > 0)) return false;
        const double most =
            state.trainingSteps == 0
                ? 2.0 * static_cast<double>(
                            std::max<std::int64_t>(m_spec.minBufferSize, m_spec.batchSize))
                : *state.mostPerTrainingStep * static_cast<double>(state.trainingSteps);
        return static_cast<double>(m_produced - m_dropped) >= most;
    }

    void actSome(Lane& lane, const ActingState& state, const std::stop_token& stop) {
        Chunk chunk;
        chunk.reserve(static_cast<std::size_t>(m_chunk));
        lane.spans.enter(SpanKind::Act);
        std::int64_t episodes = 0;
        const auto begin = Clock::now();
        while (std::ssize(chunk) < m_chunk && !stop.stop_requested()) {
            faultPoint("actor.step");
            faultPoint(lane.faultName);
            chunk.push_back(lane.acting.collector->step(state.rates));
            episodes += chunk.back().endsEpisode ? 1 : 0;
        }
        if (chunk.empty()) return;
        const std::int64_t steps = std::ssize(chunk);
        const Transition newest = chunk.back();
        lane.spans.enter(SpanKind::HandOver);
        m_produced += steps;  // first, so that the learner never has more than were made
        const bool isTaken = m_queue.tryPush(chunk) || m_queue.pushFor(chunk, kPatience, stop);
        const std::int64_t dropped = isTaken ? 0 : steps;
        m_dropped += dropped;
        lane.spans.endStep();
        const std::chrono::duration<double> took = Clock::now() - begin;
        const std::lock_guard lock(lane.mutex);
        lane.numbers.environmentSteps += steps;
        lane.numbers.episodes += episodes;
        lane.numbers.dropped += dropped;
        lane.numbers.stepsPerSecond = static_cast<double>(steps) / std::max(1e-9, took.count());
        lane.numbers.weightsStep = state.weights->step;
        showPlace(lane, newest);
    }

    void showPlace(Lane& lane, const Transition& newest) const {
        const Collector& collector = *lane.acting.collector;
        lane.numbers.world = collector.layout();
        lane.numbers.episodeStep = collector.stepOfEpisode();
        lane.numbers.goals.clear();
        for (const std::int8_t goal : collector.goals())
            lane.numbers.goals.push_back(static_cast<std::uint8_t>(goal));
        if (!newest.model) return;
        const auto bytes = newest.model->successorBytes(newest.reached);
        lane.numbers.encoded.assign(bytes.begin(), bytes.end());
    }

    void show(Lane& lane, CollectorNumbers::State state) const {
        const std::lock_guard lock(lane.mutex);
        lane.numbers.state = state;
    }

    void park(Lane& lane, const std::stop_token& stop) {
        std::unique_lock lock(m_parkMutex);
        if (!m_isParking) return;
        lane.spans.enter(SpanKind::Waiting);
        lane.spans.flush();
        ++m_parked;
        m_allParked.notify_all();
        m_unpark.wait(lock, stop, [this] { return !m_isParking; });
        --m_parked;
    }

    void nap(const std::stop_token& stop) {
        std::unique_lock lock(m_napMutex);
        m_napping.wait_for(lock, stop, kNap, [] { return false; });
    }

    const EmpoSpec m_spec;
    const TrainWorlds m_worlds;
    const std::int64_t m_chunk;  ///< transitions
    BoundedQueue<Chunk> m_queue;
    Latest<ActingState> m_state;
    std::atomic<std::int64_t> m_produced, m_dropped = 0;
    std::atomic<bool> m_hasEnough = false;  ///< the buffer held enough to begin with
    std::atomic<std::int64_t> m_beat = 0;   ///< when the learner was last heard of

    std::mutex m_parkMutex;
    std::condition_variable m_allParked;
    std::condition_variable_any m_unpark;
    bool m_isParking = false;     // guarded by m_parkMutex
    std::ptrdiff_t m_parked = 0;  // guarded by m_parkMutex
    std::mutex m_napMutex;
    std::condition_variable_any m_napping;

    // The learner's.
    bool m_hasBegun = false;
    Clock::time_point m_waitsSince;  ///< if it waits for transitions
    std::vector<std::string> m_messages;
    std::vector<std::unique_ptr<Lane>> m_lanes;  // last: their threads use the members above
};

}  // namespace

std::unique_ptr<Collecting> makeThreadCollecting(const EmpoSpec& spec, const TrainWorlds& worlds,
                                                 std::span<const std::vector<std::byte>> saved,
                                                 std::int64_t environmentSteps,
                                                 SpanRecorder::Clock::time_point origin) {
    return std::make_unique<ThreadCollecting>(spec, worlds, saved, environmentSteps, origin);
}

}  // namespace orrery
