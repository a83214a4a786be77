// Drives the window at random, without a script, and says what it finds: see README.md, "The
// walker".

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QSize>
#include <QStringList>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <utility>

#include "tests/app/walk/chooser.h"
#include "tests/app/walk/walk.h"

using namespace orrery;

namespace {

constexpr int kNothing = 0, kFound = 1, kBadUsage = 2;
const QSize kScreen(1920, 1080);
constexpr int kReplays = 3;  ///< in which a failure must come to count as one that comes

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
