// Accesses that the lint must refuse, and a sound one: for lint_refuses.sh. Nothing builds this
// file.
#include "core/base/mutex.h"

namespace orrery::test {

class Counter {
public:
    void countHeld() {
        const MutexLock lock(m_mutex);
        countLocked();
    }
    void countReleased() {
        MutexLock lock(m_mutex);
        lock.unlock();
        ++m_count;  // refused
    }
    void countLater() {
        countLocked();  // refused
    }
    int count() const {
        return m_count;  // refused
    }

private:
    void countLocked() ORRERY_REQUIRES(m_mutex) { ++m_count; }

    mutable Mutex m_mutex;
    int m_count ORRERY_GUARDED_BY(m_mutex) = 0;
};

}  // namespace orrery::test
