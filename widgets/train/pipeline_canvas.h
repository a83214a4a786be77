#pragma once

#include <QRectF>
#include <array>

#include "widgets/common/names_spots.h"
#include "widgets/imgui/imgui_host.h"

struct ImDrawList;

namespace orrery {

class PipelineModel;
struct Tokens;

/// Draws actors, queue, buffer and learner side by side with the rates at the arrows between them:
/// an amber arrow or border is back-pressure. Only looks; the pointer says what a part means.
class PipelineCanvas : public ImGuiHost, public NamesSpots {
    Q_OBJECT

public:
    PipelineCanvas(const PipelineModel* model, QWidget* parent);

    std::vector<NamedSpot> namedSpots() const override;
    QJsonObject spotFacts() const override;
    QSize sizeHint() const override { return QSize(760, 230); }

protected:
    void drawGui() override;
    bool event(QEvent* event) override;

private:
    enum Part { kActors, kQueue, kBuffer, kLearner, kNumParts };

    std::array<QRectF, kNumParts> places() const;
    QRectF actorPlace(std::size_t actor) const;
    void drawBox(ImDrawList& list, const Tokens& t, Part part, const QString& title,
                 const QString& number) const;
    void drawActors(ImDrawList& list, const Tokens& t) const;
    void drawQueue(ImDrawList& list, const Tokens& t) const;
    void drawBuffer(ImDrawList& list, const Tokens& t) const;
    void drawLearner(ImDrawList& list, const Tokens& t) const;
    void drawArrow(ImDrawList& list, const Tokens& t, Part from, double rate, bool isHeld) const;
    bool isQueueFull() const;
    bool isHeldBack() const;
    QString tipAt(const QPointF& at) const;

    const PipelineModel* m_model;
};

}  // namespace orrery
