#include "tests/support/ui_driver.h"

#include <QFile>
#include <QProcessEnvironment>
#include <QTest>
#include <cstdlib>

#include "tests/support/wait_until.h"

namespace orrery {

namespace {

constexpr int kDoubleClickMs = 60;

const char* const kManagerFile = R"(<?xml version="1.0"?>
<JWM>
  <Desktops width="1" height="1"/>
  <FocusModel>click</FocusModel>
  <Key mask="4" key="F10">maximize</Key>
  <Group><Class>orrery</Class><Option>noborder</Option><Option>notitle</Option></Group>
</JWM>
)";

QStringList moveTool(const QPoint& place) {
    return {QStringLiteral("mousemove"), QString::number(place.x()), QString::number(place.y())};
}

}  // namespace

bool checksTimesStrictly() {
    return qEnvironmentVariableIntValue("ORRERY_STRICT_TIMES") != 0;
}

double timeLimit(double strict, double loose) {
    return checksTimesStrictly() ? strict : loose;
}

UiDriver::UiDriver(double scale) {
    m_home.write(QStringLiteral("jwmrc"), kManagerFile);
    m_manager.setStandardErrorFile(QProcess::nullDevice());
    startManager();
    m_home.prepare(m_process);
    // Relative names of files stay in the home.
    m_process.setWorkingDirectory(path(QString()));
    QProcessEnvironment environment = m_process.processEnvironment();
    for (const char* variable : {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME",
                                 "QT_SCALE_FACTOR", "QT_STYLE_OVERRIDE", "QT_LOGGING_RULES"})
        environment.remove(QLatin1String(variable));
    if (scale != 1) environment.insert(QStringLiteral("QT_SCALE_FACTOR"), QString::number(scale));
    m_process.setProcessEnvironment(environment);
    m_process.setProcessChannelMode(QProcess::MergedChannels);
}

void UiDriver::startManager() {
    m_manager.start(QStringLiteral("jwm"), {QStringLiteral("-f"), path(QStringLiteral("jwmrc"))});
    if (!m_manager.waitForStarted()) qFatal("jwm is missing: packaging/setup.sh installs it");
    // It answers for the number of desktops as soon as it manages windows.
    test::waitUntil([] {
        return QProcess::execute(QStringLiteral("sh"),
                                 {QStringLiteral("-c"),
                                  QStringLiteral("xdotool get_num_desktops >/dev/null 2>&1")}) == 0;
    });
}

void UiDriver::changeScreen() {
    m_manager.kill();
    m_manager.waitForFinished();
    startManager();
    setVariable(QStringLiteral("DISPLAY"), qEnvironmentVariable("DISPLAY"));
}

UiDriver::~UiDriver() {
    for (QProcess* process : {&m_process, &m_manager}) {
        if (process->state() == QProcess::NotRunning) continue;
        process->kill();
        process->waitForFinished();
    }
}

bool UiDriver::start(const QStringList& arguments) {
    m_console.clear();
    m_dump = {};
    for (const QString& name : {dumpFile(), requestFile()}) QFile::remove(name);
    m_process.setArguments(QStringList{QStringLiteral("--dump-ui"), dumpFile()} + arguments);
    m_process.start(QIODevice::ReadOnly);
    return m_process.waitForStarted() &&
           waitUntil([this] { return m_dump.value(u"firstPaintSeconds").toDouble() > 0; }) &&
           settle();
}

void UiDriver::setVariable(const QString& name, const QString& value) {
    QProcessEnvironment environment = m_process.processEnvironment();
    if (value.isEmpty())
        environment.remove(name);
    else
        environment.insert(name, value);
    m_process.setProcessEnvironment(environment);
}

void UiDriver::kill() {
    m_process.kill();
    m_process.waitForFinished();
    m_console += m_process.readAll();
}

int UiDriver::quit() {
    key(QStringLiteral("ctrl+q"));
    const bool hasEnded = m_process.waitForFinished(kPatience);
    m_console += m_process.readAll();
    if (!hasEnded) return -1;
    return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
}

