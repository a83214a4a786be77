#include "widgets/replay/encoded_text.h"

#include <QObject>
#include <algorithm>
#include <array>
#include <cstring>

#include "core/encode/agent_order.h"
#include "core/world/world.h"

namespace orrery {

namespace {

QString colorText(int color) {
    if (color < 0 || color >= kNumPlaneColors) return QString::number(color);
    return QString::fromLatin1(colorName(static_cast<Color>(color)));
}

QString typeText(int type) {
    if (type == CellBits::kEmpty) return QObject::tr("nothing");
    if (type == CellBits::kDoor) return QObject::tr("door");
    if (type == CellBits::kKey) return QObject::tr("key");
    if (type >= 0 && type <= kBushPlane) return QString::fromStdString(planeName(type));
    return QString::number(type);
}

QString doorText(int door) {
    static const std::array<const char*, 4> kDoors{"", "open", "closed", "locked"};
    return QString::fromLatin1(kDoors[static_cast<std::size_t>(std::clamp(door, 0, 3))]);
}

QString magicText(int magic) {
    static const std::array<const char*, 8> kSides{"",      "east", "south",       "west",
                                                   "north", "all",  "solid again", "?"};
    return QString::fromLatin1(kSides[static_cast<std::size_t>(std::clamp(magic, 0, 7))]);
}

QString otherText(int other) {
    static const std::array<const char*, 4> kOthers{"", "overlappable", "immobile", "mobile"};
    return QString::fromLatin1(kOthers[static_cast<std::size_t>(std::clamp(other, 0, 3))]);
}

QString thingText(const CellBits& cell) {
    if (cell.thing == 0) return {};
    if (cell.thing == CellBits::kKeyThing)
        return QObject::tr("%1 key").arg(colorText(cell.thingColor));
    return QString::fromStdString(planeName(cell.thing));
}

QString carriedText(int type) {
    if (type < 0) return QObject::tr("nothing");
    return typeText(type);
}

constexpr std::array<const char*, EncodingShape::kAgentNumbers> kAgentNames{
    "x",
    "y",
    "faces east",
    "faces south",
    "faces west",
    "faces north",
    "may enter magic walls",
    "may push rocks",
    "carries",
    "colour of what it carries",
    "paused",
    "terminated",
    "action forced on it"};

/// Kinds of interactive things, each with four places of as many numbers.
struct InteractiveKind {
    const char* name;
    std::vector<const char*> numbers;
};

const std::vector<InteractiveKind>& interactiveKinds() {
    static const std::vector<InteractiveKind> kKinds = {
        {"kill button", {"x", "y", "enabled", "trigger colour", "target colour"}},
        {"pause switch", {"x", "y", "enabled", "on", "trigger colour", "target colour"}},
        {"disabling switch", {"x", "y", "enabled", "on", "trigger colour", "disables plane"}},
        {"control button",
         {"x", "y", "enabled", "trigger colour", "target colour", "recorded action",
          "awaits recording"}}};
    return kKinds;
}
constexpr int kPlacesOfKind = 4;

/// What an encoded thing is by its plane; keys have a code of their own.
QString planeText(int plane) {
    const bool isPlane = plane >= 0 && plane < kNumPlanes;
    return isPlane ? QString::fromStdString(planeName(plane)) : QString();
}

template <typename T>
void copyOut(std::span<const T> from, std::vector<T>& to) {
    to.assign(from.begin(), from.end());
}

}  // namespace

std::shared_ptr<const ShownState> shownState(const EncodingShape& shape,
                                             std::span<const std::byte> encoded,
                                             std::shared_ptr<const World> world,
                                             const QString& title) {
    auto state = std::make_shared<ShownState>();
    state->shape = shape;
    state->world = std::move(world);
    state->title = title;
    state->encoded.assign(encoded.begin(), encoded.end());
    // Numbers in it are read in place, which needs their alignment.
    std::vector<std::int32_t> aligned((encoded.size() + 3) / sizeof(std::int32_t));
    std::memcpy(aligned.data(), encoded.data(), encoded.size());
    const auto parts = partsOf(shape, std::as_bytes(std::span<const std::int32_t>(aligned)));
    copyOut(parts.cells, state->cells);
    copyOut(parts.globals, state->globals);
    copyOut(parts.agents, state->agents);
    copyOut(parts.interactive, state->interactive);
    state->planes40.resize(kNumPlanes * shape.cells());
    state->planes39.resize(kNumSeedPlanes * shape.cells());
    decompress(state->cells, PlaneLayout::Whole, state->planes40);
    decompress(state->cells, PlaneLayout::Seed, state->planes39);
    return state;
}

QString cellBitsText(const CellBits& cell) {
    QStringList parts;
    if (cell.type == CellBits::kDoor)
        parts += QObject::tr("%1 door, %2").arg(colorText(cell.color), doorText(cell.door));
    else if (cell.type == CellBits::kKey)
        parts += QObject::tr("%1 key").arg(colorText(cell.color));
    else if (cell.type == kBushPlane)
        parts += QObject::tr("bush, density %1").arg(cell.density + 1);
    else if (cell.type != CellBits::kEmpty)
        parts += typeText(cell.type);
    if (cell.magic != 0) parts += QObject::tr("magic wall, %1").arg(magicText(cell.magic));
    if (cell.other != 0) parts += QObject::tr("other, %1").arg(otherText(cell.other));
    if (cell.thing != 0) parts += QObject::tr("%1 on it").arg(thingText(cell));
    if (cell.agent != CellBits::kNoAgent)
        parts += QObject::tr("%1 agent").arg(colorText(cell.agent));
    return parts.isEmpty() ? QObject::tr("nothing") : parts.join(QStringLiteral("; "));
}

QStringList cellHeadings() {
    return {QObject::tr("x"),
            QObject::tr("y"),
            QObject::tr("type (0-4)"),
            QObject::tr("colour (5-7)"),
            QObject::tr("door (8-9)"),
            QObject::tr("agent (10-12)"),
            QObject::tr("magic wall (13-15)"),
            QObject::tr("other (16-17)"),
            QObject::tr("density (18-25)"),
            QObject::tr("thing on it (26-28)"),
            QObject::tr("its colour (29-31)"),
            QObject::tr("stored"),
            QObject::tr("in words")};
}

std::vector<QStringList> cellRows(const ShownState& state) {
    std::vector<QStringList> rows;
    for (std::size_t i = 0; i < state.cells.size(); ++i) {
        const CellBits cell = CellBits::of(state.cells[i]);
        const bool hasColor = cell.type == CellBits::kDoor || cell.type == CellBits::kKey;
        const auto width = static_cast<std::size_t>(state.shape.width);
        rows.push_back({QString::number(i % width), QString::number(i / width), typeText(cell.type),
                        hasColor ? colorText(cell.color) : QString(), doorText(cell.door),
                        cell.agent == CellBits::kNoAgent ? QString() : colorText(cell.agent),
                        magicText(cell.magic), otherText(cell.other),
                        cell.type == kBushPlane ? QString::number(cell.density + 1) : QString(),
                        thingText(cell),
                        cell.thing == CellBits::kKeyThing ? colorText(cell.thingColor) : QString(),
                        QStringLiteral("%1").arg(static_cast<std::uint32_t>(state.cells[i]), 8, 16,
                                                 QLatin1Char('0')),
                        cellBitsText(cell)});
    }
    return rows;
}

QStringList numberHeadings() {
    return {QObject::tr("of"), QObject::tr("what"), QObject::tr("meaning"), QObject::tr("value")};
}

std::vector<QStringList> agentRows(const ShownState& state) {
    std::vector<QStringList> rows;
    std::vector<int> order;
    if (state.world) order = encodedAgentOrder(*state.world);
    for (int slot = 0; slot < state.shape.numAgents; ++slot) {
        QString owner = QObject::tr("agent %1").arg(slot);
        if (slot < std::ssize(order))
            owner = QString::fromStdString(
                state.world->agents()[static_cast<std::size_t>(order[slot])].name);
        for (int i = 0; i < EncodingShape::kAgentNumbers; ++i) {
            const int at = slot * EncodingShape::kAgentNumbers + i;
            const int value = state.agents[static_cast<std::size_t>(at)];
            QString meaning;
            if (i >= 2 && i <= 7) meaning = value != 0 ? QObject::tr("yes") : QObject::tr("no");
            if (i == 8) meaning = carriedText(value);
            if (i == 9 && value >= 0) meaning = colorText(value);
            if (i == 10 || i == 11) meaning = value != 0 ? QObject::tr("yes") : QObject::tr("no");
            if (i == 12) meaning = value < 0 ? QObject::tr("none") : QString();
            rows.push_back({owner, QObject::tr(kAgentNames[static_cast<std::size_t>(i)]), meaning,
                            QString::number(value)});
        }
    }
    return rows;
}

std::vector<QStringList> interactiveRows(const ShownState& state) {
    std::vector<QStringList> rows;
    std::size_t at = 0;
    const auto add = [&](const InteractiveKind& kind, int first, int count) {
        for (int place = first; place < first + count; ++place)
            for (const char* name : kind.numbers) {
                const int value = state.interactive.at(at++);
                const QString what = QObject::tr(name);
                QString meaning;
                if (what.endsWith(QLatin1String("colour")) && value >= 0)
                    meaning = colorText(value);
                if (what.endsWith(QLatin1String("plane"))) meaning = planeText(value);
                rows.push_back({QObject::tr("%1 %2").arg(QObject::tr(kind.name)).arg(place), what,
                                meaning, QString::number(value)});
            }
    };
    const std::vector<InteractiveKind>& kinds = interactiveKinds();
    for (const InteractiveKind& kind : kinds) add(kind, 0, kPlacesOfKind);
    add({"ball or box", {"x", "y", "plane", "colour"}}, 0, state.shape.coloredThings);
    add(kinds[1], kPlacesOfKind, state.shape.morePauseSwitches);
    add(kinds[3], kPlacesOfKind, state.shape.moreControlButtons);
    return rows;
}

std::vector<QStringList> globalRows(const ShownState& state) {
    static const std::array<const char*, EncodingShape::kGlobals> kNames{
        "steps left", "probability to stumble", "probability to enter a magic wall",
        "probability that a magic wall turns solid"};
    std::vector<QStringList> rows;
    for (std::size_t i = 0; i < kNames.size(); ++i)
        rows.push_back({QObject::tr("world"), QObject::tr(kNames[i]), QString(),
                        QString::number(state.globals[i])});
    return rows;
}

QStringList planeHeadings() {
    return {QObject::tr("plane"), QObject::tr("number"), QObject::tr("cells"), QObject::tr("sum"),
            QObject::tr("where")};
}

std::vector<QStringList> planeRows(const ShownState& state, PlaneLayout layout) {
    const std::vector<float>& planes =
        layout == PlaneLayout::Whole ? state.planes40 : state.planes39;
    const std::size_t cells = state.shape.cells();
    std::vector<QStringList> rows;
    for (int plane = 0; plane < kNumPlanes; ++plane) {
        const int place = placeOf(plane, layout);
        if (place < 0) continue;
        int count = 0;
        double sum = 0;
        QStringList where;
        for (std::size_t i = 0; i < cells; ++i) {
            const float value = planes[static_cast<std::size_t>(place) * cells + i];
            if (value == 0) continue;
            ++count;
            sum += value;
            if (where.size() < 12)
                where += QStringLiteral("%1,%2: %3")
                             .arg(i % static_cast<std::size_t>(state.shape.width))
                             .arg(i / static_cast<std::size_t>(state.shape.width))
                             .arg(value);
        }
        if (count > where.size()) where += QStringLiteral("…");
        rows.push_back({QString::fromStdString(planeName(plane)), QString::number(place),
                        QString::number(count), QString::number(sum),
                        where.join(QStringLiteral("  "))});
    }
    return rows;
}

}  // namespace orrery
