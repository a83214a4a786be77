#include "widgets/train/pipeline_picture.h"

#include <QFontMetricsF>
#include <QLineF>
#include <QObject>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/symbol_text.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr double kMargin = 12, kPad = 12, kHead = 34, kLine = 18;
constexpr double kNarrow = 900, kWideGap = 64, kNarrowGap = 56;
constexpr double kFolded = 760, kLeastFolded = 240, kFoldGap = 36;
constexpr double kLeastPitch = 13, kMostPitch = 84, kMostBar = 26, kTallest = 1100;
constexpr double kLabel = 11;  ///< pixels of a letter
constexpr double kMostActor = 180, kLeastHistory = 18, kLeastBars = 12;
constexpr std::array<double, 4> kShares{0.28, 0.17, 0.27, 0.28};

void writeRight(PipelinePen& pen, PipelinePen::Face face, double right, double y,
                const QColor& color, const QString& text) {
    pen.write(face, right - pen.widthOf(face, text), y, color, text);
}

QString elided(const PipelinePen& pen, PipelinePen::Face face, QString text, double width) {
    if (pen.widthOf(face, text) <= width) return text;
    while (!text.isEmpty() && pen.widthOf(face, text + u'…') > width) text.chop(1);
    return text.isEmpty() ? text : text + u'…';
}

/// The number at the right is whole; its name has the rest of the row.
void writePair(PipelinePen& pen, const Tokens& t, const QRectF& row, const QString& name,
               const QString& number) {
    using Face = PipelinePen::Face;
    const double room = row.width() - pen.widthOf(Face::Number, number) - 8;
    pen.write(Face::Label, row.left(), row.top(), t.text2, elided(pen, Face::Label, name, room));
    writeRight(pen, Face::Number, row.right(), row.top(), t.text, number);
}

/// The stages of a step that have room, and the distance of their rows.
struct StageRows {
    std::vector<std::size_t> stages;
    double pitch = kLine;
};

/// Where there is no room for all, the longest ones.
StageRows stageRows(const PipelineFacts& facts, double height) {
    const auto count = static_cast<double>(facts.parts.size());
    StageRows rows{.stages = std::vector<std::size_t>(facts.parts.size()),
                   .pitch = std::min(kMostPitch, height / std::max(1.0, count))};
    std::iota(rows.stages.begin(), rows.stages.end(), 0U);
    if (rows.pitch >= kLeastPitch) return rows;
    rows.pitch = kLine - 2;
    std::ranges::stable_sort(rows.stages, std::ranges::greater{},
                             [&](std::size_t i) { return facts.parts[i].milliseconds; });
    rows.stages.resize(static_cast<std::size_t>(std::clamp(height / rows.pitch, 0.0, count)));
    return rows;
}

void drawHistory(PipelinePen& pen, const QRectF& place, const std::vector<double>& history,
                 double most, const QColor& color) {
    if (history.size() < 2 || most <= 0) return;
    std::vector<QPointF> points;
    points.reserve(history.size());
    for (std::size_t i = 0; i < history.size(); ++i)
        points.emplace_back(place.left() + place.width() * static_cast<double>(i) /
                                               static_cast<double>(history.size() - 1),
                            place.bottom() - place.height() * std::min(1.0, history[i] / most));
    pen.line(points, color, 1.4);
}

QColor colorOf(const Tokens& t, ActorState state) {
    switch (state) {
        case ActorState::Running:
            return t.ok;
        case ActorState::Dead:
            return t.error;
        default:
            return t.warning;
    }
}

/// Text stays text on paper.
class PaperPen : public PipelinePen {
public:
    explicit PaperPen(QPainter& painter) : m_painter(painter) {
        m_painter.setRenderHint(QPainter::Antialiasing);
    }

