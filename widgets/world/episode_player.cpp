#include "widgets/world/episode_player.h"

#include <algorithm>
#include <cmath>

#include "widgets/bridge/plan_session.h"

namespace orrery {

EpisodePlayer::EpisodePlayer(PlanSession* session, QObject* parent)
    : QObject(parent), m_session(session) {
    setSpeed(m_speed);
    connect(&m_timer, &QTimer::timeout, this, &EpisodePlayer::advance);
    connect(session, &PlanSession::worldChanged, this, [this] {
        m_range.reset();
        pause();
    });
}

void EpisodePlayer::play() {
    if (!m_session->isOpen() || isPlaying()) return;
    const bool canGoOn = m_session->solution() && !m_session->isTerminal();
    if (m_session->walkIndex() + 1 >= m_session->walk().size() && !m_loops && !canGoOn)
        m_session->showMoment(0);  // it is at its end: once more
    m_timer.start();
    Q_EMIT changed();
}

void EpisodePlayer::pause() {
    m_timer.stop();
    Q_EMIT changed();
}

void EpisodePlayer::setSpeed(int speed) {
    m_speed = std::clamp(speed, 1, 5);
    m_timer.setInterval(static_cast<int>(std::lround(1000 / perSecond(m_speed))));
    Q_EMIT changed();
}

void EpisodePlayer::setLoops(bool loops) {
    m_loops = loops;
    Q_EMIT changed();
}

void EpisodePlayer::setRange(std::optional<std::pair<std::size_t, std::size_t>> range) {
    m_range = range;
    Q_EMIT changed();
}

void EpisodePlayer::goBy(int moments) {
    if (!m_session->isOpen()) return;
    const auto last = static_cast<std::int64_t>(m_session->walk().size()) - 1;
    const auto at = static_cast<std::int64_t>(m_session->walkIndex()) + moments;
    m_session->showMoment(
        static_cast<std::size_t>(std::clamp<std::int64_t>(at, std::int64_t{0}, last)));
}

void EpisodePlayer::advance() {
    const std::size_t last = m_session->walk().size() - 1;
    const std::size_t at = m_session->walkIndex();
    if (m_loops) {
        const auto [from, to] = m_range.value_or(std::pair(std::size_t{0}, last));
        return m_session->showMoment(at >= std::min(to, last) || at < from ? std::min(from, last)
                                                                           : at + 1);
    }
    if (at < last) return m_session->showMoment(at + 1);
    if (m_session->values() && !m_session->isTerminal()) return m_session->followPolicy();
    pause();
}

}  // namespace orrery
