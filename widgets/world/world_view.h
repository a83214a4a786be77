#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "widgets/common/painted_view.h"
#include "widgets/world/overlay.h"
#include "widgets/world/world_painter.h"

namespace orrery {

class BackgroundWorker;
class PlanSession;
class PlayMode;
struct SuccessorRow;

/// The world in its current state. Shows what the session and its selection say; publishes the cell
/// and the agent that were hovered or picked. Wheel: zoom; drag: pan. Keys for the current agent:
/// arrows turn and go (or move), 0 stays, others have letters; full stop takes the next agent. In
/// play mode also Tab, Enter, Backspace and R; Alt shows what would follow while it is held.
class WorldView : public PaintedWidget {
    Q_OBJECT

public:
    explicit WorldView(PlanSession* session, QWidget* parent = nullptr);
    ~WorldView() override;

    PlayMode* play() const { return m_play; }

    /// The quantity that colours the cells; nothing: none. Its subject is the selection's goal,
    /// human or agent.
    void setHeat(std::optional<HeatQuantity> quantity);
    std::optional<HeatQuantity> heatQuantity() const { return m_heat; }
    /// What is shown now, with its subject.
    HeatChoice heatChoice() const;
    /// Shows a quantity of a subject: selects the subject too.
    void showHeat(const HeatChoice& choice);
    /// The next (or former, -1) of heatChoices() that can be shown now.
    void stepHeat(int direction);
    void setHeatRange(const HeatRange& range);
    const HeatRange& heatRange() const { return m_range; }
    /// The range that is shown now stays, whatever the values are; false: the range follows them.
    void lockHeatRange(bool isLocked);
    void setArrows(const ArrowChoice& choice);
    const ArrowChoice& arrows() const { return m_arrows; }

    void setShowsGoals(bool shows);
    void setShowsVisits(bool shows);
    void setShowsGhosts(bool shows);
    bool showsGoals() const { return m_showsGoals; }
    bool showsVisits() const { return m_showsVisits; }
    bool showsGhosts() const { return m_showsGhosts; }

    void zoomBy(double factor);
    void zoomToFit();

    /// What is drawn now, for export; without hover marks.
    WorldScene exportScene() const;
    const WorldScene& scene() const { return m_scene; }
    WorldLayout worldLayout() const;
    /// True while the heat or the arrows of the shown state are being computed.
    bool isComputingHeat() const;

    QSize sizeHint() const override { return QSize(640, 480); }
    QSize minimumSizeHint() const override { return QSize(240, 180); }

    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;
    QString tipAt(const QPoint& point) const override;

Q_SIGNALS:
    void sceneChanged();
    void overlayChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    bool event(QEvent* event) override;

private:
    void takeWorld();
    void refreshState();
    void refreshGhosts();
    void refreshMarks();
    void refreshHeat();
    void refreshArrows();
    void refreshVisits();
    void setField(std::shared_ptr<const HeatField> field);
    std::shared_ptr<const HeatField> visitsOf(int agent) const;
    std::optional<HeatRequest> wantedHeat() const;
    std::optional<ArrowRequest> wantedArrows() const;
    int currentAgent() const;
    void pickCell(const QPoint& cell);
    bool pickGhost(const QPoint& cell);
    QString cellText(const QPoint& cell) const;
    // world_view_keys.cpp
    bool takesKey(const QKeyEvent& event) const;
    bool pressPlayKey(int key);
    bool pressPlainKey(int key);
    void showTrial(int key);
    void chooseAction(int action);

    PlanSession* m_session;
    PlayMode* m_play;
    BackgroundWorker* m_worker;       ///< heat
    BackgroundWorker* m_arrowWorker;  ///< arrows
    WorldScene m_scene;
    std::shared_ptr<const HeatField> m_field;  ///< as computed, with its own range
    std::optional<HeatQuantity> m_heat = ValueKind::V_h_e;
    HeatRange m_range;
    ArrowChoice m_arrows;
    bool m_showsGoals = true, m_showsVisits = false, m_showsGhosts = true;
    double m_zoom = 1;
    QPointF m_pan;
    std::optional<QPointF> m_dragFrom;
    bool m_wasDragged = false;
};

}  // namespace orrery