bool UiDriver::waitForEnd(int milliseconds) {
    const bool hasEnded = !isRunning() || m_process.waitForFinished(milliseconds);
    m_console += m_process.readAll();
    return hasEnded;
}

bool UiDriver::hasCrashed() const {
    return !isRunning() &&
           (m_process.exitStatus() == QProcess::CrashExit || m_process.exitCode() != 0);
}

QByteArray UiDriver::console() {
    m_console += m_process.readAll();
    return m_console;
}

double UiDriver::cpuShare(double seconds) const {
    const auto process = static_cast<pid_t>(pid());
    const double before = test::cpuSecondsOf(process);
    QElapsedTimer clock;
    clock.start();
    // Must wait for time: a share of it is measured.
    QTest::qSleep(static_cast<int>(seconds * 1000));
    return (test::cpuSecondsOf(process) - before) / (static_cast<double>(clock.elapsed()) / 1000);
}

Ended UiDriver::cli(const QStringList& arguments, int seconds) const {
    return m_home.run(arguments, seconds);
}

// ---- input

void UiDriver::tool(const QStringList& arguments) {
    if (QProcess::execute(QStringLiteral("xdotool"), arguments) != 0)
        qFatal("xdotool %s failed: packaging/setup.sh installs it",
               qPrintable(arguments.join(u' ')));
}

void UiDriver::key(const QString& chord) {
    tool({QStringLiteral("key"), chord});
}

void UiDriver::toggleMaximized() {
    key(QStringLiteral("super+F10"));
}

void UiDriver::keys(const QStringList& chords, int pause) {
    tool(QStringList{QStringLiteral("key"), QStringLiteral("--delay"), QString::number(pause)} +
         chords);
}

void UiDriver::holdKey(const QString& name) {
    tool({QStringLiteral("keydown"), name});
}

void UiDriver::releaseKey(const QString& name) {
    tool({QStringLiteral("keyup"), name});
}

void UiDriver::type(const QString& text) {
    tool({QStringLiteral("type"), QStringLiteral("--delay"), QStringLiteral("8"),
          QStringLiteral("--"), text});
}

// What belongs together is one call: each takes longer to start than to do.

void UiDriver::moveTo(const QPoint& place) {
    tool(moveTool(place));
}

void UiDriver::click(const QPoint& place, int button) {
    tool(moveTool(place) + QStringList{QStringLiteral("click"), QString::number(button)});
}

void UiDriver::doubleClick(const QPoint& place) {
    tool(moveTool(place) + QStringList{QStringLiteral("click"), QStringLiteral("--repeat"),
                                       QStringLiteral("2"), QStringLiteral("--delay"),
                                       QString::number(kDoubleClickMs), QStringLiteral("1")});
}

void UiDriver::drag(const QPoint& from, const QPoint& to) {
    constexpr int kMoves = 8;
    QStringList words =
        moveTool(from) + QStringList{QStringLiteral("mousedown"), QStringLiteral("1")};
    for (int i = 1; i <= kMoves; ++i)
        // Must wait for time: a hand is no faster, and moves at once are merged.
        words += moveTool(from + (to - from) * i / kMoves) +
                 QStringList{QStringLiteral("sleep"), QStringLiteral("0.02")};
    tool(words + QStringList{QStringLiteral("mouseup"), QStringLiteral("1")});
}

void UiDriver::wheel(const QPoint& place, int notches) {
    tool(moveTool(place) + QStringList{QStringLiteral("click"), QStringLiteral("--repeat"),
                                       QString::number(std::abs(notches)),
                                       QStringLiteral("--delay"), QStringLiteral("30"),
                                       notches > 0 ? QStringLiteral("4") : QStringLiteral("5")});
}

void UiDriver::ctrlWheel(const QPoint& place, int notches) {
    holdKey(QStringLiteral("ctrl"));
    wheel(place, notches);
    releaseKey(QStringLiteral("ctrl"));
}

bool UiDriver::click(const QString& name) {
    if (!waitUntil([&] { return has(name); })) return false;
    click(placeOf(part(name)).center());
    return true;
}

bool UiDriver::clickSpot(const QString& name, const QString& spotName) {
    if (!waitUntil([&] { return !spot(name, spotName).isEmpty(); })) return false;
    click(placeOf(spot(name, spotName)).center());
    return true;
}

