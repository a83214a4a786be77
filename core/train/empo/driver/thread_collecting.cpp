#include <algorithm>
#include <atomic>
#include <chrono>
#include <span>
#include <utility>

#include "core/base/bounded_queue.h"
#include "core/base/fault.h"
#include "core/base/latest.h"
#include "core/base/mutex.h"
#include "core/train/actor_threads.h"
#include "core/train/empo/driver/collecting.h"

namespace orrery {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kPatience{100};  ///< with a full queue, then the transition is lost
constexpr milliseconds kLearnerWait{50};
/// A collector hands over so many transitions at once: one lock and one wake-up for all.
constexpr std::int64_t kHandedOver = 32;

using Chunk = std::vector<Transition>;

/// What the collectors and the learner share.
struct Shared {
    Shared(const EmpoSpec& itsSpec, std::int64_t environmentSteps)
        : spec(itsSpec),
          chunk(std::min(kHandedOver, spec.queueCapacity)),
          queue(static_cast<std::size_t>(spec.queueCapacity / chunk)),
          produced(environmentSteps) {}

    /// Whether there are as many transitions as so few training steps allow; lost ones do not
    /// count.
    bool isThrottled(const ActingState& now) const {
        // A learner that waits for its buffer to fill trains no step that would let them go on.
        if (!now.mostPerTrainingStep || (!hasEnough && now.trainingSteps > 0)) return false;
        const double most = now.trainingSteps == 0
                                ? 2.0 * static_cast<double>(std::max<std::int64_t>(
                                            spec.minBufferSize, spec.batchSize))
                                : *now.mostPerTrainingStep * static_cast<double>(now.trainingSteps);
        return static_cast<double>(produced - dropped) >= most;
    }

    const EmpoSpec spec;
    const std::int64_t chunk;  ///< transitions
    BoundedQueue<Chunk> queue;
    Latest<ActingState> state;
    std::atomic<std::int64_t> produced, dropped = 0;
    std::atomic<bool> hasEnough = false;  ///< the buffer held enough to begin with
};

/// A collector behind the queue.
class QueueingActor : public Actor {
public:
    QueueingActor(Shared& shared, const TrainWorlds& worlds, int index, int restarts,
                  const CollectorNumbers& former)
        : m_shared(shared),
          m_faultName(faultNameOf(index)),
          m_acting(makeActingCollector(shared.spec, worlds,
                                       index + shared.spec.numCollectors * restarts)),
          m_numbers(former) {}

    void prepare(SpanRecorder& spans) override {
        m_state = m_shared.state.load();
        if (m_acting.values->weightsStep() == m_state->weights->step) return;
        spans.enter(SpanKind::Weights);
        m_acting.values->use(m_state->weights);
    }
    bool isThrottled() const override { return m_shared.isThrottled(*m_state); }

    void act(SpanRecorder& spans, const std::stop_token& stop) override {
        Chunk chunk;
        chunk.reserve(static_cast<std::size_t>(m_shared.chunk));
        spans.enter(SpanKind::Act);
        std::int64_t episodes = 0;
        const auto begin = Clock::now();
        while (std::ssize(chunk) < m_shared.chunk && !stop.stop_requested()) {
            faultPoint("actor.step");
            faultPoint(m_faultName);
            chunk.push_back(m_acting.collector->step(m_state->rates));
            episodes += chunk.back().endsEpisode ? 1 : 0;
        }
        if (chunk.empty()) return;
        const std::int64_t steps = std::ssize(chunk);
        spans.enter(SpanKind::HandOver);
        m_shared.produced += steps;  // first, so that the learner never has more than were made
        const bool isTaken =
            m_shared.queue.tryPush(chunk) || m_shared.queue.pushFor(chunk, kPatience, stop);
        const std::int64_t dropped = isTaken ? 0 : steps;
        m_shared.dropped += dropped;
        spans.endStep();
        const std::chrono::duration<double> took = Clock::now() - begin;
        const MutexLock lock(m_mutex);
        m_numbers.environmentSteps += steps;
        m_numbers.episodes += episodes;
        m_numbers.dropped += dropped;
        m_numbers.stepsPerSecond = static_cast<double>(steps) / std::max(1e-9, took.count());
        m_numbers.weightsStep = m_state->weights->step;
        showPlace();
    }

    Collector& collector() { return *m_acting.collector; }
    CollectorNumbers numbers() const {
        const MutexLock lock(m_mutex);
        return m_numbers;
    }

private:
    void showPlace() ORRERY_REQUIRES(m_mutex) {
        const Collector& collector = *m_acting.collector;
        m_numbers.world = collector.layout();
        m_numbers.episodeStep = collector.stepOfEpisode();
        m_numbers.goals.clear();
        for (const std::int8_t goal : collector.goals())
            m_numbers.goals.push_back(static_cast<std::uint8_t>(goal));
        const std::span<const std::uint64_t> configuration = collector.configuration();
        m_numbers.configuration.assign(configuration.begin(), configuration.end());
    }

