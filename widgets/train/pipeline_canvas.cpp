#include "widgets/train/pipeline_canvas.h"

#include <imgui.h>

#include <array>
#include <cmath>

#include "widgets/common/number_text.h"
#include "widgets/common/tokens.h"
#include "widgets/imgui/gui_draw.h"
#include "widgets/imgui/gui_words.h"
#include "widgets/train/pipeline_picture.h"

namespace orrery {

namespace {

ImU32 paint(const QColor& color) {
    return IM_COL32(color.red(), color.green(), color.blue(), color.alpha());
}

ImVec2 point(const QPointF& at) {
    return {static_cast<float>(at.x()), static_cast<float>(at.y())};
}

/// Draws into the present window of Dear ImGui.
class GuiPen : public PipelinePen {
public:
    GuiPen(ImDrawList& list, const GuiFonts& fonts) : m_list(list), m_fonts(fonts) {}

    double widthOf(Face face, const QString& text) const override {
        return face == Face::Label ? gui::wordsWidth(m_fonts.label, text)
                                   : gui::textWidth(fontOf(face), text);
    }
    void write(Face face, double x, double y, const QColor& color, const QString& text) override {
        if (face == Face::Label)
            gui::drawWords(m_list, m_fonts.label, x, y, paint(color), text);
        else
            gui::drawText(m_list, fontOf(face), x, y, paint(color), text);
    }
    void fill(const QRectF& box, const QColor& color, double rounding) override {
        gui::fillRect(m_list, box, paint(color), rounding);
    }
    void frame(const QRectF& box, const QColor& color, double rounding, double width) override {
        gui::outline(m_list, box, paint(color), width, rounding);
    }
    void disc(const QPointF& centre, double radius, const QColor& color) override {
        m_list.AddCircleFilled(point(centre), static_cast<float>(radius), paint(color));
    }
    void ring(const QPointF& centre, double radius, const QColor& color, double width) override {
        m_list.AddCircle(point(centre), static_cast<float>(radius), paint(color), 0,
                         static_cast<float>(width));
    }
    void line(const std::vector<QPointF>& points, const QColor& color, double width) override {
        // One by one: where a line of many points turns sharply, it is drawn thin.
        for (std::size_t i = 1; i < points.size(); ++i)
            m_list.AddLine(point(points[i - 1]), point(points[i]), paint(color),
                           static_cast<float>(width));
    }
    void triangle(const std::array<QPointF, 3>& corners, const QColor& color) override {
        m_list.AddTriangleFilled(point(corners[0]), point(corners[1]), point(corners[2]),
                                 paint(color));
    }

private:
    const ImFont* fontOf(Face face) const {
        return face == Face::Number  ? m_fonts.number
               : face == Face::Label ? m_fonts.label
                                     : m_fonts.strong;
    }

    ImDrawList& m_list;
    const GuiFonts& m_fonts;
};

}  // namespace

PipelineCanvas::PipelineCanvas(const PipelineModel* model, QWidget* parent)
    : ImGuiHost(parent), m_model(model) {
    setObjectName(QStringLiteral("pipelineCanvas"));
    setAccessibleName(tr("Pipeline of the training"));
    setMinimumSize(360, 120);
    connect(model, &PipelineModel::changed, this, [this] {
        setAccessibleDescription(m_model->facts().verdict());
        if (isVisible()) requestFrame();
    });
}

PipelinePicture PipelineCanvas::picture() const {
    return {m_model->facts(), QSizeF(size())};
}

void PipelineCanvas::drawGui() {
    const Tokens& t = currentTokens();
    GuiPen pen(*ImGui::GetWindowDrawList(), fonts());
    picture().draw(pen, t);
    if (hasFocus() && !m_model->facts().isEmpty())
        pen.frame(QRectF(rect()).adjusted(1, 1, -1, -1), t.accent, 0, 2);
}

bool PipelineCanvas::hasFigure() const {
    return !m_model->facts().isEmpty();
}

QString PipelineCanvas::figureTitle() const {
    const PipelineFacts& facts = m_model->facts();
    return tr("%1 · pipeline at training step %2").arg(facts.run, countText(facts.step));
}

void PipelineCanvas::paintFigure(QPainter& painter, const FigurePage& page) {
    paintPipeline(painter, m_model->facts(), page.size, *page.tokens);
}

QString PipelineCanvas::tipAt(const QPoint& at) const {
    const PipelineFacts& facts = m_model->facts();
    const QString tip = PaintedView::tipAt(at);
    return tip.isEmpty() && !facts.isEmpty() ? facts.verdict() : tip;
}

bool PipelineCanvas::event(QEvent* event) {
    return showTip(this, *this, event) || ImGuiHost::event(event);
}

std::vector<NamedSpot> PipelineCanvas::namedSpots() const {
    std::vector<NamedSpot> spots;
    const PipelineFacts& facts = m_model->facts();
    if (facts.isEmpty()) return spots;
    const auto all = picture().places();
    const auto addPart = [&](PipelinePicture::Part part, const char* name, const QString& tip) {
        spots.push_back({QLatin1String(name), all[part].toAlignedRect(), {}, tip});
    };
    addPart(PipelinePicture::kActors, "actors", {});
    addPart(PipelinePicture::kQueue, "queue",
            tr("What actors made and the learner has not taken yet; where it is full, they wait "
               "or drop"));
    addPart(PipelinePicture::kBuffer, "buffer",
            tr("What batches are drawn from; the oldest leave when it is full"));
    addPart(PipelinePicture::kLearner, "learner",
            tr("Mean time of each part of a training step since the run began"));
    for (std::size_t i = 0; i < facts.actors.size(); ++i) {
        const auto& actor = facts.actors[i];
        spots.push_back({QStringLiteral("actor %1").arg(i),
                         picture().actorPlace(i).toAlignedRect(),
                         {{QStringLiteral("state"), facts.stateText(actor)},
                          {QStringLiteral("rate"), actor.rate}},
                         tr("Actor %1 is %2: %3 env steps/s, %4 dropped, %5 restarts")
                             .arg(i)
                             .arg(facts.stateText(actor))
                             .arg(shortRate(actor.rate), countText(actor.dropped))
                             .arg(actor.restarts)});
    }
    return spots;
}

QJsonObject PipelineCanvas::spotFacts() const {
    const PipelineFacts& facts = m_model->facts();
    return {{QStringLiteral("actors"), static_cast<qint64>(facts.actors.size())},
            {QStringLiteral("produced"), facts.produced},
            {QStringLiteral("taken"), facts.taken},
            {QStringLiteral("sampled"), facts.sampled},
            {QStringLiteral("trainingRate"), facts.trainingRate},
            {QStringLiteral("queue"), static_cast<qint64>(facts.replay.queueSize)},
            {QStringLiteral("buffer"), static_cast<qint64>(facts.replay.size)},
            {QStringLiteral("dropped"), static_cast<qint64>(facts.replay.dropped)},
            {QStringLiteral("verdict"), facts.verdict()},
            {QStringLiteral("frames"), static_cast<qint64>(numFrames())}};
}

}  // namespace orrery
