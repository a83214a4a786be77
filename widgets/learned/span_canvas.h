#pragma once

#include <QPointF>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/common/painted_view.h"
#include "widgets/imgui/imgui_host.h"
#include "widgets/learned/span_scene.h"

struct ImDrawList;

namespace orrery {

struct Tokens;

/// Draws what the threads of a training did: a strip with the time of a step over the whole
/// recording, an axis, a lane for each thread with its recorded spans by stage (paler between the
/// samples: the shares of everything), the marked range, and a legend.
///
/// Wheel: zooms at the pointer, with Shift pans; dragging pans, in the strip it moves the view; a
/// drag on the axis, or with Shift, marks a range; a double click shows everything. Keys: Left,
/// Right, A and D pan, plus, minus, W and S zoom, F or 0 shows all, L limits to what is visible,
/// Escape gives the range up.
class SpanCanvas : public ImGuiHost, public PaintedView {
    Q_OBJECT

public:
    explicit SpanCanvas(QWidget* parent);

    void setTimeline(std::shared_ptr<const SpanTimeline> timeline);
    const SpanScene& scene() const { return m_scene; }
    void fit();
    void zoomBy(double factor);
    /// Nothing: no range.
    void setRange(std::optional<SpanRange> range);
    void limitToView() { setRange(m_scene.view()); }

    /// What the pointer is told about a point.
    QString tipAt(const QPointF& point) const;

    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;
    QSize sizeHint() const override { return {640, 260}; }

Q_SIGNALS:
    void rangeChanged();
    void kindPicked(int kind);

protected:
    void drawGui() override;
    bool takesKey(int key) const override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag { None, View, Strip, Range };
    void handlePointer();
    void drag(const QPointF& pointer, const QPointF& by);
    void release(const QPointF& pointer);

    void drawOverview(ImDrawList& list, const Tokens& t) const;
    void drawAxis(ImDrawList& list, const Tokens& t) const;
    void drawLane(ImDrawList& list, const Tokens& t, int lane) const;
    void drawBins(ImDrawList& list, const Tokens& t, int lane) const;
    void drawBox(ImDrawList& list, const Tokens& t, const QRectF& body,
                 const SpanScene::Box& box) const;
    void drawSteps(ImDrawList& list, const Tokens& t) const;
    void drawRange(ImDrawList& list, const Tokens& t) const;
    void drawLegend(ImDrawList& list, const Tokens& t) const;
    QString tipOf(const SpanScene::Place& place) const;
    QString tipOf(const SpanBin& bin, int lane) const;

    SpanScene m_scene;
    std::optional<SpanScene::Place> m_hovered;
    Drag m_drag = Drag::None;
    QPointF m_pressedAt;
    double m_pressedNs = 0;
    bool m_wasPressed = false, m_hasMoved = false;
};

/// "Learner", "Actor 0".
QString laneTitle(const SpanLane& lane);

}  // namespace orrery
