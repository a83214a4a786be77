#pragma once

#include <QObject>
#include <QTimer>
#include <optional>
#include <utility>

namespace orrery {

class PlanSession;

/// Plays the walk: goes on from moment to moment at a speed, around a range of them if it loops.
/// After the newest moment it goes on by the policies, if the world is solved.
class EpisodePlayer : public QObject {
    Q_OBJECT

public:
    explicit EpisodePlayer(PlanSession* session, QObject* parent = nullptr);

    bool isPlaying() const { return m_timer.isActive(); }
    void play();
    void pause();
    void toggle() { isPlaying() ? pause() : play(); }

    /// Moments a second: 1, 2, 4, 8 or 16, by a number from 1 to 5.
    int speed() const { return m_speed; }
    void setSpeed(int speed);
    static double perSecond(int speed) { return 1 << (speed - 1); }

    /// Loops from the first to the second index of the walk, both included; the whole walk if no
    /// range is set.
    bool loops() const { return m_loops; }
    void setLoops(bool loops);
    const std::optional<std::pair<std::size_t, std::size_t>>& range() const { return m_range; }
    void setRange(std::optional<std::pair<std::size_t, std::size_t>> range);

    /// Goes some moments on or back, as far as there are any.
    void goBy(int moments);

Q_SIGNALS:
    void changed();

private:
    void advance();

    PlanSession* m_session;
    QTimer m_timer;
    int m_speed = 2;
    bool m_loops = false;
    std::optional<std::pair<std::size_t, std::size_t>> m_range;
};

}  // namespace orrery
