#include "widgets/train/pipeline_canvas.h"

#include <imgui.h>

#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "widgets/common/number_text.h"
#include "widgets/common/tokens.h"
#include "widgets/train/pipeline_facts.h"

namespace orrery {

namespace {

constexpr double kMargin = 12, kPad = 12, kHead = 34, kLine = 18;
constexpr double kNarrow = 620, kWideGap = 64, kNarrowGap = 44;
constexpr double kNearlyFull = 0.9, kLeastPitch = 13;
constexpr std::array<double, 4> kShares{0.30, 0.19, 0.25, 0.26};
constexpr std::array<std::size_t, kNumProfileStages> kStageColors{0, 5, 2, 3, 1, 6, 4, 7, 0, 7};

ImU32 paint(const QColor& color, double opacity = 1) {
    return IM_COL32(color.red(), color.green(), color.blue(), static_cast<int>(opacity * 255));
}

ImVec2 point(double x, double y) {
    return {static_cast<float>(x), static_cast<float>(y)};
}

void fill(ImDrawList& list, const QRectF& rect, ImU32 color, double rounding = 0) {
    list.AddRectFilled(point(rect.left(), rect.top()), point(rect.right(), rect.bottom()), color,
                       static_cast<float>(rounding));
}

/// The faces of the panel have no thin spaces.
QByteArray shown(QString text) {
    return text.replace(QChar(0x2009), u' ').replace(QChar(0x202F), u' ').toUtf8();
}

double widthOf(const ImFont* font, const QString& text) {
    return static_cast<double>(
        font->CalcTextSizeA(font->FontSize, 1e9F, 0, shown(text).constData()).x *
        ImGui::GetIO().FontGlobalScale);
}

void write(ImDrawList& list, const ImFont* font, double x, double y, ImU32 color,
           const QString& text) {
    const double ratio = static_cast<double>(ImGui::GetIO().DisplayFramebufferScale.x);
    list.AddText(font, font->FontSize * ImGui::GetIO().FontGlobalScale,
                 point(std::round(x * ratio) / ratio, std::round(y * ratio) / ratio), color,
                 shown(text).constData());
}

void writeRight(ImDrawList& list, const ImFont* font, double right, double y, ImU32 color,
                const QString& text) {
    write(list, font, right - widthOf(font, text), y, color, text);
}

/// A count that fits beside an arrow: "3 960", "41k".
QString shortRate(double rate) {
    if (rate < 10) return QString::number(rate, 'f', 1);
    if (rate < 10'000) return countText(std::lround(rate));
    if (rate < 1e6) return QString::number(rate / 1e3, 'f', rate < 1e5 ? 1 : 0) + u'k';
    return QString::number(rate / 1e6, 'f', 1) + u'M';
}

void drawHistory(ImDrawList& list, const QRectF& place, const std::vector<double>& history,
                 double most, ImU32 line) {
    if (history.size() < 2 || most <= 0) return;
    std::vector<ImVec2> points;
    for (std::size_t i = 0; i < history.size(); ++i) {
        const double x = place.left() + place.width() * static_cast<double>(i) /
                                            static_cast<double>(history.size() - 1);
        points.push_back(
            point(x, place.bottom() - place.height() * std::min(1.0, history[i] / most)));
    }
    list.AddPolyline(points.data(), static_cast<int>(points.size()), line, 0, 1.4F);
}

QColor colorOf(const Tokens& t, CollectorNumbers::State state) {
    switch (state) {
        case CollectorNumbers::State::Running:
            return t.ok;
        case CollectorNumbers::State::Dead:
            return t.error;
        default:
            return t.warning;
    }
}

}  // namespace

PipelineCanvas::PipelineCanvas(const PipelineModel* model, QWidget* parent)
    : ImGuiHost(parent), m_model(model) {
    setObjectName(QStringLiteral("pipelineCanvas"));
    setAccessibleName(tr("Pipeline of the training"));
    setMinimumSize(360, 150);
    connect(model, &PipelineModel::changed, this, [this] {
        setAccessibleDescription(m_model->facts().verdict());
        if (isVisible()) requestFrame();
    });
}

std::array<QRectF, PipelineCanvas::kNumParts> PipelineCanvas::places() const {
    std::array<QRectF, kNumParts> places;
    const double gap = width() < kNarrow ? kNarrowGap : kWideGap;
    const double room = width() - 2 * kMargin - (kNumParts - 1) * gap;
    double x = kMargin;
    for (std::size_t i = 0; i < kNumParts; ++i) {
        places[i] = QRectF(x, 8, room * kShares[i], height() - 16);
        x += room * kShares[i] + gap;
    }
    return places;
}

QRectF PipelineCanvas::actorPlace(std::size_t actor) const {
    const QRectF box = places()[kActors];
    const std::size_t count = m_model->facts().actors.size();
    const std::size_t columns = count > 1 && box.width() > 200 ? 2 : 1;
    const std::size_t rows = (count + columns - 1) / columns;
    const QRectF inner = box.adjusted(kPad, kHead, -kPad, -kPad);
    const double height =
        std::min(46.0, (inner.height() + 6) / static_cast<double>(std::max<std::size_t>(1, rows)));
    const double width =
        (inner.width() - 6 * static_cast<double>(columns - 1)) / static_cast<double>(columns);
    return {inner.left() + static_cast<double>(actor % columns) * (width + 6),
            inner.top() + static_cast<double>(actor / columns) * height, width, height - 6};
}

bool PipelineCanvas::isQueueFull() const {
    const ReplayNumbers& replay = m_model->facts().replay;
    return replay.queueCapacity > 0 && static_cast<double>(replay.queueSize) >
                                           kNearlyFull * static_cast<double>(replay.queueCapacity);
}

bool PipelineCanvas::isHeldBack() const {
    return std::ranges::any_of(m_model->facts().actors, [](const PipelineFacts::Actor& actor) {
        return actor.state == CollectorNumbers::State::Throttled;
    });
}

void PipelineCanvas::drawGui() {
    const Tokens& t = currentTokens();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    fill(list, QRectF(rect()), paint(t.window));
    if (m_model->facts().isEmpty()) return;
    drawActors(list, t);
    drawQueue(list, t);
    drawBuffer(list, t);
    drawLearner(list, t);
    drawArrow(list, t, kActors, m_model->facts().produced, isQueueFull() || isHeldBack());
    drawArrow(list, t, kQueue, m_model->facts().taken, false);
    drawArrow(list, t, kBuffer, m_model->facts().sampled, false);
    if (hasFocus())
        list.AddRect(point(1, 1), point(width() - 1, height() - 1), paint(t.accent), 0, 0, 2);
}

void PipelineCanvas::drawBox(ImDrawList& list, const Tokens& t, Part part, const QString& title,
                             const QString& number) const {
    const QRectF box = places()[part];
    const bool isHeld = (part == kQueue && isQueueFull()) || (part == kActors && isHeldBack());
    fill(list, box, paint(t.panel), 6);
    list.AddRect(point(box.left(), box.top()), point(box.right(), box.bottom()),
                 paint(isHeld             ? t.warning
                       : part == kLearner ? t.accent
                                          : t.border),
                 6, 0, 1);
    write(list, fonts().strong, box.left() + kPad, box.top() + 9, paint(t.text), title);
    const double titleWidth = widthOf(fonts().strong, title);
    if (widthOf(fonts().number, number) + titleWidth + 3 * kPad < box.width())
        writeRight(list, fonts().number, box.right() - kPad, box.top() + 10, paint(t.text2),
                   number);
}

void PipelineCanvas::drawActors(ImDrawList& list, const Tokens& t) const {
    const PipelineFacts& facts = m_model->facts();
    drawBox(list, t, kActors, tr("Actors"), tr("%1 env/s").arg(shortRate(facts.produced)));
    double most = 1;
    for (const PipelineFacts::Actor& actor : facts.actors)
        for (const double rate : actor.history) most = std::max(most, rate * 1.2);
    const QRectF box = places()[kActors];
    for (std::size_t i = 0; i < facts.actors.size(); ++i) {
        const PipelineFacts::Actor& actor = facts.actors[i];
        const QRectF place = actorPlace(i);
        if (place.bottom() > box.bottom() - 2) break;
        fill(list, place, paint(t.raised), 5);
        const QColor color = colorOf(t, actor.state);
        const bool isTall = place.height() >= 34;
        const double y = isTall ? place.top() + 3 : place.center().y() - 7;
        // The shape tells the state as well: a disc runs, a ring is held back, a square is dead.
        const ImVec2 dot = point(place.left() + 10, y + 7);
        if (actor.state == CollectorNumbers::State::Running)
            list.AddCircleFilled(dot, 4, paint(color));
        else if (actor.state == CollectorNumbers::State::Dead)
            list.AddRectFilled({dot.x - 4, dot.y - 4}, {dot.x + 4, dot.y + 4}, paint(color));
        else
            list.AddCircle(dot, 4, paint(color), 0, 1.8F);
        write(list, fonts().label, place.left() + 20, y, paint(t.text), tr("actor %1").arg(i));
        const bool isRunning = actor.state == CollectorNumbers::State::Running;
        const QString word = isRunning ? shortRate(actor.rate) : actorStateText(actor.state);
        const ImFont* font = isRunning ? fonts().number : fonts().label;
        if (widthOf(font, word) + widthOf(fonts().label, tr("actor %1").arg(i)) + 32 <
            place.width())
            writeRight(list, font, place.right() - 8, y, paint(isRunning ? t.text2 : color), word);
        if (isTall)
            drawHistory(list, place.adjusted(8, 20, -8, -4), actor.history, most, paint(t.data[0]));
    }
}

void PipelineCanvas::drawQueue(ImDrawList& list, const Tokens& t) const {
    const PipelineFacts& facts = m_model->facts();
    const ReplayNumbers& replay = facts.replay;
    drawBox(list, t, kQueue, tr("Queue"), countText(replay.queueSize));
    const QRectF box = places()[kQueue].adjusted(kPad, kHead, -kPad, -kPad);
    if (!facts.isAsync) {
        write(list, fonts().label, box.left(), box.top(), paint(t.text3), tr("none: in turns"));
        return;
    }
    constexpr int kColumns = 8, kRows = 3;
    const double pitch = std::min(22.0, (box.width() + 4) / kColumns);
    const double share = replay.queueCapacity > 0 ? static_cast<double>(replay.queueSize) /
                                                        static_cast<double>(replay.queueCapacity)
                                                  : 0;
    const int numFull = static_cast<int>(std::ceil(share * kColumns * kRows));
    for (int i = 0; i < kColumns * kRows; ++i)
        fill(list,
             QRectF(box.left() + (i % kColumns) * pitch,
                    box.top() + static_cast<int>(i / kColumns) * pitch, pitch - 4, pitch - 4),
             paint(i >= numFull    ? t.raised
                   : isQueueFull() ? t.warning
                                   : t.data[0]),
             3);
    double y = box.top() + kRows * pitch + 4;
    const auto line = [&](const QString& text, const QColor& color) {
        if (y + 14 > box.bottom()) return;
        write(list, fonts().label, box.left(), y, paint(color), text);
        y += kLine - 2;
    };
    line(
        tr("%1 of %2")
            .arg(countText(replay.queueSize), shortRate(static_cast<double>(replay.queueCapacity))),
        t.text2);
    line(tr("dropped %1").arg(countText(replay.dropped)), replay.dropped > 0 ? t.warning : t.text3);
    if (box.bottom() - y > 18)
        drawHistory(list, QRectF(box.left(), y + 2, box.width(), box.bottom() - y - 2),
                    facts.queueHistory, 1, paint(t.data[0]));
}

void PipelineCanvas::drawBuffer(ImDrawList& list, const Tokens& t) const {
    const PipelineFacts& facts = m_model->facts();
    const ReplayNumbers& replay = facts.replay;
    drawBox(list, t, kBuffer, tr("Replay buffer"), countText(replay.size));
    const QRectF box = places()[kBuffer].adjusted(kPad, kHead, -kPad, -kPad);
    const double share = replay.capacity > 0 ? static_cast<double>(replay.size) /
                                                   static_cast<double>(replay.capacity)
                                             : 0;
    const QRectF track(box.left(), box.top(), box.width(), 14);
    fill(list, track, paint(t.raised), 3);
    if (share > 0)
        fill(list, QRectF(track.left(), track.top(), std::max(3.0, track.width() * share), 14),
             paint(t.data[0]), 3);
    double y = track.bottom() + 6;
    const auto line = [&](const QString& left, const QString& right) {
        if (y + 14 > box.bottom() + 4) return;
        write(list, fonts().label, box.left(), y, paint(t.text2), left);
        if (widthOf(fonts().label, left) + widthOf(fonts().number, right) + 8 < box.width())
            writeRight(list, fonts().number, box.right(), y, paint(t.text), right);
        y += kLine;
    };
    line(tr("%1 of %2").arg(percentText(share), countText(replay.capacity)),
         bytesText(replay.bytes));
    line(tr("states, each stored once"), countText(replay.uniqueStates));
    line(tr("distributions"), countText(replay.models));
    line(tr("oldest, from step"), countText(replay.oldestStep));
    line(tr("a step samples"), countText(facts.batch));
}

void PipelineCanvas::drawLearner(ImDrawList& list, const Tokens& t) const {
    const PipelineFacts& facts = m_model->facts();
    drawBox(list, t, kLearner, tr("Learner"), tr("%1 steps/s").arg(shortRate(facts.trainingRate)));
    const QRectF box = places()[kLearner].adjusted(kPad, kHead, -kPad, -kPad);
    double most = 0, sum = 0;
    for (const double milliseconds : facts.milliseconds) {
        most = std::max(most, milliseconds);
        sum += milliseconds;
    }
    // Where there is no room for all, the longest ones.
    std::array<std::size_t, kNumProfileStages> order{};
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    double pitch = std::min(kLine, (box.height() - kLine) / kNumProfileStages);
    std::size_t numShown = order.size();
    if (pitch < kLeastPitch) {
        pitch = kLine - 2;
        numShown = static_cast<std::size_t>(std::clamp((box.height() - kLine) / pitch, 0.0, 10.0));
        std::ranges::stable_sort(order, std::ranges::greater{},
                                 [&](std::size_t i) { return facts.milliseconds[i]; });
    }
    const double bars = box.left() + 66, end = box.right() - 66;
    for (std::size_t row = 0; row < numShown; ++row) {
        const std::size_t i = order[row];
        const double y = box.top() + static_cast<double>(row) * pitch;
        write(list, fonts().label, box.left(), y, paint(t.text2),
              profileStageText(static_cast<ProfileStage>(i)));
        writeRight(list, fonts().number, box.right(), y, paint(t.text),
                   tr("%1 ms").arg(facts.milliseconds[i], 0, 'f', 3));
        if (most > 0 && end > bars)
            fill(list,
                 QRectF(bars, y + 3, std::max(1.0, (end - bars) * facts.milliseconds[i] / most),
                        std::max(4.0, pitch - 9)),
                 paint(i + 1 == kNumProfileStages ? t.text3 : t.data[kStageColors[i]]), 2);
    }
    write(list, fonts().label, box.left(), box.top() + static_cast<double>(numShown) * pitch + 2,
          paint(t.text3), tr("%1 ms a step · batch %2").arg(sum, 0, 'f', 2).arg(facts.batch));
}

void PipelineCanvas::drawArrow(ImDrawList& list, const Tokens& t, Part from, double rate,
                               bool isHeld) const {
    const auto all = places();
    const double left = all[from].right() + 6, right = all[from + 1U].left() - 6;
    const double y = all[from].center().y();
    const ImU32 color = paint(isHeld ? t.warning : rate > 0 ? t.ok : t.strongBorder);
    list.AddRectFilled(point(left, y - 2), point(right - 8, y + 2), color);
    list.AddTriangleFilled(point(right - 9, y - 6), point(right, y), point(right - 9, y + 6),
                           color);
    const QString text = tr("%1/s").arg(shortRate(rate));
    const double width = widthOf(fonts().number, text);
    write(list, fonts().number, (left + right - width) / 2, y - 22, paint(t.text), text);
}

QString PipelineCanvas::tipAt(const QPointF& at) const {
    const PipelineFacts& facts = m_model->facts();
    if (facts.isEmpty()) return {};
    for (std::size_t i = 0; i < facts.actors.size(); ++i)
        if (actorPlace(i).contains(at))
            return tr("Actor %1 is %2: %3 env steps/s, %4 dropped, %5 restarts")
                .arg(i)
                .arg(actorStateText(facts.actors[i].state))
                .arg(shortRate(facts.actors[i].rate), countText(facts.actors[i].dropped))
                .arg(facts.actors[i].restarts);
    const auto all = places();
    if (all[kQueue].contains(at))
        return tr(
            "What actors made and the learner has not taken yet; where it is full, they wait "
            "or drop");
    if (all[kBuffer].contains(at))
        return tr("What batches are drawn from; the oldest leave when it is full");
    if (all[kLearner].contains(at))
        return tr("Mean time of each part of a training step since the run began");
    return facts.verdict();
}

bool PipelineCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), tipAt(help->pos()), this);
        return true;
    }
    return ImGuiHost::event(event);
}

std::vector<NamedSpot> PipelineCanvas::namedSpots() const {
    std::vector<NamedSpot> spots;
    const PipelineFacts& facts = m_model->facts();
    if (facts.isEmpty()) return spots;
    const auto all = places();
    const std::array<const char*, kNumParts> names{"actors", "queue", "buffer", "learner"};
    for (std::size_t i = 0; i < kNumParts; ++i)
        spots.push_back({QLatin1String(names[i]), all[i].toAlignedRect()});
    for (std::size_t i = 0; i < facts.actors.size(); ++i)
        spots.push_back({QStringLiteral("actor %1").arg(i),
                         actorPlace(i).toAlignedRect(),
                         {{QStringLiteral("state"), actorStateText(facts.actors[i].state)},
                          {QStringLiteral("rate"), facts.actors[i].rate}}});
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