bool UiDriver::clickTab(const QString& title) {
    const auto place = [&]() -> std::optional<QPoint> {
        for (const QJsonObject& bar : partsOfKind(QStringLiteral("ViewTabBar")))
            for (const QJsonValue value : bar.value(u"tabs").toArray())
                // What a view is about stands behind its title.
                if (value.toObject().value(u"text").toString().section(u':', 0, 0) == title)
                    return placeOf(value.toObject()).center();
        return std::nullopt;
    };
    if (!waitUntil([&] { return place().has_value(); })) return false;
    click(*place());
    return true;
}

bool UiDriver::doubleClickSpot(const QString& name, const QString& spotName) {
    if (!waitUntil([&] { return !spot(name, spotName).isEmpty(); })) return false;
    doubleClick(placeOf(spot(name, spotName)).center());
    return true;
}

bool UiDriver::fill(const QString& name, const QString& text) {
    if (!click(name)) return false;
    key(QStringLiteral("ctrl+a"));
    if (text.isEmpty())
        key(QStringLiteral("Delete"));
    else
        type(text);
    return waitUntil([&] { return this->text(name) == text; });
}

bool UiDriver::enter(const QString& name, const QString& text) {
    if (!fill(name, text)) return false;
    key(QStringLiteral("Return"));
    return true;
}

bool UiDriver::chooseInMenu(const QString& menu, const QString& command) {
    look();
    QPoint place;
    for (const QJsonValue value : m_dump.value(u"actions").toArray()) {
        const QJsonObject entry = value.toObject();
        const QString title = entry.value(u"text").toString().remove(u'&');
        const QJsonArray places = entry.value(u"places").toArray();
        if (title == menu && !places.isEmpty())
            place = placeOf({{QStringLiteral("global"), places[0]}}).center();
    }
    if (place.isNull()) return false;
    click(place);
    if (!waitUntil([&] { return !menuEntry(command, {}).isEmpty(); })) return false;
    click(placeOf(menuEntry(command, {})).center());
    return true;
}

bool UiDriver::chooseInContext(const QPoint& place, const QStringList& entries) {
    click(place, 3);
    for (const QString& text : entries) {
        if (!waitUntil([&] { return !menuEntry({}, text).isEmpty(); })) return false;
        click(placeOf(menuEntry({}, text)).center());
    }
    return waitUntil([&] { return partsOfKind(QStringLiteral("QMenu")).empty(); });
}

bool UiDriver::runCommand(const QString& name) {
    key(QStringLiteral("ctrl+k"));
    if (!waitUntil([this] { return part(QStringLiteral("locator")).value(u"focus").toBool(); }))
        return false;
    key(QStringLiteral("ctrl+a"));
    type(QStringLiteral("> ") + name);
    if (!waitUntil([this] { return has(QStringLiteral("locatorPopup")); })) return false;
    key(QStringLiteral("Return"));
    return waitUntil([this] { return !has(QStringLiteral("locatorPopup")); });
}

bool UiDriver::answerFileDialog(const QString& file) {
    const QString field = QStringLiteral("fileNameEdit");
    if (!waitUntil([&] { return has(field); }) || !click(field)) return false;
    key(QStringLiteral("ctrl+a"));
    type(file);
    if (!waitUntil([&] { return text(field) == file; })) return false;
    key(QStringLiteral("Return"));
    return waitUntil([&] { return !has(field); });
}

bool UiDriver::chooseInBox(const QString& name, const QString& item) {
    if (!click(name)) return false;
    const auto place = [&]() -> std::optional<QPoint> {
        for (const QJsonObject& list : partsOfKind(QStringLiteral("QComboBoxListView")))
            for (const QJsonValue value : list.value(u"cells").toArray())
                if (value.toObject().value(u"text").toString() == item)
                    return placeOf(value.toObject()).center();
        return std::nullopt;
    };
    if (!waitUntil([&] { return place().has_value(); })) return false;
    click(*place());
    return waitUntil([&] { return text(name) == item; });
}

}  // namespace orrery
