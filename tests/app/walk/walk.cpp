#include "tests/app/walk/walk.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QProcess>
#include <algorithm>
#include <cstdio>
#include <utility>

#include "tests/app/walk/chooser.h"

namespace orrery {

namespace {

/// Windows beside the main one, and what asks in the middle of something.
constexpr const char* kDialogs[] = {
    "newWorldDialog", "exportForm", "figureDialog",  "trainForm",   "settingsWindow",
    "helpWindow",     "tableTwin",  "shortcutSheet", "doctorSheet", "undoHistorySheet",
    "QFileDialog",    "unsavedBox", "closeBox",      "commentsBox", "replaceBox",
    "changedBox",     "noFilmBox",  "jobsBox"};
constexpr const char* kOwnWorld = R"(# drawn by hand
metadata: {name: By hand}
map: |
  We We We We We
  We Ay .. .. We
  We .. .. Ae We
  We We We We We
max_steps: 6
possible_goals: ["3,1", "1,2"]  # two corners
)";
constexpr char kGuestWorld[] =
    "metadata: {name: A line}\nfamily: line\nmap: H . . R . H\n"
    "slip: 0.25\nmax_steps: 5\npossible_goals: [[1, 0], [0, 0, 5, 0]]\n";
constexpr int kStartMs = 5500;  ///< longer than the program takes itself to be starting

}  // namespace

