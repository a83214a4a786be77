#include "tests/app/walk/chooser.h"

#include <QFileInfo>
#include <QJsonArray>
#include <cmath>

#include "tests/app/walk/habits.h"
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
/// The first are questions for states.
constexpr int kNumQuestions = 4;
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
constexpr const char* kPrefixes[] = {"one_", "two_"};
/// How much likelier a command becomes that is seldom possible.
constexpr double kMostOften = 20;
constexpr int kLeavesFilePercent = 20, kOwnFilePercent = 40;
/// {0, 0}: as the button of a title bar does it.
constexpr QSize kSizes[] = {{800, 600},   {1024, 700},  {1280, 800},  {1366, 768}, {1600, 1000},
                            {1920, 1080}, {2560, 1440}, {3840, 2160}, {960, 540},  {1100, 1000},
                            {0, 0},       {0, 0},       {0, 0},       {0, 0},      {0, 0},
                            {0, 0},       {0, 0}};
constexpr QSize kScreens[] = {{1280, 800}, {1920, 1080}, {1600, 1000}, {3840, 2160},
                              {1024, 768}, {800, 600},   {1920, 1080}, {2560, 1440}};

QJsonArray pairJson(double x, double y) {
    return {x, y};
}

QJsonArray sizeJson(QSize size) {
    return {size.width(), size.height()};
}

}  // namespace

WalkChooser::Front WalkChooser::frontOf(const UiDriver& ui) {
    Front front;
    for (const QJsonValue value : ui.dump().value(u"windows").toArray()) {
        const QJsonObject window = value.toObject();
        const bool isModal = window.value(u"modal").toBool(),
                   isPopup = window.value(u"popup").toBool();
        const int height = isPopup ? 3 : isModal ? 2 : window.value(u"active").toBool() ? 1 : 0;
        if (height > front.height) front = {window.value(u"name").toString(), height};
    }
    return front;
}

std::size_t WalkChooser::byWeight(const std::vector<double>& weights) {
    double sum = 0;
    for (const double weight : weights) sum += weight;
    double left = sum * static_cast<double>(m_random() >> 11) * 0x1p-53;
    for (std::size_t i = 0; i < weights.size(); ++i)
        if ((left -= weights[i]) < 0) return i;
    return weights.size() - 1;
}

bool WalkChooser::isCommand(const QJsonObject& action) {
    return action.value(u"name").toString().contains(u'.') &&
           !action.value(u"menus").toArray().isEmpty();
}

bool WalkChooser::hasFileDialog(const UiDriver& ui) {
    return !ui.partsOfKind(QStringLiteral("QFileDialog")).empty();
}

QJsonObject WalkChooser::next(const UiDriver& ui) {
    // A file dialog reaches beyond the home; it is only answered.
    if (hasFileDialog(ui)) {
        if (!m_planned.empty() &&
            m_planned.front().value(u"do").toString() == QLatin1String("file")) {
            QJsonObject answer = m_planned.front();
            m_planned.pop_front();
            return answer;
        }
        return {{QStringLiteral("do"), QStringLiteral("file")}, {QStringLiteral("text"), file(ui)}};
    }
    if (ui.dump().value(u"minimized").toBool())
        return {{QStringLiteral("do"), QStringLiteral("raise")}};
    // What asks for an answer in between ends a habit, and a file dialog that did not come.
    if (frontOf(ui).blocks() ||
        (!m_planned.empty() && m_planned.front().value(u"do").toString() == QLatin1String("file")))
        m_planned.clear();
    if (m_planned.empty()) planHabit(ui);
    QJsonObject action;
    if (m_planned.empty()) {
        action = anything(ui);
    } else {
        action = m_planned.front();
        m_planned.pop_front();
    }
    const QString what = action.value(u"do").toString();
    if (what == QLatin1String("size") ||
        action.value(u"at").toObject().value(u"name").toString().startsWith(
            QLatin1String("setting_appearance")))
        m_looksNew = true;
    if (what == QLatin1String("size")) m_isNewScreen = false;
    if (what == QLatin1String("restart") || what == QLatin1String("kill")) {
        m_looksNew = false;
        m_isNewScreen = action.contains(u"screen");
    }
    return action;
}

