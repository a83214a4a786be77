#include "app/window/dump_ui.h"

#include <QApplication>
#include <QFile>
#include <QFileInfo>
#include <cstdio>
#include <utility>

#include "app/window/event_watch.h"
#include "app/window/main_window.h"
#include "app/window/window_facts.h"
#include "widgets/common/ui_dump.h"
#include "widgets/common/ui_dump_parts.h"

namespace orrery {

namespace {

constexpr int kSettledTicks = 4, kQuietMs = 100;
constexpr qsizetype kLongestTrail = 1000;

/// The words of a file, none if there is none or nothing stands in it yet.
QList<QByteArray> wordsOf(const QString& name) {
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QByteArray text = file.readAll().simplified();
    return text.isEmpty() ? QList<QByteArray>() : text.split(' ');
}

}  // namespace

DumpUi::DumpUi(MainWindow& window, const QString& file, EventWatch& watch)
    : m_window(window), m_watch(watch), m_file(file), m_request(file + QStringLiteral(".request")) {
    m_settling.setObjectName(QStringLiteral("DumpUi"));  // what takes long in it is the dump
    connect(&m_settling, &QTimer::timeout, this, [this] {
        // Settled for some ticks: what came last has been laid out and painted, too.
        m_numSettled = m_window.isSettled() ? m_numSettled + 1 : 0;
        if (m_numSettled >= kSettledTicks) answer();
    });
    m_watcher.addPath(QFileInfo(file).absolutePath());
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &DumpUi::look);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &DumpUi::look);
    connect(qApp, &QApplication::focusChanged, this,
            [this](const QWidget*, const QWidget* now) { noteFocus(now); });
    QTimer::singleShot(0, this, &DumpUi::look);
}

void DumpUi::noteFocus(const QWidget* now) {
    if (!now || m_focusTrail.size() >= kLongestTrail) return;
    const ViewSpec* view = m_window.viewAround(now);
    m_focusTrail.append(
        QJsonObject{{QStringLiteral("id"), idText(now)},
                    {QStringLiteral("name"), now->objectName()},
                    {QStringLiteral("kind"), QLatin1String(now->metaObject()->className())},
                    {QStringLiteral("view"), view ? view->id : QString()},
                    {QStringLiteral("global"), globalJson(now, now->rect())}});
}

void DumpUi::look() {
    QList<QByteArray> words = wordsOf(m_request);
    if (words.isEmpty()) {
        // Perhaps it is still being written; what came before it was watched is told by nobody.
        m_watcher.addPath(m_request);
        words = wordsOf(m_request);
    }
    if (words.isEmpty()) return;
    // One that waits is waited for; a newer one takes its place.
    if (m_settling.isActive() && QString::fromUtf8(words.first()) == m_token) return;
    m_settling.stop();
    m_token = QString::fromUtf8(words.first());
    m_numSettled = 0;
    const int quietMs = words.size() > 2 ? words[2].toInt() : kQuietMs;
    if (words.size() > 1 && words[1] == "settled")
        m_settling.start(quietMs / kSettledTicks);
    else
        answer();
}

void DumpUi::answer() {
    m_settling.stop();
    // The next request may come as soon as the answer is there.
    QFile::remove(m_request);
    write(m_token);
    look();
}

bool DumpUi::write(const QString& token) {
    m_watch.leaveOut();
    QJsonObject facts = windowFacts(m_window, &m_watch);
    if (!token.isEmpty()) facts.insert(QStringLiteral("request"), token);
    facts.insert(QStringLiteral("focusTrail"), std::exchange(m_focusTrail, {}));
    // While a run is live, a text may have come since the last layout.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    const QByteArray bytes = uiDump(&m_window, m_window.selection(), facts);
    // Renamed, so that nobody reads half of it. Nothing waits for the disk: nobody needs it after a
    // power cut.
    const QByteArray name = QFile::encodeName(m_file), unfinished = name + ".new";
    QFile file(QFile::decodeName(unfinished));
    const bool isWritten = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    file.close();
    if (isWritten && file.error() == QFile::NoError &&
        std::rename(unfinished.constData(), name.constData()) == 0)
        return true;
    std::fprintf(stderr, "orrery: %s cannot be written\n", name.constData());
    return false;
}

}  // namespace orrery
