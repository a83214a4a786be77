#include "widgets/train/stage_bar.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "widgets/common/number_text.h"
#include "widgets/common/tokens.h"
#include "widgets/plots/chart_text.h"
#include "widgets/train/train_session.h"

namespace orrery {

namespace {

constexpr double kGap = 4, kRadius = 5, kSymbolPixels = 12, kNumberPixels = 11;

/// "41 280" below ten thousand, "60k", "1.2M" above.
QString shortCount(std::int64_t count) {
    if (count < 10'000) return countText(count);
    const bool isMillions = count >= 1'000'000;
    const double scaled = static_cast<double>(count) / (isMillions ? 1e6 : 1e3);
    return QString::number(scaled, 'g', 4) + (isMillions ? u'M' : u'k');
}

QString activeText(const TrainingStage& stage) {
    if (stage.active == 0) return stageTitle(stage);
    QStringList names;
    for (int i = 0; i < kNumQuantities; ++i)
        if ((stage.active >> static_cast<unsigned>(i) & 1U) != 0)
            names << quantitySymbol(kQuantities[static_cast<std::size_t>(i)]);
    return names.join(QStringLiteral(", "));
}

void drawTick(QPainter& painter, const QPointF& centre, const QColor& color) {
    painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(
        QPolygonF{centre + QPointF(-4, 0), centre + QPointF(-1, 3), centre + QPointF(4, -3.5)});
}

}  // namespace

StageBar::StageBar(QWidget* parent) : QWidget(parent) {
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
        Part part{.title = stageTitle(stage), .tip = {}, .begin = stage.begin, .end = end};
        part.tip = tr("%1: steps %2 to %3. Trained: %4.")
                       .arg(part.title, countText(stage.begin), countText(end), activeText(stage));
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

void StageBar::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const std::vector<QRectF> all = places();
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const Part& part = m_parts[i];
        const QRectF& place = all[i];
        const bool isDone = m_step >= part.end;
        const bool isNow = !isDone && m_step >= part.begin;
        painter.setPen(QPen(isNow ? t.accent : t.border, 1));
        painter.setBrush(isNow ? t.currentRow : isDone ? t.raised : t.panel);
        painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
        if (isNow) {
            QPainterPath clip;
            clip.addRoundedRect(place, kRadius, kRadius);
            painter.save();
            painter.setClipPath(clip);
            painter.fillRect(
                QRectF(place.left(), place.bottom() - 3, place.width() * shareOf(part), 3),
                t.accent);
            painter.restore();
        }
        double x = place.left() + 10;
        const double base = place.center().y() + 4;
        if (isDone) {
            drawTick(painter, QPointF(x + 3, place.center().y()), t.ok);
            x += 14;
        }
        painter.save();
        painter.setClipRect(place);
        painter.setPen(isNow ? t.text : isDone ? t.text2 : t.text3);
        const double words =
            paintWords(painter, QPointF(x, base), kSymbolPixels, part.title, isNow ? 600 : 400);
        QFont font = this->font();
        font.setPixelSize(static_cast<int>(kNumberPixels));
        painter.setFont(font);
        const QString count = shortCount(part.end);
        const double width = QFontMetricsF(font).horizontalAdvance(count);
        if (x + words + 10 + width < place.right() - 6) {
            painter.setPen(t.text3);
            painter.drawText(QPointF(place.right() - 8 - width, base), count);
        }
        painter.restore();
    }
}

bool StageBar::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const std::vector<QRectF> all = places();
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].contains(help->pos())) {
                QToolTip::showText(help->globalPos(), m_parts[i].tip, this);
                return true;
            }
        QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

std::vector<NamedSpot> StageBar::namedSpots() const {
    std::vector<NamedSpot> spots;
    const std::vector<QRectF> all = places();
    for (std::size_t i = 0; i < all.size(); ++i)
        spots.push_back({QStringLiteral("stage %1").arg(m_parts[i].title),
                         all[i].toAlignedRect(),
                         {{QStringLiteral("begin"), static_cast<qint64>(m_parts[i].begin)},
                          {QStringLiteral("end"), static_cast<qint64>(m_parts[i].end)},
                          {QStringLiteral("share"), shareOf(m_parts[i])}}});
    return spots;
}

}  // namespace orrery
