#pragma once

#include <mutex>

// What is said of locks here clang checks (.clang-tidy: -Wthread-safety); other compilers read
// nothing.
#ifdef __clang__
#define ORRERY_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define ORRERY_THREAD_ATTRIBUTE(x)
#endif

/// A member that is read and written only while the mutex is held.
#define ORRERY_GUARDED_BY(mutex) ORRERY_THREAD_ATTRIBUTE(guarded_by(mutex))
/// A function, or the condition of a wait, that is called only while the mutex is held.
#define ORRERY_REQUIRES(...) ORRERY_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
// The rest is for the two classes below.
#define ORRERY_CAPABILITY(name) ORRERY_THREAD_ATTRIBUTE(capability(name))
#define ORRERY_SCOPED_CAPABILITY ORRERY_THREAD_ATTRIBUTE(scoped_lockable)
#define ORRERY_ACQUIRE(...) ORRERY_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define ORRERY_RELEASE(...) ORRERY_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))

namespace orrery {

/// A std::mutex of which clang knows when it is held: the one that our classes have.
class ORRERY_CAPABILITY("mutex") Mutex {
private:
    friend class MutexLock;
    std::mutex m_mutex;
};

/// Holds a mutex until the end of its block, or until unlock(). A std::condition_variable_any waits
/// with it as it is, a std::condition_variable with native(); the condition of a wait is a lambda
/// that says ORRERY_REQUIRES after its parameters.
class ORRERY_SCOPED_CAPABILITY MutexLock {
public:
    explicit MutexLock(Mutex& mutex) ORRERY_ACQUIRE(mutex) : m_lock(mutex.m_mutex) {}
    ~MutexLock() ORRERY_RELEASE() {}  // NOLINT(modernize-use-equals-default): it has an attribute
    MutexLock(const MutexLock&) = delete;
    MutexLock& operator=(const MutexLock&) = delete;

    void lock() ORRERY_ACQUIRE() { m_lock.lock(); }
    void unlock() ORRERY_RELEASE() { m_lock.unlock(); }
    std::unique_lock<std::mutex>& native() { return m_lock; }

private:
    std::unique_lock<std::mutex> m_lock;
};

}  // namespace orrery
