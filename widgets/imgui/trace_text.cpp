#include "widgets/imgui/trace_text.h"

#include <QStringList>
#include <cmath>

#include "widgets/common/number_text.h"
#include "widgets/common/tokens.h"

namespace orrery {

QString spanName(const SpanWords& words) {
    return QString::fromStdString(words.title);
}

QString spanPlainName(const SpanWords& words) {
    return plainSymbol(spanName(words));
}

QColor spanColor(const SpanWords& words, const Tokens& t) {
    return partColor(words.color, t);
}

QString laneTitle(const SpanLane& lane) {
    QString name = QString::fromStdString(lane.name);
    if (!name.isEmpty()) name[0] = name[0].toUpper();
    return name;
}

QString spanText(double ns) {
    const double size = std::abs(ns);
    const auto text = [](double value, const QString& unit) {
        const int decimals = std::abs(value) >= 100 ? 0 : std::abs(value) >= 10 ? 1 : 2;
        return QString::number(value, 'f', decimals) + u' ' + unit;
    };
    if (size >= 1e9) return text(ns * 1e-9, QStringLiteral("s"));
    if (size >= 1e6) return text(ns * 1e-6, QStringLiteral("ms"));
    if (size >= 1e3) return text(ns * 1e-3, QStringLiteral("µs"));
    return QString::number(ns, 'f', 0) + QStringLiteral(" ns");
}

QString tickText(double ns) {
    if (ns == 0) return QStringLiteral("0");
    QStringList parts = spanText(ns).split(u' ');
    QString& number = parts.front();
    while (number.contains(u'.') && (number.endsWith(u'0') || number.endsWith(u'.'))) {
        const bool isPoint = number.endsWith(u'.');
        number.chop(1);
        if (isPoint) break;
    }
    return parts.join(u' ');
}

}  // namespace orrery
