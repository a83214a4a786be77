#include "tests/app/readable.h"

#include <QHash>
#include <algorithm>
#include <cmath>

#include "tests/support/ui_driver.h"

namespace orrery {

namespace {

double channel(int value) {
    const double share = value / 255.0;
    return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
}

double luminance(QRgb color) {
    return 0.2126 * channel(qRed(color)) + 0.7152 * channel(qGreen(color)) +
           0.0722 * channel(qBlue(color));
}

double contrastOf(QRgb a, QRgb b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

/// Contrast between what a place is filled with and the strongest ink in it; 0 for an empty place.
double inkContrast(const QImage& picture, const QRect& place) {
    const QRect area = place.intersected(picture.rect());
    QHash<QRgb, int> counts;
    for (int y = area.top(); y <= area.bottom(); ++y)
        for (int x = area.left(); x <= area.right(); ++x) ++counts[picture.pixel(x, y)];
    QRgb ground = 0;
    int most = 0;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it)
        if (it.value() > most) {
            most = it.value();
            ground = it.key();
        }
    double best = 0;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it)
        if (it.key() != ground && it.value() >= 2)
            best = std::max(best, contrastOf(it.key(), ground));
    return best;
}

bool showsText(const QJsonObject& part) {
    const QString kind = part.value(u"kind").toString();
    return !part.value(u"text").toString().isEmpty() && !part.value(u"hidden").toBool() &&
           (kind == "QLabel" || kind == "QPushButton" || kind == "QCheckBox");
}

}  // namespace

QStringList unreadableTexts(const UiDriver& ui) {
    constexpr double kLeastContrast = 4.5;
    QStringList found;
    const QImage screen = ui.screen();
    for (const QJsonValue value : ui.dump().value(u"widgets").toArray()) {
        const QJsonObject part = value.toObject();
        if (!showsText(part)) continue;
        const QString text = part.value(u"text").toString().left(40);
        const QRect place = ui.placeOf(part);
        // What gives way where there is no room draws nothing at all.
        if (part.value(u"cut").toBool() && UiDriver::inkIn(screen, place) > 0)
            found << "cut: " + text;
        // The edge of one that is scrolled half out of sight is no text.
        if (!part.value(u"enabled").toBool() || part.value(u"scrolled").toBool()) continue;
        if (!screen.rect().contains(place)) continue;
        const double contrast = inkContrast(screen, place);
        if (contrast > 0 && contrast < kLeastContrast)
            found << QStringLiteral("contrast %1: %2").arg(contrast, 0, 'f', 2).arg(text);
    }
    found.removeDuplicates();
    return found;
}

}  // namespace orrery
