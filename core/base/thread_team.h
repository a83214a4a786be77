#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>

namespace orrery {

/// Processors this process may use, at least 1.
int processorCount();

/// A fixed team of worker threads, each pinned to a processor of its own while there are enough.
/// One caller at a time. A team of 1 works on the calling thread.
class ThreadTeam {
public:
    /// @param threads >= 1
    /// @throws std::system_error if the system gives no more threads
    explicit ThreadTeam(int threads);
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    int size() const { return m_size; }

    /// Runs task(thread) once on every thread, thread in [0, size()); returns when all are done.
    /// The first exception of a task is thrown here.
    void run(const std::function<void(int thread)>& task);

    /// Splits [begin, end) into chunks that the threads take in turn. Each chunk must write only
    /// what belongs to its own indices, so results do not depend on the number of threads. Between
    /// chunks the stop token is checked; chunks already begun are finished.
    /// @return false if stopped before all chunks were done
    bool forChunks(
        std::int64_t begin, std::int64_t end, std::int64_t chunk, std::stop_token stop,
        const std::function<void(std::int64_t begin, std::int64_t end, int thread)>& body);

private:
    struct Impl;
    int m_size;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace orrery
