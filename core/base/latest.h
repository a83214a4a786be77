#pragma once

#include <memory>
#include <mutex>
#include <utility>

namespace orrery {

/// The newest whole value of one producer-consumer pair: storing replaces, loading never empties.
/// Values are immutable; a reader keeps its copy alive as long as it likes.
/// All members may be called from any thread; the lock is held for a pointer swap only.
template <typename T>
class Latest {
public:
    void store(std::shared_ptr<const T> value) {
        const std::lock_guard lock(m_mutex);
        m_value.swap(value);  // the old value dies with the argument, after the lock
    }

    /// Null as long as nothing was stored.
    std::shared_ptr<const T> load() const {
        const std::lock_guard lock(m_mutex);
        return m_value;
    }

private:
    mutable std::mutex m_mutex;
    std::shared_ptr<const T> m_value;  // guarded by m_mutex
};

}  // namespace orrery
