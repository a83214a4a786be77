#include "tests/app/walk/chooser.h"

#include <QJsonArray>
#include <cmath>

#include "tests/app/walk/target.h"
#include "tests/support/ui_driver.h"

namespace orrery {

namespace {

constexpr const char* kKeys[] = {
    "Tab",    "shift+Tab", "Return", "Escape",    "space",     "Up",          "Down",
    "Left",   "Right",     "Home",   "End",       "Page_Up",   "Page_Down",   "Delete",
    "ctrl+a", "ctrl+c",    "ctrl+v", "ctrl+x",    "BackSpace", "shift+Right", "shift+Down",
    "s",      "d",         "e",      "a",         "plus",      "minus",       "1",
    "2",      "x",         "y",      "alt+Right", "alt+Left",  "ctrl+Tab",    "Menu"};
constexpr const char* kTexts[] = {"v_r < -1",
                                  "step < 4",
                                  "x_h(A) > 0.5",
                                  "terminal",
                                  "v_r <",
                                  "0",
                                  "1",
                                  "-1",
                                  "0.5",
                                  "100",
                                  "1e20",
                                  "nan",
                                  "3",
                                  "7",
                                  "abc",
                                  "",
                                  "beta",
                                  "r",
                                  "world",
                                  "1, 2, 3",
                                  "lin(1, 2)",
                                  "A B",
                                  "my_world.yaml",
                                  "out.csv",
                                  "\xc3\xbc\xe2\x88\x91",
                                  "[1, 2"};
/// What the locator finds worlds by.
constexpr const char* kWorlds[] = {
    "Slippery bridge", "Two in niches", "Magic garden",  "Locked pantry", "First steps",
    "Bush meadow",     "Block yard",    "Building site", "Coffee break",  "Different tastes",
    "Hedge maze",      "Lost property", "Mixed crew",    "Off switch",    "Remote control",
    "Roundabout",      "Slow moves"};
constexpr const char* kFiles[] = {"one.yaml", "two.yaml", "table.csv", "figure", "film.gif", ""};
constexpr QSize kSizes[] = {{800, 600},   {1024, 700},  {1280, 800},  {1366, 768}, {1600, 1000},
                            {1920, 1080}, {2560, 1440}, {3840, 2160}, {960, 540},  {1100, 1000}};
constexpr QSize kScreens[] = {{1280, 800}, {1920, 1080}, {1600, 1000}, {3840, 2160},
                              {1024, 768}, {800, 600},   {1920, 1080}, {2560, 1440}};

QJsonArray pairJson(double x, double y) {
    return {x, y};
}

QJsonArray sizeJson(QSize size) {
    return {size.width(), size.height()};
}

}  // namespace

std::size_t WalkChooser::byWeight(const std::vector<double>& weights) {
    double sum = 0;
    for (const double weight : weights) sum += weight;
    double left = sum * static_cast<double>(m_random() >> 11) * 0x1p-53;
    for (std::size_t i = 0; i < weights.size(); ++i)
        if ((left -= weights[i]) < 0) return i;
    return weights.size() - 1;
}

bool WalkChooser::hasFileDialog(const UiDriver& ui) {
    return !ui.partsOfKind(QStringLiteral("QFileDialog")).empty();
}

QJsonObject WalkChooser::next(const UiDriver& ui) {
    // A file dialog reaches beyond the home; it is only answered.
    if (hasFileDialog(ui))
        return {{QStringLiteral("do"), QStringLiteral("file")},
                {QStringLiteral("text"), QLatin1String(oneOf(kFiles))}};
    const int what = below(1000);
    if (what < 140) return key();
    if (what < 360) return command(ui);
    if (what < 380)
        return {{QStringLiteral("do"), QStringLiteral("drag")},
                {QStringLiteral("from"), pairJson(share(), share())},
                {QStringLiteral("to"), pairJson(share(), share())}};
    if (what < 400)
        return {{QStringLiteral("do"), QStringLiteral("size")},
                {QStringLiteral("size"), sizeJson(oneOf(kSizes))}};
    if (what < 425) return world();
    if (what < 434) return restart("restart");
    if (what < 438) return restart("kill");
    return target(ui);
}

QJsonObject WalkChooser::key() {
    return {{QStringLiteral("do"), QStringLiteral("key")},
            {QStringLiteral("keys"), QLatin1String(oneOf(kKeys))}};
}

QJsonObject WalkChooser::world() {
    if (chance(70))
        return {{QStringLiteral("do"), QStringLiteral("open")},
                {QStringLiteral("world"), QLatin1String(oneOf(kWorlds))}};
    return {{QStringLiteral("do"), QStringLiteral("newWorld")},
            {QStringLiteral("humans"), 1 + below(8)},
            {QStringLiteral("width"), 5 + below(7)},
            {QStringLiteral("height"), 5 + below(5)}};
}

QJsonObject WalkChooser::restart(const char* what) {
    QJsonObject action{{QStringLiteral("do"), QLatin1String(what)}};
    if (chance(40)) action.insert(QStringLiteral("screen"), sizeJson(oneOf(kScreens)));
    return action;
}

QJsonObject WalkChooser::command(const UiDriver& ui) {
    std::vector<QJsonObject> commands;
    std::vector<double> weights;
    for (const QJsonValue value : ui.dump().value(u"actions").toArray()) {
        const QJsonObject action = value.toObject();
        const QString name = action.value(u"name").toString();
        if (!name.contains(u'.') || action.value(u"menus").toArray().isEmpty()) continue;
        commands.push_back(action);
        // Quitting has an action of its own.
        const double weight = rarity(QStringLiteral("command ") + name);
        const bool isEnabled = action.value(u"enabled").toBool();
        weights.push_back(name == QLatin1String("file.quit") ? weight / 20
                          : isEnabled                        ? weight
                                                             : weight / 50);
    }
    if (commands.empty()) return key();
    const QJsonObject& one = commands[byWeight(weights)];
    constexpr const char* kWays[] = {"keys", "keys", "menu", "menu", "find"};
    QString way = QLatin1String(oneOf(kWays));
    const QJsonArray keys = one.value(u"keys").toArray();
    if (way == QLatin1String("keys") && keys.isEmpty()) way = QStringLiteral("menu");
    return {{QStringLiteral("do"), QStringLiteral("command")},
            {QStringLiteral("name"), one.value(u"name")},
            {QStringLiteral("way"), way},
            {QStringLiteral("keys"),
             keys.isEmpty() ? QString() : keys[below(static_cast<int>(keys.size()))].toString()}};
}

QJsonObject WalkChooser::target(const UiDriver& ui) {
    // Menus and dialogs lie over the rest, which mostly does not answer then.
    QString front;
    for (const QJsonValue value : ui.dump().value(u"windows").toArray()) {
        const QJsonObject window = value.toObject();
        if (window.value(u"active").toBool()) front = window.value(u"name").toString();
    }
    for (const QJsonObject& menu : ui.partsOfKind(QStringLiteral("QMenu")))
        front = menu.value(u"name").toString();
    const std::vector<WalkTarget> targets = walkTargets(ui);
    std::vector<double> weights;
    for (const WalkTarget& one : targets) {
        double weight = rarity(QStringLiteral("control ") + one.reach);
        if (one.window != front) weight /= 10;
        if (!one.isEnabled) weight /= 20;
        if (one.isSplit) weight /= 4;
        // Hundreds of cells of one part are not hundreds of parts.
        if (one.json.contains(u"item")) weight /= 8;
        weights.push_back(weight);
    }
    if (targets.empty()) return key();
    const WalkTarget& one = targets[byWeight(weights)];
    QJsonObject action = press(one);
    action.insert(QStringLiteral("reach"), one.reach);
    return action;
}

QJsonObject WalkChooser::press(const WalkTarget& one) {
    if (one.takesText && chance(70))
        return {{QStringLiteral("do"), QStringLiteral("fill")},
                {QStringLiteral("at"), one.json},
                {QStringLiteral("text"), QString::fromUtf8(oneOf(kTexts))},
                {QStringLiteral("enter"), chance(70)}};
    if (chance(6))
        return {{QStringLiteral("do"), QStringLiteral("carry")},
                {QStringLiteral("at"), one.json},
                {QStringLiteral("place"), pairJson(share(), share())},
                {QStringLiteral("by"), pairJson(share() - 0.5, share() - 0.5)}};
    constexpr const char* kHow[] = {"click", "click", "click",  "click", "click", "click",
                                    "click", "right", "double", "wheel", "middle"};
    return {{QStringLiteral("do"), QStringLiteral("press")},
            {QStringLiteral("at"), one.json},
            {QStringLiteral("place"), chance(60) ? pairJson(0.5, 0.5) : pairJson(share(), share())},
            {QStringLiteral("how"), QLatin1String(oneOf(kHow))}};
}

}  // namespace orrery