Walk::Walk(const WalkPlan& plan, QSize screen) : m_plan(plan), m_walk(screen) {
    // A graph must not take the machine's memory.
    QDir().mkpath(m_walk.ui().path(QStringLiteral(".config/orrery")));
    m_walk.ui().home().write(QStringLiteral(".config/orrery/orrery.ini"),
                             "[compute]\nmemoryBudget=1500\n");
    m_walk.ui().home().write(QLatin1String(kOwnWorldFile), kOwnWorld);
    m_walk.ui().home().write(QLatin1String(kGuestWorldFile), kGuestWorld);
    // What "Show in folder" starts. A machine of tests has none.
    const QString opener =
        m_walk.ui().home().write(QStringLiteral("xdg-open"), "#!/bin/sh\nexit 0\n");
    QFile::setPermissions(opener, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    m_walk.ui().setVariable(QStringLiteral("PATH"),
                            QFileInfo(opener).path() + u':' + qEnvironmentVariable("PATH"));
    // Leaks are other tests' matter; LibTorch's containers are not instrumented.
    m_walk.ui().setVariable(
        QStringLiteral("ASAN_OPTIONS"),
        QStringLiteral("detect_container_overflow=0:detect_leaks=0:handle_abort=1"));
    m_walk.ui().setVariable(QStringLiteral("UBSAN_OPTIONS"), QStringLiteral("print_stacktrace=1"));
}

void Walk::run(WalkReach& reach) {
    WalkChooser chooser(m_plan.seed, reach);
    QElapsedTimer clock;
    clock.start();
    begin(reach);
    for (int i = 0; i < m_plan.actions && !m_isOver; ++i) {
        if (m_plan.seconds > 0 && static_cast<double>(clock.elapsed()) / 1000 > m_plan.seconds)
            break;
        const QJsonObject action = chooser.next(m_walk.ui());
        step(action, reach);
    }
    end();
}

void Walk::replay(const QJsonArray& actions) {
    WalkReach reach;
    begin(reach);
    for (const QJsonValue action : actions) {
        if (m_isOver) break;
        step(action.toObject(), reach);
    }
    end();
}

void Walk::begin(WalkReach& reach) {
    m_upSince.start();
    if (!m_walk.start()) take({{QStringLiteral("crash"), QStringLiteral("the first start")}});
    noteKnown(reach);
}

void Walk::step(const QJsonObject& action, WalkReach& reach) {
    m_actions.append(action);
    noteReach(action, reach);
    const QString what = action.value(u"do").toString();
    QElapsedTimer clock;
    clock.start();
    if (what == QLatin1String("restart") || what == QLatin1String("kill"))
        startAgain(action, what == QLatin1String("kill"));
    else {
        m_walk.perform(action);
        take(m_checks.afterAction(m_walk, action));
        if (!m_isOver && !m_walk.ui().isRunning()) startAgain({}, false);
    }
    noteSeen(reach);
    if (m_plan.isVerbose)
        std::fprintf(stderr, "%lld %lld ms %s %s\n", static_cast<long long>(m_actions.size()),
                     static_cast<long long>(clock.elapsed()),
                     QJsonDocument(action).toJson(QJsonDocument::Compact).constData(),
                     qPrintable(placeText()));
}

void Walk::startAgain(const QJsonObject& action, bool isKilled) {
    UiDriver& ui = m_walk.ui();
    if (isKilled) {
        // What ends again and again right after its start is taken for a crash at the start.
        ui.waitForEnd(static_cast<int>(std::max<qint64>(0, kStartMs - m_upSince.elapsed())));
        ui.kill();
    } else if (ui.isRunning() && !m_walk.quit()) {
        take({{QStringLiteral("hang"), QStringLiteral("it does not quit")}});
        ui.kill();
    } else if (ui.hasCrashed())
        take({{QStringLiteral("crash"),
               QStringLiteral("at the end: ") + QString::fromUtf8(ui.why())}});
    if (m_isOver) return;
    take(m_checks.whileEnded(m_walk, isKilled));
    const QJsonArray screen = action.value(u"screen").toArray();
    if (!screen.isEmpty()) m_walk.changeScreen({screen[0].toInt(), screen[1].toInt()});
    m_upSince.start();
    if (m_walk.start())
        take(m_checks.afterStart(m_walk));
    else
        take({{QStringLiteral("crash"),
               QStringLiteral("at the start: ") + QString::fromUtf8(ui.why())}});
}

void Walk::end() {
    if (m_walk.ui().isRunning()) m_walk.ui().kill();
}

void Walk::take(const std::vector<WalkFinding>& found) {
    for (const WalkFinding& one : found) {
        m_isOver = m_isOver || one.endsTheWalk();
        if (has(one.key())) continue;
        m_findings.push_back(one);
        m_places.push_back(static_cast<int>(m_actions.size()));
        std::fprintf(stderr, "action %lld: %s: %s\n", static_cast<long long>(m_actions.size()),
                     qPrintable(one.kind), qPrintable(one.text.left(2000)));
        if (!m_plan.folder.isEmpty()) keep(one);
    }
}

void Walk::keep(const WalkFinding& one) {
    const QString file = QStringLiteral("%1/seed%2_%3_%4.")
                             .arg(m_plan.folder)
                             .arg(m_plan.seed)
                             .arg(m_actions.size())
                             .arg(one.kind);
    m_walk.screen().picture().save(file + QStringLiteral("png"));
    if (one.kind != QLatin1String("hang")) return;
    QProcess debugger;
    debugger.setStandardOutputFile(file + QStringLiteral("txt"));
    debugger.start(QStringLiteral("gdb"), {QStringLiteral("-p"), QString::number(m_walk.ui().pid()),
                                           QStringLiteral("-batch"), QStringLiteral("-ex"),
                                           QStringLiteral("thread apply all bt 30")});
    debugger.waitForFinished(60'000);
}

void Walk::noteKnown(WalkReach& reach) const {
    const QJsonObject& dump = m_walk.ui().dump();
    for (const QJsonValue value : dump.value(u"actions").toArray())
        if (WalkChooser::isCommand(value.toObject()))
            reach.know(QStringLiteral("command ") + value.toObject().value(u"name").toString());
    const QJsonObject all = dump.value(u"all").toObject();
    for (const QString& view : all.value(u"views").toObject().keys())
        reach.know(QStringLiteral("view ") + view);
    for (const QJsonValue setting : all.value(u"settings").toArray())
        reach.know(QStringLiteral("setting ") + setting.toString().replace(u'/', u'_'));
    for (const char* dialog : kDialogs)
        reach.know(QStringLiteral("dialog ") + QLatin1String(dialog));
}

void Walk::noteReach(const QJsonObject& action, WalkReach& reach) const {
    const QString what = action.value(u"do").toString();
    reach.note(QStringLiteral("action ") + what);
    const QString name = action.value(u"at").toObject().value(u"name").toString();
    QString command;
    if (what == QLatin1String("command")) command = action.value(u"name").toString();
    if (name.startsWith(QLatin1String("tool_"))) command = name.mid(5);
    if (what == QLatin1String("restart")) command = QStringLiteral("file.quit");
    // One that is disabled was tried, not reached.
    const QJsonObject entry = m_walk.ui().action(command);
    if (!entry.isEmpty())
        reach.note((entry.value(u"enabled").toBool() ? QStringLiteral("command ")
                                                     : QStringLiteral("disabled ")) +
                   command);
    if (action.contains(u"reach"))
        reach.note(QStringLiteral("control ") + action.value(u"reach").toString());
    if (name.startsWith(QLatin1String("setting_")))
        reach.note(QStringLiteral("setting ") + name.mid(8));
}

QString Walk::placeText() const {
    const QJsonObject& dump = m_walk.ui().dump();
    const QJsonObject session = dump.value(u"session").toObject();
    QString text = dump.value(u"perspective").toString() + QStringLiteral(", ") +
                   session.value(u"world").toString() +
                   (session.value(u"solved").toBool() ? QStringLiteral(", solved") : QString());
    for (const QJsonValue value : dump.value(u"windows").toArray())
        if (const QJsonObject window = value.toObject();
            window.value(u"active").toBool() || window.value(u"popup").toBool())
            text += QStringLiteral(", ") + window.value(u"name").toString();
    return text;
}

void Walk::noteSeen(WalkReach& reach) {
    const QJsonObject& dump = m_walk.ui().dump();
    QStringList seen;
    for (const QJsonValue view : dump.value(u"views").toArray())
        seen << QStringLiteral("view ") + view.toString().section(u'#', 0, 0);
    for (const QJsonValue value : dump.value(u"windows").toArray()) {
        const QJsonObject window = value.toObject();
        const QString name = window.value(u"name").toString();
        // A menu or a panel that floats is no dialog.
        const QString kind = window.value(u"popup").toBool()            ? QStringLiteral("popup ")
                             : name.startsWith(QLatin1String("panel_")) ? QStringLiteral("panel ")
                                                                        : QStringLiteral("dialog ");
        seen << kind + (name.isEmpty() ? window.value(u"kind").toString() : name);
    }
    for (const QString& one : std::as_const(seen))
        if (!m_seen.contains(one)) reach.note(one);
    m_seen = seen;
}

}  // namespace orrery
