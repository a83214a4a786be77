#pragma once

#include <QWidget>
#include <optional>

#include "widgets/common/painted_view.h"

class QPainter;

namespace orrery {

class EpisodePlayer;
class PlanSession;
struct Tokens;

/// The steps of the world from first to last with a playhead at the current moment, the loop's
/// range, and lanes: who played which step, and what is solved. Drag: scrub; with Shift: the loop's
/// range. Keys: Space plays, arrows go one step (with Shift ten), Home and End, 1 to 5 the speed.
class TimelineRuler : public PaintedWidget {
    Q_OBJECT

public:
    TimelineRuler(PlanSession* session, EpisodePlayer* player, QWidget* parent = nullptr);

    /// The x coordinate of a step.
    double positionOf(int step) const;
    QSize sizeHint() const override { return QSize(400, 84); }

    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    std::size_t momentAt(double x) const;
    void paintSteps(QPainter& painter, const Tokens& tokens) const;
    void paintRange(QPainter& painter, const Tokens& tokens) const;
    void paintPlayed(QPainter& painter, const Tokens& tokens) const;
    void paintSolved(QPainter& painter, const Tokens& tokens) const;
    void paintPlayhead(QPainter& painter, const Tokens& tokens) const;

    PlanSession* m_session;
    EpisodePlayer* m_player;
    bool m_isScrubbing = false;
    std::optional<std::size_t> m_rangeFrom;
};

}  // namespace orrery