/// Begins one of the habits now and then: that whose aim was reached least.
void WalkChooser::planHabit(const UiDriver& ui) {
    constexpr int kPercent = 8;
    if (!frontOf(ui).isMain() || !chance(kPercent)) return;
    const QJsonObject& dump = ui.dump();
    const bool isSolved = dump.value(u"session").toObject().value(u"solved").toBool();
    const bool isTraining = dump.value(u"training").toObject().value(u"live").toBool();
    std::vector<double> weights;
    for (const WalkHabit& habit : walkHabits()) {
        const bool isPossible =
            (isSolved || !habit.needsSolution) && (isTraining || !habit.needsTraining);
        weights.push_back(isPossible ? std::pow(rarity(QLatin1String(habit.aim)), 2) : 0);
    }
    const std::vector<QJsonObject>& actions = walkHabits()[byWeight(weights)].actions;
    m_planned.assign(actions.begin(), actions.end());
    for (QJsonObject& action : m_planned)
        if (action.value(u"do").toString() == QLatin1String("press"))
            action.insert(QStringLiteral("place"), pairJson(share(), 0.5));
}

QJsonObject WalkChooser::anything(const UiDriver& ui) {
    // What asks for an answer lets nothing else through.
    const Front front = frontOf(ui);
    if (front.blocks() && chance(95)) return chance(15) ? key() : target(ui);
    // Who opens a window beside the main one does something there.
    if (!front.isMain() && chance(85)) return target(ui);
    const QJsonObject session = ui.dump().value(u"session").toObject();
    // As people do: another world is looked at when this one is solved, a window on another screen
    // is made as large, what looks new is seen again on another day.
    const bool isSolved = session.value(u"solved").toBool();
    const std::vector<double> weights{120,                           // key
                                      220,                           // command
                                      20,                            // drag
                                      m_isNewScreen ? 150.0 : 20.0,  // size
                                      isSolved ? 60.0 : 20.0,        // world
                                      20,                            // view
                                      m_looksNew ? 40.0 : 8.0,       // restart
                                      4,                             // kill
                                      520};                          // target
    switch (byWeight(weights)) {
        case 0:
            return key();
        case 1:
            return command(ui);
        case 2:
            return {{QStringLiteral("do"), QStringLiteral("drag")},
                    {QStringLiteral("from"), pairJson(share(), share())},
                    {QStringLiteral("to"), pairJson(share(), share())}};
        case 3:
            return {{QStringLiteral("do"), QStringLiteral("size")},
                    {QStringLiteral("size"), sizeJson(oneOf(kSizes))}};
        case 4:
            return world();
        case 5:
            return view(ui);
        case 6:
            return restart("restart");
        case 7:
            return restart("kill");
        default:
            return target(ui);
    }
}

QJsonObject WalkChooser::key() {
    return {{QStringLiteral("do"), QStringLiteral("key")},
            {QStringLiteral("keys"), QLatin1String(oneOf(kKeys))}};
}

