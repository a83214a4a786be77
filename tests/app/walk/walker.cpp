// Drives the window at random, without a script, and says what it finds: see README.md, "The
// walker".

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QMap>
#include <QProcess>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>

#include "tests/app/walk/checks.h"
#include "tests/app/walk/chooser.h"
#include "tests/app/walk/performer.h"

using namespace orrery;

namespace {

constexpr int kNothing = 0, kFound = 1, kBadUsage = 2;
const QSize kScreen(1920, 1080);
/// Windows beside the main one, and what asks in the middle of something.
constexpr const char* kDialogs[] = {
    "newWorldDialog", "exportForm", "figureDialog",  "trainForm",   "settingsWindow",
    "helpWindow",     "tableTwin",  "shortcutSheet", "doctorSheet", "undoHistorySheet",
    "QFileDialog",    "unsavedBox", "closeBox",      "commentsBox", "replaceBox"};
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
constexpr int kStartMs = 5500;  ///< longer than the program takes itself to be starting
constexpr int kReplays = 3;     ///< in which a failure must come to count as one that comes

struct WalkPlan {
    quint64 seed = 1;
    int actions = 0;
    double seconds = 0;  ///< 0: no limit
    QString folder;      ///< of walks and pictures
    bool isVerbose = false;
};

/// One program from its first start to the last action.
class Walk {
public:
    explicit Walk(const WalkPlan& plan, QSize screen) : m_plan(plan), m_walk(screen) {
        // A graph must not take the machine's memory.
        QDir().mkpath(m_walk.ui().path(QStringLiteral(".config/orrery")));
        m_walk.ui().home().write(QStringLiteral(".config/orrery/orrery.ini"),
                                 "[compute]\nmemoryBudget=1500\n");
        m_walk.ui().home().write(QLatin1String(kOwnWorldFile), kOwnWorld);
        // What "Show in folder" starts. A machine of tests has none.
        const QString opener =
            m_walk.ui().home().write(QStringLiteral("xdg-open"), "#!/bin/sh\nexit 0\n");
        QFile::setPermissions(opener, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        m_walk.ui().setVariable(QStringLiteral("PATH"),
                                QFileInfo(opener).path() + u':' + qEnvironmentVariable("PATH"));
        // Leaks are other tests' matter; LibTorch's containers are not instrumented.
        m_walk.ui().setVariable(QStringLiteral("ASAN_OPTIONS"),
                                QStringLiteral("detect_container_overflow=0:detect_leaks=0"));
        m_walk.ui().setVariable(QStringLiteral("UBSAN_OPTIONS"),
                                QStringLiteral("print_stacktrace=1"));
    }

    void run(WalkReach& reach) {
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

    void replay(const QJsonArray& actions) {
        WalkReach reach;
        begin(reach);
        for (const QJsonValue action : actions) {
            if (m_isOver) break;
            step(action.toObject(), reach);
        }
        end();
    }

    const std::vector<WalkFinding>& findings() const { return m_findings; }
    const std::vector<int>& places() const { return m_places; }
    const QJsonArray& actions() const { return m_actions; }
    const WalkChecks& checks() const { return m_checks; }
    bool has(const QString& key) const {
        return std::ranges::any_of(m_findings, [&](const auto& one) { return one.key() == key; });
    }

private:
    void begin(WalkReach& reach) {
        m_upSince.start();
        if (!m_walk.start()) take({{QStringLiteral("crash"), QStringLiteral("the first start")}});
        noteKnown(reach);
    }

    void step(const QJsonObject& action, WalkReach& reach) {
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

    void startAgain(const QJsonObject& action, bool isKilled) {
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

    void end() {
        if (m_walk.ui().isRunning()) m_walk.ui().kill();
    }

    void take(const std::vector<WalkFinding>& found) {
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

    /// The picture, and where all threads are in a program that does not answer, if there is a gdb.
    void keep(const WalkFinding& one) {
        const QString file = QStringLiteral("%1/seed%2_%3_%4.")
                                 .arg(m_plan.folder)
                                 .arg(m_plan.seed)
                                 .arg(m_actions.size())
                                 .arg(one.kind);
        m_walk.screen().picture().save(file + QStringLiteral("png"));
        if (one.kind != QLatin1String("hang")) return;
        QProcess debugger;
        debugger.setStandardOutputFile(file + QStringLiteral("txt"));
        debugger.start(
            QStringLiteral("gdb"),
            {QStringLiteral("-p"), QString::number(m_walk.ui().pid()), QStringLiteral("-batch"),
             QStringLiteral("-ex"), QStringLiteral("thread apply all bt 30")});
        debugger.waitForFinished(60'000);
    }

    /// What there is, from the dump after the start.
    void noteKnown(WalkReach& reach) const {
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

    void noteReach(const QJsonObject& action, WalkReach& reach) const {
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

    /// Where the program is now, for who reads along.
    QString placeText() const {
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

    /// Views and dialogs that came into sight.
    void noteSeen(WalkReach& reach) {
        const QJsonObject& dump = m_walk.ui().dump();
        QStringList seen;
        for (const QJsonValue view : dump.value(u"views").toArray())
            seen << QStringLiteral("view ") + view.toString().section(u'#', 0, 0);
        for (const QJsonValue value : dump.value(u"windows").toArray()) {
            const QJsonObject window = value.toObject();
            const QString name = window.value(u"name").toString();
            seen << QStringLiteral("dialog ") +
                        (name.isEmpty() ? window.value(u"kind").toString() : name);
        }
        for (const QString& one : std::as_const(seen))
            if (!m_seen.contains(one)) reach.note(one);
        m_seen = seen;
    }

    WalkPlan m_plan;
    WalkPerformer m_walk;
    WalkChecks m_checks{kMaxBlockMs};
    QJsonArray m_actions;
    std::vector<WalkFinding> m_findings;
    std::vector<int> m_places;  ///< actions before each
    QStringList m_seen;
    QElapsedTimer m_upSince;
    bool m_isOver = false;

#ifdef ORRERY_WALK_BLOCK_MS
    static constexpr double kMaxBlockMs = ORRERY_WALK_BLOCK_MS;
#else
    static constexpr double kMaxBlockMs = 0;
#endif
};

void writeWalk(const QString& file, const QJsonArray& actions, const QStringList& findings) {
    QFile out(file);
    if (!out.open(QIODevice::WriteOnly)) return;
    out.write(QJsonDocument(
                  QJsonObject{{QStringLiteral("findings"), QJsonArray::fromStringList(findings)},
                              {QStringLiteral("actions"), actions}})
                  .toJson());
}

QJsonArray readWalk(const QString& file) {
    QFile in(file);
    return in.open(QIODevice::ReadOnly)
               ? QJsonDocument::fromJson(in.readAll()).object().value(u"actions").toArray()
               : QJsonArray();
}

/// In how many of the replays a failure comes; ends with the first in which it does not.
int timesOf(const WalkPlan& plan, const QJsonArray& actions, const QString& key) {
    for (int i = 0; i < kReplays; ++i) {
        Walk walk(plan, kScreen);
        walk.replay(actions);
        if (!walk.has(key)) return i;
    }
    return kReplays;
}

QJsonArray without(const QJsonArray& actions, qsizetype begin, qsizetype count) {
    QJsonArray rest;
    for (qsizetype i = 0; i < actions.size(); ++i)
        if (i < begin || i >= begin + count) rest.append(actions[i]);
    return rest;
}

int shrink(const WalkPlan& plan, const QString& file) {
    QJsonArray actions = readWalk(file);
    Walk first(plan, kScreen);
    first.replay(actions);
    if (first.findings().empty()) {
        std::printf("walker: %s: nothing was found in a replay\n", qPrintable(file));
        return kNothing;
    }
    const QString key = first.findings().front().key();
    while (actions.size() > first.places().front()) actions.removeLast();
    if (const int times = timesOf(plan, actions, key); times < kReplays) {
        std::printf("walker: %s: comes in %d of %d replays, not shrunk: %s\n", qPrintable(file),
                    times, kReplays, qPrintable(key));
        return kFound;
    }
    for (qsizetype count = std::max<qsizetype>(1, actions.size() / 2); count > 0; count /= 2)
        for (qsizetype begin = 0; begin < actions.size();) {
            const QJsonArray rest = without(actions, begin, count);
            if (timesOf(plan, rest, key) == kReplays) {
                actions = rest;
                writeWalk(file + QStringLiteral(".short"), actions, {key});
            } else
                begin += count;
        }
    writeWalk(file + QStringLiteral(".short"), actions, {key});
    std::printf("walker: %lld actions in %s.short: %s\n", static_cast<long long>(actions.size()),
                qPrintable(file), qPrintable(key));
    return kFound;
}

QStringList textsOf(const Walk& walk) {
    QStringList texts;
    for (std::size_t i = 0; i < walk.findings().size(); ++i)
        texts << QStringLiteral("%1: %2").arg(walk.places()[i]).arg(walk.findings()[i].key());
    return texts;
}

void writeReach(const QString& file, const WalkReach& reach) {
    QJsonObject counts;
    for (auto it = reach.counts().cbegin(); it != reach.counts().cend(); ++it)
        counts.insert(it.key(), it.value());
    QFile out(file);
    if (out.open(QIODevice::WriteOnly)) out.write(QJsonDocument(counts).toJson());
}

/// Prints what would be reached too rarely if the walks went on like this.
void printRarest(const QMap<QString, int>& sums) {
    constexpr double kManyActions = 50'000, kLeast = 20;
    double actions = 0;
    for (auto it = sums.cbegin(); it != sums.cend(); ++it)
        if (it.key().startsWith(QLatin1String("action "))) actions += it.value();
    int numRare = 0;
    for (auto it = sums.cbegin(); it != sums.cend(); ++it) {
        const QString kind = it.key().section(u' ', 0, 0);
        const bool counts = kind == QLatin1String("command") || kind == QLatin1String("view") ||
                            kind == QLatin1String("dialog") || kind == QLatin1String("setting");
        if (!counts || it.value() * kManyActions >= kLeast * actions) continue;
        ++numRare;
        std::printf("rare\t%d\t%s\n", it.value(), qPrintable(it.key()));
    }
    std::printf("%.0f actions; in %.0f of them %d would be reached less than %.0f times\n", actions,
                kManyActions, numRare, kLeast);
}

/// Adds up the counts of all walks of a folder and prints them, the rarest of each kind first.
int printReach(const QString& folder) {
    QMap<QString, QList<std::pair<int, QString>>> kinds;
    QMap<QString, int> sums;
    for (const QFileInfo& file : QDir(folder).entryInfoList({QStringLiteral("*.reach.json")})) {
        QFile in(file.filePath());
        if (!in.open(QIODevice::ReadOnly)) continue;
        const QJsonObject counts = QJsonDocument::fromJson(in.readAll()).object();
        for (auto it = counts.begin(); it != counts.end(); ++it) sums[it.key()] += it->toInt();
    }
    for (auto it = sums.cbegin(); it != sums.cend(); ++it)
        kinds[it.key().section(u' ', 0, 0)].append({it.value(), it.key().section(u' ', 1)});
    for (auto kind = kinds.begin(); kind != kinds.end(); ++kind) {
        std::ranges::sort(*kind);
        for (const auto& [count, name] : std::as_const(*kind))
            std::printf("%s\t%d\t%s\n", qPrintable(kind.key()), count, qPrintable(name));
    }
    if (!sums.isEmpty()) printRarest(sums);
    return sums.isEmpty() ? kBadUsage : kNothing;
}

int report(const Walk& walk, const QString& file) {
    if (walk.findings().empty()) {
        std::printf("walker: %lld actions, nothing found; %d blocks, the longest %.0f ms\n",
                    static_cast<long long>(walk.actions().size()), walk.checks().numBlocks(),
                    walk.checks().longestBlockMs());
        return kNothing;
    }
    std::printf("walker: %zu found in %lld actions, first after %d: %s (%s)\n",
                walk.findings().size(), static_cast<long long>(walk.actions().size()),
                walk.places().front(), qPrintable(walk.findings().front().key()), qPrintable(file));
    return kFound;
}

}  // namespace

int main(int argc, char** argv) {
    // The home and the screen lie in memory: a walk waits for no disk.
    if (qEnvironmentVariableIsEmpty("TMPDIR") && QFileInfo(QStringLiteral("/dev/shm")).isWritable())
        qputenv("TMPDIR", "/dev/shm");
    QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOptions(
        {{QStringLiteral("seed"), QStringLiteral("Of the random numbers."), QStringLiteral("N"),
          QStringLiteral("1")},
         {QStringLiteral("actions"), QStringLiteral("How many to take."), QStringLiteral("N"),
          QStringLiteral("1500")},
         {QStringLiteral("seconds"), QStringLiteral("Ends earlier, after so many."),
          QStringLiteral("S"), QStringLiteral("0")},
         {QStringLiteral("folder"),
          QStringLiteral("For the walk, its counts and pictures of what is found; those of a "
                         "replay lie beside its file."),
          QStringLiteral("FOLDER"), QStringLiteral(".")},
         {QStringLiteral("replay"), QStringLiteral("Does the actions of a walk again."),
          QStringLiteral("FILE")},
         {QStringLiteral("shrink"),
          QStringLiteral("Leaves actions out of a walk as long as its first failure comes."),
          QStringLiteral("FILE")},
         {QStringLiteral("sum"),
          QStringLiteral("Prints how often the walks of a folder reached what."),
          QStringLiteral("FOLDER")},
         {QStringLiteral("verbose"), QStringLiteral("Tells each action.")}});
    parser.process(application);
    if (parser.isSet(QStringLiteral("sum"))) return printReach(parser.value(QStringLiteral("sum")));
    WalkPlan plan;
    plan.seed = parser.value(QStringLiteral("seed")).toULongLong();
    plan.actions = parser.value(QStringLiteral("actions")).toInt();
    plan.seconds = parser.value(QStringLiteral("seconds")).toDouble();
    plan.folder = parser.value(QStringLiteral("folder"));
    plan.isVerbose = parser.isSet(QStringLiteral("verbose"));
    try {
        if (parser.isSet(QStringLiteral("shrink"))) {
            plan.folder.clear();
            return shrink(plan, parser.value(QStringLiteral("shrink")));
        }
        const QString file = parser.value(QStringLiteral("replay"));
        if (!file.isEmpty() && !parser.isSet(QStringLiteral("folder")))
            plan.folder = QFileInfo(file).path();
        Walk walk(plan, kScreen);
        if (!file.isEmpty()) {
            const QJsonArray actions = readWalk(file);
            if (actions.isEmpty()) {
                std::fprintf(stderr, "walker: %s holds no walk\n", qPrintable(file));
                return kBadUsage;
            }
            walk.replay(actions);
            return report(walk, file);
        }
        QDir().mkpath(plan.folder);
        const QString stem = QStringLiteral("%1/seed%2").arg(plan.folder).arg(plan.seed);
        WalkReach reach;
        walk.run(reach);
        writeWalk(stem + QStringLiteral(".json"), walk.actions(), textsOf(walk));
        writeReach(stem + QStringLiteral(".reach.json"), reach);
        return report(walk, stem + QStringLiteral(".json"));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "walker: %s\n", error.what());
        return kBadUsage;
    }
}
