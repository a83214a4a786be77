#include "widgets/plots/chart_text.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <array>

#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/symbol_text.h"
#include "widgets/common/tokens.h"
#include "widgets/plots/chart_picture.h"

namespace orrery {

namespace {

bool isSymbol(const QString& word) {
    return word.contains(QLatin1Char('_')) || word.contains(QLatin1Char('^'));
}

/// Calls `place(x, piece, isSymbol)` for each run of plain words and each symbol; gives the width.
template <typename Place>
double eachPiece(double pixels, const QString& text, int weight, const Place& place) {
    const QFontMetricsF metrics(interfaceFont(pixels, weight));
    double x = 0;
    QString plain;
    const auto flush = [&] {
        if (plain.isEmpty()) return;
        place(x, plain, false);
        x += metrics.horizontalAdvance(plain);
        plain.clear();
    };
    bool isFirst = true;
    for (const QString& word : text.split(QLatin1Char(' '))) {
        if (!isSymbol(word)) {
            plain += isFirst ? word : QLatin1Char(' ') + word;
        } else {
            flush();
            if (!isFirst) x += metrics.horizontalAdvance(QLatin1Char(' '));
            place(x, word, true);
            x += symbolWidth(pixels, word, weight);
        }
        isFirst = false;
    }
    flush();
    return x;
}

}  // namespace

double paintWords(QPainter& painter, const QPointF& baseline, double pixels, const QString& text,
                  int weight) {
    return eachPiece(pixels, text, weight, [&](double x, const QString& piece, bool isSymbolPiece) {
        if (isSymbolPiece) {
            paintSymbol(painter, baseline + QPointF(x, 0), pixels, piece, weight);
        } else {
            painter.setFont(interfaceFont(pixels, weight));
            painter.drawText(baseline + QPointF(x, 0), piece);
        }
    });
}

double wordsWidth(double pixels, const QString& text, int weight) {
    return eachPiece(pixels, text, weight, [](double, const QString&, bool) {});
}

QPen seriesPen(const Tokens& tokens, int color) {
    struct Style {
        double width;
        std::array<double, 4> dashes;  // pixels; 0 ends
    };
    static constexpr std::array<Style, 8> kStyles = {
        Style{2, {}},       Style{2, {7, 4}}, Style{2, {2, 3}}, Style{2, {10, 3, 2, 3}},
        Style{1.5, {7, 4}}, Style{2, {4, 2}}, Style{2, {2, 2}}, Style{1.5, {}}};
    const auto index = static_cast<std::size_t>(std::max(0, color)) % kStyles.size();
    const Style& style = kStyles[index];
    QPen pen(tokens.data[index], style.width, Qt::SolidLine, Qt::FlatCap, Qt::BevelJoin);
    QList<qreal> dashes;
    for (const double dash : style.dashes)
        if (dash > 0) dashes.append(dash / style.width);
    if (!dashes.isEmpty()) pen.setDashPattern(dashes);
    return pen;
}

namespace {

constexpr QStringView kBandMark = u" · ";

/// "mean, sd, n = 5"; n without members that are hidden by themselves.
QString bandText(const ChartContent& content, const ChartView& view, int group) {
    const auto members =
        std::ranges::count_if(content.series, [&](const ChartContent::Entry& entry) {
            return entry.spec.group == group && !entry.points.isEmpty() &&
                   !view.hiddenSeries.contains(entry.key);
        });
    return QStringLiteral("%1, n = %2").arg(shortTextOf(view.bands)).arg(members);
}

QString bandName(const ChartContent& content, const ChartView& view, int group) {
    return content.groups[static_cast<std::size_t>(group)].name + kBandMark.toString() +
           bandText(content, view, group);
}

}  // namespace

std::vector<LegendEntry> legendEntries(const ChartContent& content, const ChartView& view) {
    std::vector<LegendEntry> entries;
    if (view.bands != BandKind::None) {
        for (std::size_t k = 0; k < content.groups.size(); ++k) {
            if (content.numMembers(static_cast<int>(k)) == 0) continue;
            const auto group = static_cast<int>(k);
            entries.push_back({.name = bandName(content, view, group),
                               .key = content.groups[k].name,
                               .color = content.groups[k].color,
                               .isHidden = view.hiddenSeries.contains(content.groups[k].name),
                               .what = bandText(content, view, group)});
        }
    }
    for (const bool isDimmed : {false, true})  // what counts less gets the room that is left
        for (const ChartContent::Entry& entry : content.series)
            if (entry.spec.isDimmed == isDimmed && !isInBand(entry, view))
                entries.push_back(
                    {entry.spec.name, entry.key, entry.spec.color, !isShown(entry, view)});
    for (const ChartReference& reference : content.references)
        entries.push_back({reference.name + QLatin1Char(' ') + valueText(reference.value),
                           reference.name, -1, false});
    return entries;
}

QString shortenLegend(std::vector<LegendEntry>& entries) {
    QStringList kinds;
    for (LegendEntry& entry : entries) {
        if (entry.what.isEmpty()) continue;
        entry.name.chop(kBandMark.size() + entry.what.size());
        if (!kinds.contains(entry.what)) kinds << entry.what;
    }
    // Bands of different n keep it.
    if (kinds.size() > 1)
        for (LegendEntry& entry : entries)
            if (!entry.what.isEmpty())
                entry.name += QStringLiteral(", ") + entry.what.section(QStringLiteral(", "), -1);
    return kinds.isEmpty()     ? QString()
           : kinds.size() == 1 ? kinds.front()
                               : kinds.front().section(QStringLiteral(", "), 0, -2);
}

QString smoothingRemark(const ChartContent& content, const ChartView& view) {
    // An envelope is drawn of lines alone; a band of them has the values as they are.
    const bool isSmoothed =
        view.smoothing.kind != SmoothingKind::Envelope ||
        std::ranges::any_of(content.series, [&](const ChartContent::Entry& entry) {
            return !isInBand(entry, view);
        });
    return isSmoothed ? captionOf(view.smoothing, content.xName) : QString();
}

QString chartCaption(const ChartContent& content, const ChartView& view) {
    QStringList parts;
    for (std::size_t k = 0; k < content.groups.size() && view.bands != BandKind::None; ++k)
        if (!view.hiddenSeries.contains(content.groups[k].name) &&
            content.numMembers(static_cast<int>(k)) > 0)
            parts << bandName(content, view, static_cast<int>(k));
    const QString smoothing = smoothingRemark(content, view);
    parts << (smoothing.isEmpty() ? QStringLiteral("raw values") : smoothing);
    return parts.join(QStringLiteral("; "));
}

QString footerText(const ChartContent& content, const ChartView& view, const DrawnChart& drawn,
                   FooterLength length) {
    if (drawn.points == 0) return {};
    const bool isFull = length == FooterLength::Full, isLeast = length == FooterLength::Least;
    QStringList parts;
    QString count = countText(drawn.points) +
                    (drawn.points == 1 ? QStringLiteral(" point") : QStringLiteral(" points"));
    if (drawn.perColumn > 1 && !isLeast)
        count += (isFull ? QStringLiteral(", drawn as min and max of %1 each")
                         : QStringLiteral(", min and max of %1"))
                     .arg(countText(drawn.perColumn));
    if (drawn.perBandColumn > 1 && !isLeast)
        count += (isFull ? QStringLiteral(", bands of means of %1 each")
                         : QStringLiteral(", means of %1"))
                     .arg(countText(drawn.perBandColumn));
    if (content.series.size() > 1 && isFull)
        parts << QStringLiteral("%1 series").arg(content.series.size());
    parts << count;
    if (view.smoothing.kind == SmoothingKind::Median && drawn.medianStride > 1 && !isLeast)
        parts << QStringLiteral("median of every %1th point").arg(countText(drawn.medianStride));
    if (drawn.smoothingMissing > 0 && !isLeast)
        parts << QStringLiteral("smoothing %1 points").arg(countText(drawn.smoothingMissing));
    parts << content.xName + QStringLiteral(" on x") +
                 (view.x.scale.kind == ScaleKind::Linear
                      ? QString()
                      : QStringLiteral(" (") + nameOf(view.x.scale.kind) + QLatin1Char(')'));
    return parts.join(QStringLiteral(" · "));
}

std::vector<ChartBadge> badgesOf(const ChartView& view, const DrawnChart& drawn) {
    std::vector<ChartBadge> badges;
    if (drawn.notFinite > 0)
        badges.push_back({countText(drawn.notFinite) + QStringLiteral(" NaN or infinite"), true});
    if (drawn.notPositive > 0)
        badges.push_back(
            {countText(drawn.notPositive) + QStringLiteral(" ≤ 0, not on the log axis"), false});
    if (view.y.scale.kind == ScaleKind::SymLog)
        badges.push_back(
            {QStringLiteral("symlog, straight within ±") + axisNumber(view.y.scale.threshold),
             false});
    return badges;
}

QString chartDescription(const ChartContent& content, const ChartView& view,
                         const DrawnChart& drawn) {
    QStringList names;
    for (const LegendEntry& entry : legendEntries(content, view))
        if (!entry.isHidden) names << entry.name;
    if (const QString smoothing = smoothingRemark(content, view); !smoothing.isEmpty())
        names << smoothing;
    QStringList remarks;
    for (const ChartBadge& badge : badgesOf(view, drawn)) remarks << badge.text;
    const QString text =
        QStringLiteral("Chart of %1. X is %2, %3; y is %4. %5. F8 shows it as a table.")
            .arg(names.join(QStringLiteral("; ")), content.xName, nameOf(view.x.scale.kind),
                 nameOf(view.y.scale.kind), footerText(content, view, drawn));
    return remarks.isEmpty() ? text : text + QLatin1Char(' ') + remarks.join(QStringLiteral("; "));
}

}  // namespace orrery
