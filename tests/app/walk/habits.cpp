#include "tests/app/walk/habits.h"

#include <initializer_list>

#include "tests/app/walk/chooser.h"

namespace orrery {

namespace {

constexpr const char* kMain = "mainWindow";
constexpr const char* kExport = "exportForm";

QJsonObject byMenu(const char* command) {
    return {{QStringLiteral("do"), QStringLiteral("command")},
            {QStringLiteral("name"), QLatin1String(command)},
            {QStringLiteral("way"), QStringLiteral("menu")},
            {QStringLiteral("keys"), QString()}};
}

QJsonObject at(const char* window, const char* name) {
    return {{QStringLiteral("window"), QLatin1String(window)},
            {QStringLiteral("name"), QLatin1String(name)}};
}

QString reach(const char* window, const char* name) {
    return QLatin1String(window) + u'/' + QLatin1String(name);
}

/// Types into a field, or chooses what a list has under these first letters.
QJsonObject filling(const char* window, const char* name, const char* text, bool hasEnter = true) {
    return {{QStringLiteral("do"), QStringLiteral("fill")},
            {QStringLiteral("at"), at(window, name)},
            {QStringLiteral("text"), QLatin1String(text)},
            {QStringLiteral("enter"), hasEnter},
            {QStringLiteral("reach"), reach(window, name)}};
}

QJsonObject asking(const char* question) {
    return filling(kMain, "predicateEdit", question);
}

/// To a place that is drawn when it is done: a slider that is there already changes nothing.
QJsonObject movingSlider(const char* name) {
    return {{QStringLiteral("do"), QStringLiteral("press")},
            {QStringLiteral("at"), at(kMain, name)},
            {QStringLiteral("how"), QStringLiteral("click")},
            {QStringLiteral("reach"), reach(kMain, name)}};
}

QJsonObject answering(const char* file) {
    return {{QStringLiteral("do"), QStringLiteral("file")},
            {QStringLiteral("text"), QLatin1String(file)}};
}

/// As another program writes it, behind the window's back.
QJsonObject rewriting(const char* file) {
    return {{QStringLiteral("do"), QStringLiteral("rewrite")},
            {QStringLiteral("text"), QLatin1String(file)}};
}

/// A file with comments is opened and edited; what then happens is the habit's own.
std::vector<QJsonObject> editingOwnWorld(std::initializer_list<QJsonObject> then) {
    std::vector<QJsonObject> actions{byMenu("view.world"), byMenu("file.open"),
                                     answering(kOwnWorldFile), byMenu("world.edit"),
                                     byMenu("world.insertRow")};
    actions.insert(actions.end(), then);
    return actions;
}

}  // namespace

const std::vector<WalkHabit>& walkHabits() {
    static const std::vector<WalkHabit> kHabits{
        {"command analyze.nextHit",
         true,
         false,
         {byMenu("view.plan"), byMenu("edit.search"), asking("step < 4"), byMenu("analyze.hits"),
          byMenu("analyze.nextHit"), byMenu("analyze.nextHit"), byMenu("analyze.previousHit")}},
        {"command analyze.previousHit",
         true,
         false,
         {byMenu("edit.search"), asking("terminal"), byMenu("analyze.hits"),
          byMenu("analyze.previousHit"), byMenu("analyze.previousHit"), byMenu("analyze.nextHit")}},
        {"command run.keep",
         true,
         false,
         {byMenu("run.parameters"), movingSlider("field_slider_beta_r"), byMenu("run.keep")}},
        {"command run.backToRun",
         true,
         false,
         {byMenu("run.parameters"), movingSlider("field_slider_gamma_r"), byMenu("run.backToRun")}},
        {"command go.forward", false, false, {byMenu("go.back"), byMenu("go.forward")}},
        {"dialog closeBox", false, true, {byMenu("file.quit")}},
        {"dialog commentsBox", false, false, editingOwnWorld({byMenu("file.saveWorld")})},
        {"dialog changedBox", false, false,
         editingOwnWorld({rewriting(kOwnWorldFile), byMenu("file.saveWorld")})},
        // The home holds other things than a film.
        {"dialog noFilmBox",
         false,
         false,
         {byMenu("view.world"), byMenu("file.export"), filling(kExport, "exportWhat", "Episode, "),
          filling(kExport, "exportFormat", "Folder of PNG"),
          filling(kExport, "exportTarget", "~")}},
        // So many episodes that they are still being written when the next action comes, to where
        // they need no room.
        {"dialog jobsBox",
         true,
         false,
         {byMenu("file.export"), filling(kExport, "exportWhat", "Episodes drawn"),
          filling(kExport, "exportEpisodes", "1000000", false),
          filling(kExport, "exportTarget", "/dev/null"), byMenu("view.plan"),
          byMenu("file.quit")}}};
    return kHabits;
}

}  // namespace orrery
