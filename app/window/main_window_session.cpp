// The file that keeps how the window was left, and what is asked before it closes.
#include <QDeadlineTimer>
#include <QFile>
#include <QGuiApplication>
#include <QJsonArray>
#include <QScreen>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <optional>

#include "app/window/close_boxes.h"
#include "app/window/main_window.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/live_runs.h"
#include "widgets/bridge/queue_bridge.h"
#include "widgets/frame/locator.h"
#include "widgets/frame/session_file.h"
#include "widgets/frame/window_place.h"
#include "widgets/part/perspective_ids.h"
#include "widgets/settings/preferences.h"
#include "widgets/world/world_part.h"

namespace orrery {

namespace {

constexpr int kMostFailedStarts = 2, kRestoredAfterMs = 5000, kRestoredPollMs = 250;

QScreen* screenAround(const QRect& frame) {
    QScreen* screen = QGuiApplication::screenAt(frame.center());
    return screen ? screen : QGuiApplication::primaryScreen();
}

}  // namespace

QJsonObject MainWindow::sessionState() const {
    const QRect frame = normalGeometry();
    QJsonObject state{{QStringLiteral("frame"), saveFrame()},
                      {QStringLiteral("geometry"), QJsonArray{frame.x(), frame.y(), frame.width(),
                                                              frame.height(), isMaximized()}},
                      {QStringLiteral("scale"), appliedScale()},
                      {QStringLiteral("recent"), QJsonArray::fromStringList(m_locator->recent())}};
    for (const auto& part : m_parts) part->saveSession(state);
    return state;
}

/// What ends the program once all is back and drawn is not the session's fault.
void MainWindow::awaitRestored() {
    auto* poll = new QTimer(this);
    poll->setInterval(kRestoredPollMs);
    connect(poll, &QTimer::timeout, this, [this, poll, since = QDeadlineTimer(kRestoredAfterMs)] {
        const bool isBack =
            std::ranges::all_of(m_parts, [](const auto& part) { return part->isRestored(); }) &&
            archive().isListed() && isSettled();
        if (!isBack && !since.hasExpired()) return;
        endRestoring(sessionFileName());
        poll->deleteLater();
        poll->stop();
    });
    poll->start();
}

void MainWindow::restoreSession() {
    if (!m_options.restoresSession) return;
    m_keeping = new QTimer(this);
    connect(m_keeping, &QTimer::timeout, this, &MainWindow::keepSession);
    m_keeping->start(
        std::chrono::seconds(preferences().value(QStringLiteral("advanced/keepSeconds")).toInt()));
    if (!keepsSession()) return;
    QString trouble;
    if (beginRestoring(sessionFileName()) >= kMostFailedStarts && QFile::exists(sessionFileName()))
        trouble = tr("The program ended %1 times while it brought the last session back. It starts "
                     "afresh; the session was set aside as %2.")
                      .arg(kMostFailedStarts)
                      .arg(setSessionAside(sessionFileName()));
    awaitRestored();
    const QJsonObject state =
        trouble.isEmpty() ? readSession(sessionFileName(), trouble) : QJsonObject();
    if (!trouble.isEmpty()) say(MessageKind::Warning, trouble);
    placeWindow(state);
    if (state.isEmpty()) return;
    QStringList recent;
    for (const QJsonValue name : state.value(u"recent").toArray()) recent << name.toString();
    m_locator->setRecent(recent);
    restoreFrame(state.value(u"frame").toObject());
    const bool hasOtherWorld = !m_options.world.isEmpty();
    if (hasOtherWorld) showPerspective(kWorldPerspective);
    for (const auto& part : m_parts) part->restoreSession(state, hasOtherWorld);
    m_keptSession = state;
}

/// On the same pixels of the screen as in the last session, whatever the scale was, as far as there
/// is such a screen.
void MainWindow::placeWindow(const QJsonObject& kept) {
    if (!m_options.size.isEmpty()) return;
    const QJsonArray place = kept.value(QLatin1String("geometry")).toArray();
    const double scale = kept.value(QLatin1String("scale")).toDouble(1) / appliedScale();
    const auto points = [&](qsizetype i) { return qRound(scale * place[i].toInt()); };
    QRect frame = geometry();
    if (!place.isEmpty()) frame = QRect(points(0), points(1), points(2), points(3));
    frame.setSize(frame.size().expandedTo(minimumSize()));
    setGeometry(placedOn(frame, screenAround(frame)->availableGeometry()));
    if (place[4].toBool()) setWindowState(windowState() | Qt::WindowMaximized);
}

bool MainWindow::keepsSession() const {
    return m_options.restoresSession &&
           preferences().isOn(QStringLiteral("general/restoreSession"));
}

void MainWindow::keepSession() {
    if (!keepsSession() || !session().isOpen()) return;
    const QJsonObject state = sessionState();
    if (state == m_keptSession) return;
    QString trouble;
    if (writeSession(sessionFileName(), state, trouble)) {
        m_keptSession = state;
    } else if (m_keeping && m_keeping->isActive()) {
        m_keeping->stop();  // it will not get better; say it once
        say(MessageKind::Warning, tr("The session cannot be kept: %1").arg(trouble));
    }
}

/// Asks what would be lost. @return whether the window may close now
bool MainWindow::mayClose() {
    const auto present = [this] { return lastAnswer(m_parts, &WindowPart::closeQuestion); };
    if (preferences().isOn(QStringLiteral("general/asksBeforeQuit"))) {
        const auto question = present();
        if (!question && !mayDropJobs(jobs(), this)) return false;
        const CloseAnswer answer = question ? askToEnd(*question, this) : CloseAnswer::EndNow;
        if (answer == CloseAnswer::Stay) return false;
        // It may have ended, or have been paused, while it was asked about.
        if (const auto rest = present(); rest && answer == CloseAnswer::FinishFirst) {
            m_closesWhenDone = rest->canFinish;
            live().holdWaiting(true);  // they are there again at the next start
            if (m_closesWhenDone) showMinimized();
            return false;
        }
    }
    // A session keeps the changes; without one this is their end.
    return keepsSession() || m_world->mayLeave();
}

void MainWindow::closeIfDone() {
    if (m_closesWhenDone && !live().isLive() && !m_bench.queue().isLive()) close();
}

}  // namespace orrery
