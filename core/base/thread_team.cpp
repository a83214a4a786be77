#include "core/base/thread_team.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace orrery {

namespace {

std::vector<int> allowedProcessors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> processors;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (int p = 0; p < CPU_SETSIZE; ++p)
            if (CPU_ISSET(p, &set)) processors.push_back(p);
    return processors;
}

}  // namespace

int processorCount() {
    return std::max(1, static_cast<int>(allowedProcessors().size()));
}

struct ThreadTeam::Impl {
    std::mutex mutex;
    std::condition_variable started;
    std::condition_variable finished;
    const std::function<void(int)>* task = nullptr;  // guarded by mutex
    std::uint64_t round = 0;                         // guarded by mutex
    int running = 0;                                 // guarded by mutex
    bool ending = false;                             // guarded by mutex
    std::exception_ptr failure;                      // guarded by mutex
    std::vector<std::jthread> threads;               // last: joined first

    /// Also where not all threads could be begun: those that were must not wait for ever.
    ~Impl() {
        {
            const std::lock_guard lock(mutex);
            ending = true;
        }
        started.notify_all();
    }

    void work(int thread) {
        std::uint64_t seen = 0;
        for (;;) {
            const std::function<void(int)>* mine = nullptr;
            {
                std::unique_lock lock(mutex);
                started.wait(lock, [&] { return ending || round != seen; });
                if (ending) return;
                seen = round;
                mine = task;
            }
            std::exception_ptr thrown;
            try {
                (*mine)(thread);
            } catch (...) {
                thrown = std::current_exception();
            }
            const std::lock_guard lock(mutex);
            if (thrown && !failure) failure = thrown;
            if (--running == 0) finished.notify_one();
        }
    }
};

ThreadTeam::ThreadTeam(int threads) : m_size(std::max(1, threads)) {
    if (m_size == 1) return;
    m_impl = std::make_unique<Impl>();
    const std::vector<int> processors = allowedProcessors();
    for (int t = 0; t < m_size; ++t) {
        m_impl->threads.emplace_back([impl = m_impl.get(), t] { impl->work(t); });
        if (m_size <= static_cast<int>(processors.size())) {
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(processors[t], &one);
            // Not being pinned costs speed only.
            pthread_setaffinity_np(m_impl->threads.back().native_handle(), sizeof one, &one);
        }
    }
}

ThreadTeam::~ThreadTeam() = default;

void ThreadTeam::run(const std::function<void(int)>& task) {
    if (!m_impl) {
        task(0);
        return;
    }
    std::unique_lock lock(m_impl->mutex);
    m_impl->task = &task;
    m_impl->running = m_size;
    m_impl->failure = nullptr;
    ++m_impl->round;
    m_impl->started.notify_all();
    m_impl->finished.wait(lock, [&] { return m_impl->running == 0; });
    if (m_impl->failure) std::rethrow_exception(m_impl->failure);
}

bool ThreadTeam::forChunks(std::int64_t begin, std::int64_t end, std::int64_t chunk,
                           std::stop_token stop,
                           const std::function<void(std::int64_t, std::int64_t, int)>& body) {
    std::atomic<std::int64_t> next{begin};
    const auto worker = [&](int thread) {
        while (!stop.stop_requested()) {
            const std::int64_t from = next.fetch_add(chunk, std::memory_order_relaxed);
            if (from >= end) return;
            body(from, std::min(end, from + chunk), thread);
        }
    };
    if (end - begin <= chunk)
        worker(0);
    else
        run(worker);
    return !stop.stop_requested() || next.load() >= end;
}

}  // namespace orrery
