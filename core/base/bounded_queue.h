#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <iterator>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "core/base/mutex.h"

namespace orrery {

/// First in, first out, at most `capacity` items, any number of producers and consumers.
///
/// A push moves from its argument only if it returns true, so nothing is lost when it does not.
/// close() ends the flow: later pushes return false, pops hand out the rest and then nothing.
/// All members may be called from any thread; only the ones that say so wait.
template <typename T>
class BoundedQueue {
public:
    using Duration = std::chrono::steady_clock::duration;

    /// @param capacity at least 1
    explicit BoundedQueue(std::size_t capacity) : m_capacity(std::max<std::size_t>(capacity, 1)) {}

    /// Never waits. False if the queue is full or closed.
    bool tryPush(T& value) {
        MutexLock lock(m_mutex);
        const bool isTaken = append(value);
        lock.unlock();
        return told(isTaken);
    }

    /// Waits for room. False if stopped or closed.
    bool push(T& value, const std::stop_token& stop = {}) {
        MutexLock lock(m_mutex);
        m_changed.wait(lock, stop,
                       [this]() ORRERY_REQUIRES(m_mutex) { return m_closed || hasRoom(); });
        const bool isTaken = append(value);
        lock.unlock();
        return told(isTaken);
    }

    /// Waits for room for at most `patience`. False if still full, stopped or closed.
    bool pushFor(T& value, Duration patience, const std::stop_token& stop = {}) {
        MutexLock lock(m_mutex);
        m_changed.wait_until(lock, stop, std::chrono::steady_clock::now() + patience,
                             [this]() ORRERY_REQUIRES(m_mutex) { return m_closed || hasRoom(); });
        const bool isTaken = append(value);
        lock.unlock();
        return told(isTaken);
    }

    bool tryPush(T&& value) { return tryPush(value); }
    bool push(T&& value, const std::stop_token& stop = {}) { return push(value, stop); }
    bool pushFor(T&& value, Duration patience, const std::stop_token& stop = {}) {
        return pushFor(value, patience, stop);
    }

    /// Never waits.
    std::optional<T> tryPop() {
        MutexLock lock(m_mutex);
        std::optional<T> first = takeFirst();
        lock.unlock();
        return told(std::move(first));
    }

    /// Waits for an item. Nothing if stopped, or closed, while empty.
    std::optional<T> pop(const std::stop_token& stop = {}) {
        MutexLock lock(m_mutex);
        m_changed.wait(lock, stop,
                       [this]() ORRERY_REQUIRES(m_mutex) { return m_closed || !m_items.empty(); });
        std::optional<T> first = takeFirst();
        lock.unlock();
        return told(std::move(first));
    }

    /// Waits for an item for at most `patience`.
    std::optional<T> popFor(Duration patience, const std::stop_token& stop = {}) {
        return popUntil(std::chrono::steady_clock::now() + patience, stop);
    }

    /// Waits for an item until `deadline`.
    std::optional<T> popUntil(std::chrono::steady_clock::time_point deadline,
                              const std::stop_token& stop = {}) {
        MutexLock lock(m_mutex);
        m_changed.wait_until(lock, stop, deadline, [this]() ORRERY_REQUIRES(m_mutex) {
            return m_closed || !m_items.empty();
        });
        std::optional<T> first = takeFirst();
        lock.unlock();
        return told(std::move(first));
    }

    /// Everything that is there, oldest first. Never waits.
    std::vector<T> drain() {
        std::vector<T> items;
        {
            const MutexLock lock(m_mutex);
            items.assign(std::make_move_iterator(m_items.begin()),
                         std::make_move_iterator(m_items.end()));
            m_items.clear();
        }
        if (!items.empty()) m_changed.notify_all();
        return items;
    }

    void close() {
        {
            const MutexLock lock(m_mutex);
            m_closed = true;
        }
        m_changed.notify_all();
    }

    bool closed() const {
        const MutexLock lock(m_mutex);
        return m_closed;
    }

    std::size_t size() const {
        const MutexLock lock(m_mutex);
        return m_items.size();
    }

    std::size_t capacity() const { return m_capacity; }

private:
    bool hasRoom() const ORRERY_REQUIRES(m_mutex) { return m_items.size() < m_capacity; }

    bool append(T& value) ORRERY_REQUIRES(m_mutex) {
        if (m_closed || !hasRoom()) return false;
        m_items.push_back(std::move(value));
        return true;
    }

    std::optional<T> takeFirst() ORRERY_REQUIRES(m_mutex) {
        if (m_items.empty()) return std::nullopt;
        std::optional<T> first(std::move(m_items.front()));
        m_items.pop_front();
        return first;
    }

    /// Wakes up the others if something changed. Without the lock: they would wait for it at once.
    template <typename Result>
    Result told(Result result) {
        if (result) m_changed.notify_all();
        return result;
    }

    const std::size_t m_capacity;
    mutable Mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<T> m_items ORRERY_GUARDED_BY(m_mutex);
    bool m_closed ORRERY_GUARDED_BY(m_mutex) = false;
};

}  // namespace orrery