    Shared& m_shared;
    const std::string m_faultName;
    ActingCollector m_acting;
    std::shared_ptr<const ActingState> m_state;
    mutable Mutex m_mutex;
    CollectorNumbers m_numbers ORRERY_GUARDED_BY(m_mutex);  ///< what it shows
};

class ThreadCollecting : public Collecting {
public:
    ThreadCollecting(const EmpoSpec& spec, TrainWorlds worlds,
                     std::span<const std::vector<std::byte>> saved, std::int64_t environmentSteps,
                     SpanRecorder::Clock::time_point origin)
        : m_worlds(std::move(worlds)),
          m_shared(spec, environmentSteps),
          m_actors(static_cast<std::size_t>(spec.numCollectors)),
          m_threads(
              spec.numCollectors,
              {.restartsPerTenMinutes = spec.restartsPerTenMinutes,
               .minLiving = spec.minLivingCollectors},
              [this](int actor, int restarts) { return make(actor, restarts); }, origin) {
        for (std::size_t i = 0; i < std::min(m_actors.size(), saved.size()); ++i)
            m_actors[i]->collector().load(saved[i]);
    }

    ~ThreadCollecting() override { m_shared.queue.close(); }

    void publish(std::shared_ptr<const ActingState> state) override {
        m_shared.state.store(std::move(state));
        m_threads.beat();
        m_threads.begin();
    }

    bool collect(Training& training) override {
        m_threads.beat();
        m_threads.supervise();
        takeAll(training);
        if (mayTrain(training)) {
            m_threads.worked();
            return true;
        }
        if (const auto chunk = m_shared.queue.popFor(kLearnerWait)) {
            take(*chunk, training);
            takeAll(training);
        } else {
            m_threads.requireWork();
        }
        return mayTrain(training);
    }

    bool setPaused(int collector, bool isPaused) override {
        return m_threads.setPaused(collector, isPaused);
    }
    bool isPaused(int collector) const override { return m_threads.isPaused(collector); }

    std::vector<std::vector<std::byte>> save(Training& training) override {
        std::vector<std::vector<std::byte>> saved;
        m_threads.atRest([&] { takeAll(training); },
                         [&] {
                             takeAll(training);
                             for (QueueingActor* actor : m_actors)
                                 saved.push_back(actor->collector().save());
                         });
        return saved;
    }

    std::vector<CollectorNumbers> numbers() const override {
        const std::vector<ActorThreads::Status> status = m_threads.status();
        std::vector<CollectorNumbers> all;
        for (std::size_t i = 0; i < m_actors.size(); ++i) {
            all.push_back(m_actors[i]->numbers());
            all.back().state = status[i].state;
            all.back().restarts = status[i].restarts;
            all.back().trouble = status[i].trouble;
        }
        return all;
    }

    void addNumbers(ReplayNumbers& numbers) const override {
        numbers.queueSize = static_cast<std::int64_t>(m_shared.queue.size()) * m_shared.chunk;
        numbers.queueCapacity =
            static_cast<std::int64_t>(m_shared.queue.capacity()) * m_shared.chunk;
        numbers.produced = m_shared.produced;
        numbers.dropped = m_shared.dropped;
    }

    std::vector<std::string> takeMessages() override { return m_threads.takeMessages(); }
    std::vector<std::shared_ptr<const SpanLane>> lanes() const override {
        return m_threads.lanes();
    }
    std::size_t recordingBytes() const override { return m_threads.recordingBytes(); }

private:
    /// In the place of one that failed, whose numbers go on.
    std::unique_ptr<Actor> make(int index, int restarts) {
        QueueingActor*& place = m_actors[static_cast<std::size_t>(index)];
        const CollectorNumbers former = place != nullptr ? place->numbers() : CollectorNumbers();
        auto actor = std::make_unique<QueueingActor>(m_shared, m_worlds, index, restarts, former);
        place = actor.get();
        return actor;
    }

    void take(const Chunk& chunk, Training& training) {
        for (const Transition& transition : chunk) training.take(transition);
        m_threads.worked();
    }
    void takeAll(Training& training) {
        for (const Chunk& chunk : m_shared.queue.drain()) take(chunk, training);
    }

    /// Enough to begin with, and the learner is not ahead of what was collected, or nobody collects
    /// before it trains.
    bool mayTrain(const Training& training) {
        const EmpoSpec& spec = m_shared.spec;
        m_shared.hasEnough =
            m_shared.hasEnough || static_cast<std::int64_t>(training.buffer.size()) >=
                                      std::min(spec.minBufferSize, spec.bufferCapacity);
        const std::int64_t most = training.environmentSteps * spec.trainingStepsPerEnvironmentStep;
        return m_shared.hasEnough &&
               (training.learner.stepsDone() < most || m_threads.areAllPaused() ||
                m_shared.isThrottled(*m_shared.state.load()));
    }

    const TrainWorlds m_worlds;
    Shared m_shared;
    std::vector<QueueingActor*> m_actors;  ///< of m_threads
    ActorThreads m_threads;                // last: its threads use the members above
};

}  // namespace

std::unique_ptr<Collecting> makeThreadCollecting(const EmpoSpec& spec, const TrainWorlds& worlds,
                                                 std::span<const std::vector<std::byte>> saved,
                                                 std::int64_t environmentSteps,
                                                 SpanRecorder::Clock::time_point origin) {
    return std::make_unique<ThreadCollecting>(spec, worlds, saved, environmentSteps, origin);
}

}  // namespace orrery
