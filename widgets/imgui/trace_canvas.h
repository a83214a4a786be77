#pragma once

#include <QPointF>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "widgets/common/painted_view.h"
#include "widgets/imgui/imgui_host.h"
#include "widgets/imgui/trace_scene.h"

struct ImDrawList;
struct ImFont;

namespace orrery {

struct Tokens;

/// Draws what the threads of a run did: a strip with the whole recording (of a training the time of
/// its steps), an axis, a lane for each thread with its recorded spans by kind (paler between the
/// samples: the shares of everything), the marked range, and a legend. WorkCanvas shows a solve so.
///
/// Wheel: zooms at the pointer, with Shift pans; dragging pans, in the strip it moves the view; a
/// drag on the axis, or with Shift, marks a range; a double click shows everything. Keys: Left,
/// Right, A and D pan, plus, minus, W and S zoom, F or 0 shows all, L limits to what is visible,
/// Escape gives the range up.
class TraceCanvas : public ImGuiHost, public PaintedView {
    Q_OBJECT

public:
    explicit TraceCanvas(QWidget* parent, const TraceLook& look = {});

    virtual void setTimeline(std::shared_ptr<const SpanTimeline> timeline);
    const TraceScene& scene() const { return m_scene; }
    void fit();
    void zoomBy(double factor);
    /// Nothing: no range.
    void setRange(std::optional<SpanRange> range);
    void limitToView() { setRange(m_scene.view()); }

    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;
    QString tipAt(const QPoint& point) const override;
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

    const std::optional<SpanPlace>& hovered() const { return m_hovered; }
    /// In drawGui(); others are to hear of it later, as this is being painted.
    virtual void hoverChanged() {}
    virtual void pressed(const SpanPlace& place);
    virtual QString tipOf(const SpanPlace& place) const;
    /// A span that can be seen, with what is to be told of it.
    virtual NamedSpot spotOf(const SpanPlace& place) const;

    /// What the strip shows, and what is said of it at its left.
    virtual void drawStrip(ImDrawList& list, const Tokens& t) const;
    virtual void drawBox(ImDrawList& list, const Tokens& t, const QRectF& body,
                         const TraceScene::Box& box) const;
    /// Over the lanes: the range.
    virtual void drawMarks(ImDrawList& list, const Tokens& t) const;
    /// Where words stand over the axis; null: nowhere.
    virtual QRectF chip() const { return {}; }
    virtual bool isInLegend(SpanKind kind) const;
    virtual double legendBegin(ImDrawList& list, const Tokens& t, double y) const;
    virtual QString keysText() const;

    /// Name and duration in a box, as far as there is room. @return whether the name fits
    /// @param inks  of name and duration; an invalid one: it is not written
    bool drawBoxText(ImDrawList& list, const QRectF& rect, const QString& name,
                     std::int64_t lengthNs, const std::pair<QColor, QColor>& inks,
                     const QColor& behind = {}) const;
    /// The place over the axis for words about a stretch; null: it is not in view.
    QRectF chipOf(const SpanRange& stretch, double wide, double above) const;
    /// The borders of a stretch, and words about it.
    void drawChip(ImDrawList& list, const Tokens& t, const SpanRange& stretch, double above,
                  const QRectF& place, const ImFont* font, const QString& text) const;

    TraceScene m_scene;

private:
    enum class Drag { None, View, Strip, Range };
    void handlePointer();
    void drag(const QPointF& pointer, const QPointF& by);
    void release(const QPointF& pointer);

    void drawOverview(ImDrawList& list, const Tokens& t) const;
    void drawAxis(ImDrawList& list, const Tokens& t) const;
    void drawLane(ImDrawList& list, const Tokens& t, int lane) const;
    void drawBins(ImDrawList& list, const Tokens& t, int lane) const;
    void drawSteps(ImDrawList& list, const Tokens& t) const;
    void drawLegend(ImDrawList& list, const Tokens& t) const;
    QString tipOf(const SpanBin& bin, int lane) const;

    std::optional<SpanPlace> m_hovered;
    Drag m_drag = Drag::None;
    QPointF m_pressedAt;
    double m_pressedNs = 0;
    bool m_wasPressed = false, m_hasMoved = false;
};

}  // namespace orrery