    double widthOf(Face face, const QString& text) const override {
        return face == Face::Label ? symbolWidth(kLabel, text, QFont::Normal)
                                   : QFontMetricsF(fontOf(face)).horizontalAdvance(text);
    }
    void write(Face face, double x, double y, const QColor& color, const QString& text) override {
        const QFont font = fontOf(face);
        m_painter.setFont(font);
        m_painter.setPen(color);
        const QPointF baseline(x, y + QFontMetricsF(font).ascent());
        if (face == Face::Label)
            paintSymbol(m_painter, baseline, kLabel, text, QFont::Normal);
        else
            m_painter.drawText(baseline, text);
    }
    void fill(const QRectF& box, const QColor& color, double rounding) override {
        draw(Qt::NoPen, color);
        m_painter.drawRoundedRect(box, rounding, rounding);
    }
    void frame(const QRectF& box, const QColor& color, double rounding, double width) override {
        draw(QPen(color, width), Qt::NoBrush);
        m_painter.drawRoundedRect(box, rounding, rounding);
    }
    void disc(const QPointF& centre, double radius, const QColor& color) override {
        draw(Qt::NoPen, color);
        m_painter.drawEllipse(centre, radius, radius);
    }
    void ring(const QPointF& centre, double radius, const QColor& color, double width) override {
        draw(QPen(color, width), Qt::NoBrush);
        m_painter.drawEllipse(centre, radius, radius);
    }
    void line(const std::vector<QPointF>& points, const QColor& color, double width) override {
        draw(QPen(color, width), Qt::NoBrush);
        m_painter.drawPolyline(points.data(), static_cast<int>(points.size()));
    }
    void triangle(const std::array<QPointF, 3>& corners, const QColor& color) override {
        draw(Qt::NoPen, color);
        m_painter.drawPolygon(corners.data(), static_cast<int>(corners.size()));
    }

private:
    static QFont fontOf(Face face) {
        return face == Face::Number  ? numberFont(11)
               : face == Face::Label ? interfaceFont(kLabel)
                                     : interfaceFont(12, QFont::DemiBold);
    }
    void draw(const QPen& pen, const QBrush& brush) {
        m_painter.setPen(pen);
        m_painter.setBrush(brush);
    }

    QPainter& m_painter;
};

}  // namespace

