#pragma once

#include <atomic>

namespace orrery {

/// Where a training is asked for what lies in it. It looks here between two steps, about every
/// 30 ms, and while it is paused; it answers what was asked last and then publishes a snapshot.
/// What can be asked is the method's. Asking: any thread, never waits.
class Desk {
public:
    Desk() = default;
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;
    virtual ~Desk() = default;

    /// Whether anything was asked since the last call. The training's side, on its thread.
    bool takeIsAsked() { return m_isAsked.exchange(false); }

protected:
    void ring() { m_isAsked.store(true); }  ///< something was asked

private:
    std::atomic<bool> m_isAsked{false};
};

}  // namespace orrery
