#pragma once

#include <memory>
#include <utility>

#include "core/base/mutex.h"

namespace orrery {

/// The newest whole value of one producer-consumer pair: storing replaces, loading never empties.
/// Values are immutable; a reader keeps its copy alive as long as it likes.
/// All members may be called from any thread; the lock is held for a pointer swap only.
template <typename T>
class Latest {
public:
    void store(std::shared_ptr<const T> value) {
        const MutexLock lock(m_mutex);
        m_value.swap(value);  // the old value dies with the argument, after the lock
    }

    /// Null as long as nothing was stored.
    std::shared_ptr<const T> load() const {
        const MutexLock lock(m_mutex);
        return m_value;
    }

private:
    mutable Mutex m_mutex;
    std::shared_ptr<const T> m_value ORRERY_GUARDED_BY(m_mutex);
};

}  // namespace orrery
