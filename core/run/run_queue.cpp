#include "core/run/run_queue.h"

#include <algorithm>
#include <condition_variable>
#include <future>
#include <thread>
#include <utility>

#include "core/base/error.h"
#include "core/base/mutex.h"
#include "core/history/workspace.h"
#include "core/run/run.h"
#include "core/run/run_context.h"
#include "core/run/run_kind.h"

namespace orrery {

int QueueSnapshot::numEnded() const {
    return static_cast<int>(
        std::ranges::count_if(members, [](const QueueMember& m) { return !isLive(m.state); }));
}

namespace {

/// The world that a run works on, the first of several; null if it is not read yet.
std::shared_ptr<const World> worldOf(const JobSnapshot& job) {
    if (const auto* solve = std::get_if<SolveSnapshot>(&job)) return solve->world;
    const auto* training = std::get_if<TrainSnapshot>(&job);
    return training == nullptr || training->worlds.empty() ? nullptr : training->worlds.front();
}

}  // namespace

struct RunQueue::Impl {
    Impl(std::vector<RunSpec> given, RunQueueOptions opts)
        : specs(std::move(given)), options(std::move(opts)), isUnwanted(specs.size(), false) {
        for (const RunSpec& spec : specs) shown.members.push_back({.name = spec.name});
    }

    void begin() {
        thread = std::jthread([this](const std::stop_token& token) { work(token); });
    }

    /// The boundary at which exceptions end.
    void work(const std::stop_token& stop) noexcept {
        try {
            store(stop);
            for (int k = 0; k < static_cast<int>(specs.size()); ++k) carryOut(k, stop);
        } catch (const std::exception& e) {
            failRest(e.what());
        }
        change([](QueueSnapshot& now) {
            now.current = -1;
            now.live.reset();
            now.hasEnded = true;
        });
        done.set_value();
    }

    /// Stores all runs as queued.
    void store(const std::stop_token& stop) {
        if (options.workspace == nullptr) return;
        const DiskWait wait{.patience = options.diskPatience, .stop = stop};
        const Job& first = specs.front().job;
        const std::string hash = worldHashOf(requireWorlds(worldRefs(first)));
        for (std::size_t k = 0; k < specs.size() && !stop.stop_requested(); ++k) {
            NewRun run = newRunOf(specs[k]);
            run.parent = options.parent;
            run.tags = options.tags;
            run.worldHash = hash;
            const std::string id = options.workspace->writer().createRun(run, wait);
            change([&](QueueSnapshot& now) { now.members[k].id = id; });
        }
    }

    void carryOut(int k, const std::stop_token& stop) {
        const std::size_t at = static_cast<std::size_t>(k);
        std::shared_ptr<Run> begun;
        {
            MutexLock lock(mutex);
            woken.wait(lock, stop,
                       [&]() ORRERY_REQUIRES(mutex) { return !shown.isPaused || isUnwanted[at]; });
            const std::string id = shown.members[at].id;
            if (stop.stop_requested() || isUnwanted[at]) {
                lock.unlock();
                return takeOut(at, id);
            }
            RunOptions run;
            run.workspace = options.workspace;
            run.queuedId = id;
            run.graph = graph;
            run.diskPatience = options.diskPatience;
            run.keepsEvents = specs[at].job.kind().hasCurves;
            run.notify = [this] { follow(); };
            shown.current = k;
            // Made under the lock, so that no command is lost between the check and here.
            live = begun = Run::start(specs[at], std::move(run));
        }
        if (options.notify) options.notify();
        finish(at, *begun, begun->wait());
    }

    void finish(std::size_t at, Run& run, const RunOutcome& outcome) {
        const auto last = run.snapshot();
        std::optional<StateValues> root;
        if (const auto* solve = last ? std::get_if<SolveSnapshot>(&last->job) : nullptr) {
            if (outcome.state == RunState::Finished && solve->solution)
                root = solve->solution->values(State{});
            if (solve->graph) graph = solve->graph;
        }
        change([&](QueueSnapshot& now) ORRERY_REQUIRES(mutex) {
            QueueMember& member = now.members[at];
            takeMetrics(member);
            member.state = outcome.state;
            member.text = outcome.lost.empty() ? outcome.text : outcome.lost;
            member.exitStatus = outcome.exitStatus;
            member.root = std::move(root);
            if (last) member.seconds = last->seconds;
            if (last)
                if (auto world = worldOf(last->job)) now.world = std::move(world);
            now.current = -1;
            now.live.reset();
            live.reset();
        });
    }

