#include "core/base/thread_team.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <thread>
#include <vector>

#include "core/base/mutex.h"

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
    Mutex mutex;
    std::condition_variable started;
    std::condition_variable finished;
    const std::function<void(int)>* task ORRERY_GUARDED_BY(mutex) = nullptr;
    std::uint64_t round ORRERY_GUARDED_BY(mutex) = 0;
    int running ORRERY_GUARDED_BY(mutex) = 0;
    bool ending ORRERY_GUARDED_BY(mutex) = false;
    std::exception_ptr failure ORRERY_GUARDED_BY(mutex);
    std::vector<std::jthread> threads;  // last: joined first

    /// Also where not all threads could be begun: those that were must not wait for ever.
    ~Impl() {
        {
            const MutexLock lock(mutex);
            ending = true;
        }
        started.notify_all();
    }

    void work(int thread) {
        std::uint64_t seen = 0;
        for (;;) {
            const std::function<void(int)>* mine = nullptr;
            {
                MutexLock lock(mutex);
                started.wait(lock.native(),
                             [&]() ORRERY_REQUIRES(mutex) { return ending || round != seen; });
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
            const MutexLock lock(mutex);
            if (thrown && !failure) failure = thrown;
            if (--running == 0) finished.notify_one();
        }
    }

    void run(const std::function<void(int)>& theTask, int size) {
        MutexLock lock(mutex);
        task = &theTask;
        running = size;
        failure = nullptr;
        ++round;
        started.notify_all();
        finished.wait(lock.native(), [this]() ORRERY_REQUIRES(mutex) { return running == 0; });
        if (failure) std::rethrow_exception(failure);
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
    m_impl->run(task, m_size);
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
