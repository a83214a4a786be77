#pragma once

#include <QFrame>
#include <QJsonObject>

#include "widgets/frame/view_spec.h"

class QLabel;
class QToolButton;

namespace orrery {

class EpisodePlayer;
class PlanSession;
class TimelineRuler;

/// The strip below the centre, 84 pixels high: transport buttons, speed and the ruler of steps with
/// its lanes.
class Timeline : public QFrame, public KeepsState {
    Q_OBJECT

public:
    explicit Timeline(PlanSession* session, QWidget* parent = nullptr);

    EpisodePlayer* player() const { return m_player; }
    TimelineRuler* ruler() const { return m_ruler; }

    /// Speed and loop.
    QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

protected:
    void changeEvent(QEvent* event) override;

private:
    QToolButton* addButton(const char* name, const QString& tip, void (Timeline::*press)());
    void goFirst();
    void goNext();
    void togglePlaying();
    void toggleLoop();
    void refresh();
    void refreshIcons();

    PlanSession* m_session;
    EpisodePlayer* m_player;
    TimelineRuler* m_ruler;
    QToolButton *m_first, *m_play, *m_next, *m_loop, *m_speed;
    QLabel *m_place, *m_step;
};

}  // namespace orrery