    /// A run that was not begun and will not be.
    void takeOut(std::size_t at, const std::string& id) {
        if (!id.empty()) {
            const RunState queued = RunState::Queued;
            options.workspace->writer().changeState(id, std::span(&queued, 1), RunState::Stopped);
        }
        change([&](QueueSnapshot& now) {
            now.members[at].state = RunState::Stopped;
            now.members[at].text = "cancelled before it began";
            now.members[at].exitStatus = 130;
        });
    }

    void failRest(const std::string& text) {
        change([&](QueueSnapshot& now) {
            for (QueueMember& member : now.members)
                if (isLive(member.state)) {
                    member.state = RunState::Failed;
                    member.text = text;
                    member.exitStatus = 1;
                }
        });
    }

    /// On the live run's thread: shows how far it is.
    void follow() {
        {
            const MutexLock lock(mutex);
            if (!live || shown.current < 0) return;
            shown.live = live->snapshot();
            if (!shown.live) return;
            QueueMember& member = shown.members[static_cast<std::size_t>(shown.current)];
            takeMetrics(member);
            if (isLive(shown.live->state)) member.state = shown.live->state;
            member.seconds = shown.live->seconds;
        }
        if (options.notify) options.notify();
    }

    /// The mutex makes this the one consumer of the live run's events.
    void takeMetrics(QueueMember& member) const ORRERY_REQUIRES(mutex) {
        for (const RunEvent& event : live->feed().events().drain())
            if (const auto* metric = std::get_if<RunEvent::Metric>(&event.body))
                member.metrics[metric->key] = metric->value;
    }

    template <typename Change>
    void change(Change&& change) {
        {
            const MutexLock lock(mutex);
            change(shown);
        }
        if (options.notify) options.notify();
    }

    const std::vector<RunSpec> specs;
    const RunQueueOptions options;
    std::promise<void> done;
    std::shared_future<void> hasEnded = done.get_future().share();
    std::shared_ptr<const StateGraph> graph;  // of the last run; the queue's thread only

    mutable Mutex mutex;
    std::condition_variable_any woken;
    QueueSnapshot shown ORRERY_GUARDED_BY(mutex);
    std::vector<bool> isUnwanted ORRERY_GUARDED_BY(mutex);    // [members]
    std::shared_ptr<Run> live ORRERY_GUARDED_BY(mutex) = {};  // changed by the queue's thread only
    std::jthread thread = {};                                 // last: it uses the members above
};

RunQueue::RunQueue(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}

RunQueue::~RunQueue() {
    cancel();
    m_impl->thread.join();
}

std::unique_ptr<RunQueue> RunQueue::start(std::vector<RunSpec> specs, RunQueueOptions options) {
    if (specs.empty()) throw Error("There is no run to queue.", Error::Kind::BadInput);
    for (const RunSpec& spec : specs)
        for (const SpecProblem& problem : validate(spec))
            throw Error("The run '" + spec.name + "' cannot be queued: " + problem.field + " " +
                            problem.text + ".",
                        Error::Kind::BadInput);
    if (options.workspace != nullptr) (void)options.workspace->writer();
    auto impl = std::make_unique<Impl>(std::move(specs), std::move(options));
    impl->begin();
    return std::unique_ptr<RunQueue>(new RunQueue(std::move(impl)));
}

void RunQueue::pause(const std::string& source) {
    const MutexLock lock(m_impl->mutex);
    m_impl->shown.isPaused = true;
    if (m_impl->live) m_impl->live->pause(source);
}

void RunQueue::resume(const std::string& source) {
    const MutexLock lock(m_impl->mutex);
    m_impl->shown.isPaused = false;
    if (m_impl->live) m_impl->live->resume(source);
    m_impl->woken.notify_all();
}

void RunQueue::cancel(const std::string& source) {
    m_impl->thread.request_stop();
    const MutexLock lock(m_impl->mutex);
    if (m_impl->live) m_impl->live->cancel(source);
    m_impl->woken.notify_all();
}

void RunQueue::cancelMember(int member, const std::string& source) {
    const MutexLock lock(m_impl->mutex);
    if (member < 0 || member >= std::ssize(m_impl->specs)) return;
    m_impl->isUnwanted[static_cast<std::size_t>(member)] = true;
    if (m_impl->live && m_impl->shown.current == member) m_impl->live->cancel(source);
    m_impl->woken.notify_all();
}

bool RunQueue::waitFor(std::chrono::milliseconds patience) {
    return m_impl->hasEnded.wait_for(patience) == std::future_status::ready;
}

std::shared_ptr<const QueueSnapshot> RunQueue::snapshot() const {
    const MutexLock lock(m_impl->mutex);
    return std::make_shared<const QueueSnapshot>(m_impl->shown);
}

}  // namespace orrery
