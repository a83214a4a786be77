#include "widgets/common/number_text.h"

#include <QStringList>
#include <array>
#include <cmath>

namespace orrery {

namespace {

constexpr QChar kMinus(0x2212);
constexpr QChar kThinSpace(0x2009);

QString withMinus(QString text) {
    return text.replace(QLatin1Char('-'), kMinus);
}

}  // namespace

QString valueText(double value, int decimals) {
    if (std::isnan(value)) return QStringLiteral("NaN");
    if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : kMinus + QStringLiteral("∞");
    const double size = std::abs(value);
    if (size != 0 && (size < 1e-4 || size >= 1e6)) return withMinus(QString::number(value, 'e', 2));
    return withMinus(QString::number(value, 'f', decimals));
}

QString countText(std::int64_t count) {
    QString digits = QString::number(count < 0 ? -count : count);
    for (qsizetype i = digits.size() - 3; i > 0; i -= 3) digits.insert(i, kThinSpace);
    return count < 0 ? kMinus + digits : digits;
}

QString percentText(double probability) {
    const double percent = 100 * probability;
    const bool isRound = std::abs(percent - std::round(percent)) < 0.05 || percent >= 10;
    return QString::number(percent, 'f', isRound ? 0 : 1) + QStringLiteral(" %");
}

QString durationText(double seconds) {
    if (seconds < 10) return QStringLiteral("%1 s").arg(seconds, 0, 'f', seconds < 1 ? 2 : 1);
    if (seconds < 60) return QStringLiteral("%1 s").arg(std::lround(seconds));
    if (seconds < 3600)
        return QStringLiteral("%1 min %2 s")
            .arg(static_cast<int>(seconds) / 60)
            .arg(static_cast<int>(seconds) % 60);
    return QStringLiteral("%1 h %2 min")
        .arg(static_cast<qint64>(seconds) / 3600)
        .arg(static_cast<qint64>(seconds) / 60 % 60);
}

QString bytesText(std::int64_t bytes) {
    static constexpr std::array<const char*, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < kUnits.size()) {
        value /= 1024;
        ++unit;
    }
    return QStringLiteral("%1 %2")
        .arg(value, 0, 'f', unit == 0 || value >= 100 ? 0 : 1)
        .arg(QLatin1String(kUnits[unit]));
}

QString greekLetter(const QString& word) {
    static const QList<std::pair<QString, QString>> kGreek = {
        {QStringLiteral("beta"), QStringLiteral("β")},
        {QStringLiteral("gamma"), QStringLiteral("γ")},
        {QStringLiteral("zeta"), QStringLiteral("ζ")},
        {QStringLiteral("eta"), QStringLiteral("η")},
        {QStringLiteral("xi"), QStringLiteral("ξ")},
        {QStringLiteral("pi"), QStringLiteral("π")},
        {QStringLiteral("rho"), QStringLiteral("ρ")},
        {QStringLiteral("nu"), QStringLiteral("ν")},
    };
    for (const auto& [name, letter] : kGreek)
        if (word == name) return letter;
    return word;
}

QString symbolHtml(const QString& symbol) {
    const QStringList supers = symbol.split(QLatin1Char('^'));
    const QStringList parts = supers.first().split(QLatin1Char('_'));
    QString html = greekLetter(parts.first());
    for (qsizetype i = 1; i < parts.size(); ++i)
        html += QStringLiteral("<sub>") + parts[i] + QStringLiteral("</sub>");
    for (qsizetype i = 1; i < supers.size(); ++i)
        html += QStringLiteral("<sup>") + supers[i] + QStringLiteral("</sup>");
    return html;
}

}  // namespace orrery
