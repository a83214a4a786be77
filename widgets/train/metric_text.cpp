#include "widgets/train/metric_text.h"

#include "widgets/common/number_text.h"
#include "widgets/train/chart_plan.h"

namespace orrery {

namespace {

/// "V_h^e" as "Vₕᵉ": fields of text set no symbols.
QString plainSymbol(const QString& symbol) {
    const qsizetype letterEnd = symbol.indexOf(u'_');
    if (letterEnd < 0) return symbol;
    return greekLetter(symbol.left(letterEnd)) +
           symbol.mid(letterEnd)
               .replace(QLatin1String("_h"), QStringLiteral("ₕ"))
               .replace(QLatin1String("_r"), QStringLiteral("ᵣ"))
               .replace(QLatin1String("^e"), QStringLiteral("ᵉ"));
}

QString titleOf(const ChartPlan& chart, const ChartPlan::Line& line) {
    QStringList words = QString::fromUtf8(chart.title).split(u' ');
    for (QString& word : words) word = plainSymbol(word);
    return QStringLiteral("%1 · %2").arg(words.join(u' '),
                                         plainSymbol(QString::fromUtf8(line.name)));
}

}  // namespace

QString metricTitle(const QString& metric) {
    for (const ChartPlan& chart : trainCharts())
        for (const ChartPlan::Line& line : chart.lines)
            if (line.metric != nullptr && metric == QLatin1String(line.metric))
                return titleOf(chart, line);
    return metric;
}

QString metricOfTitle(const QString& title) {
    for (const ChartPlan& chart : trainCharts())
        for (const ChartPlan::Line& line : chart.lines)
            if (line.metric != nullptr && title == titleOf(chart, line))
                return QLatin1String(line.metric);
    return title;
}

}  // namespace orrery
