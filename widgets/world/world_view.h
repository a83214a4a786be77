#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "widgets/world/world_painter.h"

namespace orrery {

class BackgroundWorker;
class PlanSession;

/// What the colours of the cells mean.
enum class HeatMode {
    None,
    GoalAbility,  ///< V_h^e of the current human and goal, this human moved from cell to cell
    RobotValue,   ///< V_r, the current agent moved from cell to cell
};

/// The world in its current state. Shows what the session and its selection say; publishes the cell
/// and the agent that were hovered or picked. Wheel: zoom; drag: pan. Keys for the current agent:
/// arrows turn and go (or move), 0 stays, full stop takes the next agent.
class WorldView : public QWidget {
    Q_OBJECT

public:
    explicit WorldView(PlanSession* session, QWidget* parent = nullptr);
    ~WorldView() override;

    void setHeatMode(HeatMode mode);
    HeatMode heatMode() const { return m_heatMode; }
    void setShowsGoals(bool shows);
    void setShowsArrows(bool shows);
    void setShowsGhosts(bool shows);

    void zoomBy(double factor);
    void zoomToFit();

    /// What is drawn now, for export; without hover marks.
    WorldScene exportScene() const;
    const WorldScene& scene() const { return m_scene; }
    WorldLayout worldLayout() const;
    /// True while the heat of the shown state is being computed.
    bool isComputingHeat() const;

    QSize sizeHint() const override { return QSize(640, 480); }
    QSize minimumSizeHint() const override { return QSize(240, 180); }

Q_SIGNALS:
    void sceneChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void refreshState();
    void refreshGhosts();
    void refreshMarks();
    void requestHeat();
    std::optional<HeatRequest> wantedHeat() const;
    void pickCell(const QPoint& cell);
    QString cellText(const QPoint& cell) const;
    void chooseNextAgent();
    void chooseAction(const QStringList& names);

    PlanSession* m_session;
    BackgroundWorker* m_worker;
    WorldScene m_scene;
    HeatMode m_heatMode = HeatMode::GoalAbility;
    bool m_showsGoals = true, m_showsArrows = true, m_showsGhosts = true;
    double m_zoom = 1;
    QPointF m_pan;
    std::optional<QPointF> m_dragFrom;
    bool m_wasDragged = false;
};

}  // namespace orrery
