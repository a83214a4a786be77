#include "widgets/bridge/change_text.h"

#include <QStringList>
#include <algorithm>

namespace orrery {

namespace {

const Piece* agentOf(const std::vector<Piece>& scene, int agent) {
    const auto found = std::ranges::find_if(
        scene, [agent](const Piece& p) { return p.kind == PieceKind::Agent && p.agent == agent; });
    return found == scene.end() ? nullptr : &*found;
}

QString moveText(const Piece& before, const Piece& after) {
    const int dx = after.x - before.x, dy = after.y - before.y;
    if (dx == 1 && dy == 0) return QStringLiteral("moves east");
    if (dx == -1 && dy == 0) return QStringLiteral("moves west");
    if (dx == 0 && dy == 1) return QStringLiteral("moves south");
    if (dx == 0 && dy == -1) return QStringLiteral("moves north");
    return QStringLiteral("moves to %1,%2").arg(after.x).arg(after.y);
}

QString turnText(int before, int after) {
    if (after == (before + 1) % 4) return QStringLiteral("turns right");
    if (after == (before + 3) % 4) return QStringLiteral("turns left");
    return QStringLiteral("turns about");
}

const char* carriedName(Carried carried) {
    switch (carried) {
        case Carried::Nothing:
            return "nothing";
        case Carried::Key:
            return "the key";
        case Carried::Ball:
            return "the ball";
        case Carried::Box:
            return "the box";
    }
    return "";
}

/// What one agent did; empty if nothing.
QString agentText(const Piece& before, const Piece& after) {
    QStringList deeds;
    if (before.x != after.x || before.y != after.y)
        deeds << moveText(before, after);
    else if (before.direction != after.direction)
        deeds << turnText(before.direction, after.direction);
    if (before.carried != after.carried)
        deeds << (after.carried != Carried::Nothing
                      ? QStringLiteral("takes %1").arg(QLatin1String(carriedName(after.carried)))
                      : QStringLiteral("drops %1").arg(QLatin1String(carriedName(before.carried))));
    if (!before.terminated && after.terminated) deeds << QStringLiteral("dies");
    if (before.paused != after.paused)
        deeds << (after.paused ? QStringLiteral("is paused") : QStringLiteral("goes on"));
    return deeds.join(QStringLiteral(" and "));
}

QString doorText(DoorState state) {
    return state == DoorState::Open ? QStringLiteral("door opens") : QStringLiteral("door closes");
}

/// Changes of things that keep their cell, among the pieces that differ; pushed and picked things
/// show in the agents' deeds.
QStringList thingTexts(const std::vector<Piece>& before, const std::vector<Piece>& after) {
    QStringList texts;
    for (const Piece& now : after) {
        if (now.kind == PieceKind::Agent || now.kind == PieceKind::Number) continue;
        const auto old = std::ranges::find_if(before, [&](const Piece& p) {
            return p.kind == now.kind && p.x == now.x && p.y == now.y && p.color == now.color;
        });
        const QString name = QString::fromLatin1(pieceName(now.kind));
        if (old == before.end()) {
            if (now.kind == PieceKind::Rock || now.kind == PieceKind::Block)
                texts << QStringLiteral("%1 is pushed").arg(name);
        } else if (now.kind == PieceKind::Door && old->door != now.door) {
            texts << doorText(now.door);
        } else if (old->active != now.active) {
            texts << (now.kind == PieceKind::MagicWall ? QStringLiteral("magic wall turns solid")
                      : now.kind == PieceKind::Bush    ? QStringLiteral("bush is trampled")
                      : now.active                     ? QStringLiteral("%1 is enabled").arg(name)
                                   : QStringLiteral("%1 is disabled").arg(name));
        } else if (old->on != now.on) {
            texts << QStringLiteral("%1 goes %2")
                         .arg(name, now.on ? QStringLiteral("on") : QStringLiteral("off"));
        }
    }
    return texts;
}

}  // namespace

QString changeText(const World& world, const std::vector<QString>& letters,
                   std::span<const std::uint64_t> before, std::span<const std::uint64_t> after) {
    const auto [old, now] = world.change(before, after);
    QStringList parts;
    for (int agent = 0; agent < world.numAgents(); ++agent) {
        const Piece* was = agentOf(old, agent);
        const Piece* is = agentOf(now, agent);
        if (!was || !is) continue;
        const QString deeds = agentText(*was, *is);
        if (!deeds.isEmpty()) parts << letters[static_cast<std::size_t>(agent)] + u' ' + deeds;
    }
    parts << thingTexts(old, now);
    return parts.isEmpty() ? QStringLiteral("nothing changes") : parts.join(QStringLiteral(", "));
}

}  // namespace orrery
