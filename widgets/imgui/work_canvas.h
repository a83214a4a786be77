#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/trace/work_trace.h"
#include "widgets/common/selection.h"
#include "widgets/imgui/trace_canvas.h"

namespace orrery {

/// Draws a solve: the strip shows how many threads do what, the lanes their levels, each in the
/// share of phase 1 and then that of phase 2, although the thread took turns state by state. The
/// selection's level is outlined and its time marked over all lanes.
///
/// A press on a block picks its level. Keys: Up and Down pick the level before and after; else as
/// TraceCanvas, without ranges.
class WorkCanvas : public TraceCanvas {
    Q_OBJECT

public:
    WorkCanvas(Selection* selection, QWidget* parent);

    /// @param isLive  more may come: its end is marked
    void setLive(bool isLive) { m_isLive = isLive; }
    void setTimeline(std::shared_ptr<const SpanTimeline> timeline) override;

    QJsonObject spotFacts() const override;
    QSize sizeHint() const override { return {640, 300}; }

Q_SIGNALS:
    void levelPicked(int step);

protected:
    bool takesKey(int key) const override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

    void hoverChanged() override;
    void pressed(const SpanPlace& place) override;
    QString tipOf(const SpanPlace& place) const override;
    NamedSpot spotOf(const SpanPlace& place) const override;
    void drawStrip(ImDrawList& list, const Tokens& t) const override;
    void drawBox(ImDrawList& list, const Tokens& t, const QRectF& body,
                 const TraceScene::Box& box) const override;
    void drawMarks(ImDrawList& list, const Tokens& t) const override;
    QRectF chip() const override;
    bool isInLegend(SpanKind kind) const override;
    double legendBegin(ImDrawList& list, const Tokens& t, double y) const override;
    QString keysText() const override;

private:
    void countOverview();
    void pickNextLevel(int direction);
    int currentLevel() const;
    std::optional<LevelTime> currentTime() const;
    void reveal();
    QString currentText(const LevelTime& time) const;
    const SpanWork& workAt(const SpanPlace& place) const {
        return scene().timeline()->workAt(place);
    }

    Selection* m_selection;
    bool m_isLive = false;
    /// Share of the threads that do each kind of work, by column of the strip and workSpans().
    std::vector<std::array<float, 5>> m_overview;
};

}  // namespace orrery
