#include "widgets/common/number_text.h"

#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>

namespace orrery {

namespace {

constexpr QChar kMinus(0x2212);
constexpr QChar kThinSpace(0x202F);

QString withMinus(QString text) {
    return text.replace(QLatin1Char('-'), kMinus);
}

/// True for what fixed decimals would show as zero although it is not, and for very large values.
bool needsExponent(double value, int decimals) {
    const double size = std::abs(value);
    return std::isfinite(value) && size != 0 &&
           (size < 0.5 * std::pow(10.0, -decimals) || size >= 1e6);
}

}  // namespace

QString valueText(double value, int decimals) {
    return valueText(value, NumberFormat{decimals, needsExponent(value, decimals)});
}

QString significantText(double value) {
    const double size = std::abs(value);
    if (!std::isfinite(value) || size == 0) return valueText(value);
    if (size < 1e-4 || size >= 1e6) return withMinus(QString::number(value, 'e', 3));
    const int aboveOne = size >= 1000 ? 1 : 3;
    return valueText(value,
                     size >= 1 ? aboveOne : 3 - static_cast<int>(std::floor(std::log10(size))));
}

NumberFormat columnFormat(const std::vector<double>& values, int decimals) {
    double largest = 0;
    for (const double value : values)
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    return {decimals, needsExponent(largest, decimals)};
}

QString valueText(double value, const NumberFormat& format) {
    if (std::isnan(value)) return QStringLiteral("NaN");
    if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : kMinus + QStringLiteral("∞");
    if (format.isScientific) return withMinus(QString::number(value, 'e', 2));
    const QString text = QString::number(value, 'f', format.decimals);
    if (text.toDouble() != 0) return withMinus(text);
    // A zero has no sign, and what is none does not look like one.
    if (value == 0) return QString::number(0.0, 'f', format.decimals);
    const QString least = QString::number(std::pow(10.0, -format.decimals), 'f', format.decimals);
    return value > 0 ? u'<' + least : u'>' + kMinus + least;
}

QString signedText(double value, const NumberFormat& format) {
    const QString text = valueText(value, format);
    return value > 0 && text != valueText(0, format) ? u'+' + text : text;
}

QString countText(std::int64_t count) {
    QString digits = QString::number(count < 0 ? -count : count);
    for (qsizetype i = digits.size() - 3; i > 0; i -= 3) digits.insert(i, kThinSpace);
    return count < 0 ? kMinus + digits : digits;
}

QString unbroken(QString text) {
    return text.replace(kThinSpace, QChar(QChar::Nbsp));
}

QString stateText(int step, std::int64_t index) {
    return QStringLiteral("t %1, s %2").arg(step).arg(countText(index));
}

QString percentText(double probability) {
    const double percent = 100 * probability;
    const bool isRound = std::abs(percent - std::round(percent)) < 0.05 || percent >= 10;
    return QString::number(percent, 'f', isRound ? 0 : 1) + QStringLiteral(" %");
}

QString durationText(double seconds) {
    if (seconds >= 0 && seconds < 5e-5) return QStringLiteral("0 s");
    if (seconds > 0 && seconds < 0.00995)
        return QStringLiteral("%1 ms").arg(seconds * 1e3, 0, 'f', seconds < 9.5e-4 ? 1 : 0);
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
        {QStringLiteral("epsilon"), QStringLiteral("ε")},
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

QString plainSymbol(const QString& text) {
    QStringList words = text.split(u' ');
    for (QString& word : words) {
        const qsizetype letterEnd = word.indexOf(u'_');
        const QString letter = greekLetter(word.left(letterEnd));
        if (letterEnd < 0) word = letter;
        if (letterEnd < 0 || letter.size() != 1) continue;
        word = letter + word.mid(letterEnd)
                            .replace(QLatin1String("_h"), QStringLiteral("ₕ"))
                            .replace(QLatin1String("_r"), QStringLiteral("ᵣ"))
                            .replace(QLatin1String("^e"), QStringLiteral("ᵉ"));
    }
    return words.join(u' ');
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

QString wordsHtml(const QString& text) {
    QStringList words = text.split(u' ');
    for (QString& word : words)
        word = word.contains(u'_') ? symbolHtml(word) : word.toHtmlEscaped();
    return words.join(u' ');
}

}  // namespace orrery
