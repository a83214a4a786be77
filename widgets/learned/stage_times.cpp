#include "widgets/learned/stage_times.h"

#include <QPainter>
#include <algorithm>
#include <utility>

#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/imgui/trace_text.h"
#include "widgets/plots/chart_text.h"

namespace orrery {

namespace {

constexpr double kRowHigh = 34, kBarHigh = 26, kNameWide = 190, kRowsTop = 4;

}  // namespace

double sumOf(const StageProfile& profile) {
    return 1e-6 * profile.stats.whole.mean;
}

QString shareText(double part, double whole) {
    return whole > 0 ? percentText(part / whole) : QStringLiteral("–");
}

StageTimes::StageTimes(QWidget* parent) : PaintedWidget(parent) {
    setObjectName(QStringLiteral("profileBars"));
    setAccessibleName(tr("Parts of a training step"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StageTimes::show(std::vector<StageProfile> profiles) {
    m_profiles = std::move(profiles);
    setFixedHeight(
        static_cast<int>(2 * kRowsTop + kRowHigh * static_cast<double>(m_profiles.size())));
    QStringList told;
    for (const StageProfile& profile : m_profiles)
        told << tr("%1: %2 ms a step").arg(profile.name, valueText(sumOf(profile), 3));
    setAccessibleDescription(told.join(QStringLiteral(". ")));
    update();
}

std::vector<StageTimes::Part> StageTimes::parts() const {
    std::vector<Part> parts;
    double most = 0;
    for (const StageProfile& profile : m_profiles) most = std::max(most, sumOf(profile));
    if (most <= 0) return parts;
    const double room = width() - kNameWide - 12;
    for (std::size_t p = 0; p < m_profiles.size(); ++p) {
        double x = kNameWide;
        for (const SpanWords& kind : m_profiles[p].words) {
            const double ms = 1e-6 * m_profiles[p].stats.of(kind.kind).mean;
            const double wide = room * ms / most;
            if (wide > 0)
                parts.push_back(
                    {QRectF(x, kRowsTop + static_cast<double>(p) * kRowHigh, wide, kBarHigh), p,
                     &kind, ms});
            x += wide;
        }
    }
    return parts;
}

void StageTimes::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    for (std::size_t p = 0; p < m_profiles.size(); ++p) {
        const double top = kRowsTop + static_cast<double>(p) * kRowHigh;
        painter.setFont(interfaceFont(12, QFont::DemiBold));
        painter.setPen(t.text);
        const QString name = painter.fontMetrics().elidedText(
            m_profiles[p].id + QStringLiteral(" · ") + m_profiles[p].name, Qt::ElideRight,
            static_cast<int>(kNameWide) - 90);
        painter.drawText(QRectF(4, top, kNameWide, kBarHigh), Qt::AlignVCenter, name);
        painter.setFont(numberFont(12));
        painter.setPen(t.text2);
        painter.drawText(QRectF(4, top, kNameWide - 14, kBarHigh),
                         Qt::AlignVCenter | Qt::AlignRight,
                         tr("%1 ms").arg(valueText(sumOf(m_profiles[p]), 3)));
    }
    for (const Part& part : parts()) {
        const bool isIdle = orrery::isIdle(part.words->kind);
        const QColor color = spanColor(*part.words, t);
        painter.fillRect(part.place, isIdle ? QBrush(t.text3, Qt::BDiagPattern) : QBrush(color));
        painter.setPen(QPen(t.window, 1));
        painter.drawRect(part.place);
        const QString name = spanName(*part.words);
        if (isIdle || wordsWidth(11, name, 400) + 10 > part.place.width()) continue;
        painter.setPen(textOn(color));
        paintWords(painter, part.place.bottomLeft() + QPointF(6, -9), 11, name, 400);
    }
}

std::vector<NamedSpot> StageTimes::namedSpots() const {
    std::vector<NamedSpot> spots;
    for (const Part& part : parts())
        spots.push_back(
            {QStringLiteral("%1 %2").arg(m_profiles[part.profile].id, spanName(*part.words)),
             part.place.toAlignedRect(),
             {{QStringLiteral("ms"), part.milliseconds}},
             tr("%1: %2 ms a training step, %3")
                 .arg(spanPlainName(*part.words), valueText(part.milliseconds, 4),
                      shareText(part.milliseconds, sumOf(m_profiles[part.profile])))});
    return spots;
}

}  // namespace orrery
