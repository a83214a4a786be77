#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "core/base/event_queue.h"
#include "core/base/latest.h"
#include "core/base/run_event.h"

namespace orrery {

/// What a worker tells the outside: its newest snapshot (older ones may be lost) and its events
/// (none may be lost). The worker calls publish and emit; one consumer calls snapshot and events().
/// All calls may come from any thread.
template <typename T>
class Feed {
public:
    explicit Feed(FeedOptions options) : m_notify(options.notify), m_events(std::move(options)) {}
    Feed() : Feed(FeedOptions{}) {}

    void publish(std::shared_ptr<const T> snapshot) {
        m_latest.store(std::move(snapshot));
        if (m_notify) m_notify();
    }
    void publish(T snapshot) { publish(std::make_shared<const T>(std::move(snapshot))); }

    /// See EventQueue::emit. Blocks for FeedOptions::patience at most.
    void emit(RunEvent::Body body) { m_events.emit(std::move(body)); }

    /// Null before the first publish.
    std::shared_ptr<const T> snapshot() const { return m_latest.load(); }

    EventQueue& events() { return m_events; }

private:
    const std::function<void()> m_notify;
    Latest<T> m_latest;
    EventQueue m_events;
};

}  // namespace orrery
