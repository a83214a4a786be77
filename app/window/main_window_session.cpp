#include <QDeadlineTimer>
#include <QFile>
#include <QGuiApplication>
#include <QJsonArray>
#include <QScreen>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <utility>

#include "app/window/main_window.h"
#include "widgets/bridge/archive.h"
#include "widgets/frame/session_file.h"
#include "widgets/frame/window_place.h"
#include "widgets/part/settings_part.h"
#include "widgets/settings/preferences.h"
#include "widgets/train/train_session.h"

namespace orrery {

namespace {

constexpr int kMostFailedStarts = 2, kRestoredAfterMs = 5000, kRestoredPollMs = 250;

QScreen* screenAround(const QRect& frame) {
    QScreen* screen = QGuiApplication::screenAt(frame.center());
    return screen ? screen : QGuiApplication::primaryScreen();
}

QString folderText(const Workspace& workspace) {
    return QString::fromStdString(workspace.folder().string());
}

}  // namespace

QJsonObject MainWindow::sessionState() const {
    const QRect frame = normalGeometry();
    QJsonObject state{{QStringLiteral("frame"), saveFrame()},
                      {QStringLiteral("geometry"), QJsonArray{frame.x(), frame.y(), frame.width(),
                                                              frame.height(), isMaximized()}},
                      {QStringLiteral("scale"), appliedScale()},
                      {QStringLiteral("theme"), nameOf(m_settings->theme())},
                      {QStringLiteral("recentWorlds"), QJsonArray::fromStringList(m_recentWorlds)},
                      {QStringLiteral("trainForm"), trainFormState()},
                      {QStringLiteral("recent"), QJsonArray::fromStringList(m_locator->recent())}};
    if (const QString id = shownTrainingId(); !id.isEmpty() && archive().workspace()) {
        state.insert(QStringLiteral("training"), id);
        state.insert(QStringLiteral("trainingWorkspace"), folderText(*archive().workspace()));
    }
    if (session().isOpen()) {
        state.insert(QStringLiteral("world"), QString::fromStdString(session().loaded().name));
        state.insert(QStringLiteral("address"), selection().address());
        if (!session().runId().isEmpty() && archive().workspace()) {
            state.insert(QStringLiteral("run"), session().runId());
            state.insert(QStringLiteral("workspace"), folderText(*archive().workspace()));
        }
        state.insert(QStringLiteral("document"), documentState());
    }
    return state;
}

/// What ends the program once all is back and drawn is not the session's fault.
void MainWindow::awaitRestored() {
    auto* poll = new QTimer(this);
    poll->setInterval(kRestoredPollMs);
    connect(poll, &QTimer::timeout, this, [this, poll, since = QDeadlineTimer(kRestoredAfterMs)] {
        const bool isBack = m_pendingRun.isEmpty() && m_pendingTraining.isEmpty() &&
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
    if (m_options.theme == ThemeChoice::System)
        m_options.theme = themeChoiceOf(state.value(QLatin1String("theme")).toString())
                              .value_or(ThemeChoice::System);
    QStringList recent;
    for (const QJsonValue name : state.value(QLatin1String("recent")).toArray())
        recent << name.toString();
    m_locator->setRecent(recent);
    for (const QJsonValue name : state.value(QLatin1String("recentWorlds")).toArray())
        m_recentWorlds << name.toString();
    restoreFrame(state.value(QLatin1String("frame")).toObject());
    m_pendingDocument = state.value(QLatin1String("document")).toObject();
    if (!m_options.world.isEmpty()) {
        showPerspective(QStringLiteral("world"));
        setDraftAside();
    } else {
        m_options.world = state.value(QLatin1String("world")).toString();
        m_pendingAddress = state.value(QLatin1String("address")).toString();
        m_pendingRun = state.value(QLatin1String("run")).toString();
        m_pendingTraining = state.value(QLatin1String("training")).toString();
        m_pendingTrainingWorkspace = state.value(QLatin1String("trainingWorkspace")).toString();
        m_pendingWorkspace = state.value(QLatin1String("workspace")).toString();
    }
    restoreTrainForm(state.value(QLatin1String("trainForm")).toObject());
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

/// The training that was shown is there again, however it ended.
void MainWindow::reopenKeptTraining() {
    const QString id = std::exchange(m_pendingTraining, {});
    const auto& runs = archive().runs();
    const auto run = std::ranges::find(runs, id.toStdString(), &RunRecord::id);
    if (id.isEmpty() || m_training->hasRun() ||
        folderText(*archive().workspace()) != m_pendingTrainingWorkspace)
        return;
    // In the trash it is not listed and was shown all the same; deleted, it is gone without a word.
    const auto failed = [this, isListed = run != runs.end()](const QString& text) {
        if (isListed) say(MessageKind::Error, text);
    };
    showStoredTraining(
        id, [this] { tellInterrupted(); }, failed);
}

/// The run of the last session comes back when its workspace is open; without it, the state that
/// was shown cannot be found again.
void MainWindow::reopenKeptRun() {
    reopenKeptTraining();
    const QString id = std::exchange(m_pendingRun, {});
    if (id.isEmpty()) return;
    const auto& runs = archive().runs();
    const auto run = std::ranges::find(runs, id.toStdString(), &RunRecord::id);
    if (run != runs.end() && run->state == RunState::Finished &&
        folderText(*archive().workspace()) == m_pendingWorkspace)
        archive().reopen(id);
    else
        restoreDocument();
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

}  // namespace orrery