/// What is written keeps the name that the dialog proposes: a table must not come to lie over a
/// world of this walk, which would then be missed. What is opened was mostly written here.
QString WalkChooser::file(const UiDriver& ui) {
    if (chance(kLeavesFilePercent)) return {};
    QString proposed = QFileInfo(ui.text(QStringLiteral("fileNameEdit"))).fileName();
    if (proposed.isEmpty())
        return chance(kLeavesFilePercent) ? QStringLiteral("missing.yaml")
               : chance(kOwnFilePercent)  ? QLatin1String(kOwnWorldFile)
                                          : m_files[below(static_cast<int>(m_files.size()))];
    for (const char* prefix : kPrefixes)
        if (proposed.startsWith(QLatin1String(prefix)))
            proposed.remove(0, static_cast<qsizetype>(qstrlen(prefix)));
    m_files << QLatin1String(oneOf(kPrefixes)) + proposed;
    return m_files.back();
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

QJsonObject WalkChooser::view(const UiDriver& ui) {
    const QJsonObject views = ui.dump().value(u"all").toObject().value(u"views").toObject();
    if (views.isEmpty()) return key();
    std::vector<double> weights;
    for (const QString& id : views.keys()) weights.push_back(rarity(QStringLiteral("view ") + id));
    return {{QStringLiteral("do"), QStringLiteral("view")},
            {QStringLiteral("name"),
             (views.begin() + static_cast<qsizetype>(byWeight(weights))).value()}};
}

QJsonObject WalkChooser::restart(const char* what) {
    QJsonObject action{{QStringLiteral("do"), QLatin1String(what)}};
    if (chance(60)) action.insert(QStringLiteral("screen"), sizeJson(oneOf(kScreens)));
    return action;
}

QJsonObject WalkChooser::command(const UiDriver& ui) {
    const bool canUndo = !ui.dump().value(u"undo").toObject().value(u"names").toArray().isEmpty();
    const QJsonObject session = ui.dump().value(u"session").toObject();
    const bool isLive = ui.dump().value(u"run").toObject().value(u"live").toBool() ||
                        ui.dump().value(u"training").toObject().value(u"live").toBool();
    const bool canSolve = session.value(u"open").toBool() && !session.value(u"solved").toBool();
    std::vector<QJsonObject> commands;
    std::vector<double> weights;
    ++m_numLooks;
    for (const QJsonValue value : ui.dump().value(u"actions").toArray()) {
        const QJsonObject action = value.toObject();
        const QString name = action.value(u"name").toString();
        if (!isCommand(action)) continue;
        commands.push_back(action);
        double weight = std::pow(rarity(QStringLiteral("command ") + name), 2);
        // What is possible for a short time only must be taken then.
        if (action.value(u"enabled").toBool())
            weight *= std::min(kMostOften, static_cast<double>(m_numLooks) / ++m_possible[name]);
        // Where there is something to undo or to solve, people do.
        if (canUndo && name.contains(QLatin1String("ndo"))) weight = std::max(weight, 0.15);
        if (name == QLatin1String("edit.settings")) weight = std::max(weight, 0.5);
        if (canSolve && name == QLatin1String("run.solve")) weight = std::max(weight, 0.5);
        // Quitting has an action of its own, but while a run is at work it asks.
        if (name == QLatin1String("file.quit")) weight = isLive ? 0.2 : weight / 20;
        weights.push_back(action.value(u"enabled").toBool() ? weight : weight / 50);
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
    const Front front = frontOf(ui);
    const bool isSolved = ui.dump().value(u"session").toObject().value(u"solved").toBool();
    const std::vector<WalkTarget> targets = walkTargets(ui);
    std::vector<double> weights;
    for (const WalkTarget& one : targets) {
        double weight = rarity(QStringLiteral("control ") + one.reach);
        if (one.window != front.window) weight /= front.isMain() ? 10 : 200;
        if (!one.isEnabled) weight /= 20;
        if (one.isSplit) weight /= 4;
        // What one comes for, or sees for a short time only.
        const QString name = one.json.value(u"name").toString();
        if (name.startsWith(QLatin1String("setting_")) || name == QLatin1String("trainStart") ||
            name == QLatin1String("trainMethod") || name == QLatin1String("predicateEdit"))
            weight *= 8;
        if (one.isColumn && one.window == QLatin1String("settingsWindow")) weight *= 4;  // pages
        // Parameters move the values of a solved world, and questions have answers there.
        if (isSolved && (name.startsWith(QLatin1String("field_slider_")) ||
                         name == QLatin1String("predicateEdit")))
            weight *= 4;
        // Hundreds of cells of one part are not hundreds of parts.
        if (one.isOfMany) weight /= 8;
        weights.push_back(weight);
    }
    if (targets.empty()) return key();
    const WalkTarget& one = targets[byWeight(weights)];
    QJsonObject action = press(one);
    action.insert(QStringLiteral("reach"), one.reach);
    return action;
}

QJsonObject WalkChooser::press(const WalkTarget& one) {
    const bool isQuestion = one.json.value(u"name").toString() == QLatin1String("predicateEdit");
    if (one.takesText && chance(70))
        return {{QStringLiteral("do"), QStringLiteral("fill")},
                {QStringLiteral("at"), one.json},
                {QStringLiteral("text"),
                 QString::fromUtf8(isQuestion && chance(50) ? kTexts[below(kNumQuestions)]
                                                            : oneOf(kTexts))},
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
