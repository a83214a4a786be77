#pragma once

#include <QColor>
#include <QRectF>
#include <QString>
#include <array>
#include <utility>
#include <vector>

#include "widgets/train/pipeline_facts.h"

class QPainter;

namespace orrery {

struct Tokens;

/// What a picture of the pipeline is drawn with: Dear ImGui in the window, QPainter on paper.
class PipelinePen {
public:
    enum class Face { Strong, Label, Number };  ///< 12 px semi-bold, 11 px, 11 px monospaced

    virtual ~PipelinePen() = default;
    virtual double widthOf(Face face, const QString& text) const = 0;
    /// @param y  of the upper edge of the text
    virtual void write(Face face, double x, double y, const QColor& color, const QString& text) = 0;
    virtual void fill(const QRectF& box, const QColor& color, double rounding) = 0;
    virtual void frame(const QRectF& box, const QColor& color, double rounding, double width) = 0;
    virtual void disc(const QPointF& centre, double radius, const QColor& color) = 0;
    virtual void ring(const QPointF& centre, double radius, const QColor& color, double width) = 0;
    virtual void line(const std::vector<QPointF>& points, const QColor& color, double width) = 0;
    virtual void triangle(const std::array<QPointF, 3>& corners, const QColor& color) = 0;
};

/// Actors, queue, buffer and learner side by side, or in two rows where they have no room, with the
/// rates at the arrows between them, in the rectangle (0, 0) .. size: an amber arrow or border is
/// back-pressure.
class PipelinePicture {
public:
    enum Part { kActors, kQueue, kBuffer, kLearner, kNumParts };

    PipelinePicture(const PipelineFacts& facts, const QSizeF& size)
        : m_facts(facts), m_size(size) {}

    std::array<QRectF, kNumParts> places() const;
    QRectF actorPlace(std::size_t actor) const;
    void draw(PipelinePen& pen, const Tokens& tokens) const;

private:
    using Face = PipelinePen::Face;

    void drawBox(PipelinePen& pen, const Tokens& t, Part part, const QString& title,
                 const QString& number) const;
    void drawActors(PipelinePen& pen, const Tokens& t) const;
    void drawActor(PipelinePen& pen, const Tokens& t, std::size_t index, double most) const;
    void drawQueue(PipelinePen& pen, const Tokens& t) const;
    void drawBuffer(PipelinePen& pen, const Tokens& t) const;
    void drawLearner(PipelinePen& pen, const Tokens& t) const;
    void drawArrow(PipelinePen& pen, const Tokens& t, Part from, double rate, bool isHeld) const;
    bool isHeldBack() const;
    bool isFolded() const;  ///< two boxes above two
    /// Where the arrow to the next part starts, and its tip.
    std::pair<QPointF, QPointF> arrowFrom(Part part) const;

    const PipelineFacts& m_facts;
    QSizeF m_size;
};

/// The same with QPainter, for paper.
void paintPipeline(QPainter& painter, const PipelineFacts& facts, const QSizeF& size,
                   const Tokens& tokens);

/// A count that fits beside an arrow: "3 960", "41k".
QString shortRate(double rate);

}  // namespace orrery