QString shortRate(double rate) {
    if (rate < 10) return QString::number(rate, 'f', 1);
    if (rate < 10'000) return countText(std::lround(rate));
    if (rate < 1e6) return QString::number(rate / 1e3, 'f', rate < 1e5 ? 1 : 0) + u'k';
    return QString::number(rate / 1e6, 'f', 1) + u'M';
}

bool PipelinePicture::isFolded() const {
    return m_size.width() < kFolded && m_size.height() >= kLeastFolded;
}

std::array<QRectF, PipelinePicture::kNumParts> PipelinePicture::places() const {
    std::array<QRectF, kNumParts> places;
    const double gap = m_size.width() < kNarrow ? kNarrowGap : kWideGap;
    const double height = std::min(kTallest, m_size.height() - 16);
    if (isFolded()) {  // the lower row goes back to the left
        const QSizeF box((m_size.width() - 2 * kMargin - gap) / 2, (height - kFoldGap) / 2);
        const double right = kMargin + box.width() + gap, lower = 8 + box.height() + kFoldGap;
        places[kActors] = QRectF(QPointF(kMargin, 8), box);
        places[kQueue] = QRectF(QPointF(right, 8), box);
        places[kBuffer] = QRectF(QPointF(right, lower), box);
        places[kLearner] = QRectF(QPointF(kMargin, lower), box);
        return places;
    }
    const double room = m_size.width() - 2 * kMargin - (kNumParts - 1) * gap;
    double x = kMargin;
    for (std::size_t i = 0; i < kNumParts; ++i) {
        places[i] = QRectF(x, 8, room * kShares[i], height);
        x += room * kShares[i] + gap;
    }
    return places;
}

QRectF PipelinePicture::actorPlace(std::size_t actor) const {
    const QRectF box = places()[kActors];
    const std::size_t count = m_facts.actors.size();
    const std::size_t columns = count > 1 && box.width() > 200 ? 2 : 1;
    const std::size_t rows = (count + columns - 1) / columns;
    const QRectF inner = box.adjusted(kPad, kHead, -kPad, -kPad);
    const double height =
        std::clamp((inner.height() + 6) / static_cast<double>(std::max<std::size_t>(1, rows)),
                   kLine, kMostActor);
    const double width =
        (inner.width() - 6 * static_cast<double>(columns - 1)) / static_cast<double>(columns);
    const std::size_t row = actor / columns;
    return {inner.left() + static_cast<double>(actor % columns) * (width + 6),
            inner.top() + static_cast<double>(row) * height, width, height - 6};
}

bool PipelinePicture::isHeldBack() const {
    return std::ranges::any_of(m_facts.actors, [](const PipelineFacts::Actor& actor) {
        return actor.state == ActorState::Throttled;
    });
}

void PipelinePicture::draw(PipelinePen& pen, const Tokens& t) const {
    pen.fill(QRectF(QPointF(0, 0), m_size), t.window, 0);
    if (m_facts.isEmpty()) return;
    drawActors(pen, t);
    drawQueue(pen, t);
    drawBuffer(pen, t);
    drawLearner(pen, t);
    drawArrow(pen, t, kActors, m_facts.produced, m_facts.isQueueFull() || isHeldBack());
    drawArrow(pen, t, kQueue, m_facts.taken, false);
    drawArrow(pen, t, kBuffer, m_facts.sampled, false);
}

void PipelinePicture::drawBox(PipelinePen& pen, const Tokens& t, Part part, const QString& title,
                              const QString& number) const {
    const QRectF box = places()[part];
    const bool isHeld =
        (part == kQueue && m_facts.isQueueFull()) || (part == kActors && isHeldBack());
    pen.fill(box, t.panel, 6);
    pen.frame(box, isHeld ? t.warning : part == kLearner ? t.accent : t.border, 6, 1);
    pen.write(Face::Strong, box.left() + kPad, box.top() + 9, t.text, title);
    const double titleWidth = pen.widthOf(Face::Strong, title);
    if (pen.widthOf(Face::Number, number) + titleWidth + 3 * kPad < box.width())
        writeRight(pen, Face::Number, box.right() - kPad, box.top() + 10, t.text2, number);
}

void PipelinePicture::drawActors(PipelinePen& pen, const Tokens& t) const {
    const PipelineFacts& facts = m_facts;
    drawBox(pen, t, kActors, QObject::tr("Actors"),
            QObject::tr("%1 env/s").arg(shortRate(facts.produced)));
    double most = 1;
    for (const PipelineFacts::Actor& actor : facts.actors)
        for (const double rate : actor.history) most = std::max(most, rate * 1.2);
    const QRectF box = places()[kActors];
    for (std::size_t i = 0; i < facts.actors.size(); ++i) {
        if (actorPlace(i).bottom() > box.bottom() - 2) break;
        drawActor(pen, t, i, most);
    }
}

void PipelinePicture::drawActor(PipelinePen& pen, const Tokens& t, std::size_t index,
                                double most) const {
    const PipelineFacts::Actor& actor = m_facts.actors[index];
    const QRectF place = actorPlace(index);
    pen.fill(place, t.raised, 5);
    const QColor color = m_facts.hasEnded ? t.text3 : colorOf(t, actor.state);
    const bool isTall = place.height() >= 34;
    const double y = isTall ? place.top() + 3 : place.center().y() - 7;
    // The shape tells the state as well: a disc runs, a ring is held back, a square is dead.
    const QPointF dot(place.left() + 10, y + 7);
    const bool isRunning = actor.state == ActorState::Running && !m_facts.hasEnded;
    if (isRunning)
        pen.disc(dot, 4, color);
    else if (actor.state == ActorState::Dead)
        pen.fill(QRectF(dot - QPointF(4, 4), QSizeF(8, 8)), color, 0);
    else
        pen.ring(dot, 4, color, 1.8);
    const QString name = QObject::tr("actor %1").arg(index);
    pen.write(Face::Label, place.left() + 20, y, t.text, name);
    const QString word = isRunning ? shortRate(actor.rate) : m_facts.stateText(actor);
    const Face face = isRunning ? Face::Number : Face::Label;
    if (pen.widthOf(face, word) + pen.widthOf(Face::Label, name) + 32 < place.width())
        writeRight(pen, face, place.right() - 8, y, isRunning ? t.text2 : color, word);
    if (isTall) drawHistory(pen, place.adjusted(8, 20, -8, -4), actor.history, most, t.data[0]);
}

void PipelinePicture::drawQueue(PipelinePen& pen, const Tokens& t) const {
    const PipelineFacts& facts = m_facts;
    const ReplayNumbers& replay = facts.replay;
    drawBox(pen, t, kQueue, QObject::tr("Queue"), countText(replay.queueSize));
    const QRectF box = places()[kQueue].adjusted(kPad, kHead, -kPad, -kPad);
    if (facts.takesTurns) {
        pen.write(Face::Label, box.left(), box.top(), t.text3, QObject::tr("none: in turns"));
        return;
    }
    constexpr int kColumns = 8, kRows = 3;
    const double pitch = std::min(std::max(14.0, box.height() / 8), (box.width() + 4) / kColumns);
    const double share = replay.queueCapacity > 0 ? static_cast<double>(replay.queueSize) /
                                                        static_cast<double>(replay.queueCapacity)
                                                  : 0;
    const int numFull = static_cast<int>(std::ceil(share * kColumns * kRows));
    for (int i = 0; i < kColumns * kRows; ++i)
        pen.fill(QRectF(box.left() + (i % kColumns) * pitch,
                        box.top() + static_cast<int>(i / kColumns) * pitch, pitch - 4, pitch - 4),
                 i >= numFull            ? t.raised
                 : m_facts.isQueueFull() ? t.warning
                                         : t.data[0],
                 3);
    double y = box.top() + kRows * pitch + 4;
    const auto line = [&](const QString& text, const QColor& color) {
        if (y + 14 > box.bottom()) return;
        pen.write(Face::Label, box.left(), y, color, elided(pen, Face::Label, text, box.width()));
        y += kLine - 2;
    };
    line(
        QObject::tr("%1 of %2")
            .arg(countText(replay.queueSize), shortRate(static_cast<double>(replay.queueCapacity))),
        t.text2);
    line(QObject::tr("dropped %1").arg(countText(replay.dropped)),
         replay.dropped > 0 ? t.warning : t.text3);
    if (box.bottom() - y > kLeastHistory)
        drawHistory(pen, QRectF(box.left(), y + 2, box.width(), box.bottom() - y - 2),
                    facts.queueHistory, 1, t.data[0]);
}

void PipelinePicture::drawBuffer(PipelinePen& pen, const Tokens& t) const {
    const PipelineFacts& facts = m_facts;
    const ReplayNumbers& replay = facts.replay;
    drawBox(pen, t, kBuffer, QObject::tr("Replay buffer"), countText(replay.size));
    const QRectF box = places()[kBuffer].adjusted(kPad, kHead, -kPad, -kPad);
    const double share = replay.capacity > 0 ? static_cast<double>(replay.size) /
                                                   static_cast<double>(replay.capacity)
                                             : 0;
    const QRectF track(box.left(), box.top(), box.width(), 14);
    pen.fill(track, t.raised, 3);
    if (share > 0)
        pen.fill(QRectF(track.left(), track.top(), std::max(3.0, track.width() * share), 14),
                 t.data[0], 3);
    double y = track.bottom() + 6;
    const double pitch = std::clamp(box.height() / 18, kLine, kMostPitch);
    const auto line = [&](const QString& name, const QString& number) {
        if (y + 14 > box.bottom() + 4) return;
        writePair(pen, t, QRectF(box.left(), y, box.width(), pitch), name, number);
        y += pitch;
    };
    line(QObject::tr("of %1").arg(countText(replay.capacity)), percentText(share));
    line(QObject::tr("memory"), bytesText(replay.bytes));
    line(QObject::tr("distinct states"), countText(replay.uniqueStates));
    line(QObject::tr("distributions"), countText(replay.models));
    line(QObject::tr("oldest, from step"), countText(replay.oldestStep));
    line(QObject::tr("a step samples"), countText(facts.batch));
    if (box.bottom() - y > kLeastHistory)
        drawHistory(pen, QRectF(box.left(), y + 2, box.width(), box.bottom() - y - 2),
                    facts.bufferHistory, 1, t.data[0]);
}

void PipelinePicture::drawLearner(PipelinePen& pen, const Tokens& t) const {
    const PipelineFacts& facts = m_facts;
    drawBox(pen, t, kLearner, QObject::tr("Learner"),
            QObject::tr("%1 steps/s").arg(shortRate(facts.trainingRate)));
    const QRectF box = places()[kLearner].adjusted(kPad, kHead, -kPad, -kPad);
    double most = 0, sum = 0;
    for (const TrainingFlow::Part& part : facts.parts) {
        most = std::max(most, part.milliseconds);
        sum += part.milliseconds;
    }
    const auto [stages, pitch] = stageRows(facts, box.height() - kLine);
    double names = 0, numbers = 0;
    const auto nameOf = [&](std::size_t i) { return QString::fromStdString(facts.parts[i].name); };
    const auto timeOf = [&](std::size_t i) {
        return QObject::tr("%1 ms").arg(facts.parts[i].milliseconds, 0, 'f', 3);
    };
    for (const std::size_t i : stages) {
        names = std::max(names, pen.widthOf(Face::Label, nameOf(i)) + 8);
        numbers = std::max(numbers, pen.widthOf(Face::Number, timeOf(i)) + 8);
    }
    const double bar = std::clamp(pitch * 0.4, 4.0, kMostBar), room = box.width() - names - numbers;
    double y = box.top();
    for (const std::size_t i : stages) {
        writePair(pen, t, QRectF(box.left(), y, box.width(), pitch), nameOf(i), timeOf(i));
        if (most > 0 && room >= kLeastBars)
            pen.fill(QRectF(box.left() + names, y + 7.5 - bar / 2,
                            std::max(1.0, room * facts.parts[i].milliseconds / most), bar),
                     partColor(facts.parts[i].color, t), 2);
        y += pitch;
    }
    const QString all = QObject::tr("%1 ms a step · batch %2").arg(sum, 0, 'f', 2).arg(facts.batch);
    pen.write(Face::Label, box.left(), y + 2, t.text3, elided(pen, Face::Label, all, box.width()));
}

std::pair<QPointF, QPointF> PipelinePicture::arrowFrom(Part part) const {
    const auto all = places();
    const QRectF from = all[part], to = all[part + 1U];
    if (from.left() == to.left())
        return {QPointF(from.center().x(), from.bottom() + 5),
                QPointF(to.center().x(), to.top() - 5)};
    const bool isBack = to.left() < from.left();
    return {QPointF(isBack ? from.left() - 6 : from.right() + 6, from.center().y()),
            QPointF(isBack ? to.right() + 6 : to.left() - 6, to.center().y())};
}

void PipelinePicture::drawArrow(PipelinePen& pen, const Tokens& t, Part from, double rate,
                                bool isHeld) const {
    const auto [start, tip] = arrowFrom(from);
    const double length = QLineF(start, tip).length();
    const QPointF along = (tip - start) / length, across(-along.y(), along.x());
    const QColor color = isHeld ? t.warning : rate > 0 ? t.ok : t.strongBorder;
    pen.fill(QRectF(start - 2 * across, tip - 8 * along + 2 * across).normalized(), color, 0);
    pen.triangle({tip - 9 * along - 6 * across, tip, tip - 9 * along + 6 * across}, color);
    const QString text = QObject::tr("%1/s").arg(shortRate(rate));
    const QPointF middle = (start + tip) / 2;
    if (along.x() != 0)
        pen.write(Face::Number, middle.x() - pen.widthOf(Face::Number, text) / 2, middle.y() - 22,
                  t.text, text);
    else
        pen.write(Face::Number, middle.x() + 12, middle.y() - 8, t.text, text);
}

void paintPipeline(QPainter& painter, const PipelineFacts& facts, const QSizeF& size,
                   const Tokens& tokens) {
    PaperPen pen(painter);
    PipelinePicture(facts, size).draw(pen, tokens);
}

}  // namespace orrery
