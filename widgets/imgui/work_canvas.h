#pragma once

#include <QPointF>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/common/painted_view.h"
#include "widgets/common/selection.h"
#include "widgets/imgui/imgui_host.h"
#include "widgets/imgui/work_scene.h"

struct ImDrawList;

namespace orrery {

struct Tokens;

/// Draws a timeline: a strip with the whole time, an axis, a lane for each thread with its levels
/// as blocks in the colours of what was done, and a legend. The selection's level is outlined and
/// its range marked over all lanes.
///
/// Wheel: zooms at the pointer, with Shift pans; dragging pans, in the strip it moves the view; a
/// press on a block picks its level. Keys: Left and Right pan, Up and Down pick the level before
/// and after, + and - zoom, F or 0 shows all.
class WorkCanvas : public ImGuiHost, public PaintedView {
    Q_OBJECT

public:
    WorkCanvas(Selection* selection, QWidget* parent);

    /// @param isLive  more may come: its end is marked
    void setTimeline(std::shared_ptr<const WorkTimeline> timeline, bool isLive);
    const WorkScene& scene() const { return m_scene; }
    void fit();
    void zoomBy(double factor);

    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;
    QSize sizeHint() const override { return QSize(640, 300); }

Q_SIGNALS:
    void levelPicked(int step);

protected:
    void drawGui() override;
    bool takesKey(int key) const override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    void handlePointer();
    void hover(std::optional<int> interval);
    void hoverLevel(int level);  ///< -1: none
    void pickNextLevel(int direction);
    int currentLevel() const;
    QString tipOf(int interval) const;
    void countOverview();

    void drawOverview(ImDrawList& list, const Tokens& t) const;
    void drawAxis(ImDrawList& list, const Tokens& t) const;
    void drawLane(ImDrawList& list, const Tokens& t, int thread) const;
    void drawBox(ImDrawList& list, const Tokens& t, const QRectF& lane,
                 const WorkScene::Box& box) const;
    void drawBoxText(ImDrawList& list, const QRectF& rect, const WorkInterval& interval,
                     const QColor& fill) const;
    std::optional<WorkScene::Span> currentSpan() const;
    QString currentText(const WorkScene::Span& span) const;
    QRectF currentChip() const;
    void drawCurrent(ImDrawList& list, const Tokens& t) const;
    void drawLegend(ImDrawList& list, const Tokens& t) const;

    Selection* m_selection;
    WorkScene m_scene;
    bool m_isLive = false;
    /// Share of the threads that do each kind of work, by column of the strip.
    std::vector<std::array<float, kNumWorkPhases>> m_overview;
    std::optional<int> m_hovered;
    QPointF m_pressedAt;
    bool m_isDragging = false, m_wasPressed = false, m_isInOverview = false;
};

}  // namespace orrery
