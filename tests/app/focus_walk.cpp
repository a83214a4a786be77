#include "tests/app/focus_walk.h"

#include <QSet>
#include <iterator>

#include "tests/support/ui_driver.h"

namespace orrery {

FocusStop focusStopOf(const QJsonObject& entry) {
    const QJsonArray place = entry.value(u"global").toArray();
    return {entry.value(u"id").toString(), entry.value(u"name").toString(),
            entry.value(u"view").toString(),
            QRect(place[0].toInt(), place[1].toInt(), place[2].toInt(), place[3].toInt())};
}

QString partText(const QJsonObject& part) {
    const QString name = part.value(u"name").toString();
    return (name.isEmpty() ? part.value(u"kind").toString() : name) + " '" +
           part.value(u"text").toString().left(20) + u'\'';
}

std::vector<FocusStop> pressAndSee(UiDriver& ui, const QString& key, int times) {
    constexpr int kPauseMs = 2;
    std::vector<FocusStop> stops;
    const auto take = [&] {
        for (const QJsonValue value : ui.dump().value(u"focusTrail").toArray())
            stops.push_back(focusStopOf(value.toObject()));
    };
    ui.keys(QStringList(times, key), kPauseMs);
    std::ptrdiff_t before = 0;
    do {
        before = std::ssize(stops);
        ui.look();
        take();
    } while (std::ssize(stops) > before && std::ssize(stops) < times);
    if (std::ssize(stops) >= times) return stops;
    ui.settle();  // it is busy, or a key moved the keyboard nowhere
    take();
    return stops;
}

std::vector<FocusStop> focusWalk(UiDriver& ui, const QString& key) {
    constexpr int kAtOnce = 20, kMost = 400;
    std::vector<FocusStop> stops;
    ui.look();  // what came before is no part of the way
    for (int pressed = 0; pressed < kMost; pressed += kAtOnce)
        for (const FocusStop& stop : pressAndSee(ui, key, kAtOnce)) {
            if (!stops.empty() && stop.id == stops.front().id) {
                ui.settle();  // the parts are looked at next
                return stops;
            }
            stops.push_back(stop);
        }
    return {};
}

QStringList viewsOnTheWay(const std::vector<FocusStop>& stops) {
    QStringList order;
    for (const FocusStop& stop : stops)
        if (!stop.view.isEmpty() && (order.isEmpty() || order.last() != stop.view))
            order << stop.view;
    // The way began in the middle of one.
    if (order.size() > 1 && order.first() == order.last()) order.removeLast();
    return order;
}

std::vector<QJsonObject> focusControls(const UiDriver& ui) {
    // Pictures with nothing to press, whose numbers are in tables (F8); the panel is what its own
    // controls stand in.
    static const QStringList kPictures{
        QStringLiteral("stageBar"),     QStringLiteral("liveWorldCanvas"),
        QStringLiteral("replayHealth"), QStringLiteral("transitionPanel"),
        QStringLiteral("profileBars"),  QStringLiteral("spreadHistogram")};
    std::vector<QJsonObject> found;
    for (const QJsonValue value : ui.dump().value(u"widgets").toArray()) {
        const QJsonObject part = value.toObject();
        if (kPictures.contains(part.value(u"name").toString())) continue;
        const bool isHere = part.value(u"window").toString() == "mainWindow" &&
                            part.value(u"enabled").toBool() && !part.value(u"hidden").toBool();
        if (!isHere || !part.value(u"input").toBool()) continue;
        // Arrow keys go through those of which one is chosen.
        if (part.value(u"oneOf").toBool() && !part.value(u"checked").toBool()) continue;
        // What is in the menus is reached there.
        const QString command = part.value(u"action").toString();
        if (!command.isEmpty() && !ui.action(command).isEmpty()) continue;
        // Of a tab: Ctrl+W closes the view.
        if (part.value(u"kind").toString() == "CloseButton" &&
            part.value(u"name").toString().isEmpty())
            continue;
        found.push_back(part);
    }
    return found;
}

QStringList unreachedControls(const UiDriver& ui, const std::vector<FocusStop>& stops) {
    QSet<QString> reached;
    for (const FocusStop& stop : stops) reached << stop.id;
    QStringList wrong;
    for (const QJsonObject& part : focusControls(ui)) {
        if (!reached.contains(part.value(u"id").toString()))
            wrong << "not reached: " + partText(part);
        if (part.value(u"text").toString().isEmpty() &&
            part.value(u"accessible").toString().isEmpty() &&
            part.value(u"tip").toString().isEmpty())
            wrong << "nameless: " + partText(part);
    }
    return wrong;
}

}  // namespace orrery
