#include "widgets/train/stage_bar.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/common/number_text.h"
#include "widgets/common/tokens.h"
#include "widgets/plots/chart_text.h"

namespace orrery {

namespace {

constexpr double kGap = 4, kRadius = 5, kSymbolPixels = 12, kNumberPixels = 11;
constexpr double kCellPad = 10, kTickWidth = 14, kNumberEdge = 8;

/// "41 280" below ten thousand, "60k", "1.2M" above.
QString shortCount(std::int64_t count) {
    if (count < 10'000) return countText(count);
    const bool isMillions = count >= 1'000'000;
    const double scaled = static_cast<double>(count) / (isMillions ? 1e6 : 1e3);
    return QString::number(scaled, 'g', 4) + (isMillions ? u'M' : u'k');
}

QFont numberFontOf(QFont font) {
    font.setPixelSize(static_cast<int>(kNumberPixels));
    return font;
}

void drawTick(QPainter& painter, const QPointF& centre, const QColor& color) {
    painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(
        QPolygonF{centre + QPointF(-4, 0), centre + QPointF(-1, 3), centre + QPointF(4, -3.5)});
}

}  // namespace

StageBar::StageBar(QWidget* parent) : PaintedWidget(parent) {
    setObjectName(QStringLiteral("stageBar"));
    setAccessibleName(tr("Stages of the training"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StageBar::setStages(const std::vector<TrainingStage>& stages, std::int64_t step,
                         std::int64_t total) {
    m_parts.clear();
    m_step = step;
    QStringList told;
    for (const TrainingStage& stage : stages) {
        if (stage.begin >= total) break;
        const std::int64_t end = std::min(stage.end, total);
        Part part{.title = QString::fromStdString(stage.title),
                  .tip = {},
                  .begin = stage.begin,
                  .end = end};
        part.tip =
            tr("%1: steps %2 to %3.").arg(part.title, countText(stage.begin), countText(end));
        if (!stage.trained.empty())
            part.tip += u' ' + tr("Trained: %1.").arg(QString::fromStdString(stage.trained));
        if (step >= stage.begin && step < end)
            told << tr("now %1, %2").arg(part.title, percentText(shareOf(part)));
        m_parts.push_back(std::move(part));
    }
    setAccessibleDescription(told.join(u' '));
    update();
}

double StageBar::shareOf(const Part& part) const {
    const auto length = static_cast<double>(std::max<std::int64_t>(1, part.end - part.begin));
    return std::clamp(static_cast<double>(m_step - part.begin) / length, 0.0, 1.0);
}

std::vector<QRectF> StageBar::places() const {
    std::vector<QRectF> places;
    double sum = 0;
    for (const Part& part : m_parts) sum += std::sqrt(static_cast<double>(part.end - part.begin));
    const double room = width() - kGap * static_cast<double>(m_parts.size() - 1) - 2;
    const double least = std::min(64.0, room / static_cast<double>(m_parts.size()));
    const double rest = room - least * static_cast<double>(m_parts.size());
    double x = 1;
    for (const Part& part : m_parts) {
        const double width =
            least +
            (sum > 0 ? rest * std::sqrt(static_cast<double>(part.end - part.begin)) / sum : 0);
        places.emplace_back(x, 1, width, height() - 2);
        x += width + kGap;
    }
    return places;
}

/// All steps are written, or none: a few alone would look like marks of their stages.
bool StageBar::hasRoomForSteps(const std::vector<QRectF>& places) const {
    const QFontMetricsF metrics(numberFontOf(font()));
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const double words = wordsWidth(kSymbolPixels, m_parts[i].title, 600);
        const double number = metrics.horizontalAdvance(shortCount(m_parts[i].end));
        if (kCellPad + kTickWidth + words + kCellPad + number + kNumberEdge > places[i].width())
            return false;
    }
    return true;
}

void StageBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const std::vector<QRectF> all = places();
    const bool hasSteps = hasRoomForSteps(all);
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        paintBox(painter, m_parts[i], all[i]);
        paintText(painter, m_parts[i], all[i], hasSteps);
    }
}

void StageBar::paintBox(QPainter& painter, const Part& part, const QRectF& place) const {
    const Tokens& t = currentTokens();
    painter.setPen(QPen(isNow(part) ? t.accent : t.border, 1));
    painter.setBrush(isNow(part) ? t.currentRow : isDone(part) ? t.raised : t.panel);
    painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
    if (!isNow(part)) return;
    QPainterPath clip;
    clip.addRoundedRect(place, kRadius, kRadius);
    painter.save();
    painter.setClipPath(clip);
    painter.fillRect(QRectF(place.left(), place.bottom() - 3, place.width() * shareOf(part), 3),
                     t.accent);
    painter.restore();
}

void StageBar::paintText(QPainter& painter, const Part& part, const QRectF& place,
                         bool hasSteps) const {
    const Tokens& t = currentTokens();
    double x = place.left() + kCellPad;
    const double base = place.center().y() + 4;
    if (isDone(part)) {
        drawTick(painter, QPointF(x + 3, place.center().y()), t.ok);
        x += kTickWidth;
    }
    painter.save();
    painter.setClipRect(place);
    painter.setPen(isNow(part) ? t.text : isDone(part) ? t.text2 : t.text3);
    paintWords(painter, QPointF(x, base), kSymbolPixels, part.title, isNow(part) ? 600 : 400);
    if (hasSteps) {
        painter.setFont(numberFontOf(font()));
        painter.setPen(t.text3);
        const QString count = shortCount(part.end);
        const double width = painter.fontMetrics().horizontalAdvance(count);
        painter.drawText(QPointF(place.right() - kNumberEdge - width, base), count);
    }
    painter.restore();
}

std::vector<NamedSpot> StageBar::namedSpots() const {
    std::vector<NamedSpot> spots;
    const std::vector<QRectF> all = places();
    const bool hasSteps = hasRoomForSteps(all);
    for (std::size_t i = 0; i < all.size(); ++i)
        spots.push_back(
            {QStringLiteral("stage %1").arg(m_parts[i].title),
             all[i].toAlignedRect(),
             {{QStringLiteral("begin"), static_cast<qint64>(m_parts[i].begin)},
              {QStringLiteral("end"), static_cast<qint64>(m_parts[i].end)},
              {QStringLiteral("steps"), hasSteps ? shortCount(m_parts[i].end) : QString()},
              {QStringLiteral("share"), shareOf(m_parts[i])}},
             m_parts[i].tip});
    return spots;
}

}  // namespace orrery
