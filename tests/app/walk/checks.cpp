#include "tests/app/walk/checks.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>

#include "tests/app/walk/json_text.h"
#include "tests/app/walk/performer.h"
#include "tests/app/walk/target.h"

namespace orrery {

namespace {

constexpr double kBigChangeMs = 200;

QJsonObject sessionOf(const QJsonObject& dump) {
    return dump.value(u"session").toObject();
}

/// Where the whole screen is smaller.
bool isBelowLeastSize(const QJsonObject& dump) {
    const QJsonArray size = dump.value(u"size").toArray();
    return size[0].toInt() < kLeastSize.width() || size[1].toInt() < kLeastSize.height();
}

/// A world that was saved with an error comes back as it was when it was right, not saved.
QString titleIn(const QJsonObject& dump) {
    return textOf(dump, "title").remove(QStringLiteral(", not saved"));
}

/// Theme, scale, size and perspective lay out the whole window anew.
bool isBigChange(const QJsonObject& action, const QJsonObject& before, const QJsonObject& now) {
    // Many a command shows another perspective.
    for (const char* fact : {"perspective", "size", "ratio", "theme"})
        if (before.value(QLatin1String(fact)) != now.value(QLatin1String(fact))) return true;
    static const QSet<QString> kCommands{
        QStringLiteral("view.light"), QStringLiteral("view.dark"), QStringLiteral("view.system"),
        QStringLiteral("view.fullScreen"), QStringLiteral("window.resetLayout")};
    const QString what = textOf(action, "do");
    const QString name = textOf(action.value(u"at").toObject(), "name");
    return what == QLatin1String("size") || what == QLatin1String("restart") ||
           what == QLatin1String("kill") || what == QLatin1String("open") ||
           name.startsWith(QLatin1String("rail_")) || name.startsWith(QLatin1String("run_")) ||
           name.startsWith(QLatin1String("setting_appearance")) ||
           kCommands.contains(textOf(action, "name"));
}

}  // namespace

QString WalkFinding::key() const {
    return kind + QStringLiteral(": ") + withoutNumbers(text.section(u'\n', 0, 0)).left(160);
}

void WalkChecks::find(const char* kind, const QString& text) {
    m_found.push_back({QLatin1String(kind), text.trimmed()});
}

std::vector<WalkFinding> WalkChecks::afterAction(WalkPerformer& walk, const QJsonObject& action) {
    UiDriver& ui = walk.ui();
    seeConsole(walk);
    if (ui.hasCrashed())
        find("crash", QString::fromUtf8(ui.why()));
    else if (ui.isRunning() && ui.dump().isEmpty())
        find("hang", QStringLiteral("the window does not answer"));
    else if (ui.isRunning()) {
        seeBlocks(walk, action);
        seeTwice(walk, "cut", &WalkChecks::cutTexts);
        noteCarried(walk, action);
        seeTwice(walk, "outside", &WalkChecks::partsOutside);
        for (const QString& text : disagreements(ui)) find("differs", text);
        for (const QString& text : m_frozen.see(ui, action)) find("frozen", text);
        m_last = ui.dump();
        const QJsonObject run = m_last.value(u"run").toObject();
        // It is still told of when another workspace has been opened.
        if (textOf(run, "id") != m_run) m_runPlace = textOf(m_last, "workspace");
        m_run = textOf(run, "id");
        if (textOf(run, "state") == QLatin1String("finished")) m_runs[m_runPlace].insert(m_run);
    }
    return std::exchange(m_found, {});
}

void WalkChecks::seeConsole(WalkPerformer& walk) {
    const QByteArray console = walk.ui().console();
    const QString added = QString::fromUtf8(console.mid(m_readTo));
    m_readTo = console.size();
    if (added.trimmed().isEmpty()) return;
    const bool isReport = added.contains(QLatin1String("Sanitizer")) ||
                          added.contains(QLatin1String("runtime error:"));
    find(isReport ? "report" : "console", added);
}

void WalkChecks::seeBlocks(WalkPerformer& walk, const QJsonObject& action) {
    const QJsonArray blocks =
        walk.ui().dump().value(u"watch").toObject().value(u"blocks").toArray();
    double newest = m_blocksTo;
    for (const QJsonValue value : blocks) {
        const QJsonObject block = value.toObject();
        const double at = block.value(u"atSeconds").toDouble(),
                     cpu = block.value(u"cpuMs").toDouble();
        newest = std::max(newest, at);
        const QString what = textOf(block, "what");
        const bool isOfDump = what.contains(QLatin1String("DumpUi")) ||
                              what.contains(QLatin1String("QFileSystemWatcher")) ||
                              what.contains(QLatin1String("QSocketNotifier"));
        if (at <= m_blocksTo || isOfDump || cpu <= 50) continue;
        ++m_numBlocks;
        m_longestMs = std::max(m_longestMs, cpu);
        const double limit = isBigChange(action, m_last, walk.ui().dump())
                                 ? std::max(kBigChangeMs, m_maxBlockMs)
                                 : m_maxBlockMs;
        if (m_maxBlockMs > 0 && cpu > limit)
            find("block", QStringLiteral("%1: %2 ms of CPU").arg(what).arg(cpu, 0, 'f', 0));
    }
    m_blocksTo = newest;
}

/// What is there at two looks: a number that changes thirty times a second may have grown since its
/// place was made, and a panel that is let go of glides to its own.
void WalkChecks::seeTwice(WalkPerformer& walk, const char* kind, Look look) {
    const QStringList first = (this->*look)(walk);
    if (first.isEmpty() || walk.ui().look().isEmpty()) return;
    const QStringList again = (this->*look)(walk);
    for (const QString& text : first)
        if (again.contains(text)) find(kind, text);
}

QStringList WalkChecks::cutTexts(WalkPerformer& walk) {
    QStringList found;
    const QJsonObject& dump = walk.ui().dump();
    if (isBelowLeastSize(dump)) return found;
    QImage picture;
    for (const QJsonValue value : dump.value(u"widgets").toArray()) {
        const QJsonObject part = value.toObject();
        if (!part.value(u"cut").toBool() || part.value(u"hidden").toBool()) continue;
        if (picture.isNull()) picture = walk.screen().picture();
        const QRect place = walk.ui().placeOf(part);
        // What gives way where there is no room draws nothing at all.
        if (picture.rect().contains(place) && UiDriver::inkIn(picture, place) > 0)
            found << textOf(part, "window") + u'/' + textOf(part, "name") + u' ' +
                         textOf(part, "kind") + QStringLiteral(": ") +
                         withoutNumbers(textOf(part, "text").left(40));
    }
    return found;
}

/// Who drags a floating panel may leave it half beyond the screen.
void WalkChecks::noteCarried(const WalkPerformer& walk, const QJsonObject& action) {
    const QString what = textOf(action, "do");
    if (what != QLatin1String("drag") && what != QLatin1String("carry")) return;
    for (const QJsonValue value : walk.ui().dump().value(u"windows").toArray())
        if (textOf(value.toObject(), "kind") == QLatin1String("orrery::SidePanel"))
            m_carried.insert(textOf(value.toObject(), "name"));
}

QStringList WalkChecks::partsOutside(WalkPerformer& walk) {
    QStringList found;
    const QJsonObject& dump = walk.ui().dump();
    const QRect screen(QPoint(), walk.screen().size());
    for (const QJsonValue value : dump.value(u"windows").toArray()) {
        const QJsonObject window = value.toObject();
        const QRect place = walk.ui().placeOf(window);
        // A rounded half pixel is none.
        if (!screen.adjusted(-1, -1, 1, 1).contains(place) &&
            !m_carried.contains(textOf(window, "name")))
            found << QStringLiteral("%1 %2 (%3, %4 %5x%6 on %7x%8)")
                         .arg(textOf(window, "kind"), textOf(window, "name"))
                         .arg(place.x())
                         .arg(place.y())
                         .arg(place.width())
                         .arg(place.height())
                         .arg(screen.width())
                         .arg(screen.height());
    }
    if (isBelowLeastSize(dump)) return found;
    for (const QJsonValue value : dump.value(u"widgets").toArray()) {
        const QJsonObject part = value.toObject();
        if (part.value(u"clipped").toBool() && part.value(u"input").toBool())
            found << QStringLiteral("%1/%2 %3: %4")
                         .arg(textOf(part, "window"), textOf(part, "name"), textOf(part, "kind"),
                              textOf(part, "text").left(40));
    }
    return found;
}

std::vector<WalkFinding> WalkChecks::whileEnded(WalkPerformer& walk, bool wasKilled) {
    seeConsole(walk);
    m_readTo = 0;  // the next start's console is another
    m_carried.clear();
    m_blocksTo = -1;
    const UiDriver& ui = walk.ui();
    const QString folder = textOf(m_last, "workspace");
    if (QFile::exists(folder)) {
        const Ended verify = ui.cli({QStringLiteral("verify"), folder});
        if (verify.status != 0)
            find("verify", QString::number(verify.status) + QStringLiteral(": ") +
                               QString::fromUtf8(verify.out + verify.err));
        const QByteArray runs =
            ui.cli({QStringLiteral("ls"), QStringLiteral("--all"), QStringLiteral("--json"),
                    QStringLiteral("--workspace"), folder})
                .out;
        // What is not listed may be in the trash.
        for (const QString& id : m_runs.value(folder))
            if (!runs.contains(id.toUtf8()) &&
                ui.cli({QStringLiteral("show"), id, QStringLiteral("--workspace"), folder})
                        .status != 0)
                find("lost", QStringLiteral("run %1 was finished").arg(id));
    }
    const QByteArray kept =
        Program::read(ui.path(QStringLiteral(".local/state/orrery/session.json")));
    const QByteArray settings = Program::read(ui.path(QStringLiteral(".config/orrery/orrery.ini")));
    m_expected = {};
    if (wasKilled) m_frozen = {};  // what was kept last may be older
    // A question about another world that was to be opened was still there, and it was opened.
    const bool isOther = !wasKilled && walk.hasDiscarded();
    if (!isOther && !settings.contains("restoreSession=false") &&
        sessionOf(m_last).value(u"open").toBool())
        m_expected =
            wasKilled
                ? QJsonObject{{QStringLiteral("worldName"),
                               QJsonDocument::fromJson(kept).object().value(u"world")}}
                : QJsonObject{{QStringLiteral("worldName"), sessionOf(m_last).value(u"worldName")},
                              {QStringLiteral("perspective"), m_last.value(u"perspective")},
                              {QStringLiteral("title"), titleIn(m_last)}};
    return std::exchange(m_found, {});
}

/// A draft may be saved with an error, with a warning; its file cannot be opened then, and the
/// window has to say so.
void WalkChecks::forgiveDamagedWorld(UiDriver& ui) {
    const QString world = textOf(m_expected, "worldName");
    const QStringList parse{QStringLiteral("parse"), QStringLiteral("--kind"),
                            QStringLiteral("map"), world};
    if (!QFileInfo::exists(world) || ui.cli(parse).status == 0) return;
    const auto isTold = [&] {
        return std::ranges::any_of(
            ui.dump().value(u"messages").toArray(), [&](const QJsonValue& message) {
                return textOf(message.toObject(), "text").contains(QFileInfo(world).fileName());
            });
    };
    if (!ui.waitUntil(isTold, 10'000)) return;
    m_expected.remove(QStringLiteral("worldName"));
    m_expected.remove(QStringLiteral("title"));
}

std::vector<WalkFinding> WalkChecks::afterStart(WalkPerformer& walk) {
    UiDriver& ui = walk.ui();
    for (const QJsonValue value : ui.dump().value(u"messages").toArray())
        if (const QString text = textOf(value.toObject(), "text");
            text.contains(QLatin1String("afresh")))
            find("lost", text);
    // A workspace that the settings name takes the place of the one that was opened.
    const bool isElsewhere = textOf(ui.dump(), "workspace") != textOf(m_last, "workspace");
    const auto isAsBefore = [&](const char* key, const auto& now) {
        const QString wanted = textOf(m_expected, key);
        if (isElsewhere || wanted.isEmpty()) return;
        if (!ui.waitUntil([&] { return now() == wanted; }, 10'000))
            find("lost",
                 QStringLiteral("%1 was '%2' and is '%3'").arg(QLatin1String(key), wanted, now()));
    };
    forgiveDamagedWorld(ui);
    isAsBefore("worldName", [&] { return textOf(sessionOf(ui.dump()), "worldName"); });
    isAsBefore("perspective", [&] { return textOf(ui.dump(), "perspective"); });
    isAsBefore("title", [&] { return titleIn(ui.dump()); });
    if (isElsewhere)
        m_frozen = {};  // their runs may be in the other one
    else
        for (const QString& text : m_frozen.seeRestored(ui)) find("lost", text);
    m_last = ui.dump();
    return std::exchange(m_found, {});
}

}  // namespace orrery
